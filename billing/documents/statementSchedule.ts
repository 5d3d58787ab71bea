import { addDaysToDay, instantOfHour, LATEST, localDay } from '../time/calendar.ts';

/** Last day of the month on which statements can be sent by its number: every month has it. */
const MOST_DAYS = 28;

/** Days of a month on which a customer gets its statement. `off`: it gets none by itself. `last`: the last day of the month. */
export const statementDays = ['off', 'last', ...Array.from({ length: MOST_DAYS }, (_, index) => `${index + 1}`)];

/** The days in words, for messages and descriptions. */
export const statementDaysInWords = `off, last or a day from 1 to ${MOST_DAYS}`;

/** The day that a value means, also if it is sent as a number; null: it is none. */
export function readStatementDay(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return statementDays.find((day) => day === text) ?? null;
}

/** When a customer gets its statement: on a day of each month, at a full hour in the time zone of its account. */
export interface StatementSchedule {
  day: string;
  hour: number;
  zone: string;
}

/** A run of a schedule. `at`: epoch milliseconds. */
export interface StatementRun {
  /** `2027-03`. The database refuses a second statement of a customer for the same month and currency. */
  month: string;
  at: number;
}

/** The first run after an instant. Null: the customer gets no statement by itself, or the run would be later than the latest date. */
export function nextStatementRun(schedule: StatementSchedule, after: number): StatementRun | null {
  if (schedule.day === 'off') return null;
  const month = monthOf(after, schedule.zone);
  const runs = [month, monthAfter(month)].map((one) => runIn(schedule, one));
  const next = runs.find(({ at }) => at > after) ?? null;
  return next && next.at <= LATEST ? next : null;
}

/** The last run until an instant. Null: the customer gets no statement by itself. */
export function lastStatementRun(schedule: StatementSchedule, until: number): StatementRun | null {
  if (schedule.day === 'off') return null;
  const month = monthOf(until, schedule.zone);
  const runs = [month, monthBefore(month)].map((one) => runIn(schedule, one));
  return runs.find(({ at }) => at <= until) ?? null;
}

function runIn({ day, hour, zone }: StatementSchedule, month: string): StatementRun {
  const first = `${month}-01`;
  const date = day === 'last' ? addDaysToDay(`${monthAfter(month)}-01`, -1) : addDaysToDay(first, Number(day) - 1);
  return { month, at: instantOfHour(date, hour, zone) };
}

/** The statement that a customer got before, in the same currency. */
export interface EarlierStatement {
  month: string;
  /** Exclusive end of its range. */
  until: Date;
}

/**
 * Where the range of a run starts: at the end of the earlier statement, so that no time is left out, also after months without a statement.
 * Without an earlier one, at the run of the month before.
 */
export function statementStart(schedule: StatementSchedule, run: StatementRun, earlier: EarlierStatement | null): Date {
  return earlier?.until ?? new Date(runIn(schedule, monthBefore(run.month)).at);
}

const monthOf = (at: number, zone: string): string => localDay(at, zone).slice(0, 7);

const monthBefore = (month: string): string => addDaysToDay(`${month}-01`, -1).slice(0, 7);

/** The day 31 days after the first one is in the next month. */
const monthAfter = (month: string): string => addDaysToDay(`${month}-01`, 31).slice(0, 7);
