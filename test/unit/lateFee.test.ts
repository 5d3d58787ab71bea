import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { firstLateFeeAt, type LateFeeFacts, lateFeeStep, principalOf } from '../../billing/collection/lateFee.ts';
import { setting } from '../../billing/settings.ts';

const terms = { amount: '2', isPercent: true, cap: null, currency: 'usd', gracePeriodDays: 10, recurringDays: 30 };
const facts: LateFeeFacts = {
  at: Date.parse('2027-01-31T00:00:00Z'),
  zone: 'UTC',
  currency: 'usd',
  terms,
  hindrance: null,
  principal: '150.00',
  charged: '0.00',
};
const march = Date.parse('2027-03-02T00:00:00Z'); // January 31 + 30 days
const nextDay = Date.parse('2027-02-01T00:00:00Z');

describe('a due fee', () => {
  test.each<[string, Partial<LateFeeFacts>, object]>([
    ['a percentage of the principal', {}, { kind: 'charge', fee: '3.00', nextAt: march }],
    ['rounded half away from zero', { principal: '0.25' }, { kind: 'charge', fee: '0.01', nextAt: march }],
    ['too small: none now', { principal: '0.24' }, { kind: 'none', nextAt: march }],
    [
      'an amount',
      { terms: { ...terms, isPercent: false, amount: '7.5' } },
      { kind: 'charge', fee: '7.50', nextAt: march },
    ],
    ['only one', { terms: { ...terms, recurringDays: 0 } }, { kind: 'charge', fee: '3.00', nextAt: null }],
    [
      'the rest of the cap',
      { terms: { ...terms, cap: '4' }, charged: '3' },
      { kind: 'charge', fee: '1.00', nextAt: march },
    ],
    ['nothing above the cap', { terms: { ...terms, cap: '4' }, charged: '4' }, { kind: 'none', nextAt: null }],
    ['no principal now', { principal: '0' }, { kind: 'none', nextAt: march }],
    [
      'no principal, and only one fee',
      { principal: '0', terms: { ...terms, recurringDays: 0 } },
      { kind: 'none', nextAt: null },
    ],
    ['no schedule', { terms: null }, { kind: 'none', nextAt: null }],
    ['a percentage in another currency', { currency: 'eur' }, { kind: 'charge', fee: '3.00', nextAt: march }],
    [
      'an amount in another currency',
      { currency: 'eur', terms: { ...terms, isPercent: false } },
      { kind: 'none', nextAt: null },
    ],
    ['a cap in another currency', { currency: 'eur', terms: { ...terms, cap: '4' } }, { kind: 'none', nextAt: null }],
    [
      'postponed while a payment is pending',
      { hindrance: 'payment_pending' },
      { kind: 'postpone', reason: 'payment_pending', nextAt: nextDay },
    ],
    ['the latest date', { at: Date.parse('2199-12-31T00:00:00Z') }, { kind: 'charge', fee: '3.00', nextAt: null }],
  ])('%s', (_, more, step) => {
    expect(lateFeeStep({ ...facts, ...more })).toEqual(step);
  });
});

test('the first fee is due when the days of grace have ended in the zone of the invoice', () => {
  const due = Date.parse('2027-03-10T20:00:00Z'); // March 11 in Berlin
  const first = (gracePeriodDays: number) => firstLateFeeAt(due, { ...terms, gracePeriodDays }, 'Europe/Berlin');
  expect(new Date(first(0)).toISOString()).toBe('2027-03-10T23:00:00.000Z');
  expect(new Date(first(20)).toISOString()).toBe('2027-03-30T22:00:00.000Z'); // summer time since March 28
});

/** Cents. Computes in whole numbers, and walks the fees one by one. */
function oracle(of: { principal: number; tenths: number; cap: number | null; count: number }): number[] {
  const fees: number[] = [];
  for (let index = 0; index < of.count; index++) {
    const whole = Math.floor((of.principal * of.tenths + 500) / 1000);
    const room = of.cap === null ? whole : of.cap - fees.reduce((all, fee) => all + fee, 0);
    fees.push(Math.max(0, Math.min(whole, room)));
  }
  return fees;
}

test('fees in a row equal an oracle in whole cents, never exceed the cap, and are of the principal only', () => {
  fc.assert(
    fc.property(
      fc.record({
        principal: fc.integer({ min: 1, max: 10_000_000 }),
        tenths: fc.integer({ min: 1, max: 1000 }),
        cap: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
        count: fc.integer({ min: 1, max: 8 }),
      }),
      (one) => {
        const text = (cents: number) => (cents / 100).toFixed(2);
        const cap = one.cap === null ? null : text(one.cap);
        const rate = { ...terms, amount: String(one.tenths / 10), cap };
        let charged = 0;
        const fees = Array.from({ length: one.count }, () => {
          const balance = text(one.principal + charged);
          const principal = principalOf(balance, text(charged));
          const step = lateFeeStep({ ...facts, terms: rate, principal, charged: text(charged) });
          const fee = step.kind === 'charge' ? Math.round(Number(step.fee) * 100) : 0;
          charged += fee;
          return fee;
        });
        expect(fees).toEqual(oracle(one));
        if (one.cap !== null) expect(charged).toBeLessThanOrEqual(one.cap);
      },
    ),
  );
});

test.each<[string | null, string]>([
  ['DE', 'invoice'],
  ['GB', 'invoice'],
  ['CH', 'invoice'],
  ['US', 'line'],
  ['NO', 'line'],
  [null, 'line'],
])(
  'an account in the EU, the United Kingdom or Switzerland charges late fees on invoices of their own: %s',
  (country, where) => {
    expect(setting({ environment: 'live', country, settings: {} }, 'late_fee_document')).toBe(where);
  },
);
