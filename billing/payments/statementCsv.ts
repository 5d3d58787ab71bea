import { visibleLine } from '../look/visibleText.ts';
import { isNegative, isZero, minorUnits, negate } from '../money/money.ts';
import { cut, Refusal } from '../refusal.ts';
import { checkCount, type Outcome, outcomeOf, received, type StatementRow } from './bankStatement.ts';
import { type CsvRecord, recordsOf } from './csv.ts';
import { amountIn, type CellAmount, type CellFormat, currencyIn, dayIn } from './statementCells.ts';
import { directionIn } from './statementDirection.ts';

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

export const SEPARATORS = [',', ';', '\t', '|'] as const;

type Column = keyof StatementColumns;

/** A mapping can name columns with at most this many characters. */
const MOST_NAMED = 255;

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
  const separator = separatorOf(csv, format.columns);
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

/** A text without its first lines. */
function withoutLines(text: string, lines: number): string {
  let at = 0;
  for (let line = 0; line < lines; line += 1) at = nextLine(text, at);
  return text.slice(at);
}

/** The place where the next line begins; the end of the text if there is none. */
export function nextLine(text: string, at: number): number {
  const ends = /\r\n|\r|\n/g;
  ends.lastIndex = at;
  return ends.exec(text) ? ends.lastIndex : text.length;
}

/** The separator with which the header has most columns. */
function mostlyUsed(csv: string): string {
  const [first = ','] = SEPARATORS.toSorted((one, other) => headerOf(csv, other).length - headerOf(csv, one).length);
  return first;
}

/** Names of columns, as they are compared; none if this separator does not separate them. */
function headerOf(csv: string, separator: string): string[] {
  return namesOf(csv, separator).map(columnKey);
}

/** Names of columns as they are written. */
export function namesOf(csv: string, separator: string): string[] {
  const [header = []] = recordsOf(csv, separator);
  return header instanceof Refusal ? [] : header.map((name) => visibleLine(name).trim());
}

/** The separator of a statement: with it, the header has all mapped columns. */
function separatorOf(csv: string, columns: StatementColumns): string {
  const fits = (one: string) => missingColumn(headerOf(csv, one), columns) === null;
  return SEPARATORS.find(fits) ?? mostlyUsed(csv);
}

/** The names that a mapping can use: once in the header, and not empty. */
export function mappable(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const keys = names.map((name) => name.toLowerCase());
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return names.filter((name, place) => name !== '' && name.length <= MOST_NAMED && counts.get(keys[place] ?? '') === 1);
}

/** Names that a mapping can have in the statement that it fits. */
export function columnsOf(
  text: string,
  { columns, skipRows }: Pick<StatementFormat, 'columns' | 'skipRows'>,
): string[] {
  const csv = withoutLines(text, skipRows);
  return mappable(namesOf(csv, separatorOf(csv, columns)));
}

export function columnKey(name: string): string {
  return visibleLine(name).trim().toLowerCase();
}

/** The first mapped column that a header lacks; null: it has all. */
export function missingColumn(header: readonly string[], columns: StatementColumns): Column | null {
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
