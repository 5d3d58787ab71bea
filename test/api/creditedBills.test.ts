import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../bin/audit.ts';
import { advanceSubscription } from '../../commands/subscriptionSteps.ts';
import { inTransaction } from '../../db/transaction.ts';
import { startApi, type TestApi } from '../support/api.ts';

/** Bills that come to less than nothing, or that credit pays: what of them waits, and what can be taken back. */

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 50, interval: 'month' });
});
afterAll(() => api.close());
beforeEach(() => begin({}));

const begin = async (more: object) => {
  customer = (await api.sandbox.post('/customers', { name: 'Metered', ...more })).body.id;
};
const add = async (line: object) => (await api.sandbox.post(`/customers/${customer}/line_items`, line)).body;
const list = async (what: string) => (await api.sandbox.get(`/${what}?filter[customer]=${customer}&sort=id asc`)).body;
const available = async () => (await api.sandbox.get(`/customers/${customer}/balance`)).body.available_credits;
const clean = async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]);
async function renew(): Promise<void> {
  const { id } = (await api.sandbox.post('/subscriptions', { customer, plan: 'gold' })).body;
  const key = { accountId: api.sandbox.account.id, id };
  await inTransaction(api.em, (em) => advanceSubscription(em, key, new Date()));
}

test('a bill that was credited is neither voided nor changed while its credit note stands', async () => {
  const { sandbox } = api;
  await add({ name: 'Credit', unit_cost: -120 });
  await renew();
  // 50 - 120 = -70
  const [bill] = await list('invoices');
  const [note] = await list('credit_notes');
  expect([bill, note]).toMatchObject([
    { total: 0, paid: true },
    { invoice: bill.id, total: 70 },
  ]);
  const message = expect.stringContaining(`has credit note ${note.number}`);
  expect(await sandbox.post(`/invoices/${bill.id}/void`)).toMatchObject({ status: 400, body: { message } });
  expect(await sandbox.delete(`/invoices/${bill.id}`)).toMatchObject({ status: 400, body: { message } });
  const refused = { status: 400, body: { param: 'items', message } };
  expect(await sandbox.patch(`/invoices/${bill.id}`, { items: [bill.items[0]] })).toMatchObject(refused);
  expect(await available()).toBe(70);
  const [payment] = await list('payments');
  for (const [method, path] of [
    ['DELETE', `/payments/${payment.id}`],
    ['POST', `/credit_notes/${note.id}/void`],
  ] as const)
    expect((await sandbox.request(method, path)).status).toBe(200);
  expect(await sandbox.patch(`/invoices/${bill.id}`, { items: [bill.items[0]] })).toMatchObject({
    status: 200,
    body: { balance: 50 },
  });
  expect((await sandbox.post(`/invoices/${bill.id}/void`)).status).toBe(200);
  expect(await available()).toBe(0);
  await clean();
});
