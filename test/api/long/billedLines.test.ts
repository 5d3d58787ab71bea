import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';

/** Pending lines are billed on request or by a subscription, in their currency, each exactly once. */

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  const { sandbox } = api;
  await sandbox.patch('/account', { apply_credits_at_issue: false });
  await sandbox.post('/tax_rates', { id: 'vat', name: 'VAT', value: 20, is_percent: true });
  await sandbox.post('/coupons', { id: 'ten', name: 'Ten', value: 10, is_percent: true });
  await sandbox.post('/items', { id: 'stunde', name: 'Stunde', unit_cost: 30, currency: 'eur' });
  await sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 50, interval: 'month' });
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await api.sandbox.make('/customers', { name: 'Metered', payment_terms: 'NET 7' })).id;
});

interface Line {
  id: number;
  name: string;
  amount: number;
}
interface Billed {
  id: number;
  currency: string;
  draft: boolean;
  subscription: number | null;
  total: number;
  items: Line[];
}

const path = () => `/customers/${customer}/line_items`;
const add = async (line: object) => (await api.sandbox.post(path(), line)).body;
const sweep = () => api.sandbox.post(`/customers/${customer}/invoices`);
const pending = async (): Promise<Line[]> => (await api.sandbox.get(path())).body;
const invoices = async (): Promise<Billed[]> =>
  (await api.sandbox.get(`/invoices?filter[customer]=${customer}&sort=id asc`)).body;
/** Creates a subscription that starts in a minute. */
const subscribe = async (more: object = {}) => {
  const start_date = Math.floor(Date.now() / 1000) + 60;
  return (await api.sandbox.make('/subscriptions', { customer, plan: 'gold', start_date, ...more })).id;
};
/** Takes the first step of a subscription that starts in a minute, as its process does then. */
const renew = (id: number) => {
  const then = new Date(Date.now() + 120_000);
  return inTransaction(api.em, (em) => advanceSubscription(em, { accountId: api.sandbox.account.id, id }, then));
};
const clean = async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]);
const events = async () => (await api.sandbox.get('/events?per_page=1')).body[0].id;

test("invoicing pending lines by request keeps their ids, with the customer's taxes and the usual terms", async () => {
  await api.sandbox.patch(`/customers/${customer}`, { taxes: ['vat'] });
  const first = await add({ name: 'Messages', quantity: 1000, unit_cost: 0.05, metadata: { month: 'May' } });
  const second = await add({ name: 'Setup', unit_cost: 20, taxable: false, discounts: ['ten'] });
  const before = await events();
  const { status, body } = await sweep();
  expect(status).toBe(201);
  // 50.00 + 20.00 less 10 % of 20 = 68.00, and 20 % of 50.00
  expect(body).toMatchObject({
    object: 'invoice',
    customer,
    draft: false,
    payment_terms: 'NET 7',
    subtotal: 70,
    total: 78,
    balance: 78,
    taxes: [{ amount: 10, tax_rate: { id: 'vat' } }],
    items: [
      { id: first.id, name: 'Messages', amount: 50, metadata: { month: 'May' } },
      { id: second.id, name: 'Setup', amount: 20, discounts: [{ id: second.discounts[0].id, amount: 2 }] },
    ],
  });
  expect(await pending()).toEqual([]);
  const told = (await api.sandbox.get(`/events`)).body.filter(({ id }: { id: number }) => id > before);
  expect(told.map(({ type }: { type: string }) => type)).toEqual(['invoice.created']); // no events of the lines
  expect(await sweep()).toMatchObject(refused({ message: `Customer ${customer} has no pending line items` }));
  expect((await api.sandbox.patch(`${path()}/${first.id}`, { quantity: 1 })).status).toBe(404);
  await clean();
});

test("each currency gets its own invoice, the customer's first; nothing is summed across currencies", async () => {
  await add({ catalog_item: 'stunde' });
  await add({ name: 'Here', unit_cost: 5 });
  expect((await sweep()).body).toMatchObject({ currency: 'usd', total: 5 });
  expect(await invoices()).toMatchObject([
    { currency: 'usd', total: 5 },
    { currency: 'eur', total: 30 },
  ]);
  const owed = async (currency: string) =>
    (await api.sandbox.get(`/customers/${customer}/balance?currency=${currency}`)).body.total_outstanding;
  expect([await owed('usd'), await owed('eur')]).toEqual([5, 30]);
  await clean();
});

test('a bill of a subscription takes the pending lines in its currency, with their discounts', async () => {
  const usage = await add({ name: 'Usage', unit_cost: 20 });
  await add({ catalog_item: 'stunde' });
  const id = await subscribe({ discounts: ['ten'] });
  await renew(id);
  // 50 + 20 less 10 %
  expect(await invoices()).toMatchObject([
    {
      subscription: id,
      subtotal: 70,
      total: 63,
      items: [
        { name: 'Gold', amount: 50 },
        { id: usage.id, amount: 20 },
      ],
    },
  ]);
  expect(await pending()).toMatchObject([{ name: 'Stunde' }]);
  const { body } = await api.sandbox.get(`/subscriptions/${id}`);
  expect(body).toMatchObject({ recurring_total: 45, mrr: 45 }); // pending lines do not recur: 50 less 10 %
  await clean();
});

test('invoices by request and drafts do not take pending lines', async () => {
  await add({ unit_cost: 5 });
  await api.sandbox.post('/invoices', { customer, items: [{ unit_cost: 1 }] });
  await api.sandbox.post('/invoices', { customer, draft: true, items: [{ unit_cost: 1 }] });
  expect(await pending()).toHaveLength(1);
});

test('each pending line is billed once, however many requests and renewals bill simultaneously', async () => {
  const ids: number[] = [];
  for (let n = 0; n < 12; n++) ids.push((await add({ name: `line ${n}`, unit_cost: 1 })).id);
  const subscriptions = [await subscribe(), await subscribe()];
  const [swept] = await Promise.all([
    Promise.all([1, 2, 3, 4].map(() => sweep())),
    Promise.all(subscriptions.map(renew)),
    add({ unit_cost: 1 }),
  ]);
  const late = (await pending()).map((line) => line.id);
  const billed = (await invoices()).flatMap(({ items }) => items.map((line) => line.id));
  // The first request bills the lines. Another one may have billed the line that was added meanwhile.
  expect(swept.filter(({ status }) => status === 400).length).toBeGreaterThanOrEqual(2);
  for (const line of ids) expect(billed.filter((one) => one === line)).toHaveLength(1);
  expect(late.filter((line) => billed.includes(line))).toEqual([]);
  const bills = (await invoices()).map(({ subscription }) => subscription).filter((id) => id !== null);
  expect(bills.sort()).toEqual(subscriptions.sort());
  await clean();
});

test('a coupon of several lines is redeemed by their invoice once, and a draft returns it', async () => {
  await api.sandbox.post('/coupons', { id: 'twice', name: 'Twice', value: 10, max_redemptions: 2 });
  const twice = { unit_cost: 10, discounts: ['twice'] };
  await add(twice);
  await add(twice);
  expect(await api.sandbox.post(path(), twice)).toMatchObject({ status: 400 });
  const id = await subscribe();
  await api.sandbox.patch(`/customers/${customer}`, { credit_hold: true });
  await renew(id);
  const [draft] = await invoices();
  expect(draft).toMatchObject({ status: 'draft', total: 68 }); // 50 + 2 x (10 less 10 %)
  expect(await redemptions('twice')).toEqual([{ redeemer_type: 'invoice', redeemer_id: draft?.id, ordinal: 1 }]);
  expect((await api.sandbox.delete(`/invoices/${draft?.id}`)).status).toBe(204);
  const [first, second] = await pending();
  expect(await redemptions('twice')).toEqual([
    { redeemer_type: 'line_item', redeemer_id: first?.id, ordinal: 1 },
    { redeemer_type: 'line_item', redeemer_id: second?.id, ordinal: 2 },
  ]);
});

test('a negative total goes to the credit balance on a bill, and stays pending on a request', async () => {
  await api.sandbox.patch(`/customers/${customer}`, { taxes: ['vat'], language: 'de' });
  await add({ name: 'Credit', unit_cost: -80 });
  expect(await sweep()).toMatchObject(refused({ message: expect.stringContaining('have a negative sum') }));
  expect(await pending()).toHaveLength(1);
  await subscribe({ start_date: null });
  // 50 - 80 = -30, with 20 % -36: credited
  const [bill] = await invoices();
  expect(bill).toMatchObject({ total: 0, paid: true, items: [{ amount: 50 }, { amount: -80 }, { amount: 36 }] });
  expect(bill?.items[2]).toMatchObject({ name: 'Gutgeschrieben' }); // in the document's language
  const [note] = (await api.sandbox.get(`/credit_notes?filter[customer]=${customer}`)).body;
  expect(note).toMatchObject({
    invoice: bill?.id,
    total: 36,
    balance: 0,
    status: 'paid',
    items: [{ name: 'Gutgeschrieben' }],
  });
  expect((await api.sandbox.get(`/customers/${customer}/balance`)).body).toMatchObject({ available_credits: 36 });
  expect(await pending()).toEqual([]);
  await clean();
});

test('pending lines of a customer on hold are not billed: a request is refused, and a bill waits with them', async () => {
  await add({ unit_cost: 5 });
  const id = await subscribe();
  await api.sandbox.patch(`/customers/${customer}`, { credit_hold: true });
  expect(await sweep()).toMatchObject(
    refused({ param: 'customer', message: expect.stringContaining('is on credit hold') }),
  );
  expect(await pending()).toHaveLength(1);
  await renew(id);
  expect(await invoices()).toMatchObject([{ status: 'draft', total: 55 }]);
  expect(await pending()).toEqual([]);
  await api.sandbox.patch(`/customers/${customer}`, { active: false });
  expect(await sweep()).toMatchObject(refused({ param: 'customer' }));
  expect((await api.sandbox.post('/customers/999999/invoices')).status).toBe(404);
});

test('tax rates of a customer that is no longer taxed are left out', async () => {
  await add({ unit_cost: 10, taxes: ['vat'] });
  await api.sandbox.patch(`/customers/${customer}`, { taxable: false });
  expect((await sweep()).body).toMatchObject({ total: 10, items: [{ taxes: [] }] });
});

const redemptions = (coupon: string) =>
  api.em.fork().execute(
    `select redeemer_type, redeemer_id, ordinal from coupon_redemption r join coupon c on c.account_id = r.account_id and c.id = r.coupon_id
     where c.code = ?`,
    [coupon],
  );

test.each([
  ['deleted', (id: number) => api.sandbox.delete(`/invoices/${id}`)],
  ['voided', (id: number) => api.sandbox.post(`/invoices/${id}/void`)],
  [
    'issued',
    async (id: number) => {
      await api.sandbox.patch(`/customers/${customer}`, { credit_hold: false });
      return api.sandbox.patch(`/invoices/${id}`, { draft: false });
    },
  ],
])('the task about a bill on hold is completed when the bill is %s', async (what, decide) => {
  const id = await subscribe();
  await api.sandbox.patch(`/customers/${customer}`, { credit_hold: true });
  await renew(id);
  const [draft] = await invoices();
  const tasks = async () => (await api.sandbox.get(`/tasks?filter[customer]=${customer}`)).body;
  expect(await tasks()).toMatchObject([{ name: expect.stringMatching(/^Not issued: /), complete: false }]);
  expect((await decide(draft?.id ?? 0)).status).toBeLessThan(300);
  const outcome = `the bill was ${what}`;
  const [task] = await tasks();
  const completed = { complete: true, completed_date: expect.any(Number), completed_by_user_id: null };
  expect(task).toMatchObject({ ...completed, outcome });
  const { body: events } = await api.sandbox.get(`/events?related_to=task,${task?.id}`);
  expect(events.map(({ type }: { type: string }) => type)).toEqual(['task.completed', 'task.created']);
  await clean();
});

/** Inserts rows directly because requests would be slow. */
const addMany = async (count: number) => {
  const { id } = await add({ name: 'Usage', unit_cost: 0.01 });
  await api.em.fork().execute(
    `insert into line_item (account_id, customer_id, position, name, currency, quantity, unit_cost, amount, net, discountable, taxable,
       discounts, taxes, metadata, created_at, updated_at)
     select account_id, customer_id, position, name, currency, quantity, unit_cost, amount, net, discountable, taxable, discounts, taxes,
       metadata, created_at, updated_at from line_item, generate_series(2, ?) where id = ?`,
    [count, id],
  );
};

test('more than a thousand lines become several invoices, by request and on a bill', async () => {
  await addMany(10_001);
  expect((await sweep()).body.items).toHaveLength(1000);
  const lengths = async () => (await invoices()).map(({ items, total }) => [items.length, total]);
  expect(await lengths()).toEqual(Array(10).fill([1000, 10])); // ten invoices at a time: the rest waits
  expect(await pending()).toHaveLength(1);
  expect((await sweep()).body.items).toHaveLength(1);
  await addMany(1000);
  const id = await subscribe();
  // The eleven invoices owe 100.01 and the bill 59.98. The next one would exceed the limit.
  await api.sandbox.patch(`/customers/${customer}`, { credit_limit: 160 });
  await renew(id);
  // 998 lines besides its own, with room for a credited line; then 2 more
  const [bill, more, ...rest] = (await invoices()).slice(11);
  expect(bill).toMatchObject({ subscription: id, draft: false, total: 59.98 });
  expect(more).toMatchObject({ subscription: null, draft: true, total: 0.02 });
  expect([bill?.items.length, more?.items.length, rest.length]).toEqual([999, 2, 0]);
  const waits = `Customer ${customer} would owe 160.01 usd, more than its credit limit of 160.00`;
  expect((await api.sandbox.get('/problems')).body).toContainEqual(
    expect.objectContaining({ subject: { object: 'invoice', id: more?.id }, message: waits }),
  );
  expect((await api.sandbox.get(`/tasks?filter[customer]=${customer}`)).body).toMatchObject([
    { name: 'Send Gold of 59.98 usd: there is no email address' },
    { name: `Not issued: Invoice of 0.02 usd. ${waits}` },
  ]);
  expect(await pending()).toEqual([]);
  await clean();
});
