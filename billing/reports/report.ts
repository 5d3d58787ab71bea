import { type CustomFieldType, unfitValue } from '../customFields.ts';
import { Refusal } from '../refusal.ts';
import { endOfDay, startOfDay } from '../time/calendar.ts';

/** The reports in the order of the reference: `day`, of the end of one day; `range`, of all days of a range. */
const spans = [
  ['aging', 'day'],
  ['open_items', 'day'],
  ['roll_forward', 'range'],
  ['cash_received', 'range'],
  ['unapplied', 'day'],
  ['credits', 'day'],
  ['refunds_and_disputes', 'range'],
  ['write_offs', 'range'],
  ['dso', 'range'],
  ['promises', 'range'],
  ['recovery', 'range'],
  ['mrr', 'range'],
  ['customers', 'range'],
  ['churn', 'range'],
  ['cohorts', 'range'],
  ['mrr_movements', 'range'],
  ['upcoming', 'range'],
  ['scheduled_mrr', 'range'],
  ['sales', 'range'],
  ['tax', 'range'],
  ['deferred_revenue', 'range'],
  ['usage', 'range'],
  ['trial_balance', 'range'],
  ['journal', 'range'],
] as const;
export type ReportName = (typeof spans)[number][0];
export const reportNames: readonly ReportName[] = spans.map(([name]) => name);
const ofDays: ReadonlySet<string> = new Set(spans.flatMap(([name, span]) => (span === 'day' ? [name] : [])));

/** Whether a report is of the end of one day, and not of a range. */
export const isOfDay = (name: ReportName): boolean => ofDays.has(name);

/** Days of a report of what lies ahead, unless a range is asked for. */
export const DAYS_AHEAD = 30;

/** Whether a report is of what lies ahead. */
export const isAhead = (name: ReportName): boolean => name === 'upcoming' || name === 'scheduled_mrr';

/** `money`: decimal text in the currency of its row. `number`: decimal text. `day`: `2027-03-31`. */
export type CellType = 'text' | 'integer' | 'number' | 'money' | 'day' | 'boolean';
export type Cell = string | number | boolean | null;

export interface Column {
  id: string;
  title: string;
  type: CellType;
  /** What an integer is; absent: groups neither have it as a key nor sum it up. */
  use?: 'id' | 'count';
}

/** Cells by the id of their column. `hrefs`: API paths of what a cell adds up, by the id of its column. */
export interface ReportRow {
  cells: Readonly<Record<string, Cell>>;
  hrefs: Readonly<Record<string, string>>;
}

/** A report as it is answered. `totals`: sums by currency. `lastEvent`: id of the last event that it includes. */
export interface Report {
  columns: Column[];
  rows: ReportRow[];
  totals: Record<string, Cell>[];
  lastEvent: number | null;
}

/** A report whose rows are read as they are written. `totals`: those of the slices that were read so far. */
export interface ReportInSlices extends Pick<Report, 'columns' | 'lastEvent'> {
  slices: AsyncIterable<readonly ReportRow[]>;
  totals(): Record<string, Cell>[];
}

/** Rows of a slice. */
const SLICE = 1000;

/** Rows in parts. */
export function* slicesOf<Row>(rows: readonly Row[]): Generator<readonly Row[], void> {
  for (let start = 0; start < rows.length; start += SLICE) yield rows.slice(start, start + SLICE);
}

/** A report that was read, as one whose rows are read as they are written. */
export function asSlices({ rows, totals, ...report }: Report): ReportInSlices {
  const slices = async function* () {
    yield* slicesOf(rows);
  };
  return { ...report, slices: slices(), totals: () => totals };
}

/** Files of reports. */
export const reportFormats = ['json', 'csv', 'xlsx'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Their MIME types. */
export const reportTypes = {
  json: 'application/json',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ReportFormat, string>;

/** Movements of receivables by what caused them. */
export const movements = [
  'invoiced',
  'fees',
  'credited',
  'voided',
  'paid',
  'discounts',
  'returned',
  'written_off',
  'other',
] as const;
export type Movement = (typeof movements)[number];

/** Whole local days of a zone. `from` is inclusive, `until` exclusive. */
export interface Days {
  firstDay: string;
  lastDay: string;
  from: Date;
  until: Date;
}

/** The days of a report in a zone. Refuses a range that ends before it begins. */
export function daysOf(firstDay: string, lastDay: string, zone: string): Days {
  if (firstDay > lastDay)
    throw new Refusal('parameter_invalid', `The range ends on ${lastDay}, before it begins on ${firstDay}`, 'end');
  return {
    firstDay,
    lastDay,
    from: new Date(startOfDay(firstDay, zone)),
    until: new Date(endOfDay(lastDay, zone)),
  };
}

/** The days of a report as its parameters take them. */
export function daysAsked(
  name: ReportName,
  { firstDay, lastDay }: Pick<Days, 'firstDay' | 'lastDay'>,
): Record<string, string> {
  return isOfDay(name) ? { as_of: lastDay } : { start: firstDay, end: lastDay };
}

/** What a report is asked for. Without a range, `days` is one day, and the report shows its end. */
export interface Asked {
  accountId: number;
  /** Real time of the request. */
  now: Date;
  days: Days;
  zone: string;
  /** Entries that were posted later are left out. */
  knownAt: Date;
  currency: string | null;
  customer: number | null;
  /** Id of the member whose customers are shown. */
  owner: number | null;
  /** The local day at whose end owners count; null: the last day. */
  ownerOn: string | null;
  /** Only customers whose metadata has these values now, by the ids of custom fields. */
  metadata: Readonly<Record<string, string>>;
  options: Readonly<Record<string, string>>;
  /** Ids of custom fields of customers, each shown as a column. */
  fields: readonly string[];
  /** The column by which rows are summed up; null: they are not. */
  groupBy: Grouping | null;
}

export interface Grouping {
  column: string;
  /** `month`: days of a month are one row. */
  by: 'value' | 'month';
}

/** Column of a custom field, as lists name it. */
export const fieldColumn = (code: string): string => `metadata.${code}`;

/** The custom field that a column shows; null: it is another column. */
export const fieldOf = (column: string): string | null => /^metadata\.(.+)$/s.exec(column)?.[1] ?? null;

/** Types of the columns of custom fields. Nothing says in which currency the money of a field is: it is a number. */
export const fieldTypes: Readonly<Record<CustomFieldType, CellType>> = {
  string: 'text',
  enum: 'text',
  boolean: 'boolean',
  integer: 'integer',
  double: 'number',
  money: 'number',
  date: 'day',
};

/** What the texts of custom fields have to be in columns of these types. */
const FITTING = { boolean: 'boolean', integer: 'integer', number: 'double', day: 'date' } as const;

/** A cell with its type. Values of custom fields are texts: one that fits the type of its column has it, any other stays a text. */
export function typedCell({ id, type }: Column, cell: Cell): { type: CellType; value: Cell } {
  if (typeof cell !== 'string' || type === 'text' || type === 'money' || fieldOf(id) === null)
    return { type, value: cell };
  if (unfitValue({ type: FITTING[type], choices: [] }, cell) !== null) return { type: 'text', value: cell };
  if (type === 'boolean') return { type, value: cell === 'true' };
  return { type, value: type === 'integer' ? Number(cell) : cell };
}

/** What a report is asked for, as JSON. */
export interface StoredAsked extends Omit<Asked, 'days' | 'now' | 'knownAt'> {
  firstDay: string;
  lastDay: string;
  /** ISO 8601. */
  now: string;
  knownAt: string;
}

export function storeAsked({ days: { firstDay, lastDay }, now, knownAt, ...asked }: Asked): StoredAsked {
  return { ...asked, firstDay, lastDay, now: now.toISOString(), knownAt: knownAt.toISOString() };
}

export function restoreAsked({ firstDay, lastDay, now, knownAt, ...asked }: StoredAsked): Asked {
  return { ...asked, days: daysOf(firstDay, lastDay, asked.zone), now: new Date(now), knownAt: new Date(knownAt) };
}
