import { Temporal } from 'temporal-polyfill';
import { localDay, startOfDay } from './calendar.ts';

/** Names of ranges of days that move on with the calendar. Weeks begin on Monday. */
export const relativeDays = [
  'today',
  'yesterday',
  'this_week',
  'last_7_days',
  'last_30_days',
  'next_7_days',
  'next_30_days',
  'this_month',
  'last_month',
  'this_quarter',
  'last_quarter',
  'this_year',
  'last_year',
  'before_today',
  'through_today',
  'from_today',
] as const;
export type RelativeDays = (typeof relativeDays)[number];

/** The first day of a range and the first day after it. Undefined: it has no such end. */
interface Span {
  from?: Temporal.PlainDate;
  until?: Temporal.PlainDate;
}

/** The instants at which a range begins and at which it is over. Undefined: it has no such end. */
export interface Instants {
  from?: number;
  until?: number;
}

/** The range that a name has at a time, in days of a zone. `next_7_days` and `last_7_days` have today among them. */
export function instantsOf(name: RelativeDays, { now, zone }: { now: number; zone: string }): Instants {
  const { from, until } = spanOf(name, Temporal.PlainDate.from(localDay(now, zone)));
  const start = (day: Temporal.PlainDate) => startOfDay(day.toString(), zone);
  return { ...(from ? { from: start(from) } : {}), ...(until ? { until: start(until) } : {}) };
}

const QUARTER_MONTHS = 3;

function spanOf(name: RelativeDays, today: Temporal.PlainDate): Span {
  const tomorrow = today.add({ days: 1 });
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const month = today.with({ day: 1 });
  const quarter = month.subtract({ months: (month.month - 1) % QUARTER_MONTHS });
  const year = month.with({ month: 1 });
  const lasting = (from: Temporal.PlainDate, length: Temporal.DurationLike): Span => ({
    from,
    until: from.add(length),
  });
  const before = (until: Temporal.PlainDate, length: Temporal.DurationLike): Span => ({
    from: until.subtract(length),
    until,
  });
  switch (name) {
    case 'today':
      return lasting(today, { days: 1 });
    case 'yesterday':
      return before(today, { days: 1 });
    case 'this_week':
      return lasting(monday, { days: 7 });
    case 'last_7_days':
      return before(tomorrow, { days: 7 });
    case 'last_30_days':
      return before(tomorrow, { days: 30 });
    case 'next_7_days':
      return lasting(today, { days: 7 });
    case 'next_30_days':
      return lasting(today, { days: 30 });
    case 'this_month':
      return lasting(month, { months: 1 });
    case 'last_month':
      return before(month, { months: 1 });
    case 'this_quarter':
      return lasting(quarter, { months: QUARTER_MONTHS });
    case 'last_quarter':
      return before(quarter, { months: QUARTER_MONTHS });
    case 'this_year':
      return lasting(year, { years: 1 });
    case 'last_year':
      return before(year, { years: 1 });
    case 'before_today':
      return { until: today };
    case 'through_today':
      return { until: tomorrow };
    case 'from_today':
      return { from: today };
  }
}
