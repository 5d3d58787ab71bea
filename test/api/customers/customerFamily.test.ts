import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';

// A parent pays the invoices of its descendants.

let api: TestApi;
let [top, middle, low]: [number, number, number] = [0, 0, 0];
/** An invoice of 40.00 of the customer `low`. */
let invoice: number;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  low = await customer();
  top = await customer();
  middle = await customer({ parent_customer: top });
  await api.sandbox.patch(`/customers/${low}`, { parent_customer: middle });
  invoice = await owedBy(low);
});

const customer = async (body: object = {}) => (await api.sandbox.make('/customers', { name: 'C', ...body })).id;
const owedBy = async (id: number) =>
  (await api.sandbox.make('/invoices', { customer: id, items: [{ unit_cost: 40 }] })).id;
const paying = (id: number, amount: number, type = 'invoice') => ({ type, invoice: id, amount });
const pay = (id: number, amount: number, applied_to: object[]) =>
  api.sandbox.post('/payments?include=applied_to', { customer: id, amount, applied_to });
const read = async (path: string) => (await api.sandbox.get(path)).body;

test('a payment of a parent can pay invoices at any level below it, beside its own', async () => {
  const own = await owedBy(top);
  const { status, body } = await pay(top, 70, [paying(invoice, 40), paying(own, 30)]);
  expect([status, body]).toMatchObject([201, { customer: top, balance: 0 }]);
  expect(await read(`/invoices/${invoice}`)).toMatchObject({ customer: low, paid: true });
  expect(await read(`/invoices/${own}`)).toMatchObject({ balance: 10 });
  const [paid] = await read(`/events?related_to=invoice,${invoice}`);
  expect(paid).toMatchObject({ type: 'invoice.paid', data: { object: { customer: { id: low } } } });
  await api.sandbox.delete(`/payments/${body.id}`);
  expect(await read(`/invoices/${invoice}`)).toMatchObject({ balance: 40, paid: false });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('a changed payment can pay them too, and take that back after they have left the family', async () => {
  const { body } = await pay(top, 40, []);
  const path = `/payments/${body.id}`;
  expect((await api.sandbox.patch(path, { applied_to: [paying(invoice, 25)] })).body).toMatchObject({ balance: 15 });
  expect(await read(`/invoices/${invoice}`)).toMatchObject({ balance: 15 });
  await api.sandbox.patch(`/customers/${low}`, { parent_customer: null });
  expect((await api.sandbox.patch(path, { applied_to: [] })).body).toMatchObject({ balance: 40 });
  expect(await read(`/invoices/${invoice}`)).toMatchObject({ balance: 40 });
  const message = `Invoice was not found: ${invoice}`;
  const refusal = refused({ param: 'applied_to[0][invoice]', message });
  expect(await api.sandbox.patch(path, { applied_to: [paying(invoice, 25)] })).toMatchObject(refusal);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('the credit balance of a parent pays them', async () => {
  await api.sandbox.post('/credit_balance_adjustments', { customer: top, amount: 12 });
  expect((await pay(top, 12, [paying(invoice, 12, 'applied_credit')])).status).toBe(201);
  expect(await read(`/invoices/${invoice}`)).toMatchObject({ balance: 28 });
  expect(await read(`/customers/${top}/balance`)).toMatchObject({ available_credits: 0 });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('a child cannot pay for its parent or its sibling', async () => {
  const [above, beside] = [await owedBy(top), await owedBy(await customer({ parent_customer: top }))];
  for (const other of [above, beside])
    expect(await pay(middle, 40, [paying(other, 40)])).toMatchObject(
      refused({ param: 'applied_to[0][invoice]', message: `Invoice was not found: ${other}` }),
    );
});

test('an invoice that a parent and its child pay simultaneously is paid once', async () => {
  const answers = await Promise.all([top, middle, low, top].map((id) => pay(id, 40, [paying(invoice, 40)])));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});
