import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

/** Pending lines: their fields, their currency, and their events. */

const START = Date.UTC(2027, 2, 1) / 1000;
let now = START;
let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  const { sandbox } = api;
  await sandbox.post('/tax_rates', { id: 'vat', name: 'VAT', value: 20, is_percent: true });
  await sandbox.post('/tax_rates', { id: 'euro', name: 'Euro', value: 1, currency: 'eur', is_percent: false });
  await sandbox.post('/coupons', { id: 'once', name: 'Once', value: 10, is_percent: true, max_redemptions: 1 });
  await sandbox.post('/coupons', { id: 'tenth', name: 'Tenth', value: 10, is_percent: true });
  await sandbox.post('/items', { id: 'hour', name: 'Hour', unit_cost: 40, taxes: ['vat'], gl_account: '4000' });
  await sandbox.post('/items', { id: 'stunde', name: 'Stunde', unit_cost: 30, currency: 'eur' });
});
afterAll(() => api.close());
beforeEach(async () => {
  now = START;
  customer = (await api.sandbox.make('/customers', { name: 'Metered' })).id;
});

const path = () => `/customers/${customer}/line_items`;
const add = (line: object) => api.sandbox.post(path(), line);
const clean = async () => expect(await auditDatabase(api.databaseUrl)).toEqual([]);

test('a pending line takes fields from its item, has its own discounts and taxes, and belongs to its customer', async () => {
  const discounts = [{ amount: 5 }];
  const { status, body } = await add({ catalog_item: 'hour', quantity: 1.5, discounts, metadata: { job: '7' } });
  expect(status).toBe(201);
  expect(missingFields('line_item', body)).toEqual([]);
  // 1.5 x 40.00 = 60.00; 20 % of 60 - 5 = 55.00: 11.00
  expect(body).toMatchObject({
    object: 'line_item',
    customer,
    catalog_item: 'hour',
    name: 'Hour',
    quantity: 1.5,
    unit_cost: 40,
    amount: 60,
    currency: 'usd',
    discounts: [{ amount: 5 }],
    taxes: [{ amount: 11, tax_rate: { id: 'vat' } }],
    plan: null,
    type: null,
    description: null,
    discountable: true,
    taxable: true,
    metadata: { job: '7' },
    updated_at: START,
  });
  expect((await api.sandbox.get(`${path()}/${body.id}`)).body).toEqual(body);
  expect((await api.sandbox.get(`${path()}/${body.id}?expand=customer`)).body.customer).toMatchObject({
    name: 'Metered',
  });
  await clean();
});

test("its currency is the given one, else the item's, the customer's or the account's", async () => {
  expect((await add({ unit_cost: 1 })).body.currency).toBe('usd');
  expect((await add({ catalog_item: 'stunde' })).body).toMatchObject({ currency: 'eur', amount: 30 });
  await api.sandbox.patch(`/customers/${customer}`, { currency: 'jpy' });
  expect((await add({ unit_cost: 10.4 })).body).toMatchObject({ currency: 'jpy', amount: 10 });
  expect((await add({ catalog_item: 'stunde', taxes: ['euro'] })).body.taxes).toMatchObject([{ amount: 1 }]);
  const { body } = await add({ unit_cost: 2.5, currency: 'GBP' });
  expect(body).toMatchObject({ currency: 'gbp', amount: 2.5 });
  const one = `${path()}/${body.id}`;
  expect((await api.sandbox.patch(one, { currency: 'GBP', quantity: 2 })).body).toMatchObject({ currency: 'gbp' });
  expect(await add({ catalog_item: 'stunde', currency: 'usd' })).toMatchObject(
    refused({ param: 'catalog_item', message: 'Item stunde is priced in eur, not usd' }),
  );
});

test('a change recomputes its amount; omitted fields stay, and equal values change nothing', async () => {
  const { body } = await add({ catalog_item: 'hour', discounts: ['tenth'], description: 'May' });
  now += 60;
  const one = `${path()}/${body.id}`;
  const { body: changed } = await api.sandbox.patch(one, { quantity: 2 });
  // 2 x 40 = 80; less 10 %: 72; 20 %: 14.40
  expect(changed).toMatchObject({
    id: body.id,
    quantity: 2,
    amount: 80,
    description: 'May',
    catalog_item: 'hour',
    updated_at: now,
    discounts: [{ id: body.discounts[0].id, amount: 8 }],
    taxes: [{ id: body.taxes[0].id, amount: 14.4 }],
  });
  now += 60;
  expect((await api.sandbox.patch(one, changed)).body).toEqual(changed);
  const cleared = {
    description: null,
    discounts: [],
    taxes: [],
    unit_cost: 7,
    name: 'Other',
    type: 'usage',
    metadata: {},
  };
  expect((await api.sandbox.patch(one, cleared)).body).toMatchObject({ ...cleared, amount: 14, updated_at: now });
  const initial = {
    type: null,
    name: null,
    quantity: 1,
    unit_cost: 0,
    amount: 0,
    discountable: true,
    taxable: true,
    metadata: {},
  };
  await api.sandbox.patch(one, { discountable: false, taxable: false, metadata: { a: 'b' } });
  const nulls = Object.fromEntries(Object.keys(initial).map((name) => [name, null]));
  expect((await api.sandbox.patch(one, nulls)).body).toMatchObject(initial);
});

test('a limited coupon belongs to one pending line until the line drops it or is deleted', async () => {
  const once = { unit_cost: 1, discounts: ['once'] };
  const { body: first } = await add(once);
  const taken = refused({ param: 'discounts[0]', message: expect.stringContaining('redeemed 1 times') });
  expect(await add(once)).toMatchObject(taken);
  expect(await api.sandbox.patch(`${path()}/${first.id}`, { quantity: 2 })).toMatchObject({ body: { amount: 2 } });
  expect(await add(once)).toMatchObject(taken);
  expect((await api.sandbox.patch(`${path()}/${first.id}`, { discounts: [] })).status).toBe(200);
  const { status, body: second } = await add(once);
  expect(status).toBe(201);
  expect(await add(once)).toMatchObject(taken);
  await api.sandbox.delete(`${path()}/${second.id}`);
  expect((await add(once)).status).toBe(201);
});

test('each change has an event with the whole customer', async () => {
  const { body } = await add({ unit_cost: 3 });
  await api.sandbox.patch(`${path()}/${body.id}`, { quantity: 2 });
  await api.sandbox.patch(`${path()}/${body.id}`, { quantity: 2 });
  expect((await api.sandbox.delete(`${path()}/${body.id}`)).status).toBe(204);
  expect((await api.sandbox.get(`${path()}/${body.id}`)).status).toBe(404);
  expect((await api.sandbox.delete(`${path()}/${body.id}`)).status).toBe(404);
  const events = (await api.sandbox.get(`/events?related_to=line_item,${body.id}`)).body.toReversed();
  expect(events.map(({ type, data }: { type: string; data: { previous?: object } }) => [type, data.previous])).toEqual([
    ['line_item.created', undefined],
    ['line_item.updated', { quantity: 1, amount: 3 }],
    ['line_item.deleted', undefined],
  ]);
  for (const { data } of events) expect(data.object).toMatchObject({ id: body.id, customer: { name: 'Metered' } });
});

test('pending lines can be listed, sorted and filtered, without those of other customers or billed ones', async () => {
  const lines = [
    { name: 'b', type: 'usage', metadata: { site: 'north' } },
    { name: 'a', catalog_item: 'stunde' },
    { name: 'c', type: 'usage', metadata: { site: 'south' } },
  ];
  for (const line of lines) {
    await add({ unit_cost: 1, ...line });
    now += 60;
  }
  const names = async (query: string) =>
    (await api.sandbox.get(`${path()}?${query}`)).body.map(({ name }: { name: string }) => name);
  expect(await names('')).toEqual(['b', 'a', 'c']);
  expect(await names('sort=name desc')).toEqual(['c', 'b', 'a']);
  expect(await names('sort=updated_at desc')).toEqual(['c', 'a', 'b']);
  // Added at START, 60 and 120 seconds later.
  expect(await names(`updated_after=${START + 30}&updated_before=${START + 90}`)).toEqual(['a']);
  expect(await names('filter[type]=usage')).toEqual(['b', 'c']);
  expect(await names('filter[currency]=eur')).toEqual(['a']);
  expect(await names('filter[catalog_item]=stunde')).toEqual(['a']);
  expect(await names('metadata[site]=south')).toEqual(['c']);
  expect((await api.sandbox.get(`/customers/999999/line_items`)).status).toBe(404);
  const other = (await api.sandbox.make('/customers', { name: 'Other' })).id;
  const { body: foreign } = await api.sandbox.post(`/customers/${other}/line_items`, { unit_cost: 1 });
  expect((await api.sandbox.get(`${path()}/${foreign.id}`)).status).toBe(404);
  await api.sandbox.post(`/customers/${customer}/invoices`);
  expect(await names('')).toEqual([]);
});

test.each<[what: string, line: object, param: string, message: string]>([
  ['an unknown item', { catalog_item: 'none' }, 'catalog_item', 'not found'],
  ['an unknown coupon', { discounts: ['none'] }, 'discounts[0]', 'not found'],
  ['an unknown tax rate', { taxes: ['none'] }, 'taxes[0]', 'not found'],
  ['a tax rate of another currency', { taxes: ['euro'] }, 'taxes[0]', 'eur'],
  ['parts of a cent', { discounts: [{ amount: 0.005 }] }, 'discounts[0][amount]', 'at most 2 decimals'],
  [
    'eleven keys of metadata',
    { metadata: Object.fromEntries([...'abcdefghijk'].map((key) => [key, '1'])) },
    'metadata',
    '10',
  ],
  ['an unknown field', { price: 1 }, 'price', 'Unknown field'],
])('a pending line is refused: %s', async (_what, line, param, message) => {
  expect(await add({ unit_cost: 1, ...line })).toMatchObject(
    refused({ param, message: expect.stringContaining(message) }),
  );
});

test("an untaxed customer's lines refuse rates, and items supply none", async () => {
  await api.sandbox.patch(`/customers/${customer}`, { taxable: false });
  expect((await add({ catalog_item: 'hour' })).body.taxes).toEqual([]);
  expect(await add({ unit_cost: 1, taxes: ['vat'] })).toMatchObject(refused({ param: 'taxes[0]' }));
});

test('deleting a customer deletes its pending lines', async () => {
  await add({ unit_cost: 1 });
  expect((await api.sandbox.delete(`/customers/${customer}`)).status).toBe(204);
  await clean();
});
