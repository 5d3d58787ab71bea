import { Refusal } from '../../billing/refusal.ts';
import {
  type Asked,
  type Cell,
  type Column,
  daysAsked,
  type ReportName,
  type ReportRow,
  slicesOf,
} from '../../billing/reports/report.ts';
import { addDaysToDay, daysBetween } from '../../billing/time/calendar.ts';
import type { EntityManager } from '../../db/orm.ts';
import { firstRows, inSlices, type Statement } from '../../db/queries/kernel/slices.ts';

/** Rows of an answer. More are refused: a filter or a shorter range has fewer. */
export const MOST_ROWS = 10_000;

/** A report: what it is asked for, what it means, and its rows. */
export interface ReportDefinition {
  title: string;
  /** What its numbers are, for the answer and the reference. */
  definition: string;
  /** Names of options besides those of all reports. */
  options: readonly string[];
  /** Whether it can be limited to a customer, or to the customers of a member. */
  isByCustomer: boolean;
  /** Values of the option `detail`, each with more columns, and more rows, than without it. */
  details?: readonly string[];
  /** Money columns that have no total: their sum over the rows means nothing. */
  unsummed?(asked: Asked): readonly string[];
  columns(asked: Asked): Column[];
  /** The rows of an answer. Where their number has no limit, more than an answer has are left out. */
  rows(em: EntityManager, asked: Asked): Promise<ReportRow[]>;
  /** All rows, for a job, in a transaction of its own. Absent: a job has as many rows as an answer. */
  slices?(em: EntityManager, asked: Asked): AsyncIterable<readonly ReportRow[]>;
}

type ToRow<Found> = (found: Found, asked: Asked) => ReportRow;
type Rows = Required<Pick<ReportDefinition, 'rows' | 'slices'>>;

/** The rows of a report that come from one statement, each by itself. A job reads any number of them. */
export function ofStatement<Found extends object>(
  statement: (asked: Asked, em: EntityManager) => Statement<Found> | Promise<Statement<Found>>,
  toRow: ToRow<Found>,
): Rows {
  return {
    rows: async (em, asked) =>
      (await firstRows(em, await statement(asked, em), MOST_ROWS + 1)).map((found) => toRow(found, asked)),
    async *slices(em, asked) {
      for await (const slice of inSlices(em, await statement(asked, em)))
        yield slice.map((found) => toRow(found, asked));
    },
  };
}

/** The rows of a report that are put together from all that is found, such as one for each customer. */
export function ofAll<Found>(find: (em: EntityManager, asked: Asked) => Promise<Found[]>, toRow: ToRow<Found>): Rows {
  return {
    rows: async (em, asked) => (await find(em, asked)).map((found) => toRow(found, asked)),
    async *slices(em, asked) {
      for (const slice of slicesOf(await find(em, asked))) yield slice.map((found) => toRow(found, asked));
    },
  };
}

export const text = (id: string, title: string): Column => ({ id, title, type: 'text' });
export const money = (id: string, title: string): Column => ({ id, title, type: 'money' });
export const day = (id: string, title: string): Column => ({ id, title, type: 'day' });
export const number = (id: string, title: string): Column => ({ id, title, type: 'number' });
export const flag = (id: string, title: string): Column => ({ id, title, type: 'boolean' });
export const integer = (id: string, title: string): Column => ({ id, title, type: 'integer' });

/** Id of an object; rows can be grouped by it. */
export const id = (name: string, title: string): Column => ({ id: name, title, type: 'integer', use: 'id' });
/** Number of something; groups sum it up. */
export const count = (id: string, title: string): Column => ({ id, title, type: 'integer', use: 'count' });

export const customerColumns = [id('customer', 'Customer'), text('name', 'Name')];
/** Of a report with a row for each invoice. */
export const invoiceColumns = [...customerColumns, id('invoice', 'Invoice'), text('number', 'Number')];
export const currency = text('currency', 'Currency');

/** Where history begins, for the rows of a balance: all before a day. */
export const BEFORE_ALL = '1970-01-02';

/**
 * Path of another report over the same days and customers: the rows whose sum a number is. Owners count on the same day, also if `more` has
 * other days.
 */
export function pathOf(name: ReportName, asked: Asked, more: Record<string, Cell>): string {
  const { days, zone, knownAt, customer, owner, ownerOn, metadata } = asked;
  const known = String(Math.floor(knownAt.getTime() / 1000));
  const query = new URLSearchParams({ ...daysAsked(name, days), zone, known_at: known });
  const limits = Object.entries({ customer, owner }).filter(([, id]) => id !== null);
  for (const [code, value] of Object.entries(metadata)) query.set(`metadata[${code}]`, value);
  for (const [key, value] of [...limits, ...Object.entries(more)]) query.set(key, String(value));
  if (query.has('owner')) query.set('owner_on', ownerOn ?? days.lastDay);
  return `/reports/${name}?${query}`;
}

/** Parameters of a path to all that was before a day; null: nothing can be. */
export function daysBefore(day: string): { start: string; end: string } | null {
  return day > BEFORE_ALL ? { start: BEFORE_ALL, end: addDaysToDay(day, -1) } : null;
}

/** The days or months of a range, each by its first day. Refuses more days than an answer has rows. */
export function periodsOf({ days: { firstDay, lastDay } }: Asked, unit: 'day' | 'month'): string[] {
  if (unit === 'day' && daysBetween(firstDay, lastDay) >= MOST_ROWS)
    throw new Refusal('limit_exceeded', `The range has more than ${MOST_ROWS} days: choose a shorter one`, 'start');
  const periods: string[] = [];
  for (let at = unit === 'day' ? firstDay : `${firstDay.slice(0, 7)}-01`; at <= lastDay; ) {
    periods.push(at);
    at = nextPeriod(at, unit);
  }
  return periods;
}

const nextPeriod = (at: string, unit: 'day' | 'month'): string =>
  unit === 'day' ? addDaysToDay(at, 1) : `${addDaysToDay(at, 31).slice(0, 7)}-01`;

/** The range of a day or month of the option `group`, as parameters of a path; none without a period. */
export function daysIn(
  { days: { firstDay, lastDay }, options }: Asked,
  period: Cell | undefined,
): Record<string, string> {
  if (typeof period !== 'string') return {};
  const last = addDaysToDay(nextPeriod(period, options.group === 'day' ? 'day' : 'month'), -1);
  return { start: period < firstDay ? firstDay : period, end: last > lastDay ? lastDay : last };
}
