import { compare, type Money } from '../money/money.ts';
import { Refusal } from '../refusal.ts';

/** What the page of a payment link can ask for. `text`: a line with a label of the account. */
export const askedKinds = ['address', 'phone', 'tax_id', 'text'] as const;
export type AskedKind = (typeof askedKinds)[number];

export interface AskedField {
  kind: AskedKind;
  /** Null: the usual one of its kind, in the payer's language. */
  label: string | null;
  required: boolean;
}

/** A line of a field of kind `text` as the payer typed it. */
export interface TypedField {
  label: string;
  value: string;
}

interface AskedAmount {
  amount: string | null;
  minAmount: string | null;
  maxAmount: string | null;
}

/** Refuses an amount and bounds together, and a minimum above the maximum. */
export function checkAskedAmount({ amount, minAmount, maxAmount }: AskedAmount): void {
  if (amount !== null && (minAmount ?? maxAmount) !== null)
    throw new Refusal(
      'parameter_invalid',
      'A link with an amount has no bounds',
      minAmount ? 'min_amount' : 'max_amount',
    );
  if (minAmount !== null && maxAmount !== null && compare(minAmount, maxAmount) > 0)
    throw new Refusal('parameter_invalid', 'Minimum must not be above the maximum', 'min_amount');
}

/** The amount that a payer pays. Refuses another one than the link's, and one outside its bounds. `typed` null: the payer typed none. */
export function amountToPay({ amount, minAmount, maxAmount }: AskedAmount, typed: Money | null): Money {
  if (amount !== null && (typed === null || compare(typed, amount) === 0)) return amount;
  const isInside =
    amount === null &&
    typed !== null &&
    compare(typed, '0') > 0 &&
    (minAmount === null || compare(typed, minAmount) >= 0) &&
    (maxAmount === null || compare(typed, maxAmount) <= 0);
  if (isInside) return typed;
  throw new Refusal('parameter_invalid', 'Amount is not what the link asks for', 'amount');
}
