import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bodyThatMakes } from '../../../dashboard/objects/making.ts';
import { startApi, type TestApi } from '../../support/api.ts';

/** The request that the dashboard shows for an object makes another one like it. */

let api: TestApi;
let document: unknown;
let customer: number;

beforeAll(async () => {
  api = await startApi();
  document = await (await fetch(`${api.origin}/api/openapi.json`)).json();
  customer = (await api.sandbox.make('/customers', { name: 'Ann', email: 'ann@example.com', metadata: { crm: 'A' } }))
    .id;
  await api.sandbox.make('/items', { id: 'hour', name: 'Hour', unit_cost: 80 });
  await api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 20, interval: 'month' });
  await api.sandbox.make('/coupons', { id: 'ten', name: 'Ten', value: 10 });
  await api.sandbox.make('/tax_rates', { id: 'vat', name: 'VAT', value: 20 });
});
afterAll(() => api?.close());

const lines = () => [
  { name: 'Support', quantity: 2, unit_cost: 40.25, discounts: [{ coupon: 'ten' }], taxes: [{ tax_rate: 'vat' }] },
  { catalog_item: 'hour', quantity: 3 },
];

const urls = ['url', 'pdf_url', 'csv_url', 'payment_url', 'statement_pdf_url'];

test.each([
  ['customers', () => ({ name: 'Bo', payment_terms: 'NET 30', country: 'US', metadata: { seats: '4' } })],
  ['invoices', () => ({ customer, items: lines(), discounts: [{ coupon: 'ten' }], notes: 'Thanks', draft: true })],
  ['estimates', () => ({ customer, items: lines() })],
  ['credit_notes', () => ({ customer, items: lines() })],
  ['payments', () => ({ customer, amount: 30, method: 'check', reference: 'CH-7' })],
  ['subscriptions', () => ({ customer, plan: 'gold', quantity: 3, cycles: 12 })],
  ['tasks', () => ({ customer, name: 'Call', action: 'phone', due_date: 1_798_675_200 })],
  ['notes', () => ({ customer, notes: 'Prefers mornings' })],
])('of %s', async (list, body) => {
  const made = await api.sandbox.make(`/${list}`, body());
  const again = await api.sandbox.make(`/${list}`, Object.assign({}, bodyThatMakes(document, list, made)));
  const differing = ['id', 'number', 'receipt_number', 'token', 'created_at', 'updated_at', ...urls];
  const alike = ({ items, ...one }: Record<string, unknown>) =>
    Object.entries(one).filter(([name, value]) => !differing.includes(name) && typeof value !== 'object');
  expect(alike(again)).toEqual(alike(made));
});

test('expanded relations are named by their ids, and what the API makes by itself has no request', async () => {
  const { id } = await api.sandbox.make('/invoices', { customer, items: lines() });
  const { body } = await api.sandbox.get(`/invoices/${id}?expand=customer`);
  expect(bodyThatMakes(document, 'invoices', body)).toMatchObject({
    customer,
    items: [{ quantity: 2 }, { quantity: 3 }],
  });
  expect(bodyThatMakes(document, 'events', body)).toBeNull();
});
