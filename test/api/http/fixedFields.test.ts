import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client, TestApi } from '../../support/api.ts';
import { bodies } from '../../support/bodies.ts';
import { requestIn, startWorld, type World } from '../../support/world.ts';

/** Fields that are fixed at creation: the same value is accepted, and another one is refused, never ignored. */

let api: TestApi;
let client: Client;
let world: World;
beforeAll(async () => {
  ({ api, client, world } = await startWorld());
});
afterAll(() => api.close());

const changes = bodies.flatMap(({ id, one, schema }) => {
  const fixed: unknown = schema['x-fixed'];
  return one.method === 'PATCH' && Array.isArray(fixed) ? [{ id, one, fixed }] : [];
});

/** Another value of the same type. */
function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return `${value}x`;
  return Array.isArray(value) ? [...value, 'another'] : 'another';
}

test('items, plans, coupons, rates and objects of customers have fixed fields', () => {
  const ids = ['updateItem', 'updatePlan', 'updateCoupon', 'updateTaxRate', 'updateNote', 'updateTask', 'updateCard'];
  expect(changes.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids, 'updateSubscription', 'updateWebhook']));
});

test.each(changes)('$id accepts its fixed fields unchanged and refuses other values', async ({ one, fixed }) => {
  const { path } = requestIn(world, one);
  // A card has no GET. An empty PATCH returns it.
  const read = async () => {
    const { status, body } = await client.get(path);
    return status === 200 ? body : (await client.patch(path, {})).body;
  };
  const before = await read();
  const known = fixed.filter((name) => name in before);
  expect(known.length).toBeGreaterThan(0);
  const same = await client.patch(path, Object.fromEntries(known.map((name) => [name, before[name]])));
  expect([same.status, same.body]).toMatchObject([200, Object.fromEntries(known.map((name) => [name, before[name]]))]);
  const kept = await read();
  for (const name of known) {
    const values = [otherThan(before[name]), ...(before[name] === null ? [] : [null])];
    const isEmptyList = Array.isArray(before[name]) && before[name].length === 0;
    for (const value of isEmptyList ? values.slice(0, 1) : values) {
      const refused = await client.patch(path, { [name]: value });
      const message = expect.stringContaining('cannot be changed: delete the object and create it again');
      expect([name, value, refused.status, refused.body]).toMatchObject([name, value, 400, { param: name, message }]);
    }
  }
  expect(await read()).toEqual(kept);
});

test('fixed values are compared by meaning: numbers by value, currencies in any case, objects by id', async () => {
  const item = { id: 'hour', name: 'Hour', currency: 'usd', unit_cost: 0.1, taxes: ['taxed'] };
  await client.post('/tax_rates', { id: 'taxed', name: 'Taxed', value: 7 });
  expect((await client.post('/items', item)).status).toBe(201);
  const change = (text: string, type = 'application/json') =>
    client.patch('/items/hour', text, { 'Content-Type': type });
  const form = 'application/x-www-form-urlencoded';
  for (const text of [
    '{"unit_cost":0.10}',
    '{"unit_cost":1e-1}',
    '{"currency":"USD"}',
    '{"taxes":["taxed"]}',
    '{"taxes":[{"id":"taxed"}]}',
  ]) {
    expect([text, (await change(text)).status]).toEqual([text, 200]);
  }
  for (const text of ['unit_cost=0.10', 'taxable=true', 'taxable=1', 'taxes[]=taxed', 'id=hour&name=Hours']) {
    expect([text, (await change(text, form)).status]).toEqual([text, 200]);
  }
  for (const text of [
    '{"unit_cost":0.11}',
    '{"unit_cost":"0.1"}',
    '{"currency":"eur"}',
    '{"taxes":[]}',
    '{"taxes":["taxed","taxed"]}',
    '{"taxes":{"id":"taxed"}}',
    '{"id":"HOUR"}',
  ]) {
    expect([text, (await change(text)).status]).toEqual([text, 400]);
  }
  expect((await client.get('/items/hour')).body).toMatchObject({ name: 'Hours', unit_cost: 0.1, currency: 'usd' });
});

test('a number equals neither a fixed text of the same digits nor a fixed boolean', async () => {
  expect((await client.post('/items', { id: '42', name: 'Answer', unit_cost: 1 })).status).toBe(201);
  for (const [fields, status] of [
    [{ id: '42' }, 200],
    [{ id: 42 }, 400],
    [{ taxable: true }, 200],
    [{ taxable: 1 }, 400],
  ] as const) {
    expect([fields, (await client.patch('/items/42', fields)).status]).toEqual([fields, status]);
  }
});
