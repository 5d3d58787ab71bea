import { mailProviders as names } from '../../../billing/mailProviders.ts';
import * as fields from '../../framework/shape.ts';

export const mailProvider = fields.shape('MailProvider', 'Sender of events about your mails', {
  id: fields.id('Id of the mail provider', 4),
  provider: fields.choice('Provider; `mailbox` passes on the reports of mail servers', ...names),
  name: fields.text('Name of the mail provider, for your own use', 'Postmark'),
  events_url: fields.text(
    'URL to enter at the provider for bounces and complaints',
    'https://billing.example.com/mail_events/postmark_1_4',
  ),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
