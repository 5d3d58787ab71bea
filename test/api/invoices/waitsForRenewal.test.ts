import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { reportProblem } from '../../../commands/kernel/problems.ts';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';

/** An invoice that becomes past due when a subscription of its customer renews: how long it waits for the renewal. */

const WEEK = 7 * 86_400_000;
const BEGIN = Date.parse('2027-01-04T00:00:00Z');
/** The renewal, and the end of the day on which the invoice is due. */
const INSTANT = BEGIN + WEEK;
const SECOND = 1000;
const HOUR = 3_600_000;
let api: TestApi;
let accountId: number;

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(BEGIN) });
  const { sandbox } = api;
  accountId = sandbox.account.id;
  expect((await sandbox.patch('/account', { time_zone: 'UTC' })).status).toBe(200);
  await sandbox.make('/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
});
afterAll(() => api.close());

/** A customer with an invoice and subscriptions. Each is due to renew at the instant, or as many seconds before it as given. */
async function customerWith(...early: number[]): Promise<{ invoice: number; subscriptions: number[] }> {
  const { sandbox } = api;
  const customer = (await sandbox.make('/customers', { name: 'Ann', autopay: false })).id;
  const due_date = (INSTANT - 86_400_000) / 1000;
  const invoice = (await sandbox.make('/invoices', { customer, due_date, items: [{ unit_cost: 100 }] })).id;
  const subscriptions: number[] = [];
  for (const seconds of early) {
    const { id } = await sandbox.make('/subscriptions', { customer, plan: 'weekly' });
    await inTransaction(api.em, (em) => advanceSubscription(em, { accountId, id }, new Date(BEGIN)));
    const renewal = new Date(INSTANT - seconds * SECOND);
    const moved = await api.em.execute(
      `update wakeup set at = ? where account_id = ? and process = 'subscription' and subject_id = ? returning at`,
      [renewal, accountId, id],
    );
    expect(moved).toHaveLength(1);
    subscriptions.push(id);
  }
  return { invoice, subscriptions };
}

/** The step that the invoice takes some milliseconds after the instant, or how many milliseconds it waits. */
async function doneBy(invoice: number, late: number): Promise<string | number | null> {
  const now = INSTANT + late;
  const key = { accountId, id: invoice, lookUpDelay: 60_000 };
  const { did, wakeAt, next } = await inTransaction(api.em, (em) => advanceInvoice(em, key, new Date(now)));
  if (did !== null) return did;
  expect(next).toBe('after the renewal that is due');
  return wakeAt && wakeAt - now;
}

test('it waits for the renewal half a second at least and a minute at most, the longer the later it is, for an hour at most', async () => {
  const { invoice } = await customerWith(0);
  const waits: (string | number | null)[] = [];
  for (const late of [0, 499, 2 * SECOND, 59 * SECOND, 61 * SECOND, HOUR - 1]) waits.push(await doneBy(invoice, late));
  expect(waits).toEqual([500, 500, 2000, 59_000, 60_000, 60_000]);
  expect(await doneBy(invoice, HOUR)).toBe('past due');
});

test('the renewal that has been due the longest counts, but none of more than an hour ago', async () => {
  const two = await customerWith(0, 10);
  expect(await doneBy(two.invoice, 2 * SECOND)).toBe(12_000); // 10 + 2
  const old = await customerWith(0, 3600);
  expect(await doneBy(old.invoice, 2 * SECOND)).toBe(2000); // the other one was due 3,602 seconds ago
});

test('it waits for no renewal that is stuck, and for none of another customer', async () => {
  const { invoice, subscriptions } = await customerWith(0);
  const [id = 0] = subscriptions;
  const other = await customerWith(0);
  expect(await doneBy(invoice, 0)).toBe(500);
  const report = { accountId, process: 'subscription' as const, id, step: 'renewal 1', message: 'no' };
  await inTransaction(api.em, (em) => reportProblem(em, report, new Date(INSTANT)));
  expect(await doneBy(invoice, 0)).toBe('past due');
  expect(await doneBy(other.invoice, 0)).toBe(500);
});
