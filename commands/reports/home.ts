import { add } from '../../billing/money/money.ts';
import { bucketsOf, readBounds } from '../../billing/reports/aging.ts';
import type { Asked, Cell, ReportName } from '../../billing/reports/report.ts';
import { addDaysToDay, daysBetween } from '../../billing/time/calendar.ts';
import type { EntityManager } from '../../db/orm.ts';
import { openByAge } from '../../db/queries/reports/openItems.ts';
import { kinds } from '../../db/queries/reports/revenue.ts';
import { cashReceived } from './receivables.ts';
import { mrr } from './revenue.ts';

/** What a report is asked for with these parameters, else by default. */
export type Ask = (name: ReportName, parameters: Readonly<Record<string, string>>) => Asked;

interface Asking {
  ask: Ask;
  /** A test clock is ahead of now. */
  isClockAhead: boolean;
  /** The local day. */
  today: string;
}

/** Days, both inclusive. */
export interface Range {
  start: string;
  end: string;
}

/** Money of a range of days in a currency. Decimal text. */
export interface Received {
  currency: string;
  received: string;
  returned: string;
  /** Received less returned. */
  net: string;
}

export interface MoneyOfMonths {
  thisMonth: Range & { sums: Received[] };
  /** As many days of the last month as of this one. */
  lastMonthToDate: Range & { sums: Received[] };
  lastMonth: Range & { sums: Received[] };
}

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;

/** The same day of the month before, or its last day. */
export function monthBefore(day: string): string {
  const last = addDaysToDay(firstOfMonth(day), -1);
  const same = `${last.slice(0, 7)}-${day.slice(8)}`;
  return same < last ? same : last;
}

/** Money of this month and the last one, as the report `cash_received` has it. */
export async function moneyOfMonths(em: EntityManager, { ask, today }: Asking): Promise<MoneyOfMonths> {
  const lastEnd = addDaysToDay(firstOfMonth(today), -1);
  const lastStart = firstOfMonth(lastEnd);
  const rows = await cashReceived.rows(em, ask('cash_received', { start: lastStart, end: today }));
  const within = (start: string, end: string) => {
    const cells = rows.map((row) => row.cells).filter(({ date }) => String(date) >= start && String(date) <= end);
    const sums = sumsBy(cells, ['received', 'returned', 'net']);
    return { start, end, sums: sums.map((sum) => ({ received: '0', returned: '0', net: '0', ...sum })) };
  };
  return {
    thisMonth: within(firstOfMonth(today), today),
    lastMonthToDate: within(lastStart, monthBefore(today)),
    lastMonth: within(lastStart, lastEnd),
  };
}

/** Sums of columns by currency. */
function sumsBy<Name extends string>(
  rows: readonly Readonly<Record<string, Cell>>[],
  columns: readonly Name[],
): ({ currency: string } & Partial<Record<Name, string>>)[] {
  const groups = Map.groupBy(rows, ({ currency }) => String(currency));
  return [...groups].map(([currency, cells]) => {
    const sums: Partial<Record<Name, string>> = {};
    for (const name of columns) sums[name] = add('0', ...cells.map((row) => String(row[name])));
    return { currency, ...sums };
  });
}

/** What is open today by age, in the buckets of the report `aging`. */
export async function openToday(em: EntityManager, { ask, today, isClockAhead }: Asking) {
  const by = 'due_date';
  const buckets = bucketsOf(readBounds(undefined), by);
  const open = await openByAge(em, ask('aging', { as_of: today }), { by, buckets, isClockAhead });
  return { buckets, open };
}

/** Recurring revenue in a currency. Decimal text. */
export interface RevenueMoved {
  currency: string;
  monthAgo: string;
  now: string;
  /** By the kind of movement. */
  moved: Record<string, string>;
}

/** Recurring revenue at the end of today and of the same day of the last month, and what moved it, as the report `mrr` has it. */
export async function revenueOfMonth(
  em: EntityManager,
  { ask, today }: Asking,
): Promise<Range & { revenue: RevenueMoved[] }> {
  const start = addDaysToDay(monthBefore(today), 1);
  const range = { start: daysBetween(start, today) < 0 ? today : start, end: today };
  const rows = (await mrr.rows(em, ask('mrr', range))).map(({ cells }) => cells);
  const groups = Map.groupBy(rows, ({ currency }) => String(currency));
  const revenue = [...groups].map(([currency, periods]) => ({
    currency,
    monthAgo: String(periods[0]?.start),
    now: String(periods.at(-1)?.end),
    moved: Object.fromEntries(kinds.map((kind) => [kind, add('0', ...periods.map((row) => String(row[kind])))])),
  }));
  return { ...range, revenue };
}
