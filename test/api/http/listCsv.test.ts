import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Answer, Client, TestApi } from '../../support/api.ts';
import { apiDocument, type LocatedOperation, operationsOf } from '../../support/openapi.ts';
import { colleague } from '../../support/people.ts';
import { requestIn, startWorld, type World } from '../../support/world.ts';

let api: TestApi;
let client: Client;
let world: World;
beforeAll(async () => {
  ({ api, client, world } = await startWorld());
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const get = async (
  from: Client,
  path: string,
  accept = '*/*',
): Promise<Pick<Answer, 'status' | 'headers'> & { text: string }> => {
  const authorization = `Basic ${Buffer.from(`${from.key}:`).toString('base64')}`;
  const response = await fetch(`${from.url}${path}`, { headers: { authorization, accept } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const linesOf = (text: string) => text.split('\r\n').slice(0, -1);

const parametersOf = ({ operation }: LocatedOperation): string[] =>
  (Reflect.get(operation, 'parameters') ?? []).map(
    (one: { name?: string; $ref?: string }) => one.name ?? one.$ref ?? '',
  );
const lists = operationsOf(apiDocument).filter((one) => one.method === 'GET' && parametersOf(one).includes('columns'));

test('every list that has pages has a CSV', () => {
  const paged = operationsOf(apiDocument).filter((one) => parametersOf(one).some((name) => /per_page/.test(name)));
  expect(paged.filter((one) => !lists.some(({ id }) => id === one.id)).map(({ id }) => id)).toEqual([]);
  expect(lists.length).toBeGreaterThan(45);
});

test.each(lists.map((one) => ({ id: one.id, one })))('the CSV of $id has a line for each object', async ({ one }) => {
  const { path } = requestIn(world, one);
  const { status, body } = await client.get(path);
  if (status === 403) return; // it is of members
  const csv = await get(client, path, 'text/csv');
  expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="\w+\.csv"$/);
  if (!('id' in (body[0] ?? {})) || one.id === 'listAuditLog') return; // an export adds an entry
  const ids = linesOf((await get(client, `${path}${path.includes('?') ? '&' : '?'}format=csv&columns=id`)).text);
  expect(ids).toEqual(['id', ...body.map(({ id }: { id: unknown }) => String(id))]);
});

test('columns are chosen, times are ISO 8601, objects JSON, and formulas are marked as text', async () => {
  const made = await client.make('/customers', { name: '=1+1', notes: 'a "quoted", line', metadata: { order: '7' } });
  const columns = 'id,name,notes,metadata.order,metadata,created_at';
  const { text } = await get(client, `/customers?format=csv&sort=id desc&columns=${columns}`);
  const created = new Date(made.created_at * 1000).toISOString();
  expect(linesOf(text).slice(0, 2)).toEqual([
    columns,
    `${made.id},'=1+1,"a ""quoted"", line",7,"{""order"":""7""}",${created}`,
  ]);
});

test('tax rates and payment methods have all their values', async () => {
  const { id } = await client.make('/tax_rates', { name: 'VAT', value: 7, gl_account: '2200' });
  const [head = '', ...rates] = linesOf((await get(client, '/tax_rates?format=csv')).text);
  const { body } = await client.get(`/tax_rates/${id}`);
  expect(head.split(',').toSorted()).toEqual(
    Object.keys(body)
      .filter((name) => name !== 'metadata')
      .toSorted(),
  );
  expect(rates.find((line) => line.startsWith(`${id},`))?.split(',')[head.split(',').indexOf('gl_account')]).toBe(
    '2200',
  );
  const methods = (await client.get('/payment_methods')).body;
  const [columns = '', ...lines] = linesOf((await get(client, '/payment_methods?format=csv')).text);
  expect(columns.split(',').toSorted()).toEqual(Object.keys(methods[0]).toSorted());
  expect(lines.map((line) => line.split(',')[0])).toEqual(methods.map((one: { id: string }) => one.id));
  expect((await client.get('/payment_methods?columns=nmae&format=csv')).body).toMatchObject({ param: 'columns' });
});

test('filters and searches limit it, and all slices come in order', async () => {
  await api.em.fork().execute(
    `insert into note (account_id, customer_id, notes, event_count, created_at, updated_at)
     select account_id, customer_id, 'many ' || n, 0, now(), now() from (select * from note where account_id = ? limit 1) one, generate_series(1, 2500) n`,
    [client.account.id],
  );
  const ids = linesOf((await get(client, '/notes?format=csv&columns=id')).text)
    .slice(1)
    .map(Number);
  expect(ids.length).toBeGreaterThan(2500);
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  expect(new Set(ids).size).toBe(ids.length);
  const found = linesOf((await get(client, '/customers?format=csv&columns=name&search=acme')).text);
  const { body } = await client.get('/customers?search=acme');
  expect(found.length).toBe(1 + body.length);
});

test('a member with an owner limit gets its customers only', async () => {
  const { id, client: limited } = await colleague(api, client, { role: 'administrator', isLimited: true });
  const { id: own } = await client.make('/customers', { name: 'Own', owner: id });
  expect(linesOf((await get(limited, '/customers?format=csv&columns=id')).text)).toEqual(['id', String(own)]);
});

test.each([
  ['/customers?format=csv&columns=nmae', 'columns', 'did you mean name'],
  ['/customers?format=csv&page=2', 'page', 'all pages'],
  ['/customers?format=xls', 'format', ''],
])('%s is refused', async (path, param, message) => {
  const { status, body } = await client.get(path);
  expect([status, body.param]).toEqual([400, param]);
  expect(body.message).toContain(message);
});
