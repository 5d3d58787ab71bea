import { isZero } from './money.ts';

export type InvoiceStatus = 'draft' | 'not_sent' | 'sent' | 'viewed' | 'past_due' | 'pending' | 'paid' | 'voided';

export interface InvoiceFacts {
  voided: boolean;
  balance: string;
  pending: boolean;
  pastDue: boolean;
}

/** Status of an issued invoice: the first that holds of voided, paid, pending, past_due, not_sent. */
export function invoiceStatus(facts: InvoiceFacts): InvoiceStatus {
  if (facts.voided) return 'voided';
  if (isZero(facts.balance)) return 'paid';
  if (facts.pending) return 'pending';
  if (facts.pastDue) return 'past_due';
  return 'not_sent';
}
