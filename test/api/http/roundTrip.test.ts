import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { settingNames } from '../../../billing/settings.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { MADE_AT, trips } from '../../support/roundTrips.ts';
import { documentTrips } from '../../support/roundTripsOfDocuments.ts';
import { lookTrips } from '../../support/roundTripsOfLooks.ts';

/** Each writable field is set at creation, read back, changed and cleared. No two fields have the same value. */

let now = MADE_AT;
let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  await api.sandbox.patch('/account', { apply_credits_at_issue: false });
  customer = (await api.sandbox.make('/customers', { name: 'Owner' })).id;
  await api.sandbox.post('/items', { id: 'base', name: 'Base' });
  expect((await api.sandbox.make('/sms_templates', { name: 'First', message: 'Pay' })).id).toBe(1);
  for (const id of ['base', 'other']) await api.sandbox.post('/tax_rates', { id, name: id, value: 5 });
  await api.sandbox.post('/coupons', { id: 'third', name: 'Third', value: 33.3 });
  await api.sandbox.post('/plans', { id: 'own', name: 'Own', pricing_mode: 'custom', interval: 'month' });
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
});
afterAll(() => api.close());

const of = (path: string) => (/subscriptions|invoices|estimates|payments|credit/.test(path) ? { customer } : {});
const nulls = (fields: object) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]));

test.each(Object.entries({ ...trips, ...documentTrips, ...lookTrips }))(
  '%s keeps each field that is set, changed and cleared',
  async (_what, trip) => {
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
  },
);

const account = {
  name: 'Seller',
  email: 's@t.example',
  address1: 'a1',
  address2: 'a2',
  city: 'c',
  state: 'st',
  postal_code: 'pc',
  country: 'DE',
  tax_id: 'tx',
  tax_id_kind: 'tax_number',
  tax_id_country: 'AT',
  reply_to: 'r@t.example',
  bank_details: [
    {
      currency: 'eur',
      account_holder: 'ah',
      bank_name: 'bn',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
      account_number: 'an',
      routing_number: 'rn',
    },
  ],
  payment_reference: '{number} {customer_number}',
  footer: 'f1\nf2',
  small_business_note: 'sb',
  exemption_note: 'en',
  language: 'de',
  currency: 'eur',
  time_zone: 'Europe/Berlin',
  accent_color: '#0f766e',
  portal_changes: { plans: [], addons: [], min_quantity: 2, max_quantity: 9, upgrade: 'renewal', downgrade: 'none' },
};
const accountNull = {
  email: null,
  address1: null,
  address2: null,
  city: null,
  state: null,
  postal_code: null,
  country: null,
  tax_id: null,
  tax_id_kind: null,
  tax_id_country: null,
  reply_to: null,
  bank_details: [],
  payment_reference: null,
  footer: null,
  small_business_note: null,
  exemption_note: null,
  language: 'en',
  time_zone: 'UTC',
  accent_color: null,
  logo: null,
  portal_changes: null,
};
const settings = {
  autopay_delay_days: 2,
  autopay_minimum_delay: 60,
  autopay_notice: true,
  autopay_retry_days: [1, 2],
  autopay_final_action: 'pause',
  bad_debt_account: '6930',
  bad_debt_tax: 'take_back',
  write_off_tolerance: { eur: 0.5, usd: 1 },
  apply_credits_at_issue: false,
  auto_apply_matches: true,
  statement_descriptor: 'ACME BILLING',
  partial_payments: true,
  convenience_fee_percent: 2.25,
  convenience_fee_places: ['US-TX', 'DE'],
  require_second_factor: false, // the sandbox has the value of its live account
  alert_digest: false,
  alert_disputes: false,
  alert_problems: false,
  alert_recipients: ['team@example.com', 'books@example.com'],
  digest_hour: 6,
  email_new_invoices: 'all',
  email_open_tracking: false,
  renewal_notices: 'all',
  contract_notice_days: 30,
  card_expiry_notice_days: 14,
  chasing_days: 'every',
  late_fee_document: 'invoice',
  lock_documents: 'sent',
  statement_day: 'last',
  statement_hour: 7,
  statement_type: 'open_item',
  payment_terms: 'NET 3',
  webhook_shards: 2,
  dispute_hold_days: 3,
  portal_cancel: 'now',
  portal_children: true,
  portal_disputes: true,
  portal_edit_details: false,
  portal_enabled: false,
  portal_pause: true,
  portal_pay: false,
  portal_people: false,
  portal_plans: false,
  portal_promise_days: 7,
  portal_return_urls: ['https://shop.example/account'],
  portal_statements: false,
  // Protected settings keep their values, which come from `openUnlimited`.
  rate_limit: 100_000,
  rate_limit_burst: 100_000,
};

test('the account keeps each field and setting, and restores the default of each', async () => {
  const { sandbox, live } = await api.open('Seller');
  const demand = { require_second_factor: true };
  expect(await live.patch('/account', demand)).toMatchObject({ status: 200, body: demand });
  expect(Object.keys(settings).sort()).toEqual([...settingNames].sort());
  const before = (await sandbox.get('/account')).body;
  const changed = await sandbox.patch('/account', { ...account, ...settings });
  expect(changed).toMatchObject({ status: 200, body: { ...account, ...settings } });
  expect((await sandbox.get('/account')).body).toEqual(changed.body);
  const { rate_limit, rate_limit_burst, ...own } = settings;
  const cleared = await sandbox.patch('/account', { ...nulls(accountNull), ...nulls(own) });
  expect(cleared).toMatchObject({ status: 200, body: accountNull });
  const defaults = {
    autopay_delay_days: 0,
    autopay_minimum_delay: 0,
    autopay_retry_days: [3, 5, 7],
    autopay_final_action: 'leave',
    bad_debt_account: '',
    bad_debt_tax: 'keep',
    write_off_tolerance: {},
    apply_credits_at_issue: true,
    partial_payments: false,
    portal_enabled: true,
    portal_pay: true,
    portal_edit_details: true,
    portal_statements: true,
    portal_return_urls: [],
    convenience_fee_percent: 0,
    convenience_fee_places: [],
    late_fee_document: 'line',
    lock_documents: 'paid',
    statement_day: 'off',
    statement_hour: 8,
    statement_type: 'balance_forward',
    payment_terms: 'NET 30',
    webhook_shards: 4,
    rate_limit,
    rate_limit_burst,
  };
  expect(cleared.body).toMatchObject(defaults);
  expect(before).toMatchObject({ name: 'Seller', language: 'en', currency: 'usd' });
});

test('an array replaces the previous one, [] clears it, and omission keeps it', async () => {
  const { sandbox } = await api.open('Arrays');
  const types = ['invoice.paid', 'invoice.created'];
  const { id } = await sandbox.make('/webhooks', { url: 'http://127.0.0.1:9/', events: types });
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

test('references keep naming archived objects', async () => {
  const { sandbox } = api;
  await sandbox.post('/items', { id: 'old', name: 'Old' });
  await sandbox.post('/plans', { id: 'older', name: 'Older', amount: 1, interval: 'month', catalog_item: 'old' });
  const { body } = await sandbox.post('/subscriptions', { customer, plan: 'older' });
  expect((await sandbox.delete('/items/old')).status).toBe(204);
  expect((await sandbox.get('/plans/older')).body.catalog_item).toBe('old');
  expect((await sandbox.delete('/plans/older')).status).toBe(204);
  expect((await sandbox.get(`/subscriptions/${body.id}`)).body).toMatchObject({ plan: 'older', mrr: 1 });
  const expanded = (await sandbox.get(`/subscriptions/${body.id}?expand=plan`)).body.plan;
  expect(expanded).toMatchObject({ id: 'older', catalog_item: 'old' });
  await sandbox.post('/tax_rates', { id: 'oldest', name: 'Oldest', value: 1 });
  await sandbox.delete('/tax_rates/oldest');
  for (const [path, body, param, message] of [
    ['/subscriptions', { customer, plan: 'older' }, 'plan', 'Plan was deleted'],
    ['/plans', { name: 'x', amount: 1, interval: 'month', catalog_item: 'old' }, 'catalog_item', 'Item was deleted'],
    ['/items', { name: 'x', taxes: ['oldest'] }, 'taxes[0]', 'Tax rate was deleted'],
    ['/tax_rules', { tax_rate: 'oldest' }, 'tax_rate', 'Tax rate was deleted'],
  ] as const)
    expect(await sandbox.post(path, body)).toMatchObject(
      refused({ param, message: expect.stringContaining(`${message} and can no longer be used: old`) }),
    );
});

test('price, interval and currency of a plan, and price and account of an item, cannot change', async () => {
  const { sandbox } = api;
  const plan = await sandbox.make('/plans', { name: 'Fixed', amount: 1, interval: 'month' });
  const other = { currency: 'eur', amount: 2, interval: 'year', interval_count: 2, catalog_item: 'base' };
  for (const [name, value] of Object.entries(other)) {
    const refusal = await sandbox.patch(`/plans/${plan.id}`, { [name]: value });
    expect([name, refusal]).toMatchObject([name, refused({ param: name })]);
  }
  expect((await sandbox.get(`/plans/${plan.id}`)).body).toEqual(plan);
  const item = await sandbox.make('/items', { name: 'Fixed', currency: 'usd', unit_cost: 1, gl_account: '1' });
  const otherwise = { currency: 'eur', unit_cost: 2, gl_account: '2' };
  for (const [name, value] of Object.entries(otherwise)) {
    const refusal = await sandbox.patch(`/items/${item.id}`, { [name]: value });
    expect([name, refusal]).toMatchObject([name, refused({ param: name })]);
  }
  expect((await sandbox.get(`/items/${item.id}`)).body).toEqual(item);
});
