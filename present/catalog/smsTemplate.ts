import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { SmsTemplate } from '../../db/schema/templates.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

export function presentSmsTemplate(template: Plain<SmsTemplate>): Presented {
  return {
    id: template.id,
    object: 'sms_template',
    name: template.name,
    message: template.message,
    language: orNull(template.language),
    created_at: unix(template.createdAt),
    updated_at: unix(template.updatedAt),
  };
}
