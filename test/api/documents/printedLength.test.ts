import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const long = 'x'.repeat(10_000);
const itemsOf = (count: number) => Array.from({ length: count }, () => ({ description: long, unit_cost: 1 }));
const customerOf = async () => (await api.sandbox.make('/customers', { name: 'Ann' })).id;

test.each(['/invoices', '/estimates', '/credit_notes'])('%s: lines print at most 200,000 characters', async (path) => {
  const customer = await customerOf();
  const { status, body } = await api.sandbox.post(path, { customer, draft: true, items: itemsOf(20) });
  expect(status).toBe(201);
  const more = [...itemsOf(20), { name: 'a', unit_cost: 1 }];
  const refusal = refused({ type: 'invalid_request', param: 'items' });
  expect(await api.sandbox.post(path, { customer, items: more })).toMatchObject(refusal);
  expect(await api.sandbox.patch(`${path}/${body.id}`, { items: more })).toMatchObject(refusal);
  const short = { items: [{ name: 'Hour', unit_cost: 1 }] };
  expect((await api.sandbox.patch(`${path}/${body.id}`, short)).status).toBe(200);
});

test('pending lines with more text than a document prints become several printable invoices', async () => {
  const customer = await customerOf();
  for (const [index, item] of itemsOf(45).entries()) {
    const unit_cost = index % 3 === 0 ? -1 : 2;
    expect((await api.sandbox.post(`/customers/${customer}/line_items`, { ...item, unit_cost })).status).toBe(201);
  }
  expect((await api.sandbox.post(`/customers/${customer}/invoices`)).status).toBe(201);
  const { body } = await api.sandbox.get(`/invoices?filter[customer]=${customer}&include=items`);
  const lines = body.map(({ items }: { items: unknown[] }) => items.length);
  expect(lines.toSorted((one: number, other: number) => one - other)).toEqual([5, 20, 20]);
  const total = body.reduce((sum: number, invoice: { total: number }) => sum + invoice.total, 0);
  expect(total).toBe(30 * 2 - 15);
  for (const invoice of body) expect(invoice.total).toBeGreaterThanOrEqual(0);
  expect((await api.sandbox.get(`/customers/${customer}/line_items`)).body).toEqual([]);
});
