import { compare, isPositive, type Money, roundMoney, zero } from '../money/money.ts';

/** partial: the bank kept a part of the amount; withdrawn: the customer took the dispute back. */
export const disputeStatuses = ['open', 'won', 'lost', 'partial', 'withdrawn'] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/** Statuses in which the bank has the money, or a part of it. */
export const DISPUTED: readonly DisputeStatus[] = ['open', 'lost', 'partial'];
export const isDisputed = (status: DisputeStatus): boolean => DISPUTED.includes(status);

/** A dispute as its gateway tells it. Amounts are decimal text in the currency of the charge. */
export interface ToldDispute {
  /** `open`: the bank holds the amount; `lost`: it keeps `amountLost`; `won`, `withdrawn`: it gave the amount back. */
  status: Exclude<DisputeStatus, 'partial'>;
  amount: string;
  /** The part that the bank keeps: of a lost dispute above zero, otherwise zero. */
  amountLost: string;
}

/** A dispute as it is booked. */
export interface BookedDispute {
  status: DisputeStatus;
  amount: Money;
  /** The part of the amount that the bank keeps. */
  lost: Money;
}

/**
 * Decides how a dispute is booked. A lost one is partial if the bank keeps only a part, and won if it keeps nothing. A bank that keeps more
 * than was disputed has disputed that much.
 */
export function bookedDispute({ status, ...told }: ToldDispute, currency: string): BookedDispute {
  const amount = roundMoney(told.amount, currency);
  if (status !== 'lost') return { status, amount, lost: zero(currency) };
  const lost = roundMoney(told.amountLost, currency);
  if (!isPositive(lost)) return { status: 'won', amount, lost: zero(currency) };
  return compare(lost, amount) < 0 ? { status: 'partial', amount, lost } : { status, amount: lost, lost };
}
