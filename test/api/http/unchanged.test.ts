import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let customer: number;
let now = new Date('2027-03-01T09:00:00.250Z');
beforeAll(async () => {
  api = await startApi({ systemNow: () => now });
  const { sandbox } = api;
  await sandbox.patch('/account', { apply_credits_at_issue: false });
  const details = { email: 'e@example.com', country: 'DE', payment_terms: 'NET 5', metadata: { tier: 'a' } };
  customer = (await sandbox.make('/customers', { name: 'Echo', ...details })).id;
  await sandbox.post(`/customers/${customer}/payment_sources`, {
    method: 'credit_card',
    gateway_token: 'tok_4242424242424242',
  });
  await sandbox.post('/items', { id: 'work', name: 'Work', currency: 'usd', unit_cost: 0.1, gl_account: '4000' });
  await sandbox.post('/coupons', { id: 'ten', name: 'Ten', value: 10 });
  await sandbox.post('/tax_rates', { id: 'vat', name: 'VAT', value: 19 });
  await sandbox.post('/plans', { id: 'gold', name: 'Gold', catalog_item: 'work', amount: 9.99, interval: 'month' });
});
afterAll(() => api.close());

const created = async (path: string, body: object): Promise<string> =>
  `${path}/${(await api.sandbox.post(path, body)).body.id}`;
const subscribed = (more: object = {}) =>
  created('/subscriptions', { customer, plan: 'gold', quantity: 3, metadata: { a: 'b' }, ...more });
async function canceled(): Promise<string> {
  const path = await subscribed();
  await api.sandbox.delete(path);
  return path;
}
async function paid(): Promise<string> {
  const { body } = await api.sandbox.post('/invoices', { customer, items: [{ name: 'x', unit_cost: 80 }] });
  const applied_to = [{ type: 'invoice', invoice: body.id, amount: 80 }];
  return created('/payments', { customer, amount: 100, applied_to, notes: 'n', metadata: { a: 'b' } });
}
async function voided(): Promise<string> {
  const path = await paid();
  await api.sandbox.delete(path);
  return path;
}
const charged = () =>
  created('/charges', {
    customer,
    amount: 5,
    applied_to: [],
    method: 'credit_card',
    gateway_token: 'tok_4242424242424242',
  }).then((path) => path.replace('/charges', '/payments'));
/** Creates an invoice of a subscription, with periods, a price with many decimals, a discount and a tax. */
async function billed(): Promise<string> {
  const price = { id: 'share', name: 'Share', amount: 4.838709677, interval: 'month' };
  await api.sandbox.post('/plans', price);
  const path = await subscribed({ plan: 'share', quantity: 7, discounts: ['ten'], taxes: ['vat'] });
  const key = { accountId: api.sandbox.account.id, id: Number(path.split('/').at(-1)) };
  await inTransaction(api.em, (em) => advanceSubscription(em, key, now));
  const [{ id, items, total }] = (await api.sandbox.get(`/invoices?filter[subscription]=${key.id}`)).body;
  // 7 x 4.838709677 = 33.870967739, 33.87; 10 % of it 3.39 off: 30.48; 19 % of that 5.79: 36.27
  expect({ items, total }).toMatchObject({ items: [{ amount: 33.87, period_end: expect.any(Number) }], total: 36.27 });
  return `/invoices/${id}`;
}
/** A credited line with the discount and tax of its sale. */
const returned = { name: 'Returned', unit_cost: -5, discounts: ['ten'], taxes: ['vat'] };
const pendingLine = () => created(`/customers/${customer}/line_items`, returned);
async function credited(): Promise<string> {
  await pendingLine();
  const id = Number((await subscribed()).split('/').at(-1));
  await inTransaction(api.em, (em) => advanceSubscription(em, { accountId: api.sandbox.account.id, id }, now));
  const [bill] = (await api.sandbox.get(`/invoices?filter[subscription]=${id}`)).body;
  // 3 x 9.99 = 29.97; -5.00 less 10 %: -4.50; 19 % of that: -0.855, rounded -0.86; 29.97 - 4.50 - 0.86 = 24.61
  expect(bill).toMatchObject({
    total: 24.61,
    items: [{}, { discounts: [{ amount: -0.5 }], taxes: [{ amount: -0.86 }] }],
  });
  return `/invoices/${bill.id}`;
}
const noted = (more: object = {}) =>
  created('/credit_notes', { customer, items: [{ name: 'x', unit_cost: 8 }], discounts: [{ amount: 1 }], ...more });
async function byCredit(): Promise<string> {
  await created('/credit_balance_adjustments', { customer, amount: 5 });
  const note = Number((await noted()).split('/').at(-1));
  const { body } = await api.sandbox.post('/invoices', { customer, items: [{ unit_cost: 80 }] });
  const applied_to = [
    { type: 'applied_credit', invoice: body.id, amount: 3 },
    { type: 'credit_note', credit_note: note, invoice: body.id, amount: 4 },
    { type: 'credit', credit_note: note, amount: 2 },
    { type: 'credit', amount: 6 },
  ];
  return `${await created('/payments', { customer, amount: 20, applied_to })}?include=applied_to`;
}
const hook = { url: 'http://127.0.0.1:1/hook', description: 'd' };

const resources: [what: string, make: () => Promise<string>][] = [
  ['the account', async () => '/account'],
  ['a customer', async () => `/customers/${customer}`],
  ['a customer with nothing set', () => created('/customers', { name: 'Bare' })],
  ['an item', async () => '/items/work'],
  ['an item with nothing set', () => created('/items', { name: 'Bare' })],
  ['a plan', async () => '/plans/gold'],
  ['a coupon', async () => '/coupons/ten'],
  ['a tax rate', async () => '/tax_rates/vat'],
  ['a tax rule', () => created('/tax_rules', { tax_rate: 'vat', country: 'AQ' })],
  ['an SMS template', () => created('/sms_templates', { name: 'S', message: '{{amount}}' })],
  ['a theme', () => created('/themes', { name: 'Brand', accent_color: '#7c2d12' })],
  ['a late fee schedule', () => created('/late_fee_schedules', { name: 'Late', amount: 2, cap: 9 })],
  [
    'a chasing cadence',
    () => created('/chasing_cadences', { name: 'C', steps: [{ name: 'Call', action: 'phone', schedule: 'age:9' }] }),
  ],
  [
    'an invoice chasing cadence',
    () =>
      created('/invoice_chasing_cadences', {
        name: 'C',
        steps: [{ name: 'Call', action: 'phone', schedule: 'issue' }],
      }),
  ],
  ['a subscription', () => subscribed()],
  ['a subscription with a term, expanded', async () => `${await subscribed({ cycles: 4 })}?expand=customer,plan`],
  [
    'a subscription with add-ons',
    () => subscribed({ addons: [{ plan: 'gold', quantity: 2, description: 'd' }, { catalog_item: 'work' }] }),
  ],
  [
    'a subscription with add-ons, expanded',
    async () => `${await subscribed({ addons: [{ plan: 'gold' }] })}?expand=addons.plan,addons.catalog_item`,
  ],
  ['a subscription with discounts and taxes', () => subscribed({ discounts: ['ten'], taxes: ['vat'] })],
  ['a paused subscription', () => subscribed({ paused: true, start_date: 1_800_000_000 })],
  ['a canceled subscription', canceled],
  ['a bill of a subscription', billed],
  ['a bill with what was given back', credited],
  [
    'an estimate with what is given back',
    () => created('/estimates', { customer, items: [returned, { unit_cost: 8 }] }),
  ],
  ['a pending line of what is given back', pendingLine],
  ['a payment', paid],
  ['a payment with what it pays', async () => `${await paid()}?include=applied_to&expand=customer`],
  ['a payment of money and credit, with what it does', byCredit],
  ['a credit balance adjustment', () => created('/credit_balance_adjustments', { customer, amount: 5, notes: 'n' })],
  ['a credit note', () => noted({ taxes: ['vat'], metadata: { a: 'b' } })],
  ['a credit note in draft, expanded', async () => `${await noted({ draft: true })}?expand=customer`],
  ['a payment of nobody', () => created('/payments', { amount: 10, currency: 'JPY' })],
  ['a voided payment', voided],
  ['a processed payment', charged],
  ['a webhook', () => created('/webhooks', hook)],
  ['a disabled webhook of one type', () => created('/webhooks', { ...hook, enabled: false, events: ['invoice.paid'] })],
];

test.each(resources)('a PATCH of %s with its own answer changes nothing', async (_what, make) => {
  const { sandbox } = api;
  const path = await make();
  const { body: before } = await sandbox.get(path);
  const traces = () => api.em.fork().execute('select count(*)::int as events, max(id) as last from event');
  const outbox = () => api.em.fork().execute('select count(*)::int as rows from outbox');
  const written = [await traces(), await outbox()];
  now = new Date(now.getTime() + 3_600_000);
  const answer = await sandbox.patch(path.replace(/\?.*/, ''), before);
  expect(answer).toMatchObject({ status: 200 });
  const { customer: expanded, plan, addons, applied_to } = before;
  const shown = Object.entries({ customer: expanded, plan, addons, applied_to });
  const more = shown.filter(([, value]) => value !== undefined);
  expect(path.includes('?') ? { ...answer.body, ...Object.fromEntries(more) } : answer.body).toEqual(before);
  expect((await sandbox.get(path)).body).toEqual(before);
  expect([await traces(), await outbox()]).toEqual(written);
});

test.each([
  ['plan', 'unknown'],
  ['plan', null],
  ['quantity', -1],
  ['start_date', 1_800_000_001],
])('a PATCH of a subscription with %s %j is refused and changes nothing', async (param, value) => {
  const path = await subscribed();
  const { body: before } = await api.sandbox.get(path);
  const answer = await api.sandbox.patch(path, { ...before, paused: true, [param]: value });
  expect(answer).toMatchObject(refused({ param }));
  expect((await api.sandbox.get(path)).body).toEqual(before);
});

test('only a real change updates the date and writes an event, once', async () => {
  const path = `/customers/${customer}`;
  const { body: before } = await api.sandbox.get(path);
  now = new Date(now.getTime() + 3_600_000);
  const { body: after } = await api.sandbox.patch(path, { ...before, notes: 'new' });
  expect(after).toEqual({ ...before, notes: 'new', updated_at: Math.floor(now.getTime() / 1000) });
  const told = await api.em
    .fork()
    .execute(
      `select previous from event where type = 'customer.updated' and subject_id = '${customer}' order by id desc limit 1`,
    );
  expect(told).toEqual([{ previous: { notes: null } }]);
});
