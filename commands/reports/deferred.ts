import { add, allocate, isNegative, isZero, type Money, negate, subtract, zero } from '../../billing/money/money.ts';
import {
  creditsByLine,
  type DatedCredit,
  type NamingCredit,
  recognitionOf,
} from '../../billing/reports/recognition.ts';
import type { Asked, Cell, Column, ReportRow } from '../../billing/reports/report.ts';
import { addDaysToDay, daysBetween } from '../../billing/time/calendar.ts';
import type { EntityManager } from '../../db/orm.ts';
import { postedRevenue, type RevenueLine, revenueLines } from '../../db/queries/reports/deferred.ts';
import {
  currency,
  customerColumns,
  day,
  daysIn,
  integer,
  money,
  pathOf,
  periodsOf,
  type ReportDefinition,
  text,
} from './definition.ts';

const EPOCH = '1970-01-01';
const numberOf = (at: string): number => daysBetween(EPOCH, at);

/** Amounts of a row. `closing` is `opening` plus `billed` less `credited` and `recognized`. */
type Amounts = Record<'opening' | 'billed' | 'credited' | 'recognized' | 'closing', Money>;

/** Days of the report that have a row, as numbers of days. */
interface Span {
  period: string | null;
  first: number;
  last: number;
}

/** The days or months of the report, or all its days together. */
function spansOf(asked: Asked): Span[] {
  const unit = asked.options.group;
  const periods = unit === 'day' || unit === 'month' ? periodsOf(asked, unit) : [null];
  const { firstDay, lastDay } = asked.days;
  return periods.map((period) => {
    const { start = firstDay, end = lastDay } = daysIn(asked, period);
    return { period, first: numberOf(start), last: numberOf(end) };
  });
}

/** A line of an invoice that earns, with what credits took off it. */
interface EarningLine {
  line: RevenueLine;
  credits: DatedCredit[];
}

/** The lines of an invoice that earn. Negative lines that name no other invoice are credits of their own. */
function earningLines(ofInvoice: readonly RevenueLine[]): EarningLine[] {
  const lines = ofInvoice.filter(({ kind, net }) => kind === 'line' && !isNegative(net));
  const credits = ofInvoice.flatMap((line): NamingCredit[] => {
    if (line.kind === 'credit_note') return [line];
    if (line.kind === 'part') return [{ ...line, net: partOf(line), periodStartAt: null, periodEndAt: null }];
    return isNegative(line.net) && line.credited === null ? [{ ...line, net: negate(line.net) }] : [];
  });
  const [first] = lines;
  if (!first) return [];
  if (credits.length === 0) return lines.map((line) => ({ line, credits: [] }));
  const taken = creditsByLine(lines, credits, first.currency);
  return lines.map((line, index) => ({ line, credits: (taken[index] ?? []).filter(({ amount }) => !isZero(amount)) }));
}

/** The part of a negative line that falls to an invoice. */
function partOf({ net, credited, part, currency: code }: RevenueLine): Money {
  const weights = (credited ?? []).map(({ amount }) => amount);
  return allocate(negate(net), weights, code)[part - 1] ?? zero(code);
}

/** What happened to a line in each of the spans. Spans in which nothing was deferred or moved are left out. */
function amountsIn(spans: readonly Span[], { line, credits }: EarningLine): { span: Span; amounts: Amounts }[] {
  const at = recognitionOf(line, credits, line.currency);
  const days = [line.day, ...credits.map((credit) => credit.day)];
  const [begin, end] = [Math.min(...days), Math.max(line.until, ...days)];
  const active = spans.filter(({ first, last }) => first <= end && last >= begin);
  return active.flatMap((span) => {
    const [before, after] = [at(span.first - 1), at(span.last)];
    const moved = (name: 'billed' | 'credited' | 'recognized') => subtract(after[name], before[name]);
    const amounts = {
      opening: before.deferred,
      billed: moved('billed'),
      credited: moved('credited'),
      recognized: moved('recognized'),
      closing: after.deferred,
    };
    return Object.values(amounts).every(isZero) ? [] : [{ span, amounts }];
  });
}

type About = Pick<RevenueLine, 'glAccount' | 'currency' | 'customer' | 'customerName'>;

/** The cells by which rows are separate. `line` null: what the ledger has and no line tells. */
function keysOf({ options: { detail } }: Asked, about: About, line: RevenueLine | null): Record<string, Cell> {
  const isByLine = detail === 'line';
  const served = line && { first: addDaysToDay(EPOCH, line.from), last: addDaysToDay(EPOCH, line.until - 1) };
  const ofLine = {
    invoice: line?.invoice ?? null,
    number: line?.number ?? null,
    line: line?.id ?? null,
    service_start: served?.first ?? null,
    service_end: served?.last ?? null,
  };
  return {
    currency: about.currency,
    gl_account: about.glAccount,
    ...(isByLine || detail === 'item' ? { item: line?.itemCode ?? null, plan: line?.planCode ?? null } : {}),
    ...(isByLine || detail === 'customer' ? { customer: about.customer, name: about.customerName } : {}),
    ...(isByLine ? ofLine : {}),
  };
}

type Sums = Map<string, { cells: Record<string, Cell>; amounts: Amounts }>;

function count(sums: Sums, cells: Record<string, Cell>, amounts: Amounts): void {
  const key = JSON.stringify(Object.values(cells));
  const known = sums.get(key)?.amounts;
  const plus = (name: keyof Amounts) => (known ? add(known[name], amounts[name]) : amounts[name]);
  const [opening, billed, credited] = [plus('opening'), plus('billed'), plus('credited')];
  const [recognized, closing] = [plus('recognized'), plus('closing')];
  sums.set(key, { cells, amounts: { opening, billed, credited, recognized, closing } });
}

/** What the ledger has of revenue beyond the lines. It is recognised at once. */
function countRest(sums: Sums, cells: Record<string, Cell>, rest: Money): void {
  count(sums, cells, { opening: '0', billed: rest, credited: '0', recognized: rest, closing: '0' });
}

/** The sums of all rows. */
async function sumsOf(em: EntityManager, asked: Asked): Promise<Sums> {
  const spans = spansOf(asked);
  const { detail } = asked.options;
  const isByCustomer = detail === 'customer' || detail === 'line';
  const sums: Sums = new Map();
  const byInvoice = Map.groupBy(await revenueLines(em, asked), ({ invoice }) => invoice);
  for (const one of [...byInvoice.values()].flatMap(earningLines)) {
    for (const { span, amounts } of amountsIn(spans, one)) {
      const { billed, credited } = amounts;
      const period = { period: span.period };
      count(sums, { ...period, ...keysOf(asked, one.line, one.line) }, amounts);
      countRest(sums, { ...period, ...keysOf(asked, one.line, null) }, subtract(credited, billed));
    }
  }
  for (const { day: at, amount, ...about } of await postedRevenue(em, asked, isByCustomer)) {
    const span = spans.find(({ first, last }) => first <= at && at <= last);
    if (span) countRest(sums, { period: span.period, ...keysOf(asked, about, null) }, amount);
  }
  return sums;
}

const KEYS = ['gl_account', 'item', 'plan'] as const;

/** Whether the cells have the values of options. `none`: it has no value. */
const isChosen = ({ options }: Asked, cells: Record<string, Cell>): boolean =>
  KEYS.every((name) => {
    const value = options[name];
    return value === undefined || cells[name] === value || (value === 'none' && cells[name] === null);
  });

function columnsOf({ options: { detail, group } }: Asked): Column[] {
  const isByLine = detail === 'line';
  return [
    ...(group === undefined ? [] : [day('period', 'Period')]),
    ...(isByLine || detail === 'customer' ? customerColumns : []),
    ...(isByLine ? [integer('invoice', 'Invoice'), text('number', 'Number'), integer('line', 'Line')] : []),
    ...(isByLine || detail === 'item' ? [text('item', 'Item'), text('plan', 'Plan')] : []),
    ...(isByLine ? [day('service_start', 'First day of service'), day('service_end', 'Last day of service')] : []),
    text('gl_account', 'General ledger account'),
    currency,
    money('opening', 'Deferred before'),
    money('billed', 'Billed'),
    money('credited', 'Credited'),
    money('recognized', 'Recognised'),
    money('closing', 'Deferred after'),
  ];
}

/** Paths of the rows whose sum a row is; of a line, that of its invoice. */
function hrefsOf(asked: Asked, cells: Record<string, Cell>): Record<string, string> {
  const { detail } = asked.options;
  if (detail === 'line') {
    const { customer, invoice } = cells;
    const ofInvoice: Record<string, string> = invoice === null ? {} : { invoice: `/invoices/${invoice}` };
    return { customer: `/customers/${customer}`, ...ofInvoice };
  }
  const named = [...KEYS.filter((name) => name in cells), 'currency', ...(detail === 'customer' ? ['customer'] : [])];
  const chosen = Object.fromEntries(named.map((name) => [name, cells[name] ?? 'none']));
  const path = pathOf('deferred_revenue', asked, {
    ...asked.options,
    ...chosen,
    ...daysIn(asked, cells.period),
    detail: 'line',
  });
  return Object.fromEntries(['opening', 'billed', 'credited', 'recognized', 'closing'].map((name) => [name, path]));
}

export const deferredRevenue: ReportDefinition = {
  title: 'Deferred revenue',
  definition:
    'Posted revenue by when it is earned: `closing` is `opening` plus `billed` less `credited` and `recognized`. A line is recognised evenly by local day over its service period, not before its invoice counts, and at once without a period. A credit note, or a negative line that credits a line, takes what is not recognised yet, and then reverses; what is left is recognised evenly over the days left. Credits stand with the account of the line that they credit. `billed` less `credited` of an account is its revenue in the ledger: what no line tells is recognised at once. Lines of changed invoices are those of now.',
  options: ['detail', 'group', ...KEYS],
  details: ['item', 'customer', 'line'],
  isByCustomer: true,
  unsummed: ({ options }) => (options.group === undefined ? [] : ['opening', 'closing']),
  columns: columnsOf,
  rows: async (em, asked) => {
    const sums = [...(await sumsOf(em, asked)).values()];
    const moved = sums.filter(({ cells, amounts }) => isChosen(asked, cells) && !Object.values(amounts).every(isZero));
    const keyed = moved.map(({ cells, amounts }) => ({ key: sortKey(cells), row: { ...cells, ...amounts } }));
    return keyed
      .toSorted((one, other) => (one.key < other.key ? -1 : 1))
      .map(({ row }): ReportRow => ({ cells: row, hrefs: hrefsOf(asked, row) }));
  },
};

/** Orders rows by their cells in turn: texts by their letters, numbers by their size. */
const sortKey = (cells: Record<string, Cell>): string =>
  Object.values(cells)
    .map((cell) => (typeof cell === 'number' ? String(cell).padStart(16, '0') : (cell ?? '')))
    .join('\u0000');
