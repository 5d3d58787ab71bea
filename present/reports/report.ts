import { roundMoney } from '../../billing/money/money.ts';
import {
  type Asked,
  type Cell,
  type Column,
  isOfDay,
  type Report,
  type ReportInSlices,
  type ReportName,
  type ReportRow,
  typedCell,
} from '../../billing/reports/report.ts';
import { csvLine, number, type Presented, unix } from '../kernel/values.ts';

type Cells = Readonly<Record<string, Cell>>;

/** What a report is, for its readers. */
export interface AboutReport {
  name: ReportName;
  title: string;
  definition: string;
}

/** A report as JSON, with what was asked and what its numbers mean. */
export function presentReport(about: AboutReport, asked: Asked, { rows, totals, ...report }: Report): Presented {
  return {
    ...presentAsked(about, asked, report),
    rows: rows.map((row) => presentRow(report, row)),
    totals: totals.map((cells) => presentTotals(report, cells)),
  };
}

/** The same JSON in parts, which are written one by one. */
export async function* reportAsJson(
  about: AboutReport,
  asked: Asked,
  report: ReportInSlices,
): AsyncGenerator<string, void> {
  yield `${JSON.stringify(presentAsked(about, asked, report)).slice(0, -1)},"rows":[`;
  let separator = '';
  for await (const slice of report.slices) {
    if (slice.length === 0) continue;
    yield separator + slice.map((row) => JSON.stringify(presentRow(report, row))).join();
    separator = ',';
  }
  yield `],"totals":${JSON.stringify(report.totals().map((cells) => presentTotals(report, cells)))}}`;
}

/** What limits and arranges a report, besides its days. */
type Limits = Pick<Asked, 'currency' | 'customer' | 'owner' | 'metadata' | 'options' | 'fields' | 'groupBy'> &
  Partial<Pick<Asked, 'ownerOn'>>;

/** What limits and arranges a report, as its parameters take it; null: nothing. */
export function presentLimits(limits: Limits): Presented {
  const { currency, customer, owner, ownerOn, metadata, fields, groupBy, options } = limits;
  return {
    currency,
    customer,
    owner,
    ...(ownerOn ? { owner_on: ownerOn } : {}),
    metadata: { ...metadata },
    fields: fields.length > 0 ? fields.join() : null,
    group_by: groupBy && (groupBy.by === 'month' ? `${groupBy.column}:month` : groupBy.column),
    ...options,
  };
}

/** The same parameters, of which those that were not given are left out. */
export function givenLimits(limits: Limits): Presented {
  const hasMetadata = Object.keys(limits.metadata).length > 0;
  const given = Object.entries(presentLimits(limits)).filter(([name, value]) =>
    name === 'metadata' ? hasMetadata : value !== null,
  );
  return Object.fromEntries(given);
}

type Described = Pick<Report, 'columns' | 'lastEvent'>;

function presentAsked(
  { name, title, definition }: AboutReport,
  asked: Asked,
  { columns, lastEvent }: Described,
): Presented {
  const { days, zone, knownAt } = asked;
  return {
    name,
    title,
    definition,
    start: isOfDay(name) ? null : days.firstDay,
    end: days.lastDay,
    zone,
    known_at: unix(knownAt),
    parameters: givenLimits(asked),
    last_event: lastEvent,
    columns: columns.map(({ id, title, type }) => ({ id, title, type })),
  };
}

const presentRow = ({ columns }: Described, { cells, hrefs }: ReportRow): Presented => ({
  ...presentCells(columns, cells),
  hrefs,
});

const presentTotals = ({ columns }: Described, cells: Cells): Presented =>
  presentCells(
    columns.filter(({ id, type }) => type === 'money' || id === 'currency'),
    cells,
  );

/** A report as lines of CSV. Money and numbers are no texts, so that a negative one is not taken for a formula. */
export async function* reportAsCsv({ columns, slices }: ReportInSlices): AsyncGenerator<string, void> {
  yield csvLine(columns.map(({ id }) => id));
  for await (const slice of slices)
    yield slice.map(({ cells }) => csvLine(columns.map((column) => shown(column, cells)))).join('');
}

/** The cells of a row or of totals as JSON. Money has the digits of its currency. */
function presentCells(columns: readonly Column[], cells: Cells): Presented {
  return Object.fromEntries(columns.map((column) => [column.id, shown(column, cells)]));
}

function shown(column: Column, cells: Cells): Cell {
  const { type, value } = typedCell(column, cells[column.id] ?? null);
  if (value === null) return null;
  if (type === 'number') return number(String(value));
  return type === 'money' ? number(roundMoney(String(value), String(cells.currency))) : value;
}
