import { compare, isNegative, type Money, roundMoney, subtract, sum, zero } from './money.ts';

/** A part of a payment, as far as it matters what pays. */
export interface CreditPart {
  type: string;
  amount: string;
  /** Set where a credit note pays. */
  creditNoteId?: number | null;
}

/** No money came in for it: the credit balance, a credit note or a deposit pays. */
export function isCredit({ type, creditNoteId }: CreditPart): boolean {
  return type === 'applied_credit' || type === 'deposit' || (creditNoteId ?? null) !== null;
}

/** The credit balance pays. */
export function isSpentBalance({ type }: CreditPart): boolean {
  return type === 'applied_credit';
}

/** How much of a payment is money: its amount less the credit that pays with it. */
export function cashOf(amount: Money, parts: readonly CreditPart[], currency: string): Money {
  const spent = parts.filter(isCredit).map((part) => part.amount);
  return roundMoney(subtract(amount, sum(spent, currency)), currency);
}

/**
 * Which of some parts, paid one after another out of what there is, is the first that cannot be, and what is left for it: all of them
 * together are too much by `short`.
 */
export function firstUnpaid(
  parts: readonly Money[],
  short: Money,
  currency: string,
): { index: number; wanted: Money; left: Money } {
  const nothing = zero(currency);
  let left = subtract(sum(parts, currency), short);
  for (const [index, wanted] of parts.entries()) {
    if (compare(wanted, left) > 0) return { index, wanted, left: isNegative(left) ? nothing : left };
    left = subtract(left, wanted);
  }
  return { index: parts.length - 1, wanted: parts.at(-1) ?? nothing, left: nothing };
}
