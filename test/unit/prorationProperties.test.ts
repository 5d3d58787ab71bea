import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { add, compare, type Money, proportion, subtract, sum } from '../../billing/money/money.ts';
import { changedComponents, checkProrationDate, shareLeft } from '../../billing/subscriptions/proration.ts';
import { type Period, periodAt, type Schedule, type Share, shareOfPeriod } from '../../billing/time/periods.ts';
import { partsWithin, wholeStretch } from '../../billing/time/stretches.ts';
import { Rational } from '../support/rational.ts';
import { minorText } from '../support/subscriptionOracleTerms.ts';
import { decimalsOf } from '../support/totalsOracle.ts';

/** Rules of credits and charges, for any price, currency, period and time of a change. */

const parameters = { seed: 20270316, numRuns: 500 };

const currency = fc.constantFrom('usd', 'jpy', 'kwd');
/** A price in minor units: small ones are rounded most. */
const minor = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 100_000_000 }));
const schedule: fc.Arbitrary<Schedule> = fc.record({
  anchorAt: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
  interval: fc.constantFrom('week', 'month', 'year'),
  intervalCount: fc.integer({ min: 1, max: 6 }),
  snapDay: fc.option(fc.integer({ min: 1, max: 7 })),
});
/** The first period, which may be short, or the second. */
const n = fc.constantFrom(0, 1);
/** A fraction of a period, of 1000. */
const place = fc.integer({ min: 0, max: 999 });
const places = fc.uniqueArray(place, { minLength: 1, maxLength: 12 });

const priceOf = (units: number, code: string): Money => minorText(BigInt(units), decimalsOf(code));
const within = ({ startAt, endAt }: Period, part: number) => startAt + Math.floor(((endAt - startAt) * part) / 1000);
const exact = ({ numerator, denominator }: Share) => new Rational(BigInt(numerator), BigInt(denominator));

/** The credit and the charge at an instant, as each line is written. */
const creditOf = (billed: Money, stretch: Period, at: { at: number; code: string }) => {
  const share = shareLeft(stretch, at.at);
  return share ? proportion(billed, share, at.code) : priceOf(0, at.code);
};
const chargeOf = (price: Money, of: { schedule: Schedule; n: number }, at: { at: number; code: string }) => {
  const short = shareOfPeriod(of.schedule, of.n);
  const ofPeriod = short ? proportion(price, short, at.code) : price;
  return creditOf(ofPeriod, periodAt(of.schedule, of.n), at);
};

/** Whether two amounts differ by at most so many halves of a minor unit. */
function differ(one: Money, other: Money, { halves, code }: { halves: number; code: string }): boolean {
  const difference = Rational.of(subtract(one, other)).times(new Rational(2n * 10n ** BigInt(decimalsOf(code))));
  const most = new Rational(BigInt(halves));
  return difference.compare(most) <= 0 && difference.times(new Rational(-1n)).compare(most) <= 0;
}

test('a credit is between nothing and what was billed, for a change before, within or after the period', () => {
  const offset = fc.integer({ min: -1200, max: 2200 });
  fc.assert(
    fc.property(minor, currency, schedule, n, offset, (units, code, of, index, part) => {
      const period = periodAt(of, index);
      const at = within(period, part);
      const left = Math.max(0, period.endAt - Math.max(at, period.startAt));
      const expected = left === 0 ? null : { numerator: left, denominator: period.endAt - period.startAt };
      expect(shareLeft(period, at)).toEqual(expected);
      const price = priceOf(units, code);
      for (const amount of [
        creditOf(price, period, { at, code }),
        chargeOf(price, { schedule: of, n: index }, { at, code }),
      ])
        expect([compare(amount, '0') >= 0, compare(amount, price) <= 0]).toEqual([true, true]);
    }),
    parameters,
  );
});

test('a proration date is allowed exactly if it lies in the running period, not before its last change and not in the future', () => {
  const time = fc.oneof(fc.constantFrom(-1, 0, 1000, 1001), fc.integer({ min: -200, max: 1300 }));
  fc.assert(
    fc.property(schedule, fc.option(time), time, time, (of, changed, passed, asked) => {
      const { startAt, endAt } = periodAt(of, 1);
      const at = (part: number) => Math.floor(within({ startAt, endAt }, part) / 1000) * 1000;
      const changedAt = changed === null ? null : at(changed);
      const [now, date] = [at(passed), at(asked)];
      const limits = { periodStartAt: startAt, periodEndAt: endAt, changedAt, now };
      const startsIn = Math.floor(startAt / 1000) * 1000; // requests have whole seconds
      const isAllowed = now < endAt && date >= startsIn && date <= now && date >= (changedAt ?? date);
      const check = () => checkProrationDate(date, limits);
      if (isAllowed) expect(check).not.toThrow();
      else expect(check).toThrow(expect.objectContaining({ param: 'proration_date' }));
    }),
    parameters,
  );
});

test('the parts of a period add up to it, and their prices to its price, to half a cent for each part', () => {
  fc.assert(
    fc.property(minor, currency, schedule, n, places, (units, code, of, index, cuts) => {
      const period = periodAt(of, index);
      const whole = shareOfPeriod(of, index)?.denominator ?? period.endAt - period.startAt;
      const edges = [-50, ...cuts.toSorted((a, b) => a - b), 1050].map((part) => within(period, part));
      const spans = edges.slice(1).map((endAt, at) => ({ startAt: edges[at] ?? 0, endAt }));
      const parts = spans.flatMap((span) => partsWithin([wholeStretch(of, index, period)], span, whole));
      expect([parts.at(0)?.startAt, parts.at(-1)?.endAt]).toEqual([period.startAt, period.endAt]);
      for (const [at, part] of parts.slice(1).entries()) expect(part.startAt).toBe(parts[at]?.endAt);
      const shares = parts.map(({ share }) => share ?? { numerator: 1, denominator: 1 });
      const all = { numerator: period.endAt - period.startAt, denominator: whole };
      expect(Rational.sum(shares.map(exact)).compare(exact(all))).toBe(0);
      const price = priceOf(units, code);
      const lines = shares.map((share) => proportion(price, share, code));
      const billed = sum(lines, code);
      // Each line is rounded by at most a half, and so is the whole.
      expect(differ(billed, proportion(price, all, code), { halves: lines.length + 1, code })).toBe(true);
    }),
    parameters,
  );
});

test('credits and charges of one price, however often it changes, leave its price, within a minor unit for each change', () => {
  fc.assert(
    fc.property(minor, currency, schedule, n, places, (units, code, of, index, times) => {
      const period = periodAt(of, index);
      const price = priceOf(units, code);
      const first = chargeOf(price, { schedule: of, n: index }, { at: period.startAt, code });
      let billed = { amount: first, stretch: period };
      let total = first;
      for (const [changes, part] of times.toSorted((a, b) => a - b).entries()) {
        const at = within(period, part);
        const credit = creditOf(billed.amount, billed.stretch, { at, code });
        const charge = chargeOf(price, { schedule: of, n: index }, { at, code });
        expect(differ(credit, charge, { halves: 2, code })).toBe(true);
        const isWhole = changes === 0 && shareOfPeriod(of, index) === null;
        if (isWhole) expect(compare(credit, charge)).toBe(0);
        total = add(subtract(total, credit), charge);
        billed = { amount: charge, stretch: { startAt: at, endAt: period.endAt } };
      }
      expect(differ(total, first, { halves: 2 * times.length, code })).toBe(true);
    }),
    parameters,
  );
});

test('changes at one instant cost what the last one alone costs, and a change and its reversal nothing, exactly', () => {
  const prices = fc.array(minor, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(minor, prices, currency, schedule, place, (before, changes, code, of, part) => {
      const period = periodAt(of, 1);
      const at = { at: within(period, part), code };
      const rest = { startAt: at.at, endAt: period.endAt };
      const credited = creditOf(priceOf(before, code), period, at);
      const netOf = (all: readonly number[]) => {
        const charges = all.map((one) => chargeOf(priceOf(one, code), { schedule: of, n: 1 }, at));
        const credits = charges.slice(0, -1).map((charge) => creditOf(charge, rest, at));
        return subtract(sum(charges, code), add(credited, ...credits));
      };
      expect(compare(netOf(changes), netOf(changes.slice(-1)))).toBe(0);
      expect(compare(netOf([...changes, before]), '0')).toBe(0);
    }),
    parameters,
  );
});

test('a change in two steps, or to the same price, differs by at most a cent from one step, or none', () => {
  fc.assert(
    fc.property(minor, currency, schedule, place, place, (units, code, of, first, second) => {
      const period = periodAt(of, 1);
      const [at = 0, later = 0] = [first, second].toSorted((a, b) => a - b).map((part) => within(period, part));
      const price = priceOf(units, code);
      const charge = chargeOf(price, { schedule: of, n: 1 }, { at, code });
      const credit = creditOf(charge, { startAt: at, endAt: period.endAt }, { at: later, code });
      const alone = chargeOf(price, { schedule: of, n: 1 }, { at: later, code });
      expect(differ(credit, alone, { halves: 2, code })).toBe(true);
    }),
    parameters,
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
