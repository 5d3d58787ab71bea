import {
  type Asked,
  type Cell,
  type Column,
  isOfDay,
  type ReportName,
  type ReportRow,
} from '../../billing/reports/report.ts';
import type { EntityManager } from '../../db/orm.ts';

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
  /** Money columns that have no total: their sum over the rows means nothing. */
  unsummed?: readonly string[];
  columns(asked: Asked): Column[];
  rows(em: EntityManager, asked: Asked): Promise<ReportRow[]>;
}

export const text = (id: string, title: string): Column => ({ id, title, type: 'text' });
export const money = (id: string, title: string): Column => ({ id, title, type: 'money' });
export const day = (id: string, title: string): Column => ({ id, title, type: 'day' });
export const number = (id: string, title: string): Column => ({ id, title, type: 'number' });
export const flag = (id: string, title: string): Column => ({ id, title, type: 'boolean' });
export const integer = (id: string, title: string): Column => ({ id, title, type: 'integer' });

export const customerColumns = [integer('customer', 'Customer'), text('name', 'Name')];
export const currency = text('currency', 'Currency');

/** Path of another report over the same days and customers: the rows whose sum a number is. */
export function pathOf(
  name: ReportName,
  { days, zone, knownAt, customer, owner }: Asked,
  more: Record<string, Cell>,
): string {
  const known = String(Math.floor(knownAt.getTime() / 1000));
  const span = isOfDay(name) ? { as_of: days.lastDay } : { start: days.firstDay, end: days.lastDay };
  const query = new URLSearchParams({ ...span, zone, known_at: known });
  const limits = Object.entries({ customer, owner }).filter(([, id]) => id !== null);
  for (const [key, value] of [...limits, ...Object.entries(more)]) query.set(key, String(value));
  return `/reports/${name}?${query}`;
}
