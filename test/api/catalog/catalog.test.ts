import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('an item can be created, read, changed and archived, which frees its id', async () => {
  const { sandbox } = api;
  const asked = { id: 'hosting', name: 'Hosting', unit_cost: 0.0123456789, currency: 'usd', gl_account: '4000' };
  const created = await sandbox.post('/items', asked);
  expect(created.status).toBe(201);
  expect(missingFields('item', created.body)).toEqual([]);
  expect(created.body).toMatchObject({ object: 'item', ...asked, taxable: true, discountable: true, metadata: {} });
  expect(await sandbox.get('/items/hosting')).toMatchObject({ status: 200, body: created.body });

  const changed = await sandbox.patch('/items/hosting', { description: 'Per hour', unit_cost: 0.0123456789 });
  expect(changed).toMatchObject({ status: 200, body: { description: 'Per hour', unit_cost: 0.0123456789 } });
  expect(await sandbox.post('/items', asked)).toMatchObject(refused({ param: 'id' }));
  expect(await sandbox.delete('/items/hosting')).toMatchObject({ status: 204, body: null });
  expect((await sandbox.get('/items/hosting')).status).toBe(404);
  expect((await sandbox.delete('/items/hosting')).status).toBe(404);
  expect((await sandbox.post('/items', { ...asked, name: 'Again' })).status).toBe(201);
});

test('a plan can be created, read, changed and archived, which frees its id', async () => {
  const { sandbox } = api;
  await sandbox.post('/items', { id: 'seat', name: 'Seat' });
  const asked = { id: 'pro', name: 'Pro', amount: 29.99, interval: 'month', catalog_item: 'seat' };
  const created = await sandbox.post('/plans', asked);
  expect(created.status).toBe(201);
  expect(missingFields('plan', created.body)).toEqual([]);
  const defaults = {
    currency: 'usd',
    interval_count: 1,
    pricing_mode: 'per_unit',
    quantity_type: 'constant',
    tiers: null,
  };
  expect(created.body).toMatchObject({ object: 'plan', ...asked, ...defaults });
  expect((await sandbox.get('/plans/pro')).body).toEqual(created.body);
  const changed = await sandbox.patch('/plans/pro', { name: 'Professional' });
  expect(changed.body).toMatchObject({ name: 'Professional', catalog_item: 'seat' });
  expect((await sandbox.get('/plans?filter[interval]=month')).body).toHaveLength(1);
  expect((await sandbox.delete('/plans/pro')).status).toBe(204);
  expect((await sandbox.get('/plans')).body).toEqual([]);
  expect((await sandbox.post('/plans', asked)).status).toBe(201);
});

test('a plan takes every field of its request', async () => {
  const { sandbox } = api;
  await sandbox.post('/items', { id: 'call', name: 'Call' });
  const asked = {
    id: 'whole',
    catalog_item: 'call',
    name: 'Whole',
    currency: 'eur',
    pricing_mode: 'tiered',
    quantity_type: 'usage',
    interval: 'week',
    interval_count: 2,
    tiers: [
      { max_qty: 10, unit_cost: 0 },
      { min_qty: 11, unit_cost: 0.5 },
    ],
    metadata: { team: 'sales' },
  };
  const { status, body } = await sandbox.post('/plans', asked);
  expect({ status, body }).toMatchObject({ status: 201, body: { ...asked, amount: null } });
  expect((await sandbox.get('/plans/whole')).body).toEqual(body);
});

test('ids are generated when none is given', async () => {
  const item = await api.sandbox.post('/items', { name: 'Nameless' });
  const plan = await api.sandbox.post('/plans', { name: 'Free', amount: 0, interval: 'year' });
  expect(item.body.id).toMatch(/^item_[0-9a-f]{16}$/);
  expect(plan.body.id).toMatch(/^plan_[0-9a-f]{16}$/);
});

test('an item keeps its tax rates when they are archived', async () => {
  const { sandbox } = api;
  const rate = async (body: object) => {
    const { gl_account: _only, ...shown } = await sandbox.make('/tax_rates', body); // only of the rate itself
    return shown;
  };
  const first = await rate({ id: 'first', name: 'First', value: 20 });
  const second = await rate({ id: 'second', name: 'Second', value: 2 });
  const codes = { taxengine_tax_code: 'SW1', taxengine_location_code: 'HQ' };
  const flags = { taxable: false, discountable: false };
  const created = await sandbox.post('/items', {
    id: 'taxed',
    name: 'T',
    ...flags,
    ...codes,
    taxes: ['second', first],
  });
  expect(created).toMatchObject({ status: 201, body: { ...flags, ...codes, taxes: [second, first] } });
  expect((await sandbox.get('/items?filter[taxable]=false')).body).toEqual([created.body]);
  expect((await sandbox.get('/items?filter[discountable]=false')).body).toEqual([created.body]);

  expect((await sandbox.delete('/tax_rates/first')).status).toBe(204);
  await sandbox.post('/tax_rates', { id: 'first', name: 'Anew', value: 21 });
  expect((await sandbox.get('/items/taxed')).body.taxes).toMatchObject([{ value: 2 }, { id: 'first', value: 20 }]);
  const changed = await sandbox.patch('/items/taxed', { name: 'Other', taxes: ['second', 'first'], taxable: false });
  expect(changed.body).toMatchObject({ name: 'Other', ...flags, taxes: [{ value: 2 }, { value: 20 }] });
  const again = await sandbox.post('/items', { id: 'taxed-2', name: 'T', taxes: ['first'] });
  expect(again.body.taxes).toMatchObject([{ id: 'first', value: 21 }]);
});

const plan = { name: 'P', amount: 1, interval: 'month' };
const tiered = (...tiers: object[]) => ({ ...plan, amount: null, pricing_mode: 'tiered', tiers });

test.each([
  ['/items', {}, 'name'],
  ['/items', { name: 'a', id: 'x' }, 'id'],
  ['/items', { name: 'a', id: 'with space' }, 'id'],
  ['/items', { name: 'a', unit_cost: '5' }, 'unit_cost'],
  ['/items', { name: 'a', unit_cost: 0.12345678901 }, 'unit_cost'],
  ['/items', { name: 'a', unit_cost: 1234567890123456 }, 'unit_cost'],
  ['/items', { name: 'a', description: 'x'.repeat(10_001) }, 'description'],
  ['/items', { name: 'a', taxable: 'perhaps' }, 'taxable'],
  ['/items', { name: 'a', discountable: 2 }, 'discountable'],
  ['/items', { name: 'a', taxengine_tax_code: 'x'.repeat(256) }, 'taxengine_tax_code'],
  ['/items', { name: 'a', taxengine_location_code: 5 }, 'taxengine_location_code'],
  ['/items', { name: 'a', gl_account: 'x'.repeat(256) }, 'gl_account'],
  ['/items', { name: 'a', taxes: 'euro-fee' }, 'taxes'],
  ['/items', { name: 'a', taxes: ['euro-fee', 'nothing'] }, 'taxes[1]'],
  ['/items', { name: 'a', taxes: ['euro-fee', 'euro-fee'] }, 'taxes[1]'],
  ['/items', { name: 'a', taxes: Array(21).fill('euro-fee') }, 'taxes'],
  ['/items', { name: 'a', taxes: ['euro-fee'], currency: 'usd' }, 'taxes[0]'],
  ['/items', { name: 'a', taxes: ['gone'] }, 'taxes[0]'],
  ['/items', { name: 'a', price: 1 }, 'price'],
  ['/plans', { ...plan, name: null }, 'name'],
  ['/plans', { ...plan, amount: undefined }, 'amount'],
  ['/plans', { ...plan, amount: -1 }, 'amount'],
  ['/plans', { ...plan, interval: undefined }, 'interval'],
  ['/plans', { ...plan, interval: 'monthly' }, 'interval'],
  ['/plans', { ...plan, interval_count: 0 }, 'interval_count'],
  ['/plans', { ...plan, catalog_item: 'nothing' }, 'catalog_item'],
  ['/plans', { ...plan, pricing_mode: 'stairs' }, 'pricing_mode'],
  ['/plans', { ...plan, pricing_mode: 'tiered', amount: null }, 'tiers'],
  ['/plans', { ...plan, pricing_mode: 'tiered', tiers: [{ unit_cost: 1 }] }, 'amount'],
  ['/plans', { ...plan, pricing_mode: 'volume', amount: null, tiers: [] }, 'tiers'],
  ['/plans', { ...plan, pricing_mode: 'custom' }, 'amount'],
  ['/plans', { ...plan, tiers: [{ unit_cost: 1 }] }, 'pricing_mode'],
  ['/plans', tiered({ max_qty: 10, unit_cost: 2 }, { min_qty: 12, unit_cost: 1 }), 'tiers[1][min_qty]'],
  ['/plans', tiered({ max_qty: 10, unit_cost: 2 }, { min_qty: 10, unit_cost: 1 }), 'tiers[1][min_qty]'],
  [
    '/plans',
    tiered({ max_qty: 10, unit_cost: 2 }, { max_qty: 10, unit_cost: 1 }, { unit_cost: 1 }),
    'tiers[1][max_qty]',
  ],
  ['/plans', tiered({ max_qty: 10, unit_cost: 2 }, { max_qty: 20, unit_cost: 1 }), 'tiers[1][max_qty]'],
  ['/plans', tiered({ unit_cost: 2 }, { unit_cost: 1 }), 'tiers[0][max_qty]'],
  ['/plans', tiered({ min_qty: 5, unit_cost: 2 }), 'tiers[0][min_qty]'],
  ['/plans', tiered({ max_qty: -1, unit_cost: 2 }, { unit_cost: 1 }), 'tiers[0][max_qty]'],
  ['/plans', tiered({ max_qty: 10 }, { unit_cost: 1 }), 'tiers[0][unit_cost]'],
  ['/plans', tiered({ max_qty: 10, unit_cost: -2 }, { unit_cost: 1 }), 'tiers[0][unit_cost]'],
  ['/plans', tiered({ max: 10, unit_cost: 2 }, { unit_cost: 1 }), 'tiers[0][max]'],
  ['/plans', tiered(...Array.from({ length: 101 }, () => ({ unit_cost: 1 }))), 'tiers'],
  ['/plans', { ...plan, catalog_item: 'sold-in-euros', currency: 'usd' }, 'catalog_item'],
  ['/plans', { ...plan, quantity_type: 'metered' }, 'quantity_type'],
])('%s %j is refused, naming %s', async (path, body, param) => {
  await api.sandbox.post('/tax_rates', { id: 'euro-fee', name: 'Fee', value: 1, is_percent: false, currency: 'eur' });
  await api.sandbox.post('/items', { id: 'sold-in-euros', name: 'E', currency: 'eur' });
  await api.sandbox.post('/tax_rates', { id: 'gone', name: 'Gone', value: 1 });
  await api.sandbox.delete('/tax_rates/gone');
  expect(await api.sandbox.post(path, body)).toMatchObject(refused({ type: 'invalid_request', param }));
});
