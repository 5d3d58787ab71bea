import { expect, test } from '@jest/globals';
import { boundedPayer, challengeEndsAt, nextLookAtPayer } from '../../billing/payments/presentPayer.ts';

const ORIGIN = 'https://billing.example';
const payer = { returnUrl: `${ORIGIN}/back`, ip: '192.0.2.7', userAgent: 'Mozilla/5.0' };

test.each([
  'https://evil.example/back',
  'https://billing.example.evil.example/',
  'https://billing.example@evil.example/',
  '//evil.example/',
  'javascript:alert(1)',
  '/back',
  '',
  `${ORIGIN}/${'a'.repeat(500)}`,
])('a payer does not return to %j', (returnUrl) => {
  expect(() => boundedPayer({ ...payer, returnUrl }, ORIGIN)).toThrow('A payer returns to a page below');
});

test('a payer has the texts that gateways and the database take', () => {
  const userAgent = `a\u0000\u202e\ud800é\n${'b'.repeat(1000)}`;
  const bounded = boundedPayer({ ...payer, ip: '1'.repeat(90), userAgent }, ORIGIN);
  expect(bounded).toEqual({ ...payer, ip: '1'.repeat(45), userAgent: `a${'b'.repeat(499)}` });
  expect(boundedPayer(payer, ORIGIN)).toEqual(payer);
});

test('look-ups of an attempt that waits end at its hour, and go on while the gateway cannot be asked', () => {
  const minutes = (count: number) => count * 60_000;
  const next = (now: number) => nextLookAtPayer({ startedAt: 0, method: 'credit_card' }, minutes(now)) / 60_000;
  expect([0, 1, 2, 4, 31, 59].map(next)).toEqual([1, 2, 4, 8, 60, 60]);
  expect([60, 61, 62, 64, 90].map(next)).toEqual([61, 62, 64, 68, 120]);
  expect(next(100_000)).toBe(100_360);
  expect(challengeEndsAt({ startedAt: minutes(1), method: null })).toBe(minutes(61));
});

test('look-ups of a bank account that waits for its micro-deposits go on for ten days, four times a day', () => {
  const hours = (count: number) => count * 3_600_000;
  const next = (now: number) => nextLookAtPayer({ startedAt: 0, method: 'ach' }, hours(now)) / 3_600_000;
  expect([1, 3, 6, 7, 100, 238, 240, 241].map(next)).toEqual([2, 6, 12, 13, 106, 240, 240 + 1 / 60, 242]);
});
