import { expect, test } from '@jest/globals';
import { add } from '../../billing/money.ts';
import { fillInstallments, takeFromLast } from '../../billing/paymentPlan.ts';
import { smallDifference, taxesBack } from '../../billing/writeOff.ts';

const of = (taxes: Record<string, string>, earlier: { amount: string; taxes: Record<string, string> }[] = []) => ({
  total: '119.00',
  taxes,
  earlier,
  currency: 'eur',
});

test('a write-off takes back its share of each tax', () => {
  expect(taxesBack('11.90', of({ vat: '19.00' }))).toEqual({ vat: '1.90' }); // 11.90 x 19 / 119
  expect(taxesBack('0.01', of({ vat: '19.00' }))).toEqual({});
  expect(taxesBack('50.00', of({}))).toEqual({});
});

test('write-offs of all parts take back the whole tax, whatever the parts', () => {
  for (const parts of [
    ['0.03', '0.03', '118.94'],
    ['39.67', '39.67', '39.66'],
    ['0.01', '118.99'],
  ]) {
    const earlier: { amount: string; taxes: Record<string, string> }[] = [];
    for (const amount of parts) earlier.push({ amount, taxes: taxesBack(amount, of({ vat: '19.00' }, earlier)) });
    expect(add('0', ...earlier.map(({ taxes }) => taxes.vat ?? '0'))).toMatch(/^19(\.00)?$/);
  }
});

test('a difference is small if it is within the tolerance and no more than what was paid', () => {
  expect(smallDifference('0.50', { tolerance: '0.5', paid: '99.50' })).toBe('0.50');
  expect(smallDifference('0.51', { tolerance: '0.5', paid: '99.49' })).toBeNull();
  expect(smallDifference('0.50', { tolerance: '0.5', paid: '0.01' })).toBeNull();
  expect(smallDifference('0.00', { tolerance: '0.5', paid: '100.00' })).toBeNull();
});

test('a written-off part is taken from the last installments', () => {
  const plan = ['100', '100', '100'].map((amount, id) => ({ id, date: id, amount, balance: amount }));
  const shown = (one: typeof plan) => one.map(({ amount, balance }) => `${balance} of ${amount}`);
  expect(shown(takeFromLast(plan, '150'))).toEqual(['100 of 100', '50 of 50']);
  const paid = fillInstallments(plan, '220'); // 80 of the first is paid
  expect(shown(takeFromLast(paid, '205'))).toEqual(['15 of 95']);
  expect(shown(takeFromLast(paid, '0'))).toEqual(shown(paid));
});
