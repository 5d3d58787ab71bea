import { describe, expect, test } from '@jest/globals';
import {
  appliedOf,
  inFull,
  inOrder,
  mostOf,
  NOTHING_APPLIED as NOTHING,
  ofAmount,
  ofPayer,
  plainOf,
  sentApplied,
  sumOf,
  unitsOf,
} from '../../dashboard/payments/applied.ts';
import { formatsOf } from '../../dashboard/written.ts';
import { randomOf } from '../support/random.ts';

/** How the form of a payment divides its money among invoices. */

const formats = formatsOf({ language: 'en', zone: 'UTC' });
const german = formatsOf({ language: 'de', zone: 'UTC' });
const units = (plain: string) => unitsOf(plain) ?? 0n;

test('money pays the oldest invoices first, as far as it goes', () => {
  const invoices = [
    { id: '1', open: '80' },
    { id: '2', open: '50.5' },
    { id: '3', open: '9.99' },
  ];
  const value = inOrder(invoices, NOTHING, { amount: units('100'), formats });
  // 100 - 80 = 20 of 50.50
  expect(value.applied).toEqual([
    { invoice: '1', amount: '80' },
    { invoice: '2', amount: '20' },
  ]);
  const whole = inOrder(invoices, NOTHING, { amount: units('140.50'), formats: german });
  // 80 + 50.50 + 9.99 = 140.49
  expect(whole.applied.map(({ amount }) => amount)).toEqual(['80', '50,5', '9,99']);
  expect(plainOf(units('140.50') - sumOf(whole, german))).toBe('0.01');
});

test('an invoice that the payment pays already can get what it owes and what it has', () => {
  const row = {
    id: 1,
    applied_to: [
      { type: 'invoice', invoice: { id: 7 }, amount: 30 },
      { type: 'credit', invoice: null, amount: 5 },
    ],
  };
  const value = appliedOf(row, formats);
  expect(value.applied).toEqual([{ invoice: '7', amount: '30' }]);
  const invoice = { id: '7', open: '12.34' };
  expect(plainOf(mostOf(invoice, value))).toBe('42.34');
  // 100 - 5 of credit leaves 95: the invoice gets all of its 42.34
  const full = inFull(invoice, value, { amount: units('100'), formats });
  expect(sentApplied(full, formats)).toEqual([
    { type: 'credit', amount: 5 },
    { type: 'invoice', invoice: 7, amount: 42.34 },
  ]);
  // 20 - 5 leaves 15
  expect(inFull(invoice, value, { amount: units('20'), formats }).applied).toEqual([{ invoice: '7', amount: '15' }]);
});

test('another customer has other invoices; that of the payment gets back what it paid; invoices out of sight keep what they have', () => {
  const row = { id: 1, customer: { id: 4 }, applied_to: [{ type: 'invoice', invoice: 7, amount: 30 }] };
  const value = appliedOf(row, formats);
  const moved = ofPayer(value, '5', formats);
  expect(moved.applied).toEqual([]);
  expect(ofPayer(moved, '4', formats)).toEqual(value);
  const unknown = { ...NOTHING, applied: [{ invoice: '9', amount: '10' }] };
  expect(ofPayer(unknown, '4', formats).applied).toEqual(unknown.applied);
  // 100 - 30 of the invoice that is not shown = 70 of 80
  const divided = inOrder([{ id: '8', open: '80' }], value, { amount: units('100'), formats });
  expect(divided.applied).toEqual([
    { invoice: '7', amount: '30' },
    { invoice: '8', amount: '70' },
  ]);
});

test('a payment that is begun for an invoice has given it nothing; with less money, the invoice gets less', () => {
  const begun = appliedOf({ customer: 4, applied_to: [{ type: 'invoice', invoice: 7, amount: 761.6 }] }, formats);
  const invoice = { id: '7', open: '761.6' };
  expect(plainOf(mostOf(invoice, begun))).toBe('761.6');
  const less = ofAmount(begun, [units('761.6'), units('50')], { invoices: [invoice], formats });
  expect(less.applied).toEqual([{ invoice: '7', amount: '50' }]);
  const more = ofAmount(less, [units('50'), units('900')], { invoices: [invoice], formats });
  expect(more.applied).toEqual([{ invoice: '7', amount: '761.6' }]);
  // What was divided by hand stays.
  const own = { ...less, applied: [{ invoice: '7', amount: '20' }] };
  expect(ofAmount(own, [units('50'), units('60')], { invoices: [invoice], formats })).toBe(own);
});

test('what is typed is sent with exactly its digits, and what is no number for the API to refuse', () => {
  const typed = {
    ...NOTHING,
    applied: [
      { invoice: '1', amount: '1.234,50' },
      { invoice: '2', amount: 'alles' },
      { invoice: '3', amount: ' ' },
    ],
  };
  expect(sentApplied(typed, german)).toEqual([
    { type: 'invoice', invoice: 1, amount: 1234.5 },
    { type: 'invoice', invoice: 2, amount: 'alles' },
  ]);
});

describe('random payments', () => {
  const random = randomOf(53);
  const some = (most: number) => Math.floor(random() * most);
  const amount = () => plainOf(BigInt(some(1_000_000)) * 100n);
  test.each(Array.from({ length: 200 }, (_, index) => index))('%s', () => {
    const invoices = Array.from({ length: some(8) }, (_, place) => ({ id: String(place + 1), open: amount() }));
    const money = units(amount());
    const { applied } = inOrder(invoices, NOTHING, { amount: money, formats });
    const owed = invoices.reduce((sum, { open }) => sum + units(open), 0n);
    const given = sumOf({ ...NOTHING, applied }, formats);
    expect(given).toBe(money - owed > 0n ? owed : money);
    const short = applied.filter(
      (one) =>
        units(formats.plainNumber(one.amount) ?? '') !==
        units(invoices.find(({ id }) => id === one.invoice)?.open ?? ''),
    );
    expect(short.length).toBeLessThanOrEqual(1); // only the last one is paid in part
  });
});
