import { expect, test } from '@jest/globals';
import { fillInstallments, giveBack, takeFromLast } from '../../billing/collection/paymentPlan.ts';
import { smallDifference, taxesBack } from '../../billing/collection/writeOff.ts';
import { add } from '../../billing/money/money.ts';

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
  const installments = ['100', '100', '100'].map((amount, id) => ({ id, date: id, amount, balance: amount }));
  const plan = { installments, writtenOff: [] };
  const shown = (of: ReturnType<typeof takeFromLast>) =>
    of.installments.map(({ amount, balance }) => `${balance} of ${amount}`);
  expect(shown(takeFromLast(plan, '150'))).toEqual(['100 of 100', '50 of 50']);
  const paid = { installments: fillInstallments(installments, '220'), writtenOff: [] }; // 80 of the first is paid
  expect(shown(takeFromLast(paid, '205'))).toEqual(['15 of 95']);
  expect(shown(takeFromLast(paid, '0'))).toEqual(shown(paid));
});

test('a write-off that is taken back gives each installment what it lost, at its date', () => {
  const installments = ['100', '100', '100', '100'].map((amount, id) => ({
    id,
    date: id * 10,
    amount,
    balance: amount,
  }));
  const plan = { installments, writtenOff: [] };
  const shown = (of: ReturnType<typeof takeFromLast>) =>
    of.installments.map(({ date, amount, balance }) => `${balance} of ${amount} at ${date}`);
  const first = takeFromLast(plan, '150'); // 100 of the fourth, 50 of the third
  const both = takeFromLast(first, '80'); // 50 of the third, 30 of the second
  expect(shown(both)).toEqual(['100 of 100 at 0', '70 of 70 at 10']);
  expect(shown(giveBack(both, '150'))).toEqual([
    '100 of 100 at 0',
    '100 of 100 at 10',
    '100 of 100 at 20',
    '20 of 20 at 30',
  ]); // 80 still written off
  expect(shown(giveBack(both, '80'))).toEqual(shown(first));
  for (const order of [
    ['150', '80'],
    ['80', '150'],
  ]) {
    const back = order.reduce(giveBack, both);
    expect(shown(back)).toEqual(shown(plan));
    expect(back.writtenOff).toEqual([]);
  }
  const whole = takeFromLast({ installments: fillInstallments(installments, '370'), writtenOff: [] }, '370');
  expect(shown(giveBack(whole, '370'))).toEqual([
    '70 of 100 at 0',
    '100 of 100 at 10',
    '100 of 100 at 20',
    '100 of 100 at 30',
  ]);
  expect(shown(giveBack({ installments, writtenOff: [] }, '5')).at(-1)).toBe('105 of 105 at 30');
});
