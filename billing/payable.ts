/** Why an invoice cannot be paid. */
export type Unpayable = 'unissued' | 'voided' | 'nothing_owed' | 'closed';

/** The fields of an invoice that decide whether it can be paid. */
export interface PayableFacts {
  issuedAt?: Date | null | undefined;
  voidedAt?: Date | null | undefined;
  paid: boolean;
  closed: boolean;
}

/** Why nothing of an invoice can be paid; null: its balance can. A paid invoice has no balance, and every other open one has. */
export function whyUnpayable({ issuedAt, voidedAt, paid, closed }: PayableFacts): Unpayable | null {
  if (voidedAt) return 'voided';
  if (!issuedAt) return 'unissued';
  if (paid) return 'nothing_owed';
  return closed ? 'closed' : null;
}
