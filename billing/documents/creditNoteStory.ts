import {
  add,
  compare,
  isNegative,
  isPositive,
  isZero,
  type Money,
  minimum,
  subtract,
  sum,
  zero,
} from '../money/money.ts';
import type { CreditNoteStatus } from './creditNote.ts';

/** What a credit note, or the credit that it added, was used for. */
export interface CreditUse {
  /** An invoice that it paid, the deposit of an estimate, or an adjustment that took credit out. */
  of: 'invoice' | 'deposit' | 'adjustment';
  /** Number of the invoice or estimate; null: it has none. */
  number: string | null;
  /** Decimal text. */
  amount: Money;
}

/** Credit that a credit note added to the credit balance, and what was used of the balance since. */
export interface AddedCredit {
  amount: Money;
  /** The balance that was there before. It is used first. */
  older: Money;
  /** Whether it is what a forced credit note exceeded its invoice by. */
  isExcess: boolean;
  /** All later uses of the balance. */
  used: Money;
  /** The first of them that reach beyond the older credit, in order. `before`: what was used before each. */
  uses: readonly (CreditUse & { before: Money })[];
}

/** What the database holds about a credit note. */
export interface NoteFacts {
  status: CreditNoteStatus;
  currency: string;
  total: Money;
  /** What it paid itself: the first uses, and the sum of all. */
  paid: readonly CreditUse[];
  paidSum: Money;
  added: readonly AddedCredit[];
}

/** What became of a credit note. Its total is the sum of `uses`, `further`, `lapsed`, `left` and `open`. */
export interface NoteStory {
  /** What it paid, by itself or by the credit that it added. Those that are not listed are `further`. */
  uses: (CreditUse & { isByCredit: boolean })[];
  further: Money;
  /** What it added to the credit balance. */
  credited: Money;
  /** What is left of that. */
  left: Money;
  /** What is not applied yet. */
  open: Money;
  /** What was forfeited. */
  lapsed: Money;
  /** What was added to the credit balance beyond its total. */
  excess: Money;
}

/** Most uses that are listed one by one. */
const MOST_LISTED = 10;

/** Tells what became of a credit note. Credit is used in the order of its arrival. Null: it is a draft or voided. */
export function storyOf({ status, total, currency, paid, paidSum, added }: NoteFacts): NoteStory | null {
  if (status === 'draft' || status === 'voided') return null;
  const own = added.filter(({ isExcess }) => !isExcess);
  const credited = sumOf(own, currency);
  const spent = sum(own.map(spentOf), currency);
  const applied = add(paidSum, credited);
  const rest = compare(total, applied) > 0 ? subtract(total, applied) : zero(currency);
  const all = [
    ...paid.map((use) => ({ ...use, isByCredit: false })),
    ...own.flatMap(usesOf).map((use) => ({ ...use, isByCredit: true })),
  ];
  const uses = merged(all).slice(0, MOST_LISTED);
  return {
    uses,
    further: subtract(add(paidSum, spent), sumOf(uses, currency)),
    credited,
    left: subtract(credited, spent),
    open: status === 'closed' ? zero(currency) : rest,
    lapsed: status === 'closed' ? rest : zero(currency),
    excess: sumOf(
      added.filter(({ isExcess }) => isExcess),
      currency,
    ),
  };
}

const sumOf = (all: readonly { amount: Money }[], currency: string) =>
  sum(
    all.map(({ amount }) => amount),
    currency,
  );

function spentOf({ amount, older, used }: AddedCredit): Money {
  const beyond = subtract(used, older);
  return isNegative(beyond) ? '0' : minimum(beyond, amount);
}

/** The parts of later uses that take this credit. */
function usesOf({ amount, older, uses }: AddedCredit): CreditUse[] {
  const end = add(older, amount);
  return uses.flatMap(({ before, ...use }) => {
    const until = minimum(add(before, use.amount), end);
    const part = subtract(until, compare(before, older) > 0 ? before : older);
    return isPositive(part) ? [{ ...use, amount: part }] : [];
  });
}

type Listed = NoteStory['uses'][number];

/** Uses for the same document are one. */
function merged(uses: readonly Listed[]): Listed[] {
  const byDocument = Map.groupBy(uses, ({ of, number, isByCredit }) => JSON.stringify([of, number, isByCredit]));
  return [...byDocument.values()].flatMap(([first, ...more]) =>
    first ? [{ ...first, amount: add(first.amount, ...more.map(({ amount }) => amount)) }] : [],
  );
}

/** Whether nothing has become of it yet. */
export function isUntouched({ uses, further, credited, lapsed }: NoteStory): boolean {
  return uses.length === 0 && [further, credited, lapsed].every(isZero);
}

/** What can still be used of it. */
export function availableOf({ left, open }: NoteStory): Money {
  return add(left, open);
}
