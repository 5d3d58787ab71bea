import { isZero } from './money.ts';

export type CreditNoteStatus = 'draft' | 'open' | 'paid' | 'closed' | 'voided';

export interface CreditNoteFacts {
  voided: boolean;
  draft: boolean;
  closed: boolean;
  balance: string;
}

/** Status of a credit note: the first that holds of voided, draft, paid, closed, open. */
export function creditNoteStatus({ voided, draft, closed, balance }: CreditNoteFacts): CreditNoteStatus {
  if (voided) return 'voided';
  if (draft) return 'draft';
  if (isZero(balance)) return 'paid';
  return closed ? 'closed' : 'open';
}
