import { exactAmount } from '../limits.ts';
import { isZero, type Money } from '../money/money.ts';
import { Refusal } from '../refusal.ts';
import type { Direction } from './statementDirection.ts';

/** Maximum number of rows of a statement, without the header. */
export const MOST_ROWS = 1000;

/** Money that a row says was received. */
export interface StatementEntry {
  /** The calendar day, `2027-03-01`. */
  day: string;
  amount: Money;
  currency: string;
  /** The whole text; null: none. */
  reference: string | null;
  sender: string | null;
  payer: string | null;
}

/** What was read of a row that is no receipt. */
export interface ReadValues {
  /** Null: it is not readable. */
  day: string | null;
  amount: Money;
  currency: string;
  direction: Direction;
}

/** `pending`: the bank has not booked it. */
export type IgnoredReason = 'debit' | 'zero' | 'pending';

export type RowFault = Pick<Refusal, 'code' | 'message' | 'param'>;

/** A row: money received, a row that is no receipt, or the fault of a row. Rows are counted as a spreadsheet does: the header is row 1. */
export type StatementRow = { row: number } & Outcome;

export type Outcome =
  | { entry: StatementEntry }
  | { ignored: IgnoredReason; values: ReadValues }
  | { refusal: RowFault };

/** Refuses one more row than a statement may have. */
export function checkCount(rows: number): void {
  if (rows === MOST_ROWS) throw new Refusal('limit_exceeded', `A statement may have at most ${MOST_ROWS} rows`, 'csv');
}

/** What a row says, or its fault. */
export function outcomeOf(read: () => Outcome): Outcome {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, param } = error;
    return { refusal: { code, message, param } };
  }
}

/** A transaction of a statement. Empty texts: it has none. */
export interface Transaction {
  /** Throws a Refusal if the day is not readable. */
  day(): string;
  /** Decimal text, not below zero. */
  amount: string;
  currency: string;
  direction: Direction;
  reference: string;
  sender: string;
  payer: string;
  isPending?: boolean;
}

/** The receipt of a transaction, or why it is none. Throws a Refusal for a fault. */
export function received(transaction: Transaction): Outcome {
  const { day, currency, direction, reference, sender, payer, isPending = false } = transaction;
  const amount = exactAmount(transaction.amount, currency, 'amount');
  const ignored = reasonOf(amount, direction, isPending);
  if (ignored === null)
    return {
      entry: {
        day: day(),
        amount,
        currency,
        reference: reference || null,
        sender: sender || null,
        payer: payer || null,
      },
    };
  return { ignored, values: { day: readable(day), amount, currency, direction } };
}

function reasonOf(amount: Money, direction: Direction, isPending: boolean): IgnoredReason | null {
  if (isZero(amount)) return 'zero';
  if (direction === 'debit') return 'debit';
  return isPending ? 'pending' : null;
}

function readable(day: () => string): string | null {
  try {
    return day();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/**
 * Texts by which the rows of statements are told apart: a second statement that has the same row repeats its text. Of several equal rows of
 * one statement, each has its own.
 */
export function entryKeys(entries: readonly StatementEntry[]): string[] {
  const counts = new Map<string, number>();
  return entries.map(({ day, amount, currency, reference, sender, payer }) => {
    const known = [day, amount, currency, reference, sender];
    const text = JSON.stringify(payer === null ? known : [...known, payer]);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return `${text} ${count}`;
  });
}
