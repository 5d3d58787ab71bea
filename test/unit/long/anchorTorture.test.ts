import { expect, test } from '@jest/globals';
import type { SubscriptionState } from '../../../billing/subscriptions/subscription.ts';
import type { Interval } from '../../../billing/time/calendar.ts';
import { type Period, periodAt, periodIndexAt, type Schedule } from '../../../billing/time/periods.ts';
import { anchorsAt, DATES, torturedZone, ZONES } from '../../support/calendarSpace.ts';
import { randomOf } from '../../support/random.ts';
import { daysBefore, lastSnapDay, periodOf, shortestDays } from '../../support/subscriptionOraclePeriods.ts';
import { chosen } from '../../support/subscriptionProducts.ts';
import { stateFrom, walk } from '../../support/subscriptionWalk.ts';

// Ten years of periods on every snap day, and of subscriptions whose periods are counted anew, compared with the second calendar.

const SEED = 20_270_303;
const YEAR = 365.2425 * 86_400_000;
const YEARS = 10;

const zones = ZONES.map(torturedZone);
const random = randomOf(SEED);
const oneOf = <Value>(values: readonly Value[]): Value => chosen(values, Math.floor(random() * 1e6));
const upTo = (most: number) => 1 + Math.floor(random() * most);

/** An anchor on one of the last days of a month, or some days after it, at a time of day at which clocks change. */
function anyAnchor(): { zone: string; anchorAt: number } {
  for (;;) {
    const tortured = oneOf(zones);
    const date = oneOf(DATES) + Math.floor(random() * 28) * 86_400_000;
    const anchors = anchorsAt(tortured, date, oneOf(tortured.timesOfDay));
    if (anchors.length > 0) return { zone: tortured.zone.name, anchorAt: oneOf(anchors) };
  }
}

/** Period n of a schedule by the second calendar. */
function expectedPeriod({ anchorAt, ...schedule }: Schedule, n: number): Period {
  const { start, end } = periodOf({ anchor: anchorAt, ...schedule }, n);
  return { startAt: start, endAt: end };
}

const about = (schedule: Schedule) => `${JSON.stringify(schedule)} ${new Date(schedule.anchorAt).toISOString()}`;

const everyDay = (['week', 'month', 'year'] as const).flatMap((interval) =>
  Array.from({ length: lastSnapDay(interval) }, (_, index) => ({ interval, snapDay: index + 1 })),
);

test.each([
  ['week', 7 * 4],
  ['month', 31 * 2],
  ['year', 366],
] as const)(
  'for every snap day of a %s, periods of ten years are those of luxon, without gap or overlap',
  (interval, count) => {
    const days = everyDay.filter((one) => one.interval === interval);
    const wrong: unknown[] = [];
    let seen = 0;
    for (let made = 0; made < count; made += 1) {
      const snapDay = days[made % days.length]?.snapDay ?? 1;
      const schedule = { ...anyAnchor(), interval, intervalCount: upTo(interval === 'week' ? 60 : 13), snapDay };
      const end = schedule.anchorAt + YEARS * YEAR;
      for (let n = 0; periodAt(schedule, n).startAt < end; n += 1) {
        const period = periodAt(schedule, n);
        const { startAt, endAt } = expectedPeriod(schedule, n);
        const isSame = period.startAt === startAt && period.endAt === endAt && startAt < endAt;
        const follows = periodAt(schedule, n + 1).startAt === endAt;
        const holds = periodIndexAt(schedule, startAt) === n && periodIndexAt(schedule, endAt - 1) === n;
        if (!isSame || !follows || !holds) wrong.push([about(schedule), n, period, { startAt, endAt }]);
        seen += 1;
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(seen).toBeGreaterThan(count);
  },
);

const EVERY: readonly [Interval, number][] = [
  ['day', 30],
  ['week', 1],
  ['week', 5],
  ['month', 1],
  ['month', 3],
  ['year', 1],
];

interface Terms {
  interval: Interval;
  intervalCount: number;
  snapDay: number | null;
}

function anyTerms(): Terms {
  const [interval, intervalCount] = oneOf(EVERY);
  const most = lastSnapDay(interval);
  return { interval, intervalCount, snapDay: most > 0 && random() < 0.4 ? upTo(most) : null };
}

/** Time that is counted from one anchor. `endAt`: the last bill is due before. `until`: it is paused before. */
interface Segment {
  schedule: Schedule;
  advanceDays: number;
  endAt: number;
  until: number;
}

/** Up to six segments of ten years. A change of the interval begins one, or the end of a pause with `resume_mode: "new"`. */
function anySegments(billIn: 'advance' | 'arrears'): Segment[] {
  const { zone, anchorAt } = anyAnchor();
  const last = anchorAt + YEARS * YEAR;
  const inSeconds = (at: number) => Math.floor(at / 1000) * 1000;
  const anchors = [anchorAt, ...Array.from({ length: upTo(5) }, () => inSeconds(anchorAt + random() * YEARS * YEAR))];
  const sorted = anchors.toSorted((a, b) => a - b);
  let terms = anyTerms();
  return sorted.map((at, index) => {
    const endAt = sorted[index + 1] ?? last;
    const isPaused = index + 1 < sorted.length && random() < 0.4;
    const until = isPaused ? inSeconds(at + (endAt - at) * random()) : endAt;
    const schedule = { zone, anchorAt: at, ...terms };
    const days = billIn === 'advance' ? oneOf([0, 0, 3, 20]) : 0;
    if (!isPaused) terms = anyTerms();
    return { schedule, advanceDays: days < shortestDays(schedule) ? days : 0, endAt, until };
  });
}

/** The state after periods are counted anew, as docs/subscriptions.md describes it. */
function reanchored({ schedule, advanceDays }: Segment, state: SubscriptionState): SubscriptionState {
  const { anchorAt } = schedule;
  return { ...state, schedule, advanceDays, anchoredAt: anchorAt, nextPeriod: 0, periodOpen: false, periodEndAt: null };
}

/** The bills of a segment: each period whose bill is due before it is paused or ends. In arrears a period goes on in a pause. */
function expectedBills({ schedule, advanceDays, endAt, until }: Segment, billIn: 'advance' | 'arrears'): object[] {
  const bills: object[] = [];
  for (let n = 0; ; n += 1) {
    const period = expectedPeriod(schedule, n);
    const before = n > 0 ? expectedPeriod(schedule, n - 1).startAt : schedule.anchorAt;
    const ahead = Math.max(daysBefore(schedule.zone, period.startAt, advanceDays), before);
    const at = billIn === 'arrears' ? period.endAt : ahead;
    const isDue = billIn === 'arrears' ? period.startAt <= until && at <= endAt : at <= until;
    if (!isDue) return bills;
    bills.push({ period: n, at, ...period });
  }
}

test('over ten years, periods that are counted anew are billed once each, when luxon says, and leave no time out', () => {
  let segmentsSeen = 0;
  for (let made = 0; made < 50; made += 1) {
    const billIn = oneOf(['advance', 'advance', 'arrears'] as const);
    const segments = anySegments(billIn);
    const [first] = segments;
    if (!first) continue;
    let state = stateFrom(first.schedule.anchorAt, { schedule: first.schedule, billIn });
    for (const segment of segments) {
      const { schedule, endAt, until } = segment;
      state = reanchored(segment, state);
      const before = walk(state, until);
      const after = walk({ ...before.state, paused: until < endAt }, endAt);
      const steps = [...before.steps, ...after.steps];
      const bills = steps.flatMap((step) => (step.kind === 'bill' ? [step] : []));
      const shown = bills.map(({ period, at, startAt, endAt }) => ({ period, at, startAt, endAt }));
      expect([about(schedule), shown]).toEqual([about(schedule), expectedBills(segment, billIn)]);
      // Periods follow each other from the anchor to the end of the segment. The last one is not over.
      const begun = billIn === 'arrears' ? bills : bills.filter(({ startAt }) => startAt <= until);
      for (const [index, bill] of begun.entries())
        expect(bill.startAt).toBe(begun[index - 1]?.endAt ?? schedule.anchorAt);
      const covered = begun.at(-1)?.endAt ?? schedule.anchorAt;
      const open = expectedPeriod(schedule, begun.length);
      if (billIn === 'advance') expect(covered).toBeGreaterThan(until);
      else expect([open.startAt, until < endAt || open.endAt > endAt]).toEqual([covered, true]);
      segmentsSeen += 1;
      state = { ...after.state, paused: false };
    }
  }
  expect(segmentsSeen).toBeGreaterThan(120);
});
