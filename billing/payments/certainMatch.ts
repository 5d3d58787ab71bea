import { numberKey } from '../documents/numbering.ts';
import { compare, roundMoney, sum } from '../money/money.ts';
import type { OpenInvoice, Suggestion, Unapplied } from './paymentMatching.ts';

/** Maximum number of invoices that one payment pays without a person. */
export const MOST_CERTAIN = 20;

/** An issued invoice whose number the texts of a payment may name. */
export interface NamedInvoice extends OpenInvoice {
  currency: string;
  /** Whether it can be paid. */
  isOpen: boolean;
}

/** All that the texts and the sender of a payment may mean. */
export interface Readings {
  texts: readonly string[];
  /** Every issued invoice of the account that any reading of the texts names, also paid and closed ones, and those in other currencies. */
  named: readonly NamedInvoice[];
  /** Ids of the customers to whom the sender points, and of those to whom a name does. */
  sent: readonly number[];
  called: readonly number[];
}

/**
 * The invoices that a payment certainly pays, or null if a person has to decide. They are open, belong to one customer and have the
 * currency of the payment, and their balances add up to its amount. The texts contain all of their numbers in full, because digits alone
 * may be a post code. Whatever points elsewhere is a rival: another invoice that is named, another customer that the payment has or hints
 * at.
 */
export function certainMatch(
  { amount, currency, payerId }: Unapplied,
  { named, texts, sent, called }: Readings,
): Suggestion | null {
  const [first] = named;
  if (!first || named.length > MOST_CERTAIN) return null;
  const { customerId } = first;
  if (payerId !== null && payerId !== customerId) return null;
  if ([sent, called].some((hinted) => hinted.length > 0 && !hinted.includes(customerId))) return null;
  if (!named.every((one) => one.isOpen && one.currency === currency && one.customerId === customerId)) return null;
  const numbers = named.map(({ number }) => number);
  if (!areWritten(numbers, texts)) return null;
  const parts = named.map(({ id, balance }) => ({ invoiceId: id, amount: roundMoney(balance, currency) }));
  const amounts = parts.map((part) => part.amount);
  if (compare(sum(amounts, currency), amount) !== 0) return null;
  const list = numbers.join(', ');
  const fact = numbers.length === 1 ? 'the balance' : 'the sum of the balances';
  const reasons = [`The reference or the notes name ${list}`, `The amount is ${fact} of ${list}`];
  return { customerId, parts, reasons };
}

/** Whether each number is written in full, at a place of its own: `00042` may be INV-00042, RE-00042 or no number at all. */
function areWritten(numbers: readonly string[], texts: readonly string[]): boolean {
  let rest = texts.map(numberKey).join('\n');
  const longestFirst = numbers.map(numberKey).toSorted((one, other) => other.length - one.length);
  return longestFirst.every((key) => {
    const found = written(key).exec(rest);
    if (!found) return false;
    rest = `${rest.slice(0, found.index)}\n${rest.slice(found.index + found[0].length)}`;
    return true;
  });
}

/** A number with no letter or digit next to it. Banks drop and change its separators; only between digits there must be one. */
function written(key: string): RegExp {
  const pieces = key.match(/\p{L}+|\p{N}+/gu) ?? [];
  const joined = pieces.reduce((text, piece) => {
    const isSplit = /\p{N}$/u.test(text) && /^\p{N}/u.test(piece);
    return `${text}[-/._ ]{${isSplit ? 1 : 0},2}${piece}`;
  });
  return new RegExp(`(?<![\\p{L}\\p{N}])${joined}(?![\\p{L}\\p{N}])`, 'u');
}
