/** Invoices that are mailed when they are issued. `subscriptions`: those that subscriptions bill. */
export const invoiceMailings = ['none', 'subscriptions', 'all'] as const;
export type InvoiceMailing = (typeof invoiceMailings)[number];

/**
 * The origin of an invoice. `backfill`: the bill of a subscription that was due on a day before the subscription was entered.
 * `import`: a request says that the customer has it already, or that it is bad debt. `other`: any other request, or a late fee.
 */
export type InvoiceOrigin = 'subscription' | 'backfill' | 'consolidation' | 'import' | 'other';

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
