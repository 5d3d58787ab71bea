import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { settingNames } from '../../billing/settings.ts';
import { startApi, type TestApi } from '../support/api.ts';

/** Every field that may be written is set at creation, read back, changed and cleared, with values that no other field has. */

const MADE_AT = Date.UTC(2027, 2, 1) / 1000;
let now = MADE_AT;
let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  customer = (await api.sandbox.post('/customers', { name: 'Owner' })).body.id;
  await api.sandbox.post('/items', { id: 'base', name: 'Base' });
  for (const id of ['base', 'other']) await api.sandbox.post('/tax_rates', { id, name: id, value: 5 });
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
});
afterAll(() => api.close());

interface Trip {
  path: string;
  created: object;
  /** What the answer has in place of what was sent. */
  shown?: object;
  changed?: object;
  /** What the answer has once each of them was sent as null. */
  cleared?: object;
}

const customerText = {
  ...{ attention_to: 'the buyer', address1: 'first line', address2: 'second line', city: 'Köln', state: 'NRW' },
  ...{ postal_code: '50667', phone: '+49 221 1', tax_id: 'DE 81', notes: 'a note\nof two lines' },
  ...{ taxengine_entity_use_code: 'G', taxengine_exemption_number: '123' },
};
const customerNull = {
  ...{ email: null, payment_terms: null, country: null, language: null, currency: null },
  ...Object.fromEntries(Object.keys(customerText).map((name) => [name, null])),
};

const trips: Record<string, Trip> = {
  'a customer': {
    path: '/customers',
    created: {
      ...{ name: 'Whole', number: 'C-1', email: 'a@b.example', autopay: true, autopay_delay_days: 4 },
      ...{ payment_terms: 'NET 9', country: 'DE', language: 'de', currency: 'eur', type: 'person' },
      ...{ active: false, credit_hold: true, credit_limit: 12.5, taxable: false, bill_to_parent: true },
      ...{ consolidated: true, disabled_payment_methods: ['ach', 'check'] },
      ...{ ...customerText, metadata: { color: 'red' } },
    },
    changed: {
      ...{ name: 'Other', number: 'C-2', email: 'c@d.example', autopay: false, autopay_delay_days: 0 },
      ...{ payment_terms: 'Due on receipt', country: 'AT', language: 'fr', currency: 'chf', type: 'company' },
      ...{ attention_to: 'b0', address1: 'b1', address2: 'b2', city: 'b3', state: 'b4', postal_code: 'b5' },
      ...{ phone: 'b6', tax_id: 'b7', notes: 'b8', metadata: { size: 'L' } },
      ...{ taxengine_entity_use_code: 'b9', taxengine_exemption_number: 'ba', active: true, credit_hold: false },
      ...{ credit_limit: 13, taxable: true, bill_to_parent: false, consolidated: false, disabled_payment_methods: [] },
    },
    cleared: {
      ...{
        active: true,
        credit_hold: false,
        credit_limit: null,
        taxable: true,
        bill_to_parent: false,
        consolidated: false,
      },
      ...{ disabled_payment_methods: [], owner: null, parent_customer: null, taxes: [] },
      ...customerNull,
      autopay: false,
      autopay_delay_days: -1,
      type: 'company',
      metadata: {},
    },
  },
  'an item': {
    path: '/items',
    created: {
      ...{ id: 'whole', name: 'Whole', currency: 'eur', unit_cost: 1.25, description: 'd', type: 't' },
      ...{ gl_account: '4100', taxable: false, discountable: false, taxengine_tax_code: 'tc', taxes: ['base'] },
      ...{ taxengine_location_code: 'lc', metadata: { color: 'red' } },
    },
    shown: { taxes: [expect.objectContaining({ object: 'tax_rate', id: 'base', value: 5 })] },
    changed: { name: 'Other', description: 'e', type: 'u', metadata: { size: 'L' } },
    cleared: { description: null, type: null, metadata: {} },
  },
  'a plan': {
    path: '/plans',
    created: {
      ...{ id: 'whole', name: 'Whole', catalog_item: 'base', currency: 'eur', amount: 7.5 },
      ...{ interval: 'week', interval_count: 6, metadata: { color: 'red' } },
    },
    changed: { name: 'Other', metadata: { size: 'L' } },
    cleared: { metadata: {} },
  },
  'a coupon': {
    path: '/coupons',
    created: {
      ...{ id: 'whole', name: 'Whole', currency: 'eur', value: 7.5, is_percent: false, exclusive: true },
      ...{ expiration_date: MADE_AT + 70, max_redemptions: 9, duration: 5, metadata: { color: 'red' } },
    },
    changed: { name: 'Other', metadata: { size: 'L' } },
    cleared: { metadata: {} },
  },
  'a tax rate': {
    path: '/tax_rates',
    created: {
      ...{ id: 'whole', name: 'Whole', currency: 'eur', value: 7.125, is_percent: true, inclusive: true },
      metadata: { color: 'red' },
    },
    changed: { name: 'Other', metadata: { size: 'L' } },
    cleared: { metadata: {} },
  },
  'a tax rule': {
    path: '/tax_rules',
    created: { tax_rate: 'base', country: 'DE', state: 'BY' },
    changed: { tax_rate: 'other', country: 'US', state: 'CA' },
    cleared: { country: null, state: null },
  },
  'a subscription': {
    path: '/subscriptions',
    created: {
      ...{ plan: 'gold', quantity: 3, start_date: MADE_AT + 86_400, cycles: 8, paused: true },
      ...{ cancel_at_period_end: true, metadata: { color: 'red' } },
    },
    changed: { paused: false, cancel_at_period_end: false, metadata: { size: 'L' } },
    cleared: { paused: false, cancel_at_period_end: false, metadata: {} },
  },
  'an invoice': {
    path: '/invoices',
    created: {
      ...{ name: 'Whole', number: 'I-1', currency: 'eur', autopay: true, payment_terms: 'NET 9' },
      ...{ purchase_order: 'PO-1', date: MADE_AT - 50, due_date: MADE_AT + 50, notes: 'n', metadata: { color: 'red' } },
      items: [{ name: 'L', description: 'd', type: 't', quantity: 2.5, unit_cost: 4, metadata: { line: '1' } }],
    },
    shown: { items: [expect.objectContaining({ name: 'L', description: 'd', type: 't', amount: 10, quantity: 2.5 })] },
  },
  'a payment': {
    path: '/payments',
    created: {
      ...{ date: MADE_AT - 70, method: 'wire_transfer', currency: 'eur', amount: 12.34, reference: 'r-1' },
      ...{ ach_sender_id: 'ach-1', source: 'bank_feed', notes: 'n', metadata: { color: 'red' } },
    },
  },
  'a webhook': {
    path: '/webhooks',
    created: {
      ...{ url: 'http://127.0.0.1:9/a', events: ['invoice.paid'], enabled: false, description: 'd' },
      api_version: '2026-11-01',
    },
    changed: { url: 'http://127.0.0.1:9/b', events: ['customer.created'], enabled: true, description: 'e' },
    cleared: { events: '*', enabled: true, description: null },
  },
};

const of = (path: string) => (/subscriptions|invoices|payments/.test(path) ? { customer } : {});
const nulls = (fields: object) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]));

test.each(Object.entries(trips))('%s keeps each field that is sent, is changed and cleared', async (_what, trip) => {
  const { sandbox } = api;
  const { path, created, shown = {}, changed, cleared } = trip;
  const sent = { ...of(path), ...created };
  const made = await sandbox.post(path, sent);
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ ...sent, ...shown });
  if ('metadata' in sent) expect(made.body.metadata).toEqual(sent.metadata);
  expect(made.body.created_at).toBe(now);
  expect(made.body.updated_at).toBe(now);
  const one = `${path}/${made.body.id}`;
  const { secret, ...kept } = made.body;
  expect((await sandbox.get(one)).body).toEqual(kept);
  if (!changed || !cleared) return;

  const createdAt = now;
  now += 100;
  const after = await sandbox.patch(one, changed);
  expect(after).toMatchObject({ status: 200, body: { ...changed, created_at: createdAt, updated_at: now } });
  expect((await sandbox.get(one)).body).toEqual({ ...kept, ...after.body });
  if ('metadata' in changed) expect(after.body.metadata).toEqual(changed.metadata);
  const { body: empty } = await sandbox.patch(one, nulls(cleared));
  expect(empty).toMatchObject(cleared);
  if ('metadata' in cleared) expect(empty.metadata).toEqual({});
  expect((await sandbox.get(one)).body).toEqual(empty);
});

const account = {
  ...{ name: 'Seller', email: 's@t.example', address1: 'a1', address2: 'a2', city: 'c', state: 'st' },
  ...{ postal_code: 'pc', country: 'DE', tax_id: 'tx', language: 'de', currency: 'eur', time_zone: 'Europe/Berlin' },
};
const accountNull = {
  ...{ email: null, address1: null, address2: null, city: null, state: null, postal_code: null, country: null },
  ...{ tax_id: null, language: 'en', time_zone: 'UTC' },
};
const settings = {
  ...{ autopay_delay_days: 2, autopay_minimum_delay: 60, autopay_retry_days: [1, 2], autopay_final_action: 'pause' },
  ...{
    apply_credits_at_issue: false,
    payment_terms: 'NET 3',
    webhook_shards: 2,
    rate_limit: 99_000,
    rate_limit_burst: 98_000,
  },
};

test('the account keeps each field and setting that is sent, and gives each its default back', async () => {
  const { sandbox } = await api.open('Seller');
  expect(Object.keys(settings).sort()).toEqual([...settingNames].sort());
  const before = (await sandbox.get('/account')).body;
  const changed = await sandbox.patch('/account', { ...account, ...settings });
  expect(changed).toMatchObject({ status: 200, body: { ...account, ...settings } });
  expect((await sandbox.get('/account')).body).toEqual(changed.body);
  const cleared = await sandbox.patch('/account', { ...nulls(accountNull), ...nulls(settings) });
  expect(cleared).toMatchObject({ status: 200, body: accountNull });
  const defaults = {
    ...{
      autopay_delay_days: 0,
      autopay_minimum_delay: 0,
      autopay_retry_days: [3, 5, 7],
      autopay_final_action: 'leave',
    },
    ...{
      apply_credits_at_issue: true,
      payment_terms: 'NET 30',
      webhook_shards: 4,
      rate_limit: 100,
      rate_limit_burst: 200,
    },
  };
  expect(cleared.body).toMatchObject(defaults);
  expect(before).toMatchObject({ name: 'Seller', language: 'en', currency: 'usd' });
});

test('an array replaces the former one, [] removes all of it, and absence keeps it', async () => {
  const { sandbox } = await api.open('Arrays');
  const types = ['invoice.paid', 'invoice.created'];
  const { id } = (await sandbox.post('/webhooks', { url: 'http://127.0.0.1:9/', events: types })).body;
  const arrays: [path: string, name: string, former: unknown[], next: unknown[]][] = [
    [`/webhooks/${id}`, 'events', types, ['customer.created']],
    ['/account', 'autopay_retry_days', [3, 5, 7], [9]],
  ];
  for (const [path, name, former, next] of arrays) {
    expect((await sandbox.get(path)).body[name]).toEqual(former);
    for (const value of [next, undefined, []]) {
      const { status, body } = await sandbox.patch(path, { [name]: value });
      expect([status, body[name]]).toEqual([200, value ?? next]);
      expect((await sandbox.get(path)).body[name]).toEqual(value ?? next);
    }
  }
});

test('what has been archived stays named by what refers to it', async () => {
  const { sandbox } = api;
  await sandbox.post('/items', { id: 'old', name: 'Old' });
  await sandbox.post('/plans', { id: 'older', name: 'Older', amount: 1, interval: 'month', catalog_item: 'old' });
  const { body } = await sandbox.post('/subscriptions', { customer, plan: 'older' });
  expect((await sandbox.delete('/items/old')).status).toBe(204);
  expect((await sandbox.get('/plans/older')).body.catalog_item).toBe('old');
  expect((await sandbox.delete('/plans/older')).status).toBe(204);
  expect((await sandbox.get(`/subscriptions/${body.id}`)).body).toMatchObject({ plan: 'older', recurring_total: 1 });
  const expanded = (await sandbox.get(`/subscriptions/${body.id}?expand=plan`)).body.plan;
  expect(expanded).toMatchObject({ id: 'older', catalog_item: 'old' });
  for (const refused of [
    await sandbox.post('/subscriptions', { customer, plan: 'older' }),
    await sandbox.post('/plans', { name: 'x', amount: 1, interval: 'month', catalog_item: 'old' }),
  ])
    expect(refused.status).toBe(400);
});

test('price, interval and currency of a plan, price and account of an item, stay what they were', async () => {
  const { sandbox } = api;
  const plan = (await sandbox.post('/plans', { name: 'Fixed', amount: 1, interval: 'month' })).body;
  const other = { currency: 'eur', amount: 2, interval: 'year', interval_count: 2, catalog_item: 'base' };
  expect((await sandbox.patch(`/plans/${plan.id}`, other)).body).toEqual(plan);
  const item = (await sandbox.post('/items', { name: 'Fixed', currency: 'usd', unit_cost: 1, gl_account: '1' })).body;
  const otherwise = { currency: 'eur', unit_cost: 2, gl_account: '2' };
  expect((await sandbox.patch(`/items/${item.id}`, otherwise)).body).toEqual(item);
});
