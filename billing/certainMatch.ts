import { compare, type Money, roundMoney, sum } from './money.ts';
import { numberKey } from './numbering.ts';
import type { OpenInvoice, Suggestion, Unapplied } from './paymentMatching.ts';

/** Maximum number of invoices that one payment pays without a person. */
export const MOST_CERTAIN = 20;

/** An issued invoice whose number the texts of a payment may name. */
export interface NamedInvoice extends OpenInvoice {
  currency: string;
  /** Whether it can be paid. */
  isOpen: boolean;
}

/**
 * The invoices that a payment pays for certain; null: a person decides. The texts name all of them by number, they are open, of one customer
 * and in the currency of the payment, and the sum of their balances is the amount. A customer that the payment has already must be theirs.
 * `named` has every issued invoice of the account that any reading of the texts names, paid and closed ones and those in other currencies
 * too: one that does not fit is a rival.
 */
export function certainMatch(
  { amount, currency, payerId }: Unapplied,
  named: readonly NamedInvoice[],
  texts: readonly string[],
): Suggestion | null {
  const [first] = named;
  if (!first || named.length > MOST_CERTAIN) return null;
  const { customerId } = first;
  if (payerId !== null && payerId !== customerId) return null;
  if (!named.every((one) => one.isOpen && one.currency === currency && one.customerId === customerId)) return null;
  const numbers = named.map(({ number }) => number);
  if (named.length > 1 && !areWritten(numbers, texts)) return null;
  const parts = named.map(({ id, balance }) => ({ invoiceId: id, amount: roundMoney(balance, currency) }));
  if (compare(totalOf(parts, currency), roundMoney(amount, currency)) !== 0) return null;
  const list = numbers.join(', ');
  const fact = numbers.length === 1 ? 'the balance' : 'the sum of the balances';
  const reasons = [`The reference or the notes name ${list}`, `The amount is ${fact} of ${list}`];
  return { customerId, parts, reasons };
}

/**
 * Whether each number is written in full, at a place of its own. Otherwise several of them may be readings of one: `00042` is INV-00042 and
 * RE-00042.
 */
function areWritten(numbers: readonly string[], texts: readonly string[]): boolean {
  let rest = texts.map(numberKey).join('\n');
  const longestFirst = numbers.map(numberKey).toSorted((one, other) => other.length - one.length);
  return longestFirst.every((key) => {
    const place = placeOf(key, rest);
    if (place < 0) return false;
    rest = `${rest.slice(0, place)}\n${rest.slice(place + key.length)}`;
    return true;
  });
}

/** The first place at which a number stands alone, with no letter or digit next to it; -1: there is none. */
function placeOf(key: string, text: string): number {
  // Two code units hold a whole character. More would be read again at every place of a long text.
  const isAlone = (at: number) =>
    !/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at)) &&
    !/^[\p{L}\p{N}]/u.test(text.slice(at + key.length, at + key.length + 2));
  let place = text.indexOf(key);
  while (place >= 0 && !isAlone(place)) place = text.indexOf(key, place + 1);
  return place;
}

function totalOf(parts: readonly { amount: Money }[], currency: string): Money {
  return roundMoney(
    sum(
      parts.map(({ amount }) => amount),
      currency,
    ),
    currency,
  );
}
