import { expect, test } from '@jest/globals';
import { type CardExpiryState, nextPaymentSourceStep } from '../../billing/collection/cardExpiry.ts';

const charged: CardExpiryState = {
  isCharged: true,
  expires: { year: 2027, month: 3 },
  noticeDays: 30,
  noticedFor: null,
  zone: 'America/New_York',
};
const next = (state: Partial<CardExpiryState>, now: string) =>
  nextPaymentSourceStep({ ...charged, ...state }, Date.parse(now));
const waitAt = (at: string) => [expect.objectContaining({ rule: 'card_expiring', at: Date.parse(at) })];

test('the notice is due at the start of the day noticeDays before the month after the last one, in the zone of the account', () => {
  // April 1 (UTC-4) - 30 days = March 2 (still UTC-5)
  expect(next({}, '2027-03-02T04:59:59Z')).toEqual({ due: null, waits: waitAt('2027-03-02T05:00:00Z') });
  expect(next({}, '2027-03-02T05:00:00Z').due).toEqual({ kind: 'announce_expiry' });
  // valid through December: the next month is January of the next year
  const december = { expires: { year: 2027, month: 12 }, zone: 'UTC', noticeDays: 1 };
  expect(next(december, '2027-12-30T00:00:00Z').waits).toEqual(waitAt('2027-12-31T00:00:00Z'));
});

test('a missed notice is due until the card has expired, and not afterwards', () => {
  expect(next({}, '2027-04-01T03:59:59Z').due).toEqual({ kind: 'announce_expiry' });
  expect(next({}, '2027-04-01T04:00:00Z')).toEqual({ due: null, waits: [] });
});

test.each<[string, Partial<CardExpiryState>]>([
  ['a source that AutoPay does not charge', { isCharged: false }],
  ['a source without a last month', { expires: null }],
  ['an account that wants no notices', { noticeDays: 0 }],
  ['a month that was announced', { noticedFor: '2027-03' }],
])('there is no notice for %s', (_, state) => {
  expect(next(state, '2027-03-15T00:00:00Z')).toEqual({ due: null, waits: [] });
});

test('another month of the same card is announced again', () => {
  expect(next({ noticedFor: '2024-03' }, '2027-03-15T00:00:00Z').due).toEqual({ kind: 'announce_expiry' });
});
