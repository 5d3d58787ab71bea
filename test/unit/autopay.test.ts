import { expect, test } from '@jest/globals';
import { firstAttemptAt, maxAttempts, retryAttemptAt } from '../../billing/collection/autopay.ts';
import type { Environment } from '../../billing/environments.ts';
import { setting } from '../../billing/settings.ts';

const at = (text: string): number => Date.parse(text);
const issued = { dateAt: at('2027-03-27T09:00:00Z'), issuedAt: at('2027-03-27T09:00:00Z'), zone: 'Europe/Berlin' };

test('live accounts wait an hour before the first charge, sandbox accounts do not', () => {
  const minimum = (environment: Environment) => setting({ environment, settings: {} }, 'autopay_minimum_delay');
  const first = (seconds: number) => firstAttemptAt({ ...issued, delayDays: 0, minimumDelaySeconds: seconds });
  expect(first(minimum('live'))).toBe(at('2027-03-27T10:00:00Z')); // 09:00 + 3,600 s
  expect(first(minimum('sandbox'))).toBe(at('2027-03-27T09:00:00Z'));
});

test('delay days are calendar days, counted from the issue if that was later', () => {
  // Clocks go forward on 28 March: 10:00 in Berlin is 09:00 UTC before and 08:00 UTC after.
  expect(firstAttemptAt({ ...issued, delayDays: 2, minimumDelaySeconds: 3600 })).toBe(at('2027-03-29T08:00:00Z'));
  const late = { ...issued, issuedAt: at('2027-04-10T08:00:00Z'), delayDays: 2, minimumDelaySeconds: 0 };
  expect(firstAttemptAt(late)).toBe(at('2027-04-12T08:00:00Z'));
});

const failure = { retryDays: [3, 5, 7], failedAt: at('2027-05-01T00:00:00Z'), zone: 'UTC' };
const card = { ...failure, kind: 'soft', code: 'insufficient_funds', sourceType: 'card' } as const;

test('a card is tried after 3, 5 and 7 days: four attempts in all', () => {
  const next = [1, 2, 3, 4].map((attemptCount) => retryAttemptAt({ ...card, attemptCount }));
  const days = ['2027-05-04T00:00:00Z', '2027-05-06T00:00:00Z', '2027-05-08T00:00:00Z'];
  expect(next).toEqual([...days.map(at), null]);
  expect(maxAttempts(failure.retryDays)).toBe(4);
});

test('a bank debit is retried at most twice, and only for insufficient funds', () => {
  const debit = { ...card, sourceType: 'bank_account' } as const;
  const next = [1, 2, 3].map((attemptCount) => retryAttemptAt({ ...debit, attemptCount }));
  expect(next).toEqual([at('2027-05-04T00:00:00Z'), at('2027-05-06T00:00:00Z'), null]);
  expect(retryAttemptAt({ ...debit, attemptCount: 1, code: 'card_declined' })).toBeNull();
});

test('hard declines and declines that need the customer are not retried', () => {
  expect(retryAttemptAt({ ...card, attemptCount: 1, kind: 'hard' })).toBeNull();
  expect(retryAttemptAt({ ...card, attemptCount: 1, kind: 'needs_customer' })).toBeNull();
});
