import { expect, test } from '@jest/globals';
import { DateTime } from 'luxon';
import { retryAttemptAt } from '../../billing/collection/autopay.ts';
import { nextCollectionStep } from '../../billing/collection/collection.ts';
import { proportion } from '../../billing/money/money.ts';
import { nextSubscriptionStep } from '../../billing/subscriptions/subscriptionSteps.ts';
import { endOfDay, type Interval, startOfDay } from '../../billing/time/calendar.ts';
import { monthlyFactor, periodAt } from '../../billing/time/periods.ts';
import { dueAt, parseTerms } from '../../billing/time/terms.ts';
import { cell, type PromiseRow, promisesOf } from '../support/promises.ts';

const HOUR = 3_600_000;

const promises = promisesOf('calendar.md');
const rowsWith = (head: string) => promises.filter((row) => head in row);

/** Parses a wall clock in the row's zone. Returns the instant. */
function at(row: PromiseRow, head: string): number {
  const read = DateTime.fromFormat(cell(row, head), 'yyyy-MM-dd HH:mm', { zone: cell(row, 'zone') });
  if (!read.isValid || read.toFormat('yyyy-MM-dd HH:mm') !== row[head]) throw new Error(`no time: ${row[head]}`);
  return read.toMillis();
}

const wall = (row: PromiseRow, instant: number) =>
  DateTime.fromMillis(instant, { zone: cell(row, 'zone') }).toFormat('yyyy-MM-dd HH:mm');
const utc = (instant: number) => DateTime.fromMillis(instant, { zone: 'utc' }).toFormat("yyyy-MM-dd'T'HH:mm'Z'");

const INTERVALS: readonly Interval[] = ['day', 'week', 'month', 'year'];

function every(row: PromiseRow): { interval: Interval; intervalCount: number } {
  const [count, word] = cell(row, 'every').split(' ');
  const interval = INTERVALS.find((one) => one === word);
  if (!interval || !(Number(count) > 0)) throw new Error(`no interval: ${row.every}`);
  return { interval, intervalCount: Number(count) };
}

test('the page has its tables, and no row of one that nothing here executes', () => {
  const known = ['period', 'hours', 'terms', 'retried after', 'a month of it'];
  expect(promises.filter((row) => known.filter((head) => head in row).length !== 1)).toEqual([]);
  expect(known.map((head) => rowsWith(head).length >= 3)).toEqual(known.map(() => true));
  expect(rowsWith('period').length).toBeGreaterThan(30);
});

test.each(rowsWith('period'))('every $every from $anchor in $zone, period $period: $because', (row) => {
  const snapDay = 'day' in row ? Number(cell(row, 'day')) : null;
  const schedule = { anchorAt: at(row, 'anchor'), zone: cell(row, 'zone'), ...every(row), snapDay };
  const n = Number(cell(row, 'period'));
  const { startAt } = periodAt(schedule, n);
  expect({ starts: wall(row, startAt), utc: utc(startAt) }).toEqual({ starts: row.starts, utc: row['in UTC'] });
  expect(periodAt(schedule, n - 1).endAt).toBe(startAt);
  const bare = { cyclesBilled: n, cycles: null, periodEndAt: startAt, cancelAtPeriodEnd: false, paused: false };
  const terms = { renewalMode: 'none' as const, pendingRenewal: false, hasPendingChange: false };
  const billing = { billIn: 'advance' as const, advanceDays: 0, anchoredAt: schedule.anchorAt, trial: null };
  const progress = { status: 'active' as const, nextPeriod: n, periodOpen: false };
  const pause = { pauseAtPeriodEnd: false, resumeAt: null, lateUsageAt: null };
  const { waits } = nextSubscriptionStep(
    { schedule, ...progress, ...bare, ...terms, ...billing, ...pause },
    startAt - 1,
  );
  expect(waits).toMatchObject([{ rule: 'bill', at: startAt }]);
});

test.each(rowsWith('hours'))('$day in $zone has $hours hours: $because', (row) => {
  const [day, zone] = [cell(row, 'day'), cell(row, 'zone')];
  const startAt = startOfDay(day, zone);
  const hours = (endOfDay(day, zone) - startAt) / HOUR;
  expect({ starts: utc(startAt), hours: String(hours) }).toEqual({ starts: row['starts, in UTC'], hours: row.hours });
});

test.each(rowsWith('terms'))('$terms of $dated in $zone: $because', (row) => {
  const zone = cell(row, 'zone');
  const due = dueAt(at(row, 'dated'), parseTerms(cell(row, 'terms')), zone);
  const collected = { over: false, attemptUndecided: false, nextAttemptAt: null, attemptCount: 0, maxAttempts: 4 };
  const state = {
    ...collected,
    lastFailure: null,
    hasSource: false,
    dueAt: due,
    pastDue: false,
    promiseEndsAt: null,
    lateFeeAt: null,
    lateFeeReviewAt: null,
    creditReviewAt: null,
    discountEndsAt: null,
    discountReviewAt: null,
    zone,
  };
  const [wait] = nextCollectionStep(state, at(row, 'dated')).waits;
  expect({ due: wall(row, due ?? 0), pastDue: utc(wait?.at ?? 0) }).toEqual({
    due: row.due,
    pastDue: row['past due, in UTC'],
  });
});

test.each(rowsWith('retried after'))('a charge that failed on $failed in $zone: $because', (row) => {
  const days = Number.parseInt(cell(row, 'retried after'), 10);
  const attempt = { attemptCount: 1, kind: 'soft', code: 'insufficient_funds', sourceType: 'card' } as const;
  const failed = { ...attempt, retryDays: [days], failedAt: at(row, 'failed'), zone: cell(row, 'zone') };
  const retriedAt = retryAttemptAt(failed) ?? 0;
  expect({ at: wall(row, retriedAt), utc: utc(retriedAt) }).toEqual({ at: row.at, utc: row['in UTC'] });
});

test.each(rowsWith('a month of it'))('a month of $amount every $every', (row) => {
  const { interval, intervalCount } = every(row);
  expect(proportion(cell(row, 'amount'), monthlyFactor(interval, intervalCount), 'usd')).toBe(row['a month of it']);
});
