import { planAsk } from '../../billing/collection/planProgress.ts';
import { shownDiscount } from '../../billing/documents/earlyDiscount.ts';
import type { InvoiceTemplate } from '../../billing/mail/emailTemplates.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { linesOf } from '../../db/queries/documents/lines.ts';
import { hideOutcomes } from '../../db/queries/signUps/sold.ts';
import { newToken } from '../../db/schema/columns.ts';
import type { Email } from '../../db/schema/email.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { invoiceEmail } from '../../present/emails/invoice.ts';
import { refuseHeld } from '../aggregates/chasedItems.ts';
import {
  invoiceEventObject,
  type LockedInvoice,
  lockInvoice,
  recordInvoice,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { activePlanOf, planOf, renewApprovalAddress } from '../aggregates/paymentPlan.ts';
import { refuseUnissued, sendDocument } from '../documents/sending.ts';
import type { Caller } from '../kernel/caller.ts';
import { type Sending, templateFor } from '../mail/sending.ts';
import type { InvoiceKey } from './voiding.ts';

/**
 * Queues the mails of an invoice. Refuses a draft, a voided invoice, a template that does not fit the invoice's status, and an empty list
 * of recipients; as a reminder also an invoice that nobody owes or asks for. Throws Missing.
 */
export async function sendInvoice(
  em: EntityManager,
  input: { caller: Caller; id: number; sending: Sending; isReminder?: boolean },
  systemNow: Date,
): Promise<Email[]> {
  const { sending, isReminder = false } = input;
  const locked = await lockInvoice(em, input, systemNow);
  const { invoice } = locked;
  if (isReminder && invoice.closed)
    throw new Refusal('state_conflict', 'Nobody owes this invoice any more: there is nothing to remind of');
  refuseUnissued('Invoice', invoice);
  const template = await templateFor(em, 'invoice', {
    accountId: invoice.accountId,
    wanted: sending.template,
    usual: defaultTemplate(invoice),
  });
  checkTemplate(invoice, template.kind);
  if (isReminder) await refuseHeld(em, invoice, locked.moment.now);
  const lines = await linesOf(em, 'invoice', invoice);
  const shown = shownDiscount(invoice, locked.lines);
  const early = shown && locked.moment.now.getTime() < shown.endsAt ? shown : null;
  const plan = activePlanOf(invoice);
  const ask = plan && planAsk(plan.installments, { now: locked.moment.now.getTime(), zone: invoice.timeZone });
  const mails = await sendDocument(em, locked, {
    sending,
    template,
    document: { type: 'invoice', id: invoice.id },
    carrier: { invoice },
    render: (facts) => invoiceEmail({ ...facts, invoice, template: template.kind, lines, early, ask }),
  });
  markSent(em, locked);
  await em.write();
  return mails;
}

/** Marks the invoice as sent, if it is not marked yet. */
function markSent(em: EntityManager, locked: LockedInvoice): void {
  const { invoice, moment } = locked;
  if (invoice.sentAt) return;
  const before = invoiceEventObject(locked);
  invoice.sentAt = moment.now;
  updateInvoiceStatus(invoice, moment.now);
  recordInvoice(em, locked, { type: 'invoice.updated', before });
}

/** The template for the invoice's status. */
function defaultTemplate(invoice: Invoice): InvoiceTemplate {
  if (invoice.paid) return 'paid_invoice_email';
  return invoice.pastDue ? 'unpaid_invoice_email' : 'new_invoice_email';
}

/** Refuses a template that does not fit the invoice's status. */
function checkTemplate(invoice: Invoice, template: InvoiceTemplate): void {
  if (template === 'paid_invoice_email' && !invoice.paid)
    throw new Refusal(
      'state_conflict',
      'Invoice is not paid: use new_invoice_email or unpaid_invoice_email',
      'template',
    );
  if (template === 'unpaid_invoice_email' && invoice.closed)
    throw new Refusal(
      'state_conflict',
      `Invoice is ${invoice.paid ? 'paid: use paid_invoice_email or' : 'closed: use'} new_invoice_email`,
      'template',
    );
}

/**
 * Gives new addresses to the page of an invoice, its PDF, the pages that pay it and the one that approves its payment plan. Those from before lead nowhere from now on, also those in
 * mails. Throws Missing.
 */
export async function revokeInvoiceLinks(
  em: EntityManager,
  input: InvoiceKey,
  systemNow: Date,
): Promise<LockedInvoice> {
  const locked = await lockInvoice(em, input, systemNow);
  const before = invoiceEventObject(locked);
  Object.assign(locked.invoice, { token: newToken(), updatedAt: locked.moment.now });
  const plan = planOf(locked.invoice);
  if (plan) renewApprovalAddress(em, locked, plan);
  recordInvoice(em, locked, { type: 'invoice.updated', before });
  const { accountId, id } = locked.invoice;
  await hideOutcomes(em, { accountId, type: 'invoice', id });
  return locked;
}
