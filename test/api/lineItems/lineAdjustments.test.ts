import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const fixed = (count: number) => Array.from({ length: count }, () => ({ amount: 0.01 }));
const item = (count: number) => ({ unit_cost: 1, taxes: fixed(count) });
const itemsOf = (count: number) => Array.from({ length: count }, () => item(20));
const customerOf = async () => (await api.sandbox.make('/customers', { name: 'Ann' })).id;

test.each(['/invoices', '/estimates', '/credit_notes'])(
  '%s: the lines have at most 5,000 discounts and taxes together',
  async (path) => {
    const customer = await customerOf();
    const { status, body } = await api.sandbox.post(path, { customer, draft: true, items: itemsOf(250) });
    expect(status).toBe(201);
    const more = [...itemsOf(250), { unit_cost: 1, discounts: fixed(1) }];
    const message = 'All items of a document together may have at most 5,000 discounts and taxes, not 5,001';
    const refusal = refused({ type: 'invalid_request', param: 'items', message });
    expect(await api.sandbox.post(path, { customer, items: more })).toMatchObject(refusal);
    expect(await api.sandbox.patch(`${path}/${body.id}`, { items: more })).toMatchObject(refusal);
  },
);

test('pending lines with more adjustments than fit become several invoices', async () => {
  const customer = await customerOf();
  const add = async () => {
    for (let n = 0; n < 63; n++) await api.sandbox.post(`/customers/${customer}/line_items`, item(20));
  };
  await Promise.all([add(), add(), add(), add()]);
  expect((await api.sandbox.post(`/customers/${customer}/invoices`)).status).toBe(201);
  const { body } = await api.sandbox.get(`/invoices?filter[customer]=${customer}&sort=id asc`);
  expect(body.map(({ items }: { items: unknown[] }) => items.length)).toEqual([250, 2]);
  expect((await api.sandbox.get(`/customers/${customer}/line_items`)).body).toEqual([]);
});
