import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { stayingTables } from '../../../db/queries/customers/merge.ts';
import { customerTables } from '../../../db/schema/customerTables.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
});
afterAll(() => api.close());

const CARD = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };

const make = (path: string, body: object) => api.sandbox.make(path, body);
const customer = async (body: object = {}) => (await make('/customers', { name: 'C', ...body })).id;
const merge = (into: number, other: unknown) => api.sandbox.post(`/customers/${into}/merge`, { customer: other });
const read = async (path: string) => (await api.sandbox.get(path)).body;

/** Creates a customer with objects of every kind. */
async function withEverything(name: string): Promise<number> {
  const id = await customer({ name, autopay: true });
  await make(`/customers/${id}/payment_sources`, CARD);
  const invoice = await make('/invoices', { customer: id, items: [{ unit_cost: 40 }] });
  const applied_to = [{ type: 'invoice', invoice: invoice.id, amount: 15 }];
  await make('/payments', { customer: id, amount: 15, applied_to });
  await make('/charges', { customer: id, amount: 5, applied_to: [], ...CARD });
  await make('/subscriptions', { customer: id, plan: 'gold', start_date: 4_000_000_000 });
  await make(`/customers/${id}/contacts`, { name: 'Grace' });
  await make('/notes', { customer: id, invoice: invoice.id, notes: 'n' });
  await make('/tasks', { customer: id, name: 't', action: 'phone' });
  await make('/credit_balance_adjustments', { customer: id, amount: 7, date: 1_780_000_000 });
  await make(`/customers/${id}/line_items`, { name: 'Usage', unit_cost: 6 });
  return id;
}

test('merging moves everything to the other customer, and leaves the merged one as a tombstone', async () => {
  const merged = await withEverything('Merged');
  const child = await customer({ parent_customer: merged });
  const into = await customer({ name: 'Into' });
  await make('/credit_balance_adjustments', { customer: into, amount: 3, date: 1_790_000_000 });
  const { status, body } = await merge(into, merged);
  expect([status, body]).toMatchObject([
    200,
    { id: into, name: 'Into', active: true, payment_source: { last4: '4242' } },
  ]);

  for (const path of ['/invoices', '/payments', '/charges', '/subscriptions', '/notes', '/tasks']) {
    expect([path, await read(`${path}?filter[customer]=${merged}`)]).toEqual([path, []]);
    expect([path, await read(`${path}?filter[customer]=${into}`)]).not.toEqual([path, []]);
  }
  expect(await read(`/customers/${into}/contacts`)).toMatchObject([{ name: 'Grace' }]);
  expect(await read(`/customers/${into}/payment_sources`)).toMatchObject([{ last4: '4242' }]);
  // 40 - 15 - 7 = 18 are open: its credit has paid. The other credit of 3 pays in a step of the invoice.
  expect(await read(`/customers/${into}/balance`)).toMatchObject({
    total_outstanding: 18,
    available_credits: 3,
    history: [{ balance: 3 }, { balance: 10, timestamp: 1_790_000_000 }, { balance: 7, timestamp: 1_780_000_000 }],
  });
  expect(await read(`/customers/${merged}`)).toMatchObject({
    name: 'Merged',
    active: false,
    merged_into: into,
    payment_source: null,
  });
  expect(await read(`/customers/${child}`)).toMatchObject({ parent_customer: into });
  for (const table of customerTables) {
    const rows = await api.em.fork().execute(`select 1 from ${table} where customer_id = ? limit 1`, [merged]);
    expect([table, rows]).toEqual([table, []]);
  }
  expect(await read(`/customers/${into}/line_items`)).toMatchObject([{ name: 'Usage', customer: into }]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);

  const [last] = await read(`/events?related_to=customer,${merged}`);
  expect(last).toMatchObject({
    type: 'customer.merged',
    data: { object: { id: merged, merged_into: into }, previous: { active: true, merged_into: null } },
  });
  const told = async (id: number) => (await read(`/events?related_to=customer,${id}`))[0];
  expect(await told(child)).toMatchObject({
    type: 'customer.updated',
    data: { previous: { parent_customer: merged } },
  });
  expect(await make(`/customers/${into}/invoices`, {})).toMatchObject({ customer: into, total: 6 });
  expect(await told(into)).toMatchObject({ type: 'customer.updated', data: { previous: { payment_source: null } } });
});

test('a merged customer cannot be billed, paid or changed, and the refusal says why', async () => {
  const { sandbox } = api;
  const [into, merged] = [await customer(), await customer()];
  const invoice = await make('/invoices', { customer: merged, items: [{ unit_cost: 4 }] });
  await merge(into, merged);
  const message = `Customer ${merged} was merged into customer ${into}`;
  const refusal = refused({ message });
  expect(await sandbox.patch(`/customers/${merged}`, { name: 'x' })).toMatchObject(refusal);
  expect(await sandbox.delete(`/customers/${merged}`)).toMatchObject(refusal);
  expect(await sandbox.post(`/customers/${merged}/contacts`, { name: 'x' })).toMatchObject(refusal);
  expect(await merge(merged, into)).toMatchObject(refusal);
  const naming = refused({ message, param: 'customer' });
  expect(await merge(await customer(), merged)).toMatchObject(naming);
  for (const [path, body] of [
    ['/invoices', { items: [] }],
    ['/payments', { amount: 1 }],
    ['/subscriptions', { plan: 'gold' }],
    ['/notes', { notes: 'x' }],
    ['/charges', { amount: 1, applied_to: [], ...CARD }],
  ] as const)
    expect([path, await sandbox.post(path, { ...body, customer: merged })]).toMatchObject([path, naming]);
  expect((await sandbox.post(`/invoices/${invoice.id}/void`)).body).toMatchObject({ status: 'voided', customer: into });
});

test('a customer with a payment source keeps it as its default', async () => {
  const [into, merged] = [await customer(), await customer()];
  await make(`/customers/${into}/payment_sources`, { ...CARD, gateway_token: 'tok_5454545454545454' });
  await make(`/customers/${merged}/payment_sources`, CARD);
  expect((await merge(into, { id: merged })).body.payment_source.last4).toBe('5454');
  expect(await read(`/customers/${into}/payment_sources`)).toHaveLength(2);
});

test('a child can be merged into its parent, but not a parent into a descendant', async () => {
  const top = await customer();
  const middle = await customer({ parent_customer: top });
  const low = await customer({ parent_customer: middle });
  expect(await merge(low, top)).toMatchObject(
    refused({ param: 'customer', message: expect.stringContaining('is a descendant of customer') }),
  );
  expect((await merge(top, middle)).status).toBe(200);
  expect(await read(`/customers/${low}`)).toMatchObject({ parent_customer: top });
});

test('both customers have one account and one test clock, and together at most the contacts of one', async () => {
  const into = await customer();
  const rival = (await api.open('Rival')).sandbox;
  const { id: theirs } = await rival.make('/customers', { name: 'Theirs' });
  const refusal = (message: string) => refused({ param: 'customer', message });
  expect(await merge(into, theirs)).toMatchObject(refusal(`Customer was not found: ${theirs}`));
  expect(await merge(into, into)).toMatchObject(refusal(`Customer ${into} cannot be merged into itself`));
  expect(await merge(into, null)).toMatchObject(refusal('Customer missing'));
  expect((await api.sandbox.post('/customers/999999/merge', { customer: into })).status).toBe(404);
  const { id: test_clock } = await make('/test_clocks', { frozen_time: 1_800_000_000 });
  const clocked = await customer({ test_clock });
  expect(await merge(into, clocked)).toMatchObject(
    refusal(`Customer ${clocked} is on another test clock than customer ${into}`),
  );
  const many = await customer();
  for (let count = 0; count < 60; count += 1) {
    await make(`/customers/${into}/contacts`, { name: `${count}` });
    await make(`/customers/${many}/contacts`, { name: `${count}` });
  }
  expect(await merge(into, many)).toMatchObject(refusal('Together the customers have 120 contacts, more than 100'));
});

test('an anonymized customer can be merged, but not merged into', async () => {
  const [into, gone] = [await customer(), await customer({ name: 'Ada' })];
  expect((await api.sandbox.post(`/customers/${gone}/anonymize`)).status).toBe(200);
  expect(await merge(gone, into)).toMatchObject(
    refused({
      param: 'customer',
      message: `Customer ${gone} was anonymized: nothing can be merged into it`,
    }),
  );
  expect(await read(`/customers/${into}`)).toMatchObject({ active: true, merged_into: null });
  expect((await merge(into, gone)).status).toBe(200);
});

test('each table with rows of customers is listed as moved or left by merging', async () => {
  const rows = await api.em.fork().execute<{ name: string }[]>(
    `select table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
       where column_name = 'customer_id' and table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const known = [...customerTables, ...stayingTables];
  expect(rows.map(({ name }) => name).sort()).toEqual([...known].sort());
});

test('a payment is not given to a customer that has been merged meanwhile', async () => {
  const [gone, into] = [await customer(), await customer()];
  await merge(into, gone);
  const payment = (await api.sandbox.make('/payments', { amount: 5, currency: 'usd' })).id;
  const given = await api.sandbox.patch(`/payments/${payment}`, { customer: gone });
  expect(given).toMatchObject(refused({ param: 'customer' }));
});
