import { recordsOf } from './csv.ts';
import { exactAmount } from './limits.ts';
import { isNegative, isZero, type Money } from './money.ts';
import { cut, Refusal } from './refusal.ts';
import { amountIn, type CellFormat, currencyIn, dayIn } from './statementCells.ts';
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
}

export interface StatementFormat extends CellFormat {
  columns: StatementColumns;
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
}

/** A row: money received, a row that is no receipt, or the fault of a row. Rows are counted as a spreadsheet does: the header is row 1. */
export type StatementRow = { row: number } & (
  | { entry: StatementEntry }
  | { ignored: 'debit' | 'zero' }
  | { refusal: Refusal }
);

const SEPARATORS = [',', ';', '\t', '|'] as const;

type Column = keyof StatementColumns;

const columnNames: readonly Column[] = ['date', 'amount', 'reference', 'sender', 'currency', 'debit'];

/** The place of each mapped column in a record. */
type Places = Readonly<Partial<Record<Column, number>>>;

/**
 * Reads a bank statement. The header decides whether its fields are separated by commas, semicolons, tabs or bars. Empty rows are left out.
 * Throws a Refusal for a column that the header lacks or has twice, for text that is no CSV, and for too many rows. A fault of one row
 * concerns only that row.
 */
export function readStatement(csv: string, format: StatementFormat): StatementRow[] {
  const fits = (one: string) => missingColumn(headerOf(csv, one), format.columns) === null;
  const separator = SEPARATORS.find(fits) ?? mostlyUsed(csv);
  const header = headerOf(csv, separator);
  const places = placesIn(header, format.columns);
  const rows: StatementRow[] = [];
  let row = 0;
  for (const record of recordsOf(csv, separator)) {
    row += 1;
    if (row === 1 || record.every((cell) => cell.trim() === '')) continue;
    if (rows.length === MOST_ROWS)
      throw new Refusal('limit_exceeded', `A statement may have at most ${MOST_ROWS} rows`, 'csv');
    rows.push({ row, ...readRow(record, { header, places, format }) });
  }
  return rows;
}

/** The separator with which the header has most columns. */
function mostlyUsed(csv: string): string {
  const [first = ','] = SEPARATORS.toSorted((one, other) => headerOf(csv, other).length - headerOf(csv, one).length);
  return first;
}

/** Names of columns, as they are compared; none if this separator does not separate them. */
function headerOf(csv: string, separator: string): string[] {
  try {
    const [header = []] = recordsOf(csv, separator);
    return header.map(columnKey);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
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

function readRow(
  record: readonly string[],
  { header, places, format }: Reading,
): { entry: StatementEntry } | { ignored: 'debit' | 'zero' } | { refusal: Refusal } {
  const cell = (column: Column) => visibleLine(record[places[column] ?? -1] ?? '').trim();
  try {
    if (record.length > header.length)
      throw new Refusal(
        'parameter_invalid',
        `The row has ${record.length} fields, the header only ${header.length}`,
        'csv',
      );
    const debit = cell('debit') === '' ? '0' : amountIn(cell('debit'), 'debit', format);
    if (!isZero(debit)) return { ignored: 'debit' };
    if (cell('amount') === '' && cell('debit') !== '') return { ignored: 'zero' };
    const given = amountIn(cell('amount'), 'amount', format);
    if (isNegative(given)) return { ignored: 'debit' };
    if (isZero(given)) return { ignored: 'zero' };
    const currency = currencyIn(cell('currency'), format);
    const amount = exactAmount(given, currency, 'amount');
    const day = dayIn(cell('date'), format.dateFormat);
    return { entry: { day, amount, currency, reference: cell('reference') || null, sender: cell('sender') || null } };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error };
    throw error;
  }
}

/**
 * Texts by which the rows of statements are told apart: a second statement that has the same row repeats its text. Of several equal rows of
 * one statement, each has its own.
 */
export function entryKeys(entries: readonly StatementEntry[]): string[] {
  const counts = new Map<string, number>();
  return entries.map(({ day, amount, currency, reference, sender }) => {
    const text = JSON.stringify([day, amount, currency, reference, sender]);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return `${text} ${count}`;
  });
}
