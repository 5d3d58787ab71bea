import { suppressionReasons } from '../../../billing/mailEvents.ts';
import * as fields from '../../framework/shape.ts';

export const suppression = fields.shape('Suppression', 'Email address to which you send no mail', {
  id: fields.id('Id of the suppression', 5),
  email: fields.nullable(
    fields.text('Email address in lower case; null: its customer was anonymized', 'ada@example.com'),
  ),
  reason: fields.choice(
    '`hard_bounce`: a mail was refused for good; `complaint`: its owner reported a mail as spam; `soft_bounces`: five mails were refused within 30 days',
    ...suppressionReasons,
  ),
  detail: fields.nullable(
    fields.text(
      'Words of the mail server or the provider; null: its customer was anonymized',
      'Refused for good: 550 no such user',
    ),
  ),
  suppressed_at: fields.timestamp('Since when nothing is sent to it'),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
