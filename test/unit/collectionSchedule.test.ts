import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type CollectionSchedule,
  type ScheduleChange,
  type ScheduledInvoice,
  scheduleAfter,
} from '../../billing/collection/collectionSchedule.ts';
import { schedule } from '../../commands/aggregates/collectionState.ts';
import { Invoice } from '../../db/schema/invoice.ts';

const DAY = 86_400_000;
const now = Date.parse('2027-05-01T00:00:00Z');
const open: ScheduledInvoice = {
  over: false,
  autopay: true,
  autopayStopped: false,
  attemptCount: 0,
  nextAttemptAt: now + DAY,
};
const soft = {
  kind: 'declined',
  declineKind: 'soft',
  code: 'insufficient_funds',
  sourceType: 'card',
  retryDays: [3, 5],
  zone: 'UTC',
  isFallback: false,
  hasFallback: false,
} as const;
const STOPPED: CollectionSchedule = { nextAttemptAt: null, autopayStopped: true };

const examples: [string, Partial<ScheduledInvoice>, ScheduleChange, CollectionSchedule][] = [
  ['issued', { nextAttemptAt: null }, { kind: 'issued', firstAt: now + 5 }, at(now + 5)],
  ['issued and paid at once', { nextAttemptAt: null, over: true }, { kind: 'issued', firstAt: now + 5 }, at(null)],
  ['issued without AutoPay', { nextAttemptAt: null, autopay: false }, { kind: 'issued', firstAt: now }, at(null)],
  ['switched on', { nextAttemptAt: null }, { kind: 'switched_on', firstAt: now + DAY }, at(now + DAY)],
  ['switched on late', { nextAttemptAt: null }, { kind: 'switched_on', firstAt: now - DAY }, at(now)],
  ['switched on after AutoPay had stopped', STOPPED, { kind: 'switched_on', firstAt: now }, at(now)],
  ['switched off', { autopay: false }, { kind: 'switched_off' }, at(null)],
  ['given another date', {}, { kind: 'dated', firstAt: now + 9 * DAY }, at(now + 9 * DAY)],
  ['given a date that is over', {}, { kind: 'dated', firstAt: now - 9 * DAY }, at(now)],
  ['given another date after an attempt', { attemptCount: 1 }, { kind: 'dated', firstAt: now }, at(now + DAY)],
  ['reopened', { nextAttemptAt: null }, { kind: 'reopened', minimumDelaySeconds: 60 }, at(now + 60_000)],
  ['reopened without AutoPay', { autopay: false }, { kind: 'reopened', minimumDelaySeconds: 60 }, STOPPED],
  ['reopened after AutoPay had stopped', STOPPED, { kind: 'reopened', minimumDelaySeconds: 60 }, STOPPED],
  ['declined', { attemptCount: 1 }, soft, at(now + 3 * DAY)],
  ['declined twice', { attemptCount: 2 }, soft, at(now + 5 * DAY)],
  ['declined the last time', { attemptCount: 3 }, soft, STOPPED],
  ['declined for good', { attemptCount: 1 }, { ...soft, declineKind: 'hard' }, STOPPED],
  [
    'declined for good, with a fallback source',
    { attemptCount: 1 },
    { ...soft, declineKind: 'hard', hasFallback: true },
    at(now),
  ],
  ['declined for its fallback source', { attemptCount: 1 }, { ...soft, isFallback: true }, STOPPED],
  ['abandoned', {}, { kind: 'abandoned', wait: 7000 }, at(now + 7000)],
  ['abandoned, not planned any more', { nextAttemptAt: null }, { kind: 'abandoned', wait: 7000 }, at(null)],
  ['given a new source', { attemptCount: 2, nextAttemptAt: now + 5 * DAY }, { kind: 'new_source' }, at(now)],
  ['given a new source after AutoPay had stopped', STOPPED, { kind: 'new_source' }, at(now)],
  ['without a source', {}, { kind: 'no_source' }, STOPPED],
  ['changed otherwise', {}, { kind: 'other' }, at(now + DAY)],
  ['paid', { over: true }, { kind: 'other' }, at(null)],
];

function at(nextAttemptAt: number | null): CollectionSchedule {
  return { nextAttemptAt, autopayStopped: false };
}

test.each(examples)('an invoice that is %s', (_, facts, change, expected) => {
  expect(scheduleAfter({ ...open, ...facts }, change, now)).toEqual(expected);
});

test('at the last supported time an abandoned charge is not retried', () => {
  const last = Date.UTC(2200, 0, 1) - 1000;
  expect(scheduleAfter(open, { kind: 'abandoned', wait: 0 }, last - 1)).toEqual(at(last - 1));
  expect(scheduleAfter(open, { kind: 'abandoned', wait: 1000 }, last)).toEqual(STOPPED);
});

const someTime = fc.integer({ min: now - 30 * DAY, max: now + 30 * DAY });
const someFacts: fc.Arbitrary<ScheduledInvoice> = fc.record({
  over: fc.boolean(),
  autopay: fc.boolean(),
  autopayStopped: fc.boolean(),
  attemptCount: fc.nat({ max: 4 }),
  nextAttemptAt: fc.option(someTime),
});
const someChange: fc.Arbitrary<ScheduleChange> = fc.constantFrom(...examples.map(([, , change]) => change));

test('an invoice that is over, without AutoPay or stopped has no next charge', () => {
  const check = (facts: ScheduledInvoice, change: ScheduleChange) => {
    const { nextAttemptAt, autopayStopped } = scheduleAfter(facts, change, now);
    if (facts.over || !facts.autopay || autopayStopped) expect(nextAttemptAt).toBeNull();
  };
  fc.assert(fc.property(someFacts, someChange, check));
});

test('the written fields are the rule’s answer after every change of every invoice', () => {
  const check = (facts: ScheduledInvoice, change: ScheduleChange) => {
    const { nextAttemptAt, ...same } = facts;
    const invoice = Object.assign(Object.create(Invoice.prototype), {
      autopay: same.autopay,
      autopayStopped: same.autopayStopped,
      attemptCount: same.attemptCount,
      closed: facts.over,
      issuedAt: new Date(now),
      nextPaymentAttemptAt: nextAttemptAt === null ? null : new Date(nextAttemptAt),
    });
    schedule(invoice, change, new Date(now));
    const written = { nextAttemptAt: invoice.nextPaymentAttemptAt?.getTime() ?? null };
    expect({ ...written, autopayStopped: invoice.autopayStopped }).toEqual(scheduleAfter(facts, change, now));
  };
  fc.assert(fc.property(someFacts, someChange, check));
});

test.each([
  ['paid', { paid: true, closed: true }],
  ['written off', { closed: true }],
  ['voided', { status: 'voided' }],
  ['a draft', { issuedAt: null }],
] as const)('an invoice that is %s is over', (_, fields) => {
  const invoice = Object.assign(Object.create(Invoice.prototype), { autopay: true, issuedAt: new Date(now) });
  schedule(Object.assign(invoice, fields), { kind: 'issued', firstAt: now }, new Date(now));
  expect(invoice.nextPaymentAttemptAt).toBeNull();
});
