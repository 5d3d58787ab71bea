import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { reportProblem } from '../../../commands/kernel/problems.ts';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';

/** Pending lines with a sum of 10^12 or more. */

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  const { sandbox } = api;
  await sandbox.patch('/account', { apply_credits_at_issue: false });
  await sandbox.post('/tax_rates', { id: 'vat', name: 'VAT', value: 25, is_percent: true });
  await sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 50, interval: 'month' });
});
afterAll(async () => {
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  await api.close();
});
beforeEach(async () => {
  customer = (await api.sandbox.make('/customers', { name: 'Large' })).id;
});

interface Billed {
  subscription: number | null;
  total: number;
  items: { id: number; amount: number }[];
}

const path = () => `/customers/${customer}/line_items`;
const add = async (unit_cost: number): Promise<number> => (await api.sandbox.post(path(), { unit_cost })).body.id;
const sweep = () => api.sandbox.post(`/customers/${customer}/invoices`);
const pending = async () => (await api.sandbox.get(path())).body.map(({ amount }: { amount: number }) => amount);
const billed = async () =>
  (await api.sandbox.get(`/invoices?filter[customer]=${customer}&sort=id asc`)).body.map(({ items }: Billed) =>
    items.map(({ amount }) => amount),
  );
const problems = async () =>
  (await api.sandbox.get('/problems')).body.filter(
    ({ subject }: { subject: { object: string; id: number } }) =>
      subject.object === 'customer' && subject.id === customer,
  );
const renew = async (id: number) =>
  inTransaction(api.em, (em) => advanceSubscription(em, { accountId: api.sandbox.account.id, id }, new Date()));

test('by request they become several invoices below the limit, credits beside the charges they need', async () => {
  for (const amount of [6e11, 3e11, 2e11, 9e11, -8e11, 9.5e11, -5]) await add(amount);
  expect((await sweep()).body).toMatchObject({ total: 9e11 });
  // 6 + 3; 2 + 9 - 8; 9.5, less 5.00
  expect(await billed()).toEqual([
    [6e11, 3e11],
    [2e11, 9e11, -8e11],
    [9.5e11, -5],
  ]);
  expect([await pending(), await problems()]).toEqual([[], []]);
});

test('a bill of a subscription takes the lines that fit, and others get their own invoices', async () => {
  for (const amount of [999_999_999_900, 999_999_999_960, 4]) await add(amount);
  const other = (await api.sandbox.make('/subscriptions', { customer, plan: 'gold' })).id;
  await renew(other);
  const bills = (await api.sandbox.get(`/invoices?filter[customer]=${customer}&sort=id asc`)).body;
  const ofOther = bills.find((bill: Billed) => bill.subscription === other);
  // 50.00 + 999,999,999,900.00; 999,999,999,960.00 + 4.00
  expect(ofOther.total).toBe(999_999_999_950);
  expect(bills.at(-1)).toMatchObject({ total: 999_999_999_964, subscription: null });
  expect(await pending()).toEqual([]);
});

test('taxes count towards the limit; a line that no invoice can take waits, and a problem names its amount', async () => {
  await api.sandbox.patch(`/customers/${customer}`, { taxes: ['vat'] });
  const large = await add(9e11); // 1.125e12 with 25 %
  expect(await sweep()).toMatchObject(refused({ message: expect.stringContaining('into several line items') }));
  expect(await problems()).toEqual([]); // the request was answered with the refusal
  await add(7e11);
  await add(2e11);
  expect((await sweep()).body).toMatchObject({ subtotal: 7e11, total: 8.75e11 });
  expect(await billed()).toEqual([[7e11], [2e11]]);
  expect(await pending()).toEqual([9e11]);
  expect(await problems()).toMatchObject([
    {
      step: 'bill pending lines',
      message: expect.stringContaining(`Pending line item ${large} comes to 1000000000000 usd or more`),
      money_at_risk: 9e11,
      currency: 'usd',
    },
  ]);
  // It does not block other work.
  const { body: subscription, status } = await api.sandbox.post('/subscriptions', { customer, plan: 'gold' });
  expect(status).toBe(201);
  await renew(subscription.id);
  expect((await billed()).at(-1)).toEqual([50]);
  expect(await pending()).toEqual([9e11]);
  await api.sandbox.patch(`${path()}/${large}`, { unit_cost: 1e11 });
  expect(await problems()).toEqual([]);
  await sweep();
  expect(await pending()).toEqual([]);
});

test("the refusal of a subscription's bill names its amount and that of the pending lines", async () => {
  const { id } = await api.sandbox.make('/subscriptions', { customer, plan: 'gold' });
  await add(30);
  const accountId = api.sandbox.account.id;
  const report = { accountId, process: 'subscription' as const, id, step: 'renew', message: 'refused' };
  await inTransaction(api.em, (em) => reportProblem(em, report, new Date()));
  const all = (await api.sandbox.get('/problems')).body;
  // 50.00 + 30.00
  expect(all).toMatchObject([{ subject: { object: 'subscription', id }, money_at_risk: 80, currency: 'usd' }]);
});
