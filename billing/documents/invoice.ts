import { isZero } from '../money/money.ts';

export const invoiceStatuses = [
  'draft',
  'not_sent',
  'sent',
  'viewed',
  'past_due',
  'pending',
  'paid',
  'voided',
] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

export interface InvoiceFacts {
  voided: boolean;
  draft: boolean;
  balance: string;
  pending: boolean;
  pastDue: boolean;
  viewed: boolean;
  sent: boolean;
}

/** Status of an invoice: the first of voided, draft, paid, pending, past_due, viewed, sent and not_sent that applies. */
export function invoiceStatus(facts: InvoiceFacts): InvoiceStatus {
  if (facts.voided) return 'voided';
  if (facts.draft) return 'draft';
  if (isZero(facts.balance)) return 'paid';
  if (facts.pending) return 'pending';
  if (facts.pastDue) return 'past_due';
  if (facts.viewed) return 'viewed';
  return facts.sent ? 'sent' : 'not_sent';
}

export interface LockFacts {
  /** The account setting: the event that locks amounts and identity of a document. */
  lockDocuments: 'sent' | 'paid';
  voided: boolean;
  writtenOff: boolean;
  sent: boolean;
  /** Whether anything is applied to it. */
  applied: boolean;
  /** Whether a part of it was written off. */
  reduced: boolean;
  /** The credit note that corrects it; null: there is none. */
  correction: string | null;
  /** Whether it has a payment plan of which something is owed. */
  planned: boolean;
  /** Whether one of its charges has no outcome yet. */
  charging: boolean;
}

/** Reason why customer, currency, number, date, items, discounts and taxes of an invoice are locked; null: they may change. */
export function whyLocked(facts: LockFacts): string | null {
  if (facts.voided) return 'is voided';
  if (facts.writtenOff) return 'is closed: reopen it first';
  if (facts.applied) return 'has payments applied: remove them first';
  if (facts.reduced) return 'has a part written off: take the write-off back first';
  if (facts.correction !== null) return `has credit note ${facts.correction}: void the credit note first`;
  if (facts.planned) return 'has a payment plan: cancel it first';
  if (facts.charging) return 'is being charged: wait for the outcome';
  return facts.sent && facts.lockDocuments === 'sent' ? 'has been sent' : null;
}

/** Invoices that are mailed when they are issued. `subscriptions`: those that subscriptions bill. */
export const invoiceMailings = ['none', 'subscriptions', 'all'] as const;
export type InvoiceMailing = (typeof invoiceMailings)[number];

/**
 * The origin of an invoice. `backfill`: the bill of a subscription that was due on a day before the subscription was entered.
 * `import`: a request says that the customer has it already, or that it is bad debt. `payment_link`: somebody pays it on the page of a payment link.
 * `other`: any other request, or a late fee.
 */
export type InvoiceOrigin = 'subscription' | 'backfill' | 'consolidation' | 'import' | 'payment_link' | 'other';

/** An invoice at its issue, after credit has paid its part. */
export interface IssuedInvoice {
  origin: InvoiceOrigin;
  /** Nothing is left to pay: it was zero, credit paid it, or it was written off. */
  closed: boolean;
  /** AutoPay is going to charge a payment source. */
  isCharged: boolean;
}

/** Whether an invoice is mailed when it is issued. `announces`: those that AutoPay charges are mailed, too. */
export function isMailedAtIssue(
  { origin, closed, isCharged }: IssuedInvoice,
  { mailing, announces }: { mailing: InvoiceMailing; announces: boolean },
): boolean {
  if (closed || (isCharged && !announces)) return false;
  if (origin === 'subscription') return mailing !== 'none';
  return origin === 'other' && mailing === 'all';
}
