import { recordsOf } from './csv.ts';
import { AMOUNT_BELOW, exactAmount } from './limits.ts';
import { compare, decimalIn, isCurrency, isNegative, isZero, type Money } from './money.ts';
import { cut, Refusal } from './refusal.ts';
import { visibleLine } from './visibleText.ts';

/** Maximum number of rows of a statement, without the header. */
export const MOST_ROWS = 1000;

export const dateFormats = [
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'YYYYMMDD',
  'DD.MM.YYYY',
  'DD.MM.YY',
  'DD/MM/YYYY',
  'DD-MM-YYYY',
  'MM/DD/YYYY',
] as const;

export type DateFormat = (typeof dateFormats)[number];

export const decimalSeparators = ['.', ','] as const;

/** Names of columns in the header. Null: the statement has no such column. */
export interface StatementColumns {
  date: string;
  amount: string;
  reference: string | null;
  sender: string | null;
  currency: string | null;
  debit: string | null;
}

export interface StatementFormat {
  columns: StatementColumns;
  dateFormat: DateFormat;
  decimalSeparator: (typeof decimalSeparators)[number];
  /** Currency of rows that name none. */
  currency: string;
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
    if (rows.length === MOST_ROWS) throw new Refusal(`A statement may have at most ${MOST_ROWS} rows`, 'csv');
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
  if (missing) throw new Refusal(`The header has no column ${cut(columns[missing] ?? '')}`, `mapping[${missing}]`);
  const places: Partial<Record<Column, number>> = {};
  for (const column of columnNames) {
    const name = columns[column];
    if (name === null) continue;
    const key = columnKey(name);
    if (header.indexOf(key) !== header.lastIndexOf(key))
      throw new Refusal(`The header has the column ${cut(name)} more than once`, `mapping[${column}]`);
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
      throw new Refusal(`The row has ${record.length} fields, the header only ${header.length}`, 'csv');
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

/** Characters between groups of thousands, besides the one of `.` and `,` that separates no decimals. */
const GROUPING = `[ \\u00a0\\u202f'’]`;

/** An amount as decimal text. Signs may be before or after it, or parentheses around it. Groups of thousands may be separated. */
function amountIn(text: string, param: 'amount' | 'debit', { decimalSeparator }: StatementFormat): string {
  if (text === '') throw new Refusal(`${labelOf(param)} missing`, param);
  const [point, comma] = decimalSeparator === '.' ? ['\\.', ','] : [',', '\\.'];
  const whole = `\\d{1,3}(?:(?:${comma}|${GROUPING})\\d{3})+|\\d+`;
  const pattern = new RegExp(`^(?<sign>[+-]?)(?<whole>${whole})(?:${point}(?<part>\\d+))?(?<after>-?)$`);
  const inner = /^\((.*)\)$/.exec(text)?.[1];
  const groups = pattern.exec((inner ?? text).replaceAll('\u2212', '-'))?.groups;
  if (!groups) {
    const wanted = `must be a number, with ${decimalSeparator} before its decimals`;
    throw new Refusal(`${labelOf(param)} ${wanted}: ${cut(text)}`, param);
  }
  const { sign, after, part } = groups;
  const digits = (groups.whole ?? '').replace(/\D/g, '');
  const { decimal, fault } = decimalIn(part ? `${digits}.${part}` : digits, { maxDecimals: 4, maxSignificant: 15 });
  if (fault !== null) throw new Refusal(`${labelOf(param)} ${fault}`, param);
  if (compare(decimal, AMOUNT_BELOW) >= 0) throw new Refusal(`${labelOf(param)} must be below ${AMOUNT_BELOW}`, param);
  const isTaken = inner !== undefined || sign === '-' || after === '-';
  return isTaken && !isZero(decimal) ? `-${decimal}` : decimal;
}

function labelOf(param: string): string {
  return param === 'debit' ? 'Debit' : 'Amount';
}

function currencyIn(text: string, { currency }: StatementFormat): string {
  const code = text.toLowerCase();
  if (code === '') return currency;
  if (isCurrency(code)) return code;
  throw new Refusal(`Currency must be an ISO 4217 currency code: ${cut(text)}`, 'currency');
}

const FIRST_YEAR = 1971;
const LAST_YEAR = 2199;

/** The calendar day that a text in this format denotes. Days and months may have one digit where separators stand between them. */
function dayIn(text: string, format: DateFormat): string {
  const refuse = (): never => {
    throw new Refusal(
      text === ''
        ? 'Date missing'
        : `Date must be a day as ${format}, from ${FIRST_YEAR} to ${LAST_YEAR}: ${cut(text)}`,
      'date',
    );
  };
  const digits = /\W/.test(format) ? '{1,2}' : '{2}';
  const pattern = format
    .replaceAll('.', '\\.')
    .replace('YYYY', '(?<year>\\d{4})')
    .replace('YY', '(?<short>\\d{2})')
    .replace('MM', `(?<month>\\d${digits})`)
    .replace('DD', `(?<day>\\d${digits})`);
  const groups = new RegExp(`^${pattern}$`).exec(text)?.groups;
  if (!groups) return refuse();
  const year = Number(groups.year ?? `20${groups.short}`);
  const [month, day] = [Number(groups.month), Number(groups.day)];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDay || year < FIRST_YEAR || year > LAST_YEAR) return refuse();
  return date.toISOString().slice(0, 10);
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
