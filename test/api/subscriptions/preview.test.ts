import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, basic, type Client, refused, send, startApi, type TestApi } from '../../support/api.ts';
import { identityOf, storedRows, withoutIdentity } from '../../support/dryRuns.ts';

/** `POST /subscriptions/preview`: the first invoice and the price of a subscription that nobody has yet. */

const NOW = Date.UTC(2027, 2, 20) / 1000;
let api: TestApi;
let sandbox: Client;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(NOW * 1000) });
  ({ sandbox } = api);
  const tiers = [{ max_qty: 2, unit_cost: 5 }, { unit_cost: 3.335 }];
  const monthly = { interval: 'month' };
  await sandbox.make('/items', { id: 'seat', name: 'Seat', unit_cost: 7 });
  await sandbox.make('/items', { id: 'foreign', name: 'Foreign', unit_cost: 7, currency: 'eur' });
  await sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 10, ...monthly });
  await sandbox.make('/plans', { id: 'volume', name: 'Volume', pricing_mode: 'volume', tiers, ...monthly });
  await sandbox.make('/plans', { id: 'tiered', name: 'Tiered', pricing_mode: 'tiered', tiers, interval: 'year' });
  await sandbox.make('/plans', { id: 'custom', name: 'Custom', pricing_mode: 'custom', ...monthly });
  await sandbox.make('/plans', { id: 'euro', name: 'Euro', amount: 8, currency: 'eur', ...monthly });
  await sandbox.make('/coupons', { id: 'tenth', name: 'Tenth', value: 10, is_percent: true });
  await sandbox.make('/coupons', { id: 'first', name: 'First', value: 4, is_percent: false, duration: 1 });
  await sandbox.make('/tax_rates', { id: 'vat', name: 'VAT', value: 20 });
  await sandbox.make('/tax_rates', { id: 'gross', name: 'Gross', value: 7, inclusive: true });
});
afterAll(() => api.close());

const preview = (body: object) => sandbox.post('/subscriptions/preview', body);
const customerWith = async (body: object = {}) => (await sandbox.make('/customers', { name: 'Asking', ...body })).id;

/** An invoice without its identity and its dates, which a preview does not tell. */
function undated(invoice: Answer['body']): Answer['body'] {
  const dates = { date: null, due_date: null, next_payment_attempt: null, created_at: null, updated_at: null };
  return { ...withoutIdentity(invoice), ...dates };
}

test.each([
  ['one price per unit', { plan: 'gold', quantity: 3 }],
  ['a price by volume', { plan: 'volume', quantity: 3 }],
  ['a price by tiers', { plan: 'tiered', quantity: 5 }],
  ['a price of its own', { plan: 'custom', quantity: 2, amount: 12.345 }],
  ['nothing to pay', { plan: 'gold', quantity: 0 }],
  ['coupons and taxes', { plan: 'gold', quantity: 2, discounts: ['tenth', 'first'], taxes: ['vat'] }],
  ['tax in its price', { plan: 'gold', discounts: ['tenth'], taxes: ['gross'] }],
])('the preview of a subscription with %s equals its first invoice', async (_, body) => {
  const lines = [
    { catalog_item: 'seat', quantity: 2, discounts: ['tenth'] },
    { name: 'Setup', unit_cost: 49.5, taxes: ['gross'] },
  ];
  const customer = await customerWith({ autopay: true });
  await sandbox.make('/credit_balance_adjustments', { customer, amount: 5 });
  await sandbox.make(`/customers/${customer}/line_items`, { name: 'Waiting', unit_cost: 1.01 });
  const { status, body: shown } = await preview({ customer, ...body, pending_line_items: lines });
  for (const line of lines) await sandbox.make(`/customers/${customer}/line_items`, line);
  const real = await sandbox.make('/subscriptions?include=latest_invoice', { customer, ...body });
  expect([status, Object.keys(shown)]).toEqual([200, ['first_invoice', 'mrr', 'recurring_total']]);
  expect(withoutIdentity(shown.first_invoice)).toEqual(undated(real.latest_invoice));
  expect([shown.mrr, shown.recurring_total]).toEqual([real.mrr, real.recurring_total]);
  expect(identityOf(shown.first_invoice).filter((part) => part !== null)).toEqual([]);
  expect(shown.first_invoice).toMatchObject({ subscription: null, date: null, due_date: null, created_at: null });
});

test('amounts of a preview, with the arithmetic', async () => {
  const pending_line_items = [{ name: 'Setup', unit_cost: 50, taxable: false }];
  const asked = { plan: 'tiered', quantity: 5, discounts: ['tenth'], taxes: ['vat'], pending_line_items };
  const { body } = await preview(asked);
  // 2 x 5.00 + 3 x 3.335 = 10.00 + 10.01 (rounded) = 20.01; with the setup 70.01
  // 10 % off: 7.00, of which 5.00 for the setup; 20 % tax on 20.01 - 2.00: 3.60
  expect(body.first_invoice).toMatchObject({ currency: 'usd', subtotal: 70.01, total: 66.61, balance: 66.61 });
  expect(body.first_invoice.items.map(({ amount }: Answer['body']) => amount)).toEqual([10, 10.01, 50]);
  // A year: 20.01 - 2.00 = 18.01, with tax 21.61; a month of it 1.50
  expect(body).toMatchObject({ recurring_total: 21.61, mrr: 1.5 });
});

test('a preview without a customer is that of a new one in the country of the account', async () => {
  const { sandbox: other } = await api.open('Elsewhere');
  await other.patch('/account', { country: 'DE' });
  await other.make('/tax_rates', { id: 'mwst', name: 'MwSt', value: 19 });
  await other.make('/tax_rules', { tax_rate: 'mwst', country: 'DE' });
  await other.make('/plans', { id: 'euro', name: 'Euro', amount: 100, currency: 'eur', interval: 'month' });
  const lines = [{ name: 'Setup', unit_cost: 10 }];
  const { status, body } = await other.post('/subscriptions/preview', { plan: 'euro', pending_line_items: lines });
  expect(status).toBe(200);
  const taxes = [{ id: null, amount: 20.9, tax_rate: { id: 'mwst' } }]; // 19 % of 110
  expect(body.first_invoice).toMatchObject({ customer: null, currency: 'eur', total: 130.9, taxes, draft: false });
  expect(body).toMatchObject({ mrr: 100, recurring_total: 119 });
  expect((await other.get('/customers')).body).toEqual([]);
});

test('a bill that credit hold would stop is a draft', async () => {
  const customer = await customerWith({ credit_hold: true });
  expect((await preview({ customer, plan: 'gold' })).body.first_invoice).toMatchObject({ draft: true, customer });
});

test('nothing is stored, and an Idempotency-Key stays free', async () => {
  const customer = await customerWith();
  await sandbox.make('/coupons', { id: 'last', name: 'Last', value: 1, max_redemptions: 1 });
  const lines = [{ catalog_item: 'seat', discounts: ['last'] }];
  const [before, pokes] = [await storedRows(api.em), api.pokes()];
  const headers = { 'Idempotency-Key': 'asked twice' };
  for (const body of [
    { plan: 'gold', pending_line_items: lines },
    { customer, plan: 'gold', discounts: ['last'] },
  ]) {
    const answer = await sandbox.post('/subscriptions/preview', body, headers);
    expect([answer.status, answer.headers.get('Idempotent-Replayed')]).toEqual([200, null]);
  }
  expect(await storedRows(api.em)).toEqual(before);
  expect(api.pokes()).toBe(pokes);
  expect(await sandbox.post('/customers', { name: 'Real' }, headers)).toMatchObject({ status: 201 });
});

test('hundreds of pending lines take hardly more statements than two', async () => {
  const linesOf = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `Line ${n}`, unit_cost: 0.01 }));
  const asking = (count: number) => preview({ plan: 'gold', pending_line_items: linesOf(count) });
  const few = await api.statements(() => asking(2));
  const many = await api.statements(() => asking(900));
  expect(many.length).toBeLessThan(few.length + 15); // entities are inserted in parts
  const { total, items } = (await asking(900)).body.first_invoice;
  expect([total, items.length]).toEqual([19, 901]); // 10 + 900 x 0.01
});

test.each([
  [{}, 'plan', 'Plan missing'],
  [{ plan: 'none' }, 'plan', 'Plan was not found: none'],
  [{ plan: 'gold', customer: 999_999 }, 'customer', 'Customer was not found: 999999'],
  [{ plan: 'gold', amount: 5 }, 'amount', 'Plan gold has a price: omit amount'],
  [{ plan: 'custom' }, 'amount', 'Amount missing: plan custom has a custom price'],
  [{ plan: 'gold', quantity: -1 }, 'quantity', 'Quantity must be a whole number from 0 to 1000000000'],
  [{ plan: 'gold', discounts: ['none'] }, 'discounts[0]', 'Coupon was not found: none'],
  [{ plan: 'gold', taxes: ['none'] }, 'taxes[0]', 'Tax rate was not found: none'],
  [
    { plan: 'gold', pending_line_items: [{ unit_cost: 1 }, { catalog_item: 'none' }] },
    'pending_line_items[1][catalog_item]',
    'Item was not found: none',
  ],
  [
    { plan: 'gold', pending_line_items: [{ catalog_item: 'foreign' }] },
    'pending_line_items[0][catalog_item]',
    'Item foreign is priced in eur, not usd',
  ],
  [
    { plan: 'gold', pending_line_items: [{ unit_cost: 1, currency: 'eur' }] },
    'pending_line_items[0][currency]',
    'Currency of a previewed line must be that of the plan, usd: eur',
  ],
  [
    { plan: 'gold', pending_line_items: [{ unit_cost: 999_999_999_999, quantity: 2 }] },
    'pending_line_items[0]',
    'Amounts must be below 1000000000000: 1999999999998.00',
  ],
  [{ plan: 'gold', start_date: 1 }, 'start_date', 'Unknown field start_date'],
])('%j is refused, naming %s', async (body, param, message) => {
  expect(await preview(body)).toMatchObject(refused({ param, message: expect.stringContaining(message) }));
});

test('customers that cannot be billed, and those of another account, are refused', async () => {
  const rival = (await api.open('Rival')).sandbox;
  const theirs = (await rival.make('/customers', { name: 'Theirs' })).id;
  for (const customer of [theirs, await customerWith({ active: false })])
    expect(await preview({ customer, plan: 'gold' })).toMatchObject(refused({ param: 'customer' }));
  expect(await rival.post('/subscriptions/preview', { plan: 'gold' })).toMatchObject(refused({ param: 'plan' }));
});

test('a key that may only read cannot preview: it may only send GET', async () => {
  const { key } = await sandbox.make('/api_keys', { name: 'Reader', scope: 'read' });
  const asked = { method: 'POST', headers: basic(key), body: { plan: 'gold' } };
  expect(await send(`${sandbox.url}/subscriptions/preview`, asked)).toMatchObject(
    refused({ message: 'API key may only read' }, 403),
  );
});
