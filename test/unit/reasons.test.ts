import { expect, test } from '@jest/globals';
import { failureOf } from '../../billing/collection/collection.ts';
import { inWords, reasonFor } from '../../billing/subscriptions/subscriptionSteps.ts';
import type { ReasonCode } from '../../billing/wait.ts';
import type { EventReason } from '../../db/schema/event.ts';
import { reasonInWords, waitInWords } from '../../present/processes/process.ts';
import { type EntryFacts, entryInWords, pastInWords } from '../../present/timelines/timeline.ts';

const seconds = (text: string) => Date.parse(text) / 1000;

const planned: Record<ReasonCode, [detail: string | null, why: string]> = {
  soft_decline: ['insufficient_funds', 'soft decline insufficient_funds'],
  hard_decline: ['lost_card', 'hard decline lost_card'],
  needs_customer: ['authentication_required', 'needs_customer decline authentication_required'],
  unreachable: [null, 'The payment was not made: the payment gateway could not be reached; nothing was charged'],
  interrupted: [
    null,
    'The payment was not made: it was interrupted before the payment gateway was told to confirm it; nothing was charged',
  ],
  not_made: [null, 'The payment was not made: the payment gateway was asked and did not do it; nothing was charged'],
  unauthenticated: [null, 'The payment was not made: the payer did not authenticate in time; nothing was charged'],
  refused: [
    'stripe_1',
    'The payment was not made: the payment gateway refused the request, which is a matter of its configuration or of the request; nothing was charged',
  ],
  latest_date: [null, 'the next period would end after 2199'],
  ahead_of_period: ['5', 'it bills 5 days before its periods'],
  in_arrears: [null, 'the period ends, and it bills in arrears'],
  step_failed: ['no plan: gold', 'no plan: gold'],
};

/** Declines are named in timelines as in lists, not by their codes. */
const named: Readonly<Record<string, string>> = {
  soft_decline: 'the charge failed: insufficient funds',
  hard_decline: 'the charge failed: card or account blocked',
  needs_customer: 'the charge failed: confirmation needed',
};

const noEvent = { eventId: null, object: null, previous: null, userId: null, credential: null, eventReason: null };

test.each(Object.entries(planned))('a step is planned for %s: %j', (code, [detail, why]) => {
  const reason = Object.keys(planned).find((one): one is ReasonCode => one === code) ?? 'step_failed';
  expect(reasonInWords({ code: reason, detail })).toBe(why);
  expect(waitInWords({ step: 'attempt 2 of 4', reason: { code: reason, detail } })).toBe(`attempt 2 of 4: ${why}`);
  const entry: EntryFacts = { ...noEvent, rule: 'attempt', step: 'a step: of two', reason, reasonDetail: detail };
  expect(entryInWords(entry, 'UTC')).toEqual({ what: 'a step: of two', why: named[code] ?? why });
});

test('without a reason of its own a step has that of its rule', () => {
  expect(waitInWords({ step: 'renewal 3', reason: null })).toBe('renewal 3');
  const entry: EntryFacts = { ...noEvent, rule: 'past_due', step: 'past due: soon', reason: null, reasonDetail: null };
  expect(entryInWords(entry, 'UTC')).toEqual({ what: 'past due: soon', why: 'it is not paid' });
});

test('an attempt fails by a decline of its kind, or never happens', () => {
  expect(failureOf({ declineKind: 'soft', failureCode: 'processing_error' })).toEqual({
    code: 'soft_decline',
    detail: 'processing_error',
  });
  expect(failureOf({ declineKind: 'hard', failureCode: 'lost_card' })?.code).toBe('hard_decline');
  expect(failureOf({ declineKind: 'needs_customer', failureCode: null })).toEqual({
    code: 'needs_customer',
    detail: null,
  });
  expect(failureOf({ interruption: 'unreachable' })).toEqual({ code: 'unreachable', detail: null });
  expect(failureOf({ failureCode: 'left over' })).toBeNull();
});

test('a subscription that ends at the latest date says so, one whose contract ends does not', () => {
  const last = { kind: 'finish', at: 0, isLast: true } as const;
  expect(waitInWords({ step: inWords(last), reason: reasonFor(last) })).toBe(
    'finish: the next period would end after 2199',
  );
  expect(reasonFor({ kind: 'finish', at: 0 })).toBeNull();
});

const invoice = { number: 'INV-1', attempt_count: 2, next_payment_attempt: seconds('2027-02-03T09:00:00Z') };
const period = { period_start: seconds('2027-01-31T00:00:00Z'), period_end: seconds('2027-02-28T00:00:00Z') };
const happened: Record<EventReason, [type: string, object: EntryFacts['object'], what: string, why: string]> = {
  on_page: ['invoice.viewed', invoice, 'INV-1 looked at', 'its customer did so on its page'],
  period_started: ['subscription.updated', period, 'billed 31 January 2027 to 28 February 2027', 'the period started'],
  period_began: [
    'subscription.updated',
    { ...period, bill_in: 'advance' },
    'period 31 January 2027 to 28 February 2027 began',
    'it is billed already',
  ],
  period_ended: [
    'subscription.updated',
    period,
    'billed 31 January 2027 to 28 February 2027',
    'the period ended, and it bills in arrears',
  ],
  trial_began: [
    'subscription.updated',
    period,
    'trial 31 January 2027 to 28 February 2027 began',
    'it starts with a trial',
  ],
  cycles_billed: ['subscription.updated', { cycles: 3 }, 'finished', 'its 3 cycles are billed'],
  contract_renewed: [
    'subscription.updated',
    { cycles: 3 },
    'contract renewed for 3 cycles',
    'the cycles before are billed',
  ],
  change_applied: ['subscription.updated', { quantity: 3 }, 'changed status', 'the change was kept for this period'],
  paused: ['subscription.updated', {}, 'paused', 'the period ended, and pause_at_period_end was set'],
  resumed: ['subscription.updated', {}, 'resumed', 'the end of its pause has come'],
  customer_inactive: ['subscription.updated', {}, 'stopped the bills of past periods', 'its customer is inactive'],
  renewal_pending: [
    'subscription.updated',
    { cycles: 3 },
    'waits for its renewal',
    'the cycles of its contract are billed',
  ],
  canceled_at_end: ['subscription.deleted', { cycles: 3 }, 'canceled', 'it was set to end with its contract'],
  canceled_unpaid: ['subscription.deleted', {}, 'canceled', 'a charge failed, and AutoPay stopped'],
  latest_date: ['subscription.updated', { cycles: null }, 'finished', 'the next period would end after 2199'],
  invoice_past_due: ['subscription.updated', {}, 'past due', 'an invoice of it is past due'],
  no_invoice_past_due: ['subscription.updated', {}, 'active again', 'no invoice of it is past due'],
  due_date_passed: ['invoice.updated', invoice, 'INV-1 past due', 'the day of its due date has ended'],
  late_fee_accrued: [
    'invoice.updated',
    invoice,
    'late fee of INV-1',
    'it is overdue, and the late fee schedule charges a fee',
  ],
  early_discount_ended: [
    'invoice.updated',
    invoice,
    'early-payment discount of INV-1 dropped',
    'it was not paid in full before the discount ended',
  ],
  early_discount_earned: [
    'credit_note.created',
    { number: 'CN-1', total: 20, currency: 'usd' },
    'credit note CN-1 issued for $20.00',
    'the invoice was paid early enough for its discount',
  ],
  promise_broken: [
    'invoice.updated',
    { balance: 240, currency: 'usd', expected_payment_date: { date: invoice.next_payment_attempt } },
    'promised payment of 3 February 2027 did not come',
    '$240.00 are left, and the promised day has ended',
  ],
  line_disputed: [
    'invoice.updated',
    { number: 'INV-1', dispute_hold_until: invoice.next_payment_attempt },
    'a line of INV-1 disputed',
    'the customer disputes it; nobody asks for the invoice before 3 February 2027',
  ],
  paid_up: ['task.completed', { id: 5 }, 'task 5 completed', 'everything that it asks for is paid'],
  nothing_owed: ['task.completed', { id: 5 }, 'task 5 completed', 'nothing that it asks for is open any more'],
  expiration_date_passed: [
    'estimate.updated',
    { number: 'EST-1', status: 'declined' },
    'EST-1 expired',
    'the day of its expiration date has ended',
  ],
  payment_pending: ['invoice.updated', invoice, 'INV-1 pending', 'a payment of it is on its way'],
  charge_failed: ['invoice.updated', invoice, 'attempt 2 failed, next on 3 February 2027', 'the charge failed'],
  credit_applied: ['invoice.paid', invoice, 'INV-1 paid', 'credit of the customer paid what was left'],
  match_certain: [
    'payment.updated',
    { amount: 240, currency: 'usd' },
    'payment of $240.00 applied by itself',
    'it names its invoices, and its amount is the sum of their balances',
  ],
  no_payment_source: [
    'invoice.updated',
    invoice,
    'INV-1 collected by hand from here',
    'AutoPay has no payment source to charge',
  ],
};

test.each(Object.entries(happened))('an event happened for %s: %j', (code, [rule, object, what, why]) => {
  const eventReason = Object.keys(happened).find((one): one is EventReason => one === code) ?? null;
  const previous = { status: 'sent' };
  const entry = { ...noEvent, eventId: 1, rule, object, previous, userId: -1, eventReason, step: null };
  const facts: EntryFacts = { ...entry, reason: null, reasonDetail: null };
  expect(entryInWords(facts, 'UTC')).toEqual({ what, why });
  expect(pastInWords(facts, 'UTC')?.who).toBe(code === 'on_page' ? 'customer' : 'Perennial');
});

test('nothing is read into an event without a reason', () => {
  const facts = { ...noEvent, eventId: 1, step: null, reason: null, reasonDetail: null, userId: -1 };
  const viewed: EntryFacts = { ...facts, rule: 'invoice.viewed', object: invoice, previous: {} };
  expect(pastInWords(viewed, 'UTC')).toEqual({ who: 'Perennial', what: 'INV-1 looked at' });
  const stopped: EntryFacts = {
    ...facts,
    rule: 'invoice.updated',
    object: { ...invoice, next_payment_attempt: null },
    previous: { due_date: null, next_payment_attempt: 7 },
  };
  expect(entryInWords(stopped, 'UTC')).toEqual({
    what: 'invoice updated: due_date, next_payment_attempt',
    why: 'Perennial did it by itself',
  });
});
