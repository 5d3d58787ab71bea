import { emailStates } from '../../../db/schema/email.ts';
import * as fields from '../../framework/shape.ts';

const opening = fields.value('Opening', 'One time that an email was opened', {
  timestamp: fields.timestamp('When'),
  ip: fields.text('From where', '192.0.2.17'),
  user_agent: fields.nullable(fields.text('With what', 'Mozilla/5.0')),
});

export const email = fields.shape('Email', 'A mail to one recipient', {
  id: fields.text('Its id', '4711'),
  customer: fields.nullable(fields.id('Whom it is about; null: it went to your own people')),
  email: fields.text('Address of its recipient', 'ada@example.com'),
  message: fields.text('What it says, without its figures', 'Your invoice INV-00001 is here.'),
  subject: fields.text('Its subject', 'Invoice INV-00001 from Acme'),
  template: fields.text('Template that it was made from', 'new_invoice_email'),
  state: fields.choice('bounced: refused for good; failed: given up after 48 hours', ...emailStates),
  opens: fields.integer('How often it was opened, as far as mail programs tell', 0),
  opens_detail: fields.listOf(opening, 'The first hundred times that it was opened'),
  reject_reason: fields.unset(fields.text('What the mail server said against it', '550 no such user')),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
