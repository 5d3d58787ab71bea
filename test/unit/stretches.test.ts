import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { periodAt, type Schedule } from '../../billing/time/periods.ts';
import { type Stretch, stretchesAtPause, stretchesAtResume, usedStretches } from '../../billing/time/stretches.ts';

/** The parts of a period in which a subscription was in use, for its bill in arrears. */

const DAY = 86_400_000;
const MARCH = Date.UTC(2027, 2, 1);
const march = (day: number) => MARCH + (day - 1) * DAY;
const monthly: Schedule = { anchorAt: MARCH, zone: 'UTC', interval: 'month', intervalCount: 1, snapDay: null };
const period = { startAt: MARCH, endAt: Date.UTC(2027, 3, 1) };

const billed = (used: Stretch[] | null, until = period.endAt, schedule = monthly) =>
  usedStretches(schedule, { n: 0, period: periodAt(schedule, 0), until }, used);

test('a period without a pause is billed whole, or by the share until an end', () => {
  expect(billed(null)).toEqual([{ ...period, share: null }]);
  const share = { numerator: 10 * DAY, denominator: 31 * DAY };
  expect(billed(null, march(11))).toEqual([{ startAt: MARCH, endAt: march(11), share }]);
  expect(billed(null, MARCH)).toEqual([]);
});

test('a pause leaves the parts before and after it', () => {
  const paused = stretchesAtPause(null, MARCH, march(11));
  const before = { startAt: MARCH, endAt: march(11), share: { numerator: 10 * DAY, denominator: 31 * DAY } };
  expect(billed(paused)).toEqual([before]);
  const resumed = stretchesAtResume(paused, march(22));
  const after = { startAt: march(22), endAt: period.endAt, share: { numerator: 10 * DAY, denominator: 31 * DAY } };
  expect(billed(resumed)).toEqual([before, after]);
  expect(billed(stretchesAtPause(resumed, MARCH, march(22)))).toEqual([before]);
});

test('a pause that ends as it begins leaves a whole period, and one from the start leaves nothing', () => {
  expect(billed(stretchesAtResume(stretchesAtPause(null, MARCH, march(11)), march(11)))).toEqual([
    { ...period, share: null },
  ]);
  expect(billed(stretchesAtPause(null, MARCH, MARCH))).toEqual([]);
  expect(stretchesAtResume(null, march(11))).toBeNull();
});

test('the parts of a short first period are shares of the whole period that ends with it', () => {
  const short = { ...monthly, anchorAt: march(20), snapDay: 1 };
  const whole = { numerator: 12 * DAY, denominator: 31 * DAY };
  expect(billed(null, period.endAt, short)).toEqual([{ startAt: march(20), endAt: period.endAt, share: whole }]);
  const paused = stretchesAtPause(null, march(20), march(23));
  expect(billed(paused, period.endAt, short)).toEqual([
    { startAt: march(20), endAt: march(23), share: { numerator: 3 * DAY, denominator: 31 * DAY } },
  ]);
});

test('parts and pauses add up to the period, in any order of pauses', () => {
  const times = fc.uniqueArray(fc.integer({ min: 1, max: 31 * 24 - 1 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(times, (hours) => {
      const changes = hours.toSorted((a, b) => a - b).map((hour) => MARCH + hour * 3_600_000);
      let used: Stretch[] | null = null;
      let unused = 0;
      for (const [index, at] of changes.entries()) {
        if (index % 2 === 0) used = stretchesAtPause(used, MARCH, at);
        else used = stretchesAtResume(used, at);
        if (index % 2 === 0) unused += (changes[index + 1] ?? period.endAt) - at;
      }
      const parts = billed(used);
      const sum = parts.reduce((soFar, { share }) => soFar + (share?.numerator ?? 31 * DAY), 0);
      expect(sum + unused).toBe(31 * DAY);
      for (const [index, part] of parts.entries()) {
        expect(part.startAt).toBeLessThan(part.endAt);
        expect(part.startAt).toBeGreaterThan(parts[index - 1]?.endAt ?? 0);
      }
    }),
    { seed: 20270301, numRuns: 300 },
  );
});
