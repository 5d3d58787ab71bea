import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compare, type Money, negate, proportion, subtract, sum } from '../../billing/money/money.ts';
import {
  type ComponentId,
  costOfRest,
  creditingAtMost,
  discountsOfComponents,
  netPrices,
  type PeriodPrice,
} from '../../billing/subscriptions/periodPrices.ts';
import { touchedPrices } from '../../billing/subscriptions/proratedPrices.ts';
import { minorText } from '../support/subscriptionOracleTerms.ts';
import { decimalsOf } from '../support/totalsOracle.ts';

/** What the rest of a billed period costs after a change, for any prices, discounts, currency and time. */

const parameters = { seed: 20270416, numRuns: 400 };

const currency = fc.constantFrom('usd', 'jpy', 'kwd');
const minor = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 1_000_000 }));
const prices = fc.array(minor, { minLength: 1, maxLength: 5 });
const share = fc.record({ numerator: fc.integer({ min: 0, max: 2_678_400 }), denominator: fc.constant(2_678_400) });
const discount = fc.record({ isPercent: fc.boolean(), value: fc.integer({ min: 0, max: 150 }) });

const open = ({ isPercent, value }: { isPercent: boolean; value: number }) => ({
  id: null,
  fixed: null,
  expiresAt: null,
  coupon: { id: 'c', value, is_percent: isPercent, exclusive: false, currency: null },
});
const money = (units: number, code: string): Money => minorText(BigInt(units), decimalsOf(code));
const priced = (all: readonly number[], code: string) =>
  new Map<ComponentId, PeriodPrice>(
    all.map((units, id) => [id, { discountable: money(units, code), other: money(0, code) }]),
  );

test('the lines of a change add up to its whole difference, and its reversal takes back each of them', () => {
  fc.assert(
    fc.property(
      prices,
      minor,
      currency,
      share,
      fc.array(discount, { maxLength: 3 }),
      (all, next, code, part, discounts) => {
        const [before, after] = [all, [next, ...all.slice(1)]].map((units) =>
          netPrices(priced(units, code), discounts.map(open), code),
        );
        if (!before || !after) throw new Error('two sides');
        const changed = new Set<ComponentId>([0]);
        const costs = costOfRest({ before, after, changed, formerOf: new Map() }, part, code);
        const back = costOfRest({ before: after, after: before, changed, formerOf: new Map() }, part, code);
        const credit = proportion(before.get(0) ?? '0', part, code);
        const whole = subtract(sum([...costs.values()], code), credit);
        const isMoved = all.some((_, id) => id > 0 && compare(before.get(id) ?? '0', after.get(id) ?? '0') !== 0);
        const difference = subtract(sum([...after.values()], code), sum([...before.values()], code));
        if (isMoved) expect(whole).toBe(proportion(difference, part, code));
        else expect(whole).toBe(subtract(proportion(after.get(0) ?? '0', part, code), credit));
        for (const [id, cost] of costs) if (id !== 0) expect(compare(cost, negate(back.get(id) ?? '0'))).toBe(0);
      },
    ),
    parameters,
  );
});

test('no credit takes more than what is left', () => {
  expect(creditingAtMost('5.00', '-7.50')).toBe('-5.00');
  expect(creditingAtMost('5.00', '-2.50')).toBe('-2.50');
  expect(creditingAtMost('-1.00', '-2.50')).toBe('0.00');
  expect(creditingAtMost('0.00', '2.50')).toBe('2.50');
});

test('other lines of a bill keep their parts of an amount, and a percentage stays', () => {
  const line = { quantity: '1', taxable: true, discountable: true, discounts: [], taxes: [] };
  const lines = [
    { ...line, unitCost: '100.00' },
    { ...line, unitCost: '300.00' },
  ];
  const discounts = [open({ isPercent: true, value: 50 }), open({ isPercent: false, value: 20 })];
  const left = discountsOfComponents({ lines, discounts, currency: 'usd' }, (index) => index === 1);
  expect(left).toMatchObject([{ coupon: { value: 50 } }, { coupon: null, fixed: '5.00' }]); // 20.00 x 50 of 200
});

test('a component that begins again with its terms of before has its price of before, also with another id', () => {
  const price = { discountable: '10.00', other: '0.00' };
  const before = new Map<ComponentId, PeriodPrice>([[7, price]]);
  const earlier = touchedPrices({ before, earlier: [], ended: new Map([[7, 'seat']]), begun: new Map() });
  expect(earlier).toMatchObject([{ addonId: 7, price: null, before: { price, terms: 'seat' } }]);
  const begun = new Map([8, 9].map((id) => [id, { terms: 'seat', price: null }] as const));
  expect(touchedPrices({ before, earlier, ended: new Map(), begun })).toMatchObject([
    { addonId: 7, price: null },
    { addonId: 8, price, former: 7 },
    { addonId: 9, price: null },
  ]);
});
