import { emailStates } from '../../../db/schema/email.ts';
import * as fields from '../../framework/shape.ts';

const opening = fields.value('Opening', 'One opening of an email', {
  timestamp: fields.timestamp('When it was opened'),
  ip: fields.text('IP address of the reader', '192.0.2.17'),
  user_agent: fields.nullable(fields.text('User agent of the mail program', 'Mozilla/5.0')),
});

export const email = fields.shape('Email', 'Email to one recipient', {
  id: fields.text('Id of the email', '4711'),
  customer: fields.nullable(fields.id('Id of the customer; null: the email was sent to your own address')),
  email: fields.text('Email address of the recipient', 'ada@example.com'),
  message: fields.text('Text of the email, without amounts and footer', 'Your invoice INV-00001 is here.'),
  subject: fields.text('Subject of the email', 'Invoice INV-00001 from Acme'),
  template: fields.text('Template of the email, such as `new_invoice_email`', 'new_invoice_email'),
  state: fields.choice(
    '`bounced`: permanently refused by the mail server; `failed`: given up after 48 hours of temporary failures',
    ...emailStates,
  ),
  opens: fields.integer('Number of openings, as far as mail programs load images', 0),
  opens_detail: fields.listOf(opening, 'First 100 openings'),
  reject_reason: fields.unset(
    fields.text('Reason why it was not delivered, such as the answer of the mail server', '550 no such user'),
  ),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
