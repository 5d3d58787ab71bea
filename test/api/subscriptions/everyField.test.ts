import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { dayOf2027 } from '../../support/goldSubscriptions.ts';

let api: TestApi;
let sandbox: Client;
let customer: number;

const home = { name: 'Ada Lovelace', address1: 'Main Street 1', city: 'Austin', country: 'US' };
const office = { name: 'Ada Lovelace', address1: 'Congress Avenue 2', city: 'Austin', country: 'US' };
const plan = { interval: 'month' };

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(dayOf2027(3) * 1000) });
  sandbox = api.sandbox;
  customer = (await sandbox.make('/customers', { name: 'Ada' })).id;
  await sandbox.make('/plans', { ...plan, id: 'gold', name: 'Gold', amount: 10 });
  await sandbox.make('/plans', { ...plan, id: 'platinum', name: 'Platinum', amount: 20 });
  await sandbox.make('/plans', { ...plan, id: 'support', name: 'Support', pricing_mode: 'custom', amount: null });
  await sandbox.make('/coupons', { id: 'tenth', name: 'A tenth', value: 10, is_percent: true });
  await sandbox.make('/coupons', { id: 'half', name: 'Half', value: 50, is_percent: true });
  for (const [id, value] of Object.entries({ vat: 20, levy: 5 }))
    await sandbox.make('/tax_rates', { id, name: id, value, is_percent: true });
});
afterAll(() => api.close());

const sold = {
  plan: 'gold',
  quantity: 3,
  addons: [{ plan: 'support', quantity: 2, description: 'Within an hour', amount: 7.5 }],
  discounts: ['tenth'],
  taxes: ['vat'],
};
const soldBody = {
  plan: 'gold',
  quantity: 3,
  addons: [expect.objectContaining({ plan: 'support', quantity: 2, description: 'Within an hour', amount: 7.5 })],
  discounts: [expect.objectContaining({ id: 'tenth' })],
  taxes: [expect.objectContaining({ id: 'vat' })],
  recurring_total: 48.6, // 3 x 10 + 2 x 7.50 = 45, less 4.50, and 20 % of 40.50 = 8.10
  mrr: 40.5,
};

test('POST /subscriptions takes every field of its request', async () => {
  const terms = {
    start_date: dayOf2027(4),
    bill_in: 'advance',
    bill_in_advance_days: 5,
    cycles: 6,
    snap_to_nth_day: 15,
    paused: true,
    contract_renewal_cycles: 4,
    contract_renewal_mode: 'manual',
    cancel_at_period_end: true,
    metadata: { seller: 'Bob' },
  };
  const created = await sandbox.make('/subscriptions', { customer, ...sold, ...terms, ship_to: home });
  const expected = { customer, ...soldBody, ...terms, ship_to: expect.objectContaining(home), status: 'not_started' };
  expect(created).toMatchObject(expected);
  expect((await sandbox.get(`/subscriptions/${created.id}`)).body).toEqual(created);
});

test('PATCH /subscriptions/:id changes every field of its request', async () => {
  const { id } = await sandbox.make('/subscriptions', { customer, ...sold, cycles: 6, start_date: dayOf2027(4) });
  const terms = {
    start_date: dayOf2027(5),
    paused: true,
    contract_renewal_cycles: 3,
    contract_renewal_mode: 'renew_once',
    cancel_at_period_end: true,
    metadata: { seller: 'Eve' },
  };
  const changed = { plan: 'platinum', quantity: 4, addons: [], discounts: ['half'], taxes: ['levy'] };
  const proration = { prorate: true, proration_date: null };
  const body = { ...changed, ...terms, ...proration, ship_to: office };
  expect(await sandbox.patch(`/subscriptions/${id}`, body)).toMatchObject({
    status: 200,
    body: {
      ...changed,
      ...terms,
      discounts: [expect.objectContaining({ id: 'half' })],
      taxes: [expect.objectContaining({ id: 'levy' })],
      ship_to: expect.objectContaining(office),
      recurring_total: 42, // 4 x 20 = 80, less 40, and 5 % of 40 = 2
      mrr: 40,
    },
  });
});

test('POST /subscriptions/preview takes every field of its request', async () => {
  const lines = [{ name: 'Setup', quantity: 2, unit_cost: 50 }];
  const { status, body } = await sandbox.post('/subscriptions/preview', {
    customer,
    ...sold,
    pending_line_items: lines,
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    first_invoice: {
      id: null,
      number: null,
      date: null,
      customer,
      subtotal: 145, // 30 + 15 + 100
      total: 156.6, // 145 - 14.50 = 130.50, and 20 % = 26.10
    },
    recurring_total: soldBody.recurring_total,
    mrr: soldBody.mrr,
  });
});
