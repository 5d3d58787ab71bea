import { expect, test } from '@jest/globals';
import {
  cancelAsked,
  changeAsked,
  pauseAsked,
  renewalAsked,
  resumptionAsked,
} from '../../dashboard/subscriptions/asked.ts';
import { standingOf } from '../../dashboard/subscriptions/standing.ts';
import { formatsOf } from '../../dashboard/written.ts';

/** What the dashboard says about subscriptions, and what its acts send. */

const formats = formatsOf({ language: 'de', zone: 'UTC' });
const day = (month: number, date = 1) => Date.UTC(2027, month - 1, date) / 1000;
const running = {
  status: 'active',
  plan: { id: 'gold', currency: 'usd' },
  quantity: 3,
  amount: null,
  cycles: null,
  period_start: day(3),
  period_end: day(4),
};
const names = (row: object, at = day(3, 16)) => standingOf({ ...running, ...row }, at).map(({ name }) => name);

test.each([
  [{}, ['runs']],
  [{ status: 'past_due' }, ['pastDue', 'runs']],
  [{ status: 'canceled', canceled_at: day(3, 2), paused: true }, ['canceled']],
  [{ status: 'finished' }, ['finished']],
  [{ trial_end: day(4) }, ['trial']],
  [{ trial_end: day(3, 2) }, ['runs']],
  [{ status: 'not_started', period_start: null, period_end: null, start_date: day(5) }, ['notStarted']],
  [{ paused: true }, ['paused', 'runs']],
  [{ paused: true, resume_at: day(5) }, ['pausedUntil', 'runs']],
  [{ pause_at_period_end: true }, ['pauses', 'runs']],
  [{ pause_at_period_end: true, resume_at: day(5) }, ['pausesUntil', 'runs']],
  [{ cancel_at_period_end: true }, ['ends', 'runs']],
  [{ pending_renewal: true }, ['waits']],
  [{ cycles: 2, contract_period_start: day(3), contract_period_end: day(5) }, ['runs', 'contract']],
  [{ bill_in: 'arrears' }, ['runs', 'arrears']],
  [{ bill_in_advance_days: 5 }, ['runs', 'ahead']],
])('%j is told by %j', (row, told) => {
  expect(names(row)).toEqual(told);
});

test('a cancellation at the end of the period ends a contract with the contract', () => {
  const ending = { ...running, cancel_at_period_end: true, contract_period_end: day(9) };
  expect(standingOf(ending, day(3, 16))[0]).toMatchObject({ name: 'ends', days: { end: day(9) } });
});

const asked = (values: Record<string, string>, row: object = {}, asOf: number | null = day(3, 16)) => {
  const first = { ...running, ...row };
  return changeAsked({ plan: 'gold', quantity: '3', when: 'next', ...values }, { first, row: first, asOf, formats });
};

test('a change sends what differs, with the digits that were typed, and counts from its preview', () => {
  expect(asked({})).toBeNull();
  const at = { proration_date: day(3, 16) };
  expect(asked({ quantity: '5' })).toEqual({ how: 'change', body: { quantity: 5, prorate: true, ...at } });
  expect(asked({ plan: 'silver', quantity: '1.000', when: 'now' })).toEqual({
    how: 'change',
    body: { plan: 'silver', quantity: 1000, prorate: 'now', ...at },
  });
  expect(asked({ quantity: 'fünf', when: 'free' })).toEqual({
    how: 'change',
    body: { quantity: 'fünf', prorate: false },
  });
  expect(asked({ quantity: '5', when: 'renewal' })).toEqual({ how: 'change', body: { quantity: 5, when: 'renewal' } });
  expect(asked({ amount: '12,5', cycles: '6' }, { amount: 10 })).toMatchObject({ body: { amount: 12.5, cycles: 6 } });
  expect(asked({ quantity: '5', proration_date: '2027-03-02' })).toMatchObject({
    body: { proration_date: day(3, 2) },
  });
});

test.each([
  ['its time is unknown', {}, null],
  ['it is in its trial', { trial_end: day(4) }, day(3, 16)],
  ['it has not started', { period_start: null, period_end: null }, day(3, 16)],
  ['its period is over', {}, day(4)],
])('a change counts from the request if %s', (_, row, asOf) => {
  expect(asked({ quantity: '5' }, row, asOf)).toEqual({ how: 'change', body: { quantity: 5, prorate: true } });
});

test('pauses, their ends, cancellations and renewals send what was chosen', () => {
  expect(pauseAsked({ when: 'now', resume_at: '', resume_mode: 'new' }, formats)).toEqual({
    how: 'change',
    body: { paused: true, resume_mode: 'new' },
  });
  expect(pauseAsked({ when: 'period_end', resume_at: '2027-05-01', resume_mode: 'continue' }, formats)).toEqual({
    how: 'change',
    body: { pause_at_period_end: true, resume_at: day(5), resume_mode: 'continue' },
  });
  expect(resumptionAsked({ resume_mode: 'new', backfill: 'false' })).toEqual({
    how: 'change',
    body: { paused: false, resume_mode: 'new', backfill: false },
  });
  const basis = { row: running, asOf: day(3, 16) };
  const why = { cancellation_reason: 'unused', cancellation_comment: ' Nobody logs in ' };
  const reason = { cancellation_reason: 'unused', cancellation_comment: 'Nobody logs in' };
  expect(cancelAsked({ when: 'period_end', ...why }, basis)).toEqual({
    how: 'change',
    body: { cancel_at_period_end: true, ...reason },
  });
  expect(cancelAsked({ when: 'credit', ...why }, basis)).toEqual({
    how: 'cancel',
    query: { prorate: true, proration_date: day(3, 16), ...reason },
  });
  expect(cancelAsked({ when: 'remaining' }, { ...basis, asOf: null })).toEqual({
    how: 'cancel',
    query: { bill_remaining: true },
  });
  expect(renewalAsked({ cycles: '3', start: 'now' }, formats)).toEqual({
    how: 'renew',
    body: { cycles: 3, start: 'now' },
  });
});
