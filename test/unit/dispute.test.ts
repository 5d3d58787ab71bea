import { expect, test } from '@jest/globals';
import { bookedDispute } from '../../billing/payments/dispute.ts';

const told = { amount: '100', amountLost: '0' };

test('a dispute that is not lost is booked as its gateway tells it', () => {
  const booked = (['open', 'won', 'withdrawn'] as const).map((status) => bookedDispute({ ...told, status }, 'eur'));
  expect(booked).toEqual([
    { status: 'open', amount: '100.00', lost: '0.00' },
    { status: 'won', amount: '100.00', lost: '0.00' },
    { status: 'withdrawn', amount: '100.00', lost: '0.00' },
  ]);
});

test('a lost dispute is booked by what the bank keeps', () => {
  const booked = ['0', '40', '100', '120'].map((amountLost) =>
    bookedDispute({ ...told, status: 'lost', amountLost }, 'eur'),
  );
  expect(booked).toEqual([
    { status: 'won', amount: '100.00', lost: '0.00' },
    { status: 'partial', amount: '100.00', lost: '40.00' },
    { status: 'lost', amount: '100.00', lost: '100.00' },
    { status: 'lost', amount: '120.00', lost: '120.00' },
  ]);
});
