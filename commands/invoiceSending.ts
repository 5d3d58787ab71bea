import type { InvoiceTemplate } from '../billing/emailTemplates.ts';
import { Refusal } from '../billing/refusal.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Email } from '../db/schema/email.ts';
import type { Invoice } from '../db/schema/invoice.ts';
import { invoiceEmail } from '../present/emails/invoice.ts';
import { attachmentsOf } from './attachments.ts';
import type { Caller } from './caller.ts';
import { forEvent, type InvoiceMoment, lockInvoice, recordInvoice, settle } from './invoiceMoment.ts';
import { recipientsOf } from './recipients.ts';
import { filesOfMail, queueMails, recipientsFor, type Sending, templateFor } from './sending.ts';

/** Sends an invoice. Refuses drafts, voided ones, a template that says what is not so, and when there is nobody to send it to. */
export async function sendInvoice(
  em: EntityManager,
  input: { caller: Caller; id: number; sending: Sending },
  systemNow: Date,
): Promise<Email[]> {
  const { sending } = input;
  const at = await lockInvoice(em, input, systemNow);
  const { invoice, customer } = at;
  if (invoice.status === 'voided' || invoice.status === 'draft')
    throw new Refusal(`Invoice is ${invoice.status === 'draft' ? 'a draft: issue it first' : 'voided'}`);
  const template = templateFor('invoice', sending.template) ?? usualTemplate(invoice);
  refuseUntrue(invoice, template);
  const recipients = await recipientsFor(sending, () => recipientsOf(em, customer));
  const { files, links } = filesOfMail(await attachmentsOf(em, invoice.accountId, { invoice }));
  const seller = at.moment.caller.account;
  const facts = { seller, customer, invoice, template, links, ...saidIn(sending) };
  const mails = queueMails(em, at, {
    ...{ template, recipients, bcc: sending.bcc, files },
    document: { type: 'invoice', id: invoice.id },
    render: (to) => invoiceEmail({ ...facts, to }),
  });
  markSent(em, at);
  await em.flush();
  return mails;
}

/** What the sender wrote in place of the template's own words. */
export function saidIn({ subject, message }: Sending): Pick<Sending, 'subject' | 'message'> {
  return { subject, message };
}

/** The first time that it goes to somebody. */
function markSent(em: EntityManager, at: InvoiceMoment): void {
  const { invoice, moment } = at;
  if (invoice.sentAt) return;
  const before = forEvent(at);
  invoice.sentAt = moment.now;
  settle(invoice, moment.now);
  recordInvoice(em, at, { type: 'invoice.updated', before });
}

function usualTemplate(invoice: Invoice): InvoiceTemplate {
  if (invoice.paid) return 'paid_invoice_email';
  return invoice.pastDue ? 'unpaid_invoice_email' : 'new_invoice_email';
}

function refuseUntrue(invoice: Invoice, template: InvoiceTemplate): void {
  if (template === 'paid_invoice_email' && !invoice.paid)
    throw new Refusal('Invoice is not paid: use new_invoice_email or unpaid_invoice_email', 'template');
  if (template === 'unpaid_invoice_email' && invoice.closed)
    throw new Refusal(
      `Invoice is ${invoice.paid ? 'paid: use paid_invoice_email or' : 'closed: use'} new_invoice_email`,
      'template',
    );
}
