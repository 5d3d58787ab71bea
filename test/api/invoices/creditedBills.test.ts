import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';

/** Bills with a negative total, and bills that credit pays: which lines wait, and what can be undone. */

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 50, interval: 'month' });
});
afterAll(() => api.close());
beforeEach(() => begin({}));

const begin = async (more: object) => {
  customer = (await api.sandbox.make('/customers', { name: 'Metered', ...more })).id;
};
const add = (line: object) => api.sandbox.make(`/customers/${customer}/line_items`, line);
const sweep = () => api.sandbox.post(`/customers/${customer}/invoices`);
const pending = async () => (await api.sandbox.get(`/customers/${customer}/line_items`)).body;
const list = async (what: string) => (await api.sandbox.get(`/${what}?filter[customer]=${customer}&sort=id asc`)).body;
const available = async () => (await api.sandbox.get(`/customers/${customer}/balance`)).body.available_credits;
const clean = async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]);
async function renew(): Promise<void> {
  const { id } = await api.sandbox.make('/subscriptions', { customer, plan: 'gold' });
  const key = { accountId: api.sandbox.account.id, id };
  await inTransaction(api.em, (em) => advanceSubscription(em, key, new Date()));
}

test('a credited bill is neither voided nor changed while its credit note is in force', async () => {
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
  expect(await sandbox.post(`/invoices/${bill.id}/void`)).toMatchObject(refused({ message }));
  expect(await sandbox.delete(`/invoices/${bill.id}`)).toMatchObject(refused({ message }));
  const refusal = refused({ param: 'items', message });
  expect(await sandbox.patch(`/invoices/${bill.id}`, { items: [bill.items[0]] })).toMatchObject(refusal);
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

test.each([
  ['of an open credit note', '/credit_notes', { items: [{ unit_cost: 100 }] }],
  ['of the credit balance', '/credit_balance_adjustments', { amount: 100 }],
])(
  'credit %s pays a bill before the credit limit is checked, in a renewal and on request',
  async (_what, path, body) => {
    await begin({ credit_limit: 40 });
    await api.sandbox.post(path, { customer, ...body });
    await renew();
    // The credit of 100 pays 50, then 45. It pays 5 of the next 46: 41 would be owed, more than the limit of 40.
    await add({ unit_cost: 45 });
    expect((await sweep()).status).toBe(201);
    expect(await list('invoices')).toMatchObject([
      { total: 50, status: 'paid' },
      { total: 45, status: 'paid' },
    ]);
    await add({ unit_cost: 46 });
    const message = `Customer ${customer} would owe 41.00 usd, more than its credit limit of 40.00: nothing can be issued to it`;
    expect(await sweep()).toMatchObject(refused({ param: 'customer', message }));
    await clean();
  },
);

test('a customer on hold keeps a negative pending total pending, and its bill waits without it', async () => {
  await begin({ credit_hold: true });
  const { id } = await add({ unit_cost: -120 });
  await renew();
  expect(await list('invoices')).toMatchObject([{ status: 'draft', total: 50, items: [{ name: 'Gold' }] }]);
  expect(await pending()).toMatchObject([{ id, amount: -120 }]);
  expect(await list('credit_notes')).toEqual([]);
  await clean();
});

/** Inserts rows directly because requests would be slow. */
const addMany = async (count: number, unit_cost: number) => {
  const { id } = await add({ unit_cost });
  await api.em.fork().execute(
    `insert into line_item (account_id, customer_id, position, currency, quantity, unit_cost, amount, net, discountable, taxable,
       discounts, taxes, metadata, created_at, updated_at)
     select account_id, customer_id, position, currency, quantity, unit_cost, amount, net, discountable, taxable, discounts, taxes,
       metadata, created_at, updated_at from line_item, generate_series(2, ?) where id = ?`,
    [count, id],
  );
};

test('with more lines than fit in an invoice, the total of all lines decides', async () => {
  const totals = async () =>
    (await list('invoices')).map(({ items, total }: { items: object[]; total: number }) => [items.length, total]);
  await addMany(1000, -1);
  await addMany(5, 100);
  // 500 - 1000 = -500
  expect((await sweep()).body.message).toContain('have a negative sum');
  await addMany(2, 300);
  // 1100 - 1000 = 100: 2 x 300 and 4 x 100 less 994; then the rest, 100 less 6
  expect((await sweep()).status).toBe(201);
  expect(await totals()).toEqual([
    [1000, 6],
    [7, 94],
  ]);
  await addMany(1000, 1);
  await addMany(600, -1.5);
  await renew();
  // 50 + 1000 - 900 = 150: no credit. Invoice 1: 50 + 599 x 1 - 399 x 1.5 = 50.50. Invoice 2: 401 - 201 x 1.5 = 99.50
  expect((await totals()).slice(2)).toEqual([
    [999, 50.5],
    [602, 99.5],
  ]);
  expect(await list('credit_notes')).toEqual([]);
  await clean();
});
