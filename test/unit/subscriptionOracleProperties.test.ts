import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { productChoices } from '../support/oracleChoices.ts';
import { billingOf, type Outcome, openSubscription } from '../support/subscriptionOracle.ts';
import { applyChange } from '../support/subscriptionOracleChange.ts';
import type { Choices } from '../support/subscriptionOracleChoices.ts';
import { type Invoice, netOf, totalsOf } from '../support/subscriptionOracleInvoice.ts';
import { runUntil } from '../support/subscriptionOracleProcess.ts';
import { isBeforeAnchor, type State } from '../support/subscriptionOracleState.ts';
import { type Case, type Features, sampleCases, subscriptionCases } from '../support/subscriptionSpace.ts';

/** Rules that hold for any subscription, so that the oracle and the random subscriptions are trusted. */

const parameters = { seed: 20270401, numRuns: 150 };

const holds = (check: (outcome: Outcome, of: Case) => void, features: Partial<Features> = {}) =>
  fc.assert(
    fc.property(subscriptionCases(features), (one) => check(billingOf(one), one)),
    parameters,
  );

const sum = (amounts: readonly bigint[]) => amounts.reduce((soFar, amount) => soFar + amount, 0n);

test('totals add up, and credit is what negative bills gave less what bills used', () => {
  holds(({ invoices, creditBalance }) => {
    for (const one of invoices) {
      expect(one.subtotal - one.discountTotal + one.taxTotal).toBe(one.sum);
      expect(one.total - one.credited).toBe(one.sum);
      expect(one.total >= 0n && one.creditApplied <= one.total).toBe(true);
      expect(sum(Object.values(one.taxes))).toBe(one.taxTotal);
      expect(sum(Object.values(one.discounts))).toBe(one.discountTotal);
    }
    expect(creditBalance).toBe(sum(invoices.map(({ credited, creditApplied }) => credited - creditApplied)));
    const owed = sum(invoices.map(({ voided, total, creditApplied }) => (voided ? 0n : total - creditApplied)));
    expect(creditBalance > 0n && owed > 0n).toBe(false);
  });
});

test('each period is billed once, and begins where the one before ends unless there was a pause', () => {
  holds(
    ({ invoices }) => {
      const periods = invoices.filter(({ kind }) => kind === 'period');
      const names = periods.map(({ segment, n }) => `${segment}/${n}`);
      expect(new Set(names).size).toBe(names.length);
      for (const [index, { segment, period }] of periods.entries()) {
        const before = periods[index - 1];
        if (before?.segment === segment) expect(period?.start).toBe(before.period?.end);
      }
    },
    { pauses: false },
  );
});

test('each prorated line is billed once or pending, and lies inside a billed period', () => {
  holds(
    ({ invoices, pending }) => {
      const live = invoices.filter(({ voided }) => !voided);
      const billed = live.flatMap(({ lines }) => lines.map(({ source }) => source)).concat(pending);
      expect(new Set(billed).size).toBe(billed.length);
      const periods = invoices.flatMap(({ kind, period }) => (kind === 'period' && period ? [period] : []));
      const prorated = billed.filter(({ kind }) => kind === 'charge' || kind === 'credit');
      const outside = prorated.filter(
        ({ periodStart, periodEnd }) => !periods.some(({ start, end }) => start <= periodStart && periodEnd <= end),
      );
      expect(outside).toEqual([]);
    },
    { billIn: ['advance'] },
  );
});

test('credits of a component never exceed the amounts billed for it', () => {
  holds(
    ({ invoices, pending }, { sold }) => {
      const live = invoices.filter(({ voided }) => !voided).flatMap(({ lines }) => lines);
      const unbilled = totalsOf({ lines: pending, coupons: [], taxes: [], currency: sold.currency }).lines;
      const sums = new Map<string, bigint>();
      for (const line of live.concat(unbilled))
        sums.set(line.component, (sums.get(line.component) ?? 0n) + netOf(line));
      expect([...sums].filter(([, all]) => all < 0n)).toEqual([]);
    },
    { voids: false },
  );
});

/** One more change of the quantity and its reversal at the same instant: the number of lines, and their sum. */
function reversed(one: Case, choices: Partial<Choices>): { lines: number; net: bigint } {
  const state = stateAfter(one, choices);
  const { quantity } = state.terms;
  const known = state.pending.length;
  if (state.status !== 'live' || state.pendingRenewal || isBeforeAnchor(state)) return { lines: 0, net: 0n };
  for (const next of [`${Number(quantity) + 3}`, quantity]) applyChange(state, { at: state.now, quantity: next });
  const lines = state.pending.slice(known);
  const { lines: priced } = totalsOf({ lines, coupons: [], taxes: [], currency: state.sold.currency });
  return { lines: lines.length, net: sum(priced.map(netOf)) };
}

function stateAfter({ sold, changes, until }: Case, choices: Partial<Choices>): State {
  const state = openSubscription(sold, choices);
  for (const change of changes) applyChange(state, change);
  runUntil(state, until);
  return state;
}

test('a change and its reversal at one instant cancel, whatever happened before', () => {
  let seen = 0;
  fc.assert(
    fc.property(subscriptionCases({ billIn: ['advance'] }, productChoices), (one) => {
      const { lines, net } = reversed(one, productChoices);
      seen += Math.sign(lines);
      expect(net).toBe(0n);
    }),
    parameters,
  );
  expect(seen).toBeGreaterThan(40);
});

test('the space has all kinds of bills, lines and ends, and the same for the same seed', () => {
  const cases = sampleCases({ seed: 7, count: 300 });
  const outcomes = cases.map((one) => billingOf(one));
  const invoices = outcomes.flatMap((one): Invoice[] => one.invoices);
  const kinds = new Set(invoices.map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual(['closing', 'final', 'now', 'period']);
  expect(invoices.some(({ voided }) => voided) && invoices.some(({ creditApplied }) => creditApplied > 0n)).toBe(true);
  const ends = new Set(outcomes.map(({ snapshots }) => snapshots.at(-1)?.status));
  expect([...ends]).toEqual(expect.arrayContaining(['active', 'canceled', 'finished']));
  expect(sampleCases({ seed: 7, count: 300 })).toEqual(cases);
});
