import { type CsvRecord, recordsOf } from './csv.ts';
import { exactAmount } from './limits.ts';
import { isNegative, isZero, type Money, minorUnits, negate } from './money.ts';
import { cut, Refusal } from './refusal.ts';
import { amountIn, type CellAmount, type CellFormat, currencyIn, dayIn } from './statementCells.ts';
import { type Direction, directionIn } from './statementDirection.ts';
import { visibleLine } from './visibleText.ts';

/** Maximum number of rows of a statement, without the header. */
export const MOST_ROWS = 1000;

/** Names of columns in the header. Null: the statement has no such column. */
export interface StatementColumns {
  date: string;
  amount: string;
  reference: string | null;
  sender: string | null;
  currency: string | null;
  debit: string | null;
  /** Whether money came in or went out. */
  direction: string | null;
  /** Name of the payer. */
  payer: string | null;
}

export interface StatementFormat extends CellFormat {
  columns: StatementColumns;
  /** Number of lines before the header. */
  skipRows: number;
}

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

const SEPARATORS = [',', ';', '\t', '|'] as const;

type Column = keyof StatementColumns;

const columnNames: readonly Column[] = [
  'date',
  'amount',
  'reference',
  'sender',
  'currency',
  'debit',
  'direction',
  'payer',
];

/** The place of each mapped column in a record. */
type Places = Readonly<Partial<Record<Column, number>>>;

/**
 * Reads a bank statement. The header decides whether its fields are separated by commas, semicolons, tabs or bars. Empty rows are left out.
 * Throws a Refusal for a column that the header lacks or has twice, and for too many rows. A fault of one row concerns only that row.
 */
export function readStatement(text: string, format: StatementFormat): StatementRow[] {
  const csv = withoutLines(text, format.skipRows);
  const fits = (one: string) => missingColumn(headerOf(csv, one), format.columns) === null;
  const separator = SEPARATORS.find(fits) ?? mostlyUsed(csv);
  const header = headerOf(csv, separator);
  const places = placesIn(header, format.columns);
  const rows: StatementRow[] = [];
  const first = format.skipRows + 1;
  let row = format.skipRows;
  for (const record of recordsOf(csv, separator, first)) {
    row += 1;
    if (row === first || (!(record instanceof Refusal) && record.every((cell) => cell.trim() === ''))) continue;
    checkCount(rows.length);
    rows.push({ row, ...outcomeOf(() => readRow(record, { header, places, format })) });
  }
  return rows;
}

/** Refuses one more row than a statement may have. */
export function checkCount(rows: number): void {
  if (rows === MOST_ROWS) throw new Refusal('limit_exceeded', `A statement may have at most ${MOST_ROWS} rows`, 'csv');
}

/** A text without its first lines. */
function withoutLines(text: string, lines: number): string {
  const ends = /\r\n|\r|\n/g;
  for (let line = 0; line < lines; line += 1) if (!ends.exec(text)) return '';
  return text.slice(ends.lastIndex);
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

/** The separator with which the header has most columns. */
function mostlyUsed(csv: string): string {
  const [first = ','] = SEPARATORS.toSorted((one, other) => headerOf(csv, other).length - headerOf(csv, one).length);
  return first;
}

/** Names of columns, as they are compared; none if this separator does not separate them. */
function headerOf(csv: string, separator: string): string[] {
  const [header = []] = recordsOf(csv, separator);
  return header instanceof Refusal ? [] : header.map(columnKey);
}

function columnKey(name: string): string {
  return visibleLine(name).trim().toLowerCase();
}

/** The first mapped column that a header lacks; null: it has all. */
function missingColumn(header: readonly string[], columns: StatementColumns): Column | null {
  const isMissing = (name: string | null) => name !== null && !header.includes(columnKey(name));
  return columnNames.find((column) => isMissing(columns[column])) ?? null;
}

function placesIn(header: readonly string[], columns: StatementColumns): Places {
  const missing = missingColumn(header, columns);
  if (missing)
    throw new Refusal(
      'parameter_invalid',
      `The header has no column ${cut(columns[missing] ?? '')}`,
      `mapping[${missing}]`,
    );
  const places: Partial<Record<Column, number>> = {};
  for (const column of columnNames) {
    const name = columns[column];
    if (name === null) continue;
    const key = columnKey(name);
    if (header.indexOf(key) !== header.lastIndexOf(key))
      throw new Refusal(
        'parameter_invalid',
        `The header has the column ${cut(name)} more than once`,
        `mapping[${column}]`,
      );
    places[column] = header.indexOf(key);
  }
  return places;
}

interface Reading {
  header: readonly string[];
  places: Places;
  format: StatementFormat;
}

function readRow(record: CsvRecord, { header, places, format }: Reading): Outcome {
  if (record instanceof Refusal) throw record;
  const cell = (column: Column) => visibleLine(record[places[column] ?? -1] ?? '').trim();
  if (record.slice(header.length).some((extra) => extra.trim() !== ''))
    throw new Refusal(
      'parameter_invalid',
      `The row has ${record.length} fields, the header only ${header.length}`,
      'csv',
    );
  const dated = (text: string) => dayIn(text, format.dateFormat);
  const { value, isOut } = valueIn(cell, places, format);
  const { currencies, decimals } = value;
  const currency = currencyIn(cell('currency'), { currencies }, format);
  if (decimals === 3 && minorUnits(currency) < 3)
    throw new Refusal(
      'parameter_invalid',
      `Amounts in ${currency} have at most ${minorUnits(currency)} decimals: ${cut(cell('amount'))}`,
      'amount',
    );
  return received({
    day: () => dated(cell('date')),
    amount: value.amount,
    currency,
    direction: isOut ? 'debit' : 'credit',
    reference: cell('reference'),
    sender: cell('sender'),
    payer: cell('payer'),
  });
}

/** The amount of a row without its sign, and whether the money went out. */
function valueIn(
  cell: (column: Column) => string,
  places: Places,
  format: StatementFormat,
): { value: CellAmount; isOut: boolean } {
  const debit = cell('debit') === '' ? null : amountIn(cell('debit'), 'debit', format);
  if (debit && (!isZero(debit.amount) || cell('amount') === ''))
    return { value: unsigned(debit), isOut: !isZero(debit.amount) };
  const value = amountIn(cell('amount'), 'amount', format);
  const isTaken = isNegative(value.amount);
  if (places.direction === undefined) return { value: unsigned(value), isOut: isTaken };
  const direction = directionIn(cell('direction'));
  if (direction === 'credit' && isTaken)
    throw new Refusal(
      'parameter_invalid',
      'Direction says that money came in, the sign of the amount that it went out',
      'direction',
    );
  return { value: unsigned(value), isOut: direction === 'debit' };
}

function unsigned(value: CellAmount): CellAmount {
  const { amount, decimals, currencies } = value;
  return { amount: isNegative(amount) ? negate(amount) : amount, decimals, currencies };
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
