import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Email } from '../../db/schema/email.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

export function presentEmail(email: Plain<Email>): Presented {
  return {
    id: String(email.id),
    object: 'email',
    customer: email.customer?.id ?? null,
    email: email.toAddress,
    message: email.message,
    subject: email.subject,
    template: email.template,
    state: email.state,
    opens: email.opens,
    opens_detail: email.openings.map(({ timestamp, ip, user_agent }) => ({ timestamp, ip, user_agent })),
    reject_reason: orNull(email.failureReason),
    created_at: unix(email.createdAt),
    updated_at: unix(email.updatedAt),
  };
}
