import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkTiers, planLines, type Tier } from '../../billing/documents/pricing.ts';
import { Refusal } from '../../billing/refusal.ts';
import { decimals } from '../support/pricedDocuments.ts';
import { Rational } from '../support/rational.ts';

fc.configureGlobal({ seed: 20270301, numRuns: 500 });

const tier = (minQuantity: string | null, maxQuantity: string | null, unitCost: string): Tier => ({
  minQuantity,
  maxQuantity,
  unitCost,
});

/** Up to 10 at 5, up to 20 at 4, above at 3. */
const tiers = [tier(null, '10', '5'), tier('11', '20', '4'), tier('21', null, '3')];

const linesOf = (mode: 'volume' | 'tiered', quantity: string) =>
  planLines({ mode, amount: null, tiers }, quantity).map((line) => `${line.quantity} x ${line.unitCost}`);

describe('lines of a plan', () => {
  test('per unit and custom: one, at the amount given', () => {
    const line = { quantity: '3', unitCost: '49.5', tier: null };
    expect(planLines({ mode: 'per_unit', amount: '49.5', tiers: null }, '3')).toEqual([line]);
    expect(planLines({ mode: 'custom', amount: '49.5', tiers: null }, '3')).toEqual([line]);
  });

  test.each([
    ['0', '0 x 5'],
    ['1', '1 x 5'],
    ['10', '10 x 5'],
    ['10.5', '10.5 x 4'],
    ['11', '11 x 4'],
    ['20', '20 x 4'],
    ['20.0001', '20.0001 x 3'],
    ['1000', '1000 x 3'],
  ])('volume: the whole quantity %s has the price of its tier', (quantity, line) => {
    expect(linesOf('volume', quantity)).toEqual([line]);
  });

  test.each([
    ['0', ['0 x 5']],
    ['0.25', ['0.25 x 5']],
    ['10', ['10 x 5']],
    ['10.5', ['10 x 5', '0.5 x 4']],
    ['11', ['10 x 5', '1 x 4']],
    ['20', ['10 x 5', '10 x 4']],
    ['25', ['10 x 5', '10 x 4', '5 x 3']],
  ])('tiered: the quantity %s has one line per tier', (quantity, lines) => {
    expect(linesOf('tiered', quantity)).toEqual(lines);
  });
});

describe('tiers of a request', () => {
  test('get the min_qty that they may leave out: the max_qty before plus 1', () => {
    expect(checkTiers([tier(null, '10', '5'), tier(null, '20', '4'), tier(null, null, '3')])).toEqual(tiers);
    expect(checkTiers([tier('1', '10', '5'), tier('11', '20', '4'), tier('21.0', null, '3')])).toEqual(tiers);
    expect(checkTiers([tier('0', '0.5', '5'), tier('1.5', null, '4')])).toEqual([
      tier(null, '0.5', '5'),
      tier('1.5', null, '4'),
    ]);
    expect(checkTiers(tiers)).toEqual(tiers);
    expect(checkTiers([tier(null, null, '5')])).toEqual([tier(null, null, '5')]);
  });

  test.each<[string, string, Tier[]]>([
    ['a gap', 'tiers[1][min_qty]', [tier(null, '10', '5'), tier('12', null, '4')]],
    ['an overlap', 'tiers[1][min_qty]', [tier(null, '10', '5'), tier('10', null, '4')]],
    ['a first tier that starts above nothing', 'tiers[0][min_qty]', [tier('2', '10', '5'), tier('11', null, '4')]],
    ['tiers out of order', 'tiers[1][max_qty]', [tier(null, '20', '5'), tier('21', '10', '4'), tier(null, null, '3')]],
    ['an empty tier', 'tiers[1][max_qty]', [tier(null, '20', '5'), tier(null, '20', '4'), tier(null, null, '3')]],
    ['a first tier of nothing', 'tiers[0][max_qty]', [tier(null, '0', '5'), tier('1', null, '4')]],
    ['an open tier that is not the last', 'tiers[0][max_qty]', [tier(null, null, '5'), tier('11', null, '4')]],
    ['no price above the last tier', 'tiers[1][max_qty]', [tier(null, '10', '5'), tier('11', '20', '4')]],
    [
      'an edge too exact to be shown',
      'tiers[0][max_qty]',
      [tier(null, '99999.9999999999', '5'), tier(null, null, '4')],
    ],
    ['none', 'tiers', []],
    ['101', 'tiers', Array.from({ length: 101 }, (_, index) => tier(null, index < 100 ? `${index + 1}` : null, '1'))],
  ])('with %s are refused, naming %s', (_, param, refused) => {
    expect(() => checkTiers(refused)).toThrow(Refusal);
    expect(() => checkTiers(refused)).toThrow(expect.objectContaining({ param }));
  });
});

test('whatever the tiers: a quantity is billed whole, each part of it at the price of where it lies', () => {
  const width = decimals({ min: 0, max: 1000, decimals: 4 }).filter((text) => Rational.of(text).sign() > 0);
  const cost = decimals({ min: 0, max: 1000, decimals: 4 });
  const many = fc.array(fc.record({ width, cost }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(many, decimals({ min: 0, max: 4000, decimals: 4 }), fc.nat({ max: 6 }), (widths, drawn, edge) => {
      const edges = widths.map((_, index) =>
        Rational.sum(widths.slice(0, index + 1).map((one) => Rational.of(one.width))),
      );
      const texts = edges.map((one) =>
        `${one.times(new Rational(10_000n)).floor()}`.padStart(5, '0').replace(/(\d{4})$/, '.$1'),
      );
      const known = checkTiers(
        widths.map((one, index) => tier(null, texts[index + 1] === undefined ? null : (texts[index] ?? ''), one.cost)),
      );
      const quantity = texts[edge] ?? drawn; // half of the quantities are at an edge of a tier
      const size = Rational.of(quantity);
      const lines = planLines({ mode: 'tiered', amount: null, tiers: known }, quantity);
      expect(Rational.sum(lines.map((line) => Rational.of(line.quantity))).compare(size)).toBe(0);
      const costs = widths.map((one, index) => {
        const from = edges[index - 1] ?? new Rational(0n);
        const to = edges[index + 1] && edges[index] ? edges[index] : size;
        const end = to.compare(size) < 0 ? to : size;
        const part = end.minus(from);
        return part.sign() > 0 ? part.times(Rational.of(one.cost)) : new Rational(0n);
      });
      const billed = lines.map((line) => Rational.of(line.quantity).times(Rational.of(line.unitCost)));
      expect(Rational.sum(billed).compare(Rational.sum(costs))).toBe(0);
      const touched = costs.filter((_, index) => (edges[index - 1] ?? new Rational(0n)).compare(size) < 0).length;
      expect(lines).toHaveLength(Math.max(1, touched));
      const [whole] = planLines({ mode: 'volume', amount: null, tiers: known }, quantity);
      expect(whole).toEqual({ quantity, unitCost: widths[Math.max(0, touched - 1)]?.cost, tier: null });
    }),
  );
});
