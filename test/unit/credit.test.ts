import { expect, test } from '@jest/globals';
import { cashOf, firstUncovered } from '../../billing/payments/credit.ts';

test('money pays what no credit pays', () => {
  const parts = [
    { type: 'invoice', amount: '10' },
    { type: 'applied_credit', amount: '20' },
    { type: 'credit_note', amount: '5', creditNoteId: 1 },
    { type: 'credit', amount: '7', creditNoteId: 1 },
    { type: 'credit', amount: '3' },
  ];
  expect(cashOf('60', parts, 'usd')).toBe('28.00'); // 60 - 20 - 5 - 7
  expect(cashOf('60', parts, 'jpy')).toBe('28');
  expect(cashOf('32', parts.slice(0, 2), 'usd')).toBe('12.00');
});

test.each([
  [['30', '25', '5'], '10.00', { index: 1, wanted: '25', left: '20.00' }], // 60 - 10 = 50; 50 - 30 = 20
  [['30', '25', '5'], '5.00', { index: 2, wanted: '5', left: '0.00' }],
  [['30'], '40.00', { index: 0, wanted: '30', left: '0.00' }],
  [['30', '0.01'], '0.01', { index: 1, wanted: '0.01', left: '0.00' }],
])('when the parts %j exceed the credit by %s, the first unpaid one is found', (parts, short, told) => {
  expect(firstUncovered(parts, short, 'usd')).toEqual(told);
});
