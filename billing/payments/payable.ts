import type { EstimateStatus } from '../documents/estimate.ts';
import { isPositive, type Money, roundMoney, subtract } from '../money/money.ts';

/** Why an invoice, or an estimate's deposit, cannot be paid. */
export type Unpayable =
  | 'unissued'
  | 'voided'
  | 'nothing_owed'
  | 'closed'
  | 'nothing_asked'
  | 'invoiced'
  | 'declined'
  | 'unapproved';

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

/** The fields of an estimate that decide whether its deposit can be paid. */
export interface DepositFacts {
  status: EstimateStatus;
  closed: boolean;
  deposit: string;
  depositPaid: boolean;
}

/**
 * Why the deposit of an estimate cannot be paid on its page; null: it can. The customer approves first: an offer that can still be declined
 * or expire takes no money there.
 */
export function whyDepositUnpayable({ status, closed, deposit, depositPaid }: DepositFacts): Unpayable | null {
  if (status === 'draft') return 'unissued';
  if (status === 'voided') return 'voided';
  if (!isPositive(deposit)) return 'nothing_asked';
  if (depositPaid) return 'nothing_owed';
  if (status === 'invoiced' || status === 'declined') return status;
  if (closed) return 'closed';
  return status === 'approved' ? null : 'unapproved';
}

/** What is left to pay of the deposit that an estimate asks for. It is not negative while the deposit is not paid. */
export function depositDue(estimate: { deposit: string; depositReceived: string; currency: string }): Money {
  const { deposit, depositReceived, currency } = estimate;
  return roundMoney(subtract(deposit, depositReceived), currency);
}
