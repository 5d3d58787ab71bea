import { isZero } from './money.ts';

export type InvoiceStatus = 'draft' | 'not_sent' | 'sent' | 'viewed' | 'past_due' | 'pending' | 'paid' | 'voided';

export interface InvoiceFacts {
  voided: boolean;
  draft: boolean;
  balance: string;
  pending: boolean;
  pastDue: boolean;
  viewed: boolean;
  sent: boolean;
}

/** Status of an invoice: the first that holds of voided, draft, paid, pending, past_due, viewed, sent, not_sent. */
export function invoiceStatus(facts: InvoiceFacts): InvoiceStatus {
  if (facts.voided) return 'voided';
  if (facts.draft) return 'draft';
  if (isZero(facts.balance)) return 'paid';
  if (facts.pending) return 'pending';
  if (facts.pastDue) return 'past_due';
  if (facts.viewed) return 'viewed';
  return facts.sent ? 'sent' : 'not_sent';
}
