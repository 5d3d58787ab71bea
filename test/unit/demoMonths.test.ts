import { expect, test } from '@jest/globals';
import { invoiceLine } from '../../bin/demo/months.ts';

const june = (day: number) => Date.UTC(2027, 5, day, 9) / 1000;
const invoice = { id: 7, customer: 3, number: 'INV-00007', total: 49, status: 'paid' as const };
const failed = { customer: 3, status: 'failed' as const };

test('the line of an invoice takes outcomes from its charges, and only reasons from texts', () => {
  const step = (at: number, did: string, id = 7) => ({
    id: at,
    object: 'test_clock_step' as const,
    advance: 1,
    at,
    subject: { object: 'invoice', id },
    did,
  });
  const clock = {
    happened: [
      step(june(15), 'attempt 1: charging'),
      step(june(15), 'charge of 49.00 usd failed: insufficient_funds'),
      step(june(16), 'charge of 49.00 usd failed: lost_card', 8),
      step(june(18), 'charge of 49.00 usd succeeded'), // the charge says that it failed
      step(june(30), 'worded in another way'),
    ],
  };
  const charges = [
    { id: 4, customer: 3, status: 'succeeded' as const, created_at: june(30) },
    { ...failed, id: 3, created_at: june(18) },
    { ...failed, id: 2, created_at: june(16) },
    { ...failed, id: 1, created_at: june(15) },
    { ...failed, id: 5, customer: 4, created_at: june(15) },
  ];
  expect(invoiceLine(invoice, 'Ben', { charges, clock })).toBe(
    'INV-00007  Ben  49.00  declined 15 Jun (insufficient funds), then declined 18 Jun, then paid 30 Jun',
  );
  expect(invoiceLine(invoice, 'Ben', { charges: [], clock })).toBe('INV-00007  Ben  49.00  paid');
});
