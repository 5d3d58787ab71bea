import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compare, isNegative, isZero, type Money, proportion, subtract, sum } from '../../billing/money.ts';
import { periodAt, type Schedule, type Share } from '../../billing/periods.ts';
import { changedComponents, shareLeft, shareOfWholeLeft } from '../../billing/proration.ts';
import { partsWithin, wholeStretch } from '../../billing/stretches.ts';

/** Rules of credits and charges, for any price, period and time of a change. */

const CURRENCY = 'usd';
const CENT = '0.01';
const money = fc.integer({ min: 0, max: 100_000_000 }).map((cents) => (cents / 100).toFixed(2));
const schedule: fc.Arbitrary<Schedule> = fc.record({
  anchorAt: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
  interval: fc.constantFrom('week', 'month', 'year'),
  intervalCount: fc.integer({ min: 1, max: 6 }),
  snapDay: fc.option(fc.integer({ min: 1, max: 7 })),
});
/** A fraction of a period, of 1000. */
const place = fc.integer({ min: 0, max: 999 });

const partOf = (price: Money, share: Share | null): Money => (share ? proportion(price, share, CURRENCY) : '0.00');
const within = ({ startAt, endAt }: { startAt: number; endAt: number }, part: number) =>
  startAt + Math.floor(((endAt - startAt) * part) / 1000);
const differsByAtMostOneCent = (one: Money, other: Money) => {
  const difference = subtract(one, other);
  return compare(difference, CENT) <= 0 && compare(difference, `-${CENT}`) >= 0;
};

test('a credit is between nothing and what was billed, for a change before, within or after the period', () => {
  const anyPlace = fc.integer({ min: -2000, max: 3000 });
  fc.assert(
    fc.property(money, schedule, anyPlace, (billed, of, part) => {
      const period = periodAt(of, 0);
      const credit = partOf(billed, shareLeft(period, within(period, part)));
      expect(isNegative(credit)).toBe(false);
      expect(compare(credit, billed)).toBeLessThanOrEqual(0);
      if (part <= 0) expect(compare(credit, billed)).toBe(0);
      if (part >= 1000) expect(isZero(credit)).toBe(true);
    }),
  );
});

test('the parts of a period add up to it, and their prices to its price, to half a cent for each part', () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { maxLength: 8 });
  fc.assert(
    fc.property(money, schedule, cuts, (price, of, places) => {
      const period = periodAt(of, 1);
      const length = period.endAt - period.startAt;
      const times = [0, ...places.toSorted((one, other) => one - other), 1000].map((part) => within(period, part));
      const parts = times.slice(1).flatMap((endAt, index) => {
        return partsWithin([wholeStretch(of, 1, period)], { startAt: times[index] ?? 0, endAt }, length);
      });
      const used = parts.map(({ share }) => share?.numerator ?? length);
      expect(used.reduce((soFar, one) => soFar + one, 0)).toBe(length);
      const prices = parts.map(({ share }) => (share ? proportion(price, share, CURRENCY) : price));
      const difference = Number(subtract(sum(prices, CURRENCY), price));
      expect(Math.round(Math.abs(difference) * 1000)).toBeLessThanOrEqual(5 * parts.length);
    }),
  );
});

test('a change and its reversal at the same time cancel each other', () => {
  fc.assert(
    fc.property(money, money, schedule, place, (price, other, of, part) => {
      const period = periodAt(of, 1);
      const at = within(period, part);
      const rest = { startAt: at, endAt: period.endAt };
      const charge = partOf(other, shareOfWholeLeft(of, 1, at));
      const back = partOf(price, shareOfWholeLeft(of, 1, at));
      expect(compare(partOf(charge, shareLeft(rest, at)), charge)).toBe(0); // the second change credits all of it
      expect(compare(back, partOf(price, shareLeft(period, at)))).toBe(0); // and charges what the first one credited
    }),
  );
});

test('a change in two steps, or to the same price, differs by at most a cent from one step, or none', () => {
  fc.assert(
    fc.property(money, schedule, place, place, (price, of, first, second) => {
      const period = periodAt(of, 1);
      const [at, later] = [Math.min(first, second), Math.max(first, second)].map((part) => within(period, part));
      const charge = partOf(price, shareOfWholeLeft(of, 1, at ?? 0));
      const credit = partOf(charge, shareLeft({ startAt: at ?? 0, endAt: period.endAt }, later ?? 0));
      expect(differsByAtMostOneCent(credit, partOf(price, shareOfWholeLeft(of, 1, later ?? 0)))).toBe(true);
    }),
  );
});

test('a short first period and its rest have the same whole', () => {
  fc.assert(
    fc.property(money, schedule, place, (price, of, part) => {
      const period = periodAt(of, 0);
      const at = within(period, part);
      const whole = shareOfWholeLeft(of, 0, period.startAt);
      const left = shareOfWholeLeft(of, 0, at);
      expect(left?.denominator).toBe(whole?.denominator);
      expect(compare(partOf(price, left), partOf(price, whole))).toBeLessThanOrEqual(0);
    }),
  );
});

test('components that stay the same are in neither list, changed ones in both', () => {
  const plan = { addonId: null, quantity: '1', price: 'plan 1' };
  const addon = { addonId: 7, quantity: '1', price: 'plan 2' };
  const more = { ...addon, quantity: '2' };
  const other = { ...addon, addonId: 8 };
  expect(changedComponents([plan, addon], [plan, more, other])).toEqual({ ended: [addon], begun: [more, other] });
  expect(changedComponents([plan, addon], [addon])).toEqual({ ended: [plan], begun: [] });
});
