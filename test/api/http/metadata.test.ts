import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, refused, startApi, type TestApi } from '../../support/api.ts';
import { apiDocument, operationsOf, propertiesOf } from '../../support/openapi.ts';

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Tagged' })).id;
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 1, interval: 'month' });
});
afterAll(() => api.close());

const makers: Record<string, () => object> = {
  '/customers': () => ({ name: 'a' }),
  '/items': () => ({ name: 'a' }),
  '/coupons': () => ({ name: 'a', value: 1 }),
  '/tax_rates': () => ({ name: 'a', value: 1 }),
  '/plans': () => ({ name: 'a', amount: 1, interval: 'month' }),
  '/subscriptions': () => ({ customer, plan: 'gold', start_date: 4_000_000_000 }),
  '/invoices': () => ({ customer, items: [{ unit_cost: 1 }] }),
  '/estimates': () => ({ customer, items: [{ unit_cost: 1 }] }),
  '/credit_notes': () => ({ customer, items: [{ unit_cost: 1 }] }),
  '/payments': () => ({ amount: 1 }),
  '/customers/{customer_id}/line_items': () => ({ unit_cost: 1 }),
};
const here = (path: string) => path.replace('{customer_id}', String(customer));
/** Paths of documents whose lines also have metadata. */
const documents = ['/invoices', '/estimates', '/credit_notes'];

/** Paths of this method's operations whose body has metadata, without paths with ids. */
function taking(method: string): string[] {
  return operationsOf(apiDocument)
    .filter((one) => one.method === method && 'metadata' in propertiesOf(apiDocument, one.operation))
    .map(({ path }) => path.replace(/\/\{id\}$/, ''))
    .sort();
}

test('the test knows every object with metadata', () => {
  expect(Object.keys(makers).sort()).toEqual(taking('POST'));
  expect(Object.keys(makers).sort()).toEqual(taking('PATCH'));
});

const make = (path: string, metadata?: unknown) =>
  api.sandbox.post(here(path), { ...makers[path]?.(), ...(metadata === undefined ? {} : { metadata }) });

test.each(Object.keys(makers))('%s: an object without metadata has an empty object', async (path) => {
  const { body } = await make(path);
  expect(body.metadata).toEqual({});
  expect((await api.sandbox.get(`${here(path)}/${body.id}`)).body.metadata).toEqual({});
  for (const line of body.items ?? []) expect(line.metadata).toEqual({});
});

test.each(Object.keys(makers))('%s: numbers and booleans become text as written; null is left out', async (path) => {
  const json = JSON.stringify({ ...makers[path]?.(), metadata: '?' }).replace(
    '"?"',
    '{"price":1.50,"big":12345678901234567890.10,"yes":true,"no":false,"none":null,"text":"é"}',
  );
  const { status, body } = await api.sandbox.post(here(path), json);
  expect(status).toBe(201);
  const metadata = { price: '1.50', big: '12345678901234567890.10', yes: 'true', no: 'false', text: 'é' };
  expect(body.metadata).toEqual(metadata);
  expect((await api.sandbox.get(`${here(path)}/${body.id}`)).body.metadata).toEqual(metadata);
});

test.each(Object.keys(makers))(
  'PATCH %s replaces metadata as a whole, {} clears it, absence keeps it',
  async (path) => {
    const { sandbox } = api;
    const { body } = await make(path, { a: '1', b: '2' });
    const one = `${here(path)}/${body.id}`;
    const seen = async (answer: Answer) => {
      expect(answer.status).toBe(200);
      expect((await sandbox.get(one)).body.metadata).toEqual(answer.body.metadata);
      return answer.body.metadata;
    };
    expect(await seen(await sandbox.patch(one, { metadata: { b: '3', c: '4' } }))).toEqual({ b: '3', c: '4' });
    expect(await seen(await sandbox.patch(one, {}))).toEqual({ b: '3', c: '4' });
    expect(await seen(await sandbox.patch(one, { metadata: {} }))).toEqual({});
  },
);

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));
const fitting = { ...keys(8), ['k'.repeat(40)]: 'v', ['😀'.repeat(40)]: '😀'.repeat(255) };

test.each(Object.keys(makers))(
  '%s: ten keys of 40 characters with values of 255 are accepted, and one more of each is refused',
  async (path) => {
    expect(await make(path, fitting)).toMatchObject({ status: 201, body: { metadata: fitting } });
    for (const [metadata, what] of [
      [keys(11), 'at most 10 keys'],
      [{ ['k'.repeat(41)]: 'v' }, `keys of at most 40 characters: ${'k'.repeat(41)}`],
      [{ k: 'v'.repeat(256) }, 'values of at most 255 characters: k'],
      [{ k: [] }, 'text as values: k'],
    ] as const) {
      const message = expect.stringContaining(what);
      expect(await make(path, metadata)).toMatchObject(refused({ param: 'metadata', message }));
    }
  },
);

test.each(documents)('%s: lines have the same bounds of metadata', async (path) => {
  const items = [{ unit_cost: 1 }, { unit_cost: 1, metadata: keys(11) }];
  const refusal = refused({ param: 'items[1][metadata]' });
  expect(await api.sandbox.post(path, { customer, items })).toMatchObject(refusal);
});

test.each(Object.keys(makers))('PATCH %s: changes have the same limits', async (path) => {
  const one = `${path}/${(await make(path)).body.id}`;
  const change = await api.sandbox.patch(one, { metadata: { ['k'.repeat(41)]: 'v' } });
  expect(change).toMatchObject(refused({ param: 'metadata' }));
});
