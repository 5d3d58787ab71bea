import { compare, isNegative, type Money, roundMoney, subtract, sum, zero } from '../money/money.ts';

/** The fields of a part of a payment that show what pays it: money or credit. */
export interface CreditPart {
  type: string;
  amount: string;
  /** Set if a credit note pays. */
  creditNoteId?: number | null;
}

/** Whether credit pays this part: the credit balance, a credit note or a deposit. No money comes in. */
export function isCredit({ type, creditNoteId }: CreditPart): boolean {
  return type === 'applied_credit' || type === 'deposit' || (creditNoteId ?? null) !== null;
}

/** Whether the credit balance pays this part. */
export function isPaidFromBalance({ type }: CreditPart): boolean {
  return type === 'applied_credit';
}

/** The part of a payment that is money: its amount less the parts paid by credit. */
export function cashOf(amount: Money, parts: readonly CreditPart[], currency: string): Money {
  const spent = parts.filter(isCredit).map((part) => part.amount);
  return roundMoney(subtract(amount, sum(spent, currency)), currency);
}

/**
 * Finds the first part that the funds do not cover, when parts are paid in order. The funds are the sum of the parts less `shortage`.
 * Returns the part's index, its amount (`wanted`) and the funds left for it.
 */
export function firstUncovered(
  parts: readonly Money[],
  shortage: Money,
  currency: string,
): { index: number; wanted: Money; left: Money } {
  const nothing = zero(currency);
  let left = subtract(sum(parts, currency), shortage);
  for (const [index, wanted] of parts.entries()) {
    if (compare(wanted, left) > 0) return { index, wanted, left: isNegative(left) ? nothing : left };
    left = subtract(left, wanted);
  }
  return { index: parts.length - 1, wanted: parts.at(-1) ?? nothing, left: nothing };
}
