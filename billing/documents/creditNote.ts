import { isZero } from '../money/money.ts';

export const creditNoteStatuses = ['draft', 'open', 'paid', 'closed', 'voided'] as const;
export type CreditNoteStatus = (typeof creditNoteStatuses)[number];

export interface CreditNoteFacts {
  voided: boolean;
  draft: boolean;
  closed: boolean;
  balance: string;
}

/** Status of a credit note: the first of voided, draft, paid, closed and open that applies. */
export function creditNoteStatus({ voided, draft, closed, balance }: CreditNoteFacts): CreditNoteStatus {
  if (voided) return 'voided';
  if (draft) return 'draft';
  if (isZero(balance)) return 'paid';
  return closed ? 'closed' : 'open';
}

export interface LockFacts {
  /** The account setting: the event that locks amounts and identity of a document. */
  lockDocuments: 'sent' | 'paid';
  voided: boolean;
  forfeited: boolean;
  sent: boolean;
  /** Whether any part of it is applied. */
  applied: boolean;
}

/** Reason why currency, number, date, items, discounts and taxes of a credit note are locked; null: they may change. */
export function whyLocked(facts: LockFacts): string | null {
  if (facts.voided) return 'is voided';
  if (facts.forfeited) return 'is closed: reopen it first';
  if (facts.applied) return 'is applied: void the payments that it pays first';
  return facts.sent && facts.lockDocuments === 'sent' ? 'has been sent' : null;
}
