import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type BalanceChange, planTakingBack } from '../../billing/subscriptions/takingBack.ts';

/** Changes with their running balances. A pair is an amount and the id of the spending; one without an id is an adjustment. */
function running(...changes: [number, number?][]): BalanceChange[] {
  let balance = 0;
  return changes.map(([amount, spending]) => {
    balance += amount;
    return { amount: String(amount), balance: String(balance), spending: spending ?? null };
  });
}

const taken = (...changes: [number, number?][]) => planTakingBack(running(...changes), '50', 'usd');

describe('taking credit back', () => {
  test('unspent credit leaves by itself', () => {
    expect(taken([50], [30])).toEqual({ removable: '50.00', parts: [] });
  });

  test('the newest spending gives back first, and only as much as is missing', () => {
    // 50 + 20 - 40 - 25 = 5: 45 are missing, 25 of the newest spending and 20 of the one before
    expect(taken([50], [20], [-40, 1], [-25, 2])).toEqual({
      removable: '50.00',
      parts: [
        { spending: 1, amount: '20.00' }, // 50 + 20 - 40 = 30 at that time, so 20 are missing
        { spending: 2, amount: '25.00' }, // 5 + 20 = 25 afterwards, so 25 are missing
      ],
    });
  });

  test('a later spending cannot give back what an earlier one took', () => {
    // after the first spending: 20 of 50 are there, so 30 are missing; the second spending is covered by the 30 added between
    expect(taken([50], [-30, 1], [30], [-20, 2])).toEqual({
      removable: '50.00',
      parts: [{ spending: 1, amount: '30.00' }],
    });
  });

  test('credit that an adjustment took stays', () => {
    expect(taken([50], [-10, 1], [-15])).toEqual({ removable: '35.00', parts: [{ spending: 1, amount: '10.00' }] });
  });

  test('without spendings after it, nothing that an adjustment took can leave', () => {
    expect(taken([50], [-50])).toEqual({ removable: '0.00', parts: [] });
  });
});

test('after credit was taken back, the balance is never negative, and less could not have been taken', () => {
  const change = fc.tuple(fc.integer({ min: -60, max: 60 }), fc.constantFrom('spending', 'adjustment'));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 80 }), fc.array(change, { maxLength: 12 }), (amount, rest) => {
      const kept: [number, number?][] = [[amount]];
      let balance = amount;
      for (const [next, kind] of rest) {
        if (next === 0 || balance + next < 0) continue;
        balance += next;
        kept.push(next < 0 && kind === 'spending' ? [next, kept.length] : [next]);
      }
      const plan = planTakingBack(running(...kept), String(amount), 'usd');
      const back = new Map(plan.parts.map((part) => [part.spending, Number(part.amount)]));
      let left = -Number(plan.removable);
      let lowest = 0;
      kept.forEach(([next, spending], index) => {
        const given = spending === undefined ? 0 : (back.get(spending) ?? 0);
        expect(given).toBeLessThanOrEqual(Math.abs(next));
        left += next + given;
        if (index > 0 || kept.length === 1) lowest = Math.min(lowest, left);
      });
      expect(lowest).toBeGreaterThanOrEqual(0);
      const sum = [...back.values()].reduce((one, other) => one + other, 0);
      expect(sum).toBeLessThanOrEqual(Number(plan.removable));
      // An oracle for the removable amount: all spendings undone, the rest is what adjustments leave.
      let free = 0;
      const floor = Math.min(...kept.map(([next, spending]) => (free += spending === undefined ? next : 0)));
      expect(Number(plan.removable)).toBe(Math.max(0, Math.min(amount, floor)));
    }),
    { numRuns: 500 },
  );
});
