import {
  compare,
  isNegative,
  type Money,
  minimum,
  minorUnits,
  negate,
  proportion,
  roundMoney,
  subtract,
  sum,
} from '../money/money.ts';
import { placesOfSum } from '../money/sumsOfBalances.ts';
import { decimalText } from '../money/units.ts';

/** Maximum number of suggestions for a payment. */
export const MOST_SUGGESTIONS = 20;

/** Origins of payments for which invoices are suggested: people and bank statements do not name the invoices, programs do. */
export const matchedSources: readonly string[] = ['keyed', 'bank_feed'];

/** An invoice that can be paid. */
export interface OpenInvoice {
  id: number;
  customerId: number;
  number: string;
  balance: string;
  /** Null: it has no due date. */
  dueAt: number | null;
}

/** Money of a payment that is not applied. `payerId`: the customer who paid; null: not known. */
export interface Unapplied {
  amount: string;
  currency: string;
  payerId: number | null;
}

/** Facts from which suggestions are made. */
export interface Evidence {
  /** Open invoices in the currency of the payment: each once. If the payer is known, the payer may pay all of them. */
  invoices: readonly OpenInvoice[];
  /** Ids of those whose number is in the reference or the notes. */
  named: ReadonlySet<number>;
  /** Ids of customers whom the sender of the transfer paid for before. */
  sent: ReadonlySet<number>;
  /** Ids of customers whose name is in the reference or the notes. */
  called: ReadonlySet<number>;
}

/** Invoices that a payment may be meant for. */
export interface Suggestion {
  /** The customer who pays. */
  customerId: number;
  parts: readonly { invoiceId: number; amount: Money }[];
  /** Facts that speak for it, in words. */
  reasons: readonly string[];
}

/** Invoices of one payer, in the order in which they are due. */
interface Group {
  customerId: number;
  invoices: readonly OpenInvoice[];
  hints: readonly Hint[];
  /** Whether anything but an invoice speaks for the payer. */
  isLikely: boolean;
}

interface Hint {
  reason: string;
  weight: number;
}

interface Draft {
  customerId: number;
  invoices: readonly OpenInvoice[];
  hints: readonly Hint[];
}

/** Invoices, and what speaks for them apart from their payer. */
interface Found {
  invoices: readonly OpenInvoice[];
  own: readonly Hint[];
}

/** The weight of each fact. A number that the payer wrote says more than an amount, which several invoices may have. */
const weights = { named: 50, equal: 40, sum: 30, sent: 15, exchanged: 15, near: 12, called: 10, less: 3, more: 1 };

/**
 * Suggestions of what a payment may be meant for, the likeliest first. Each has one or several invoices. Among equally likely ones, the one
 * whose first invoice is due first comes first. At most MOST_SUGGESTIONS.
 */
export function suggestionsFor(money: Unapplied, evidence: Evidence): Suggestion[] {
  const groups = Map.groupBy(evidence.invoices.toSorted(byDueDate), ({ customerId }) => money.payerId ?? customerId);
  const drafts = [...groups].flatMap(([customerId, invoices]) => {
    const hints = hintsOf(customerId, money, evidence);
    const isLikely = money.payerId !== null || hints.length > 0;
    return draftsOf(money, evidence, { customerId, invoices, hints, isLikely });
  });
  const seen = new Set<string>();
  const distinct = drafts.toSorted(byWeight).filter(({ invoices }) => {
    const key = invoices.map(({ id }) => id).join();
    return !seen.has(key) && seen.add(key);
  });
  return distinct.slice(0, MOST_SUGGESTIONS).map((draft) => ({
    customerId: draft.customerId,
    parts: partsOf(money, draft.invoices),
    reasons: draft.hints.map(({ reason }) => reason),
  }));
}

/** The amounts that a mistyped amount may have been: two neighbouring digits exchanged. */
export function withExchangedDigits(amount: Money, currency: string): Money[] {
  const decimals = minorUnits(currency);
  const digits = [...roundMoney(amount, currency).replace('.', '')];
  const exchanged = digits.flatMap((digit, place) => {
    const next = digits[place + 1];
    if (next === undefined || next === digit) return [];
    const other = [...digits.slice(0, place), next, digit, ...digits.slice(place + 2)];
    return [decimalText(BigInt(other.join('')), decimals)];
  });
  return [...new Set(exchanged)];
}

function hintsOf(customerId: number, { payerId }: Unapplied, { sent, called }: Evidence): Hint[] {
  if (payerId !== null) return [];
  return [
    ...(sent.has(customerId) ? [{ reason: 'The sender paid for this customer before', weight: weights.sent }] : []),
    ...(called.has(customerId)
      ? [{ reason: 'The reference or the notes name this customer', weight: weights.called }]
      : []),
  ];
}

function draftsOf(money: Unapplied, { named }: Evidence, group: Group): Draft[] {
  const { customerId, invoices, hints, isLikely } = group;
  const singles = invoices.flatMap((invoice) => {
    const isNamed = named.has(invoice.id);
    const { isExact, hint } = likenessOf(money, invoice);
    if (!isNamed && !isLikely && !isExact) return [];
    return [{ invoices: [invoice], own: isNamed ? [namedHint([invoice]), hint] : [hint] }];
  });
  const together = togetherOf(
    money,
    invoices.filter(({ id }) => named.has(id)),
  );
  const summed = isLikely ? summedOf(money, invoices) : null;
  const found: Found[] = [...singles, ...(together ? [together] : []), ...(summed ? [summed] : [])];
  return found.map((one) => ({ customerId, invoices: one.invoices, hints: [...one.own, ...hints] }));
}

/** All named invoices as one suggestion. Null: fewer than two are named, or their total exceeds the amount. */
function togetherOf({ amount, currency }: Unapplied, named: readonly OpenInvoice[]): Found | null {
  if (named.length < 2) return null;
  const total = totalOf(named, currency);
  const likeness = compare(total, amount);
  if (likeness > 0) return null;
  const hint = likeness === 0 ? sumHint(named) : leavesHint(named, subtract(roundMoney(amount, currency), total));
  return { invoices: named, own: [namedHint(named), hint] };
}

/** Several invoices whose balances add up to the amount. */
function summedOf({ amount, currency }: Unapplied, invoices: readonly OpenInvoice[]): Found | null {
  const balances = invoices.map(({ balance }) => roundMoney(balance, currency));
  const places = placesOfSum(balances, amount, currency);
  if (places === null) return null;
  const some = invoices.filter((_, place) => places.includes(place));
  return { invoices: some, own: [sumHint(some)] };
}

/** The likeness of the amount and the balance of an invoice. `isExact`: it is enough to suggest the invoice. */
function likenessOf(
  { amount, currency }: Unapplied,
  { number, balance }: OpenInvoice,
): { isExact: boolean; hint: Hint } {
  const owed = roundMoney(balance, currency);
  const paid = roundMoney(amount, currency);
  if (compare(owed, paid) === 0)
    return { isExact: true, hint: { reason: `The amount is the balance of ${number}`, weight: weights.equal } };
  if (withExchangedDigits(paid, currency).some((other) => compare(other, owed) === 0)) {
    const reason = `With two digits exchanged, the amount is the balance of ${number}: ${owed}`;
    return { isExact: true, hint: { reason, weight: weights.exchanged } };
  }
  const difference = subtract(owed, paid);
  const size = isNegative(difference) ? negate(difference) : difference;
  if (compare(size, proportion(owed, { numerator: 2, denominator: 100 }, currency)) <= 0) {
    const reason = `The amount differs from the balance of ${number} by ${size}`;
    return { isExact: false, hint: { reason, weight: weights.near } };
  }
  if (isNegative(difference)) return { isExact: false, hint: leavesHint([{ number }], size) };
  const reason = `The amount pays a part of ${number}, whose balance is ${owed}`;
  return { isExact: false, hint: { reason, weight: weights.less } };
}

function namedHint(invoices: readonly OpenInvoice[]): Hint {
  return { reason: `The reference or the notes name ${numbersOf(invoices)}`, weight: weights.named };
}

function sumHint(invoices: readonly OpenInvoice[]): Hint {
  return { reason: `The amount is the sum of the balances of ${numbersOf(invoices)}`, weight: weights.sum };
}

function leavesHint(invoices: readonly { number: string }[], rest: Money): Hint {
  return { reason: `The amount pays ${numbersOf(invoices)} and leaves ${rest}`, weight: weights.more };
}

function numbersOf(invoices: readonly { number: string }[]): string {
  return invoices.map(({ number }) => number).join(', ');
}

function totalOf(invoices: readonly OpenInvoice[], currency: string): Money {
  return roundMoney(
    sum(
      invoices.map(({ balance }) => balance),
      currency,
    ),
    currency,
  );
}

/** Splits the amount: each invoice gets its balance, or the rest. */
function partsOf({ amount, currency }: Unapplied, invoices: readonly OpenInvoice[]): Suggestion['parts'] {
  let left = roundMoney(amount, currency);
  return invoices.map(({ id, balance }) => {
    const part = minimum(left, roundMoney(balance, currency));
    left = subtract(left, part);
    return { invoiceId: id, amount: part };
  });
}

function byDueDate(one: OpenInvoice, other: OpenInvoice): number {
  const [first, second] = [one, other].map(({ dueAt }) => dueAt ?? Number.MAX_SAFE_INTEGER);
  return (first ?? 0) - (second ?? 0) || one.id - other.id;
}

function byWeight(one: Draft, other: Draft): number {
  const [first, second] = [one, other].map(({ hints }) => hints.reduce((total, { weight }) => total + weight, 0));
  const [due, later] = [one.invoices[0], other.invoices[0]];
  return (second ?? 0) - (first ?? 0) || (due && later ? byDueDate(due, later) : 0);
}
