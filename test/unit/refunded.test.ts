import { expect, test } from '@jest/globals';
import { refundedOf } from '../../billing/documents/receipt.ts';

test('only refunds that have succeeded are refunded money', () => {
  const refunds = [
    { status: 'succeeded', amount: '10.00' },
    { status: 'pending', amount: '5.00' },
    { status: 'failed', amount: '2.00' },
    { status: 'succeeded', amount: '0.50' },
  ];
  expect(refundedOf(refunds, 'usd')).toBe('10.50'); // 10.00 + 0.50
  expect(refundedOf([], 'jpy')).toBe('0');
});
