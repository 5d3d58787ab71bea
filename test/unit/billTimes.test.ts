import { expect, test } from '@jest/globals';
import {
  type BillTerms,
  billAt,
  checkAdvanceDays,
  periodsBegun,
  periodsToBill,
} from '../../billing/subscriptions/billIn.ts';
import { checkBackfill } from '../../billing/subscriptions/subscription.ts';
import { isInTrial, trialEnd, trialOf } from '../../billing/subscriptions/trial.ts';
import type { Interval } from '../../billing/time/calendar.ts';
import { periodAt } from '../../billing/time/periods.ts';

/** When periods are billed: at their start, some days before, or at their end. */

const at = (iso: string) => Date.parse(`${iso}${iso.length === 10 ? 'T00:00:00Z' : 'Z'}`);
const shown = (instant: number) => new Date(instant).toISOString().slice(0, 16);

function terms(anchor: string, over: Partial<BillTerms> & { snapDay?: number; zone?: string } = {}): BillTerms {
  const { snapDay = null, zone = 'UTC', ...rest } = over;
  const schedule = { anchorAt: at(anchor), zone, interval: 'month' as const, intervalCount: 1, snapDay };
  return { schedule, billIn: 'advance', advanceDays: 0, anchoredAt: at('2020-01-01'), trial: null, ...rest };
}

const billed = (of: BillTerms, count = 3) => Array.from({ length: count }, (_, n) => shown(billAt(of, n)));

test('without days a period is billed at its start, and in arrears at its end', () => {
  expect(billed(terms('2027-01-31'))).toEqual(['2027-01-31T00:00', '2027-02-28T00:00', '2027-03-31T00:00']);
  expect(billed(terms('2027-01-31', { billIn: 'arrears' }))).toEqual([
    '2027-02-28T00:00',
    '2027-03-31T00:00',
    '2027-04-30T00:00',
  ]);
});

test('days before a period are days of the wall clock', () => {
  const of = terms('2027-03-01T09:00', { advanceDays: 5, zone: 'Europe/Berlin' }); // 10:00 in Berlin
  // Summer time begins on 28 March: 27 March 10:00 is 09:00 UTC, 1 April 10:00 is 08:00 UTC.
  expect(billed(of)).toEqual(['2027-02-24T09:00', '2027-03-27T09:00', '2027-04-26T08:00']);
  expect(shown(periodAt(of.schedule, 1).startAt)).toBe('2027-04-01T08:00');
});

test('a day that the zone skipped is followed by its next instant', () => {
  const of = terms('2011-12-05T20:00', { advanceDays: 1, zone: 'Pacific/Apia' }); // 10:00 on 5 December
  const daily = { ...of, schedule: { ...of.schedule, interval: 'day' as const, intervalCount: 13 } };
  // Period 2 starts on 31 December, 10:00, which is 30 December 20:00 UTC. The day before does not exist.
  expect(shown(periodAt(daily.schedule, 2).startAt)).toBe('2011-12-30T20:00');
  expect(shown(billAt(daily, 2))).toBe('2011-12-30T10:00');
});

test.each([
  ['long before', '2027-01-01', '2027-03-10', '2027-03-05T00:00'],
  ['three days before', '2027-03-07', '2027-03-10', '2027-03-07T00:00'],
  ['at the start', '2027-03-10', '2027-03-10', '2027-03-10T00:00'],
  ['after the start', '2027-06-01', '2027-03-10', '2027-03-10T00:00'],
])('the first period is not billed before its start is known: %s', (_, anchoredAt, anchor, expected) => {
  const of = terms(anchor, { advanceDays: 5, anchoredAt: at(anchoredAt) });
  expect(billed(of, 2)).toEqual([expected, '2027-04-05T00:00']);
});

test('the first period is not billed before its trial begins', () => {
  const trial = { startAt: at('2027-03-08'), endAt: at('2027-03-10') };
  expect(billed(terms('2027-03-10', { advanceDays: 5, trial }), 1)).toEqual(['2027-03-08T00:00']);
  const long = { startAt: at('2027-02-08'), endAt: at('2027-03-10') };
  expect(billed(terms('2027-03-10', { advanceDays: 5, trial: long }), 1)).toEqual(['2027-03-05T00:00']);
});

test('no period is billed before the previous one begins, which a snap day can make short', () => {
  const of = terms('2027-03-30', { advanceDays: 5, snapDay: 1 });
  // 1 April less 5 days is 27 March, before the start on 30 March.
  expect(billed(of)).toEqual(['2027-03-25T00:00', '2027-03-30T00:00', '2027-04-26T00:00']);
});

test.each<[Interval, number, number]>([
  ['day', 1, 1],
  ['day', 10, 10],
  ['week', 2, 14],
  ['month', 1, 28],
  ['month', 3, 84],
  ['year', 1, 365],
])('a plan of every %s, times %i, has fewer than %i days before its periods', (interval, intervalCount, days) => {
  const plan = { interval, intervalCount };
  expect(() => checkAdvanceDays({ billIn: 'advance', advanceDays: days - 1 }, plan)).not.toThrow();
  expect(() => checkAdvanceDays({ billIn: 'advance', advanceDays: days }, plan)).toThrow(
    `Bill in advance days must be below ${days}, the days of a short period of its plan`,
  );
  expect(() => checkAdvanceDays({ billIn: 'arrears', advanceDays: 0 }, plan)).not.toThrow();
  expect(() => checkAdvanceDays({ billIn: 'arrears', advanceDays: 1 }, plan)).toThrow('must be 0 with bill_in arrears');
});

test.each([
  ['advance', 0, '2027-02-28', 2],
  ['advance', 0, '2027-03-01', 3],
  ['advance', 5, '2027-02-23', 2],
  ['advance', 5, '2027-02-24', 3],
  ['arrears', 0, '2027-02-28', 1],
  ['arrears', 0, '2027-03-01', 2],
  ['arrears', 0, '2026-12-01', 0],
  ['advance', 0, '2026-12-01', 0],
] as const)('billed in %s with %i days, by %s as many periods are billed: %i', (billIn, advanceDays, now, count) => {
  const of = terms('2027-01-01', { billIn, advanceDays });
  expect(periodsToBill(of, at(now))).toBe(count);
});

test('twelve missed periods are billed at once, in arrears as well, and not thirteen', () => {
  const advance = terms('2026-01-01');
  expect(() => checkBackfill(advance, at('2026-12-31'))).not.toThrow(); // January to December
  expect(() => checkBackfill(advance, at('2027-01-01'))).toThrow('more than 12 missed periods');
  expect(() => checkBackfill({ ...advance, advanceDays: 5 }, at('2026-12-27'))).toThrow('more than 12 missed periods');
  const arrears = terms('2026-01-01', { billIn: 'arrears' });
  expect(() => checkBackfill(arrears, at('2027-01-31'))).not.toThrow();
  expect(() => checkBackfill(arrears, at('2027-02-01'))).toThrow('more than 12 missed periods');
});

test('a trial ends after its days of the wall clock, or at its end', () => {
  const start = at('2027-03-20T09:00');
  expect(shown(trialEnd({ days: 14, endAt: null }, start, 'Europe/Berlin') ?? 0)).toBe('2027-04-03T08:00');
  expect(trialEnd({ days: 0, endAt: null }, start, 'UTC')).toBeNull();
  expect(trialEnd({ days: null, endAt: start + 1000 }, start, 'UTC')).toBe(start + 1000);
  expect(() => trialEnd({ days: null, endAt: start }, start, 'UTC')).toThrow('Trial end must be after the start');
  expect(() => trialEnd({ days: 14, endAt: start + 1000 }, start, 'UTC')).toThrow('either trial_days or trial_end');
});

test('a trial lasts until the first period begins, whatever is billed before', () => {
  const [startAt, anchorAt] = [new Date(at('2027-03-01')), new Date(at('2027-03-15'))];
  const trial = trialOf({ segment: 0, startAt, anchorAt, trialEndAt: anchorAt });
  expect(trial).toEqual({ startAt: startAt.getTime(), endAt: anchorAt.getTime() });
  expect(trialOf({ segment: 1, startAt, anchorAt: new Date(at('2027-05-01')), trialEndAt: anchorAt })).toBeNull(); // counted anew
  expect(trialOf({ segment: 1, startAt, anchorAt, trialEndAt: anchorAt })).toBeNull(); // from the end of the trial
  const lasts = (billIn: 'advance' | 'arrears', nextPeriod: number, periodOpen: boolean) =>
    isInTrial({ trial, billIn, nextPeriod, periodOpen });
  expect([lasts('advance', 0, false), lasts('advance', 1, true), lasts('advance', 1, false)]).toEqual([
    true,
    true,
    false,
  ]);
  expect([lasts('arrears', 0, false), lasts('arrears', 0, true)]).toEqual([true, false]);
  expect(periodsBegun({ billIn: 'arrears', nextPeriod: 2, periodOpen: true })).toBe(3);
});
