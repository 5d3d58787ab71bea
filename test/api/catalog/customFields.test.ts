import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';

const MADE_AT = Date.parse('2027-03-01T12:00:00Z') / 1000;
let now = MADE_AT;
let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  client = api.sandbox;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const path = '/custom_fields';
const define = (fields: object) => client.make(path, { object: 'customer', name: 'Field', ...fields });

test('a custom field is created, read, listed, changed and deleted', async () => {
  const fields = { id: 'segment', object: 'customer', name: 'Segment', type: 'enum', choices: ['Retail', 'Public'] };
  const created = await client.post(path, fields);
  const shown = { ...fields, external: false, created_at: MADE_AT, updated_at: MADE_AT };
  expect([created.status, created.body]).toEqual([201, shown]);
  expect((await client.get(`${path}/segment`)).body).toEqual(shown);
  expect((await client.get(`${path}?filter[object]=customer&filter[id]=segment`)).body).toEqual([shown]);
  now += 60;
  const change = { name: 'Sector', choices: ['Retail'], external: true };
  const changed = { ...shown, ...change, updated_at: now };
  expect(await client.patch(`${path}/segment`, change)).toMatchObject({ status: 200, body: changed });
  // What was read can be sent back; what an object is and what its values are stays.
  expect((await client.patch(`${path}/segment`, changed)).body).toEqual(changed);
  expect(await client.patch(`${path}/segment`, { type: 'string' })).toMatchObject(refused({ param: 'type' }));
  expect(await client.patch(`${path}/segment`, { choices: [] })).toMatchObject(refused({ param: 'choices' }));
  expect((await client.delete(`${path}/segment`)).status).toBe(204);
  expect((await client.get(`${path}/segment`)).status).toBe(404);
});

test.each([
  [{ id: 'a b' }, 'id'],
  [{ id: 'x'.repeat(41) }, 'id'],
  [{ id: undefined }, 'id'],
  [{ object: 'webhook' }, 'object'],
  [{ name: '' }, 'name'],
  [{ type: 'colour' }, 'type'],
  [{ type: 'enum' }, 'choices'],
  [{ type: 'enum', choices: ['A', 'B', 'A'] }, 'choices[2]'],
  [{ type: 'enum', choices: Array.from({ length: 101 }, (_, index) => `${index}`) }, 'choices'],
  [{ type: 'string', choices: ['A'] }, 'choices'],
])('the field %j is refused', async (fields, param) => {
  const answer = await client.post(path, { id: 'bad', object: 'customer', name: 'Bad', ...fields });
  expect(answer).toMatchObject(refused({ type: 'invalid_request', param }));
});

test('an id may belong to fields of several objects, and is then read, changed and deleted with the object', async () => {
  await define({ id: 'project' });
  expect(await client.post(path, { id: 'project', object: 'customer', name: 'Twin' })).toMatchObject(
    refused({ code: 'already_taken', param: 'id' }),
  );
  await define({ id: 'project', object: 'invoice', name: 'Of invoices' });
  for (const request of [client.get, client.delete, (one: string) => client.patch(one, { name: 'Which?' })])
    expect(await request(`${path}/project`)).toMatchObject(refused({ code: 'parameter_missing', param: 'object' }));
  const ofInvoices = `${path}/project?object=invoice`;
  expect((await client.get(ofInvoices)).body.name).toBe('Of invoices');
  expect((await client.patch(ofInvoices, { name: 'Project' })).body.object).toBe('invoice');
  expect((await client.get(`${path}/project?object=plan`)).status).toBe(404);
  expect((await client.delete(ofInvoices)).status).toBe(204);
  expect((await client.get(`${path}/project`)).body.object).toBe('customer');
});

const values: [type: string, good: unknown[], bad: unknown[]][] = [
  ['string', ['', 'anything', 7], []],
  ['boolean', [true, 'false'], ['yes', '1', '']],
  ['integer', [0, '-12', 999_999_999_999_999], ['1.5', '1e3', '', '1234567890123456']],
  ['double', [12.5, '-0.25', '7'], ['1,5', '.5', 'NaN', '0.1234567890123456']],
  ['money', [12.5, '-3', '0.0001'], ['$5', '1.00001', '1234567890123']],
  ['date', ['2028-02-29', '1955-01-01'], ['2027-02-29', '29.02.2028', '2028-2-1', 'tomorrow']],
];

test.each(values)('values of the type %s', async (type, good, bad) => {
  const id = `of_${type}`;
  await define({ id, type });
  for (const value of good) {
    const { metadata } = await client.make('/customers', { name: 'Good', metadata: { [id]: value } });
    expect(metadata).toEqual({ [id]: String(value) });
  }
  for (const value of bad)
    expect(await client.post('/customers', { name: 'Bad', metadata: { [id]: value } })).toMatchObject(
      refused({ code: 'parameter_invalid', param: `metadata[${id}]` }),
    );
});

test('an enum takes its choices, also after they changed; a field of one object says nothing about others', async () => {
  await define({ id: 'tier', type: 'enum', choices: ['Gold', 'Silver'] });
  const gold = await client.make('/customers', { name: 'Gold', metadata: { tier: 'Gold', own: 'free' } });
  await client.patch(`${path}/tier`, { choices: ['Silver', 'Bronze'] });
  const one = `/customers/${gold.id}`;
  // What it has stays: only metadata that is sent is checked.
  expect((await client.patch(one, { notes: 'Kept' })).body.metadata).toEqual({ tier: 'Gold', own: 'free' });
  expect(await client.patch(one, { metadata: { tier: 'Gold' } })).toMatchObject(
    refused({ param: 'metadata[tier]', message: 'metadata[tier] must be one of Silver, Bronze: Gold' }),
  );
  expect((await client.patch(one, { metadata: { tier: 'Bronze' } })).status).toBe(200);
  expect((await client.patch(one, { metadata: {} })).status).toBe(200);
  expect((await client.post('/items', { name: 'Item', metadata: { tier: 'None' } })).status).toBe(201);
  expect((await api.live.post('/customers', { name: 'Theirs', metadata: { tier: 'Other' } })).status).toBe(201);
  await client.delete(`${path}/tier`);
  expect((await client.patch(one, { metadata: { tier: 'Anything' } })).status).toBe(200);
});

test('documents and their lines are checked; what the system copies from them is not', async () => {
  const { id: customer } = await client.make('/customers', { name: 'Copied' });
  const before = [{ name: 'Work', unit_cost: 1, metadata: { hours: 'many' } }];
  const estimate = await client.make('/estimates', { customer, items: before, metadata: { phase: 'one' } });
  await define({ id: 'hours', object: 'line_item', type: 'double' });
  for (const object of ['invoice', 'estimate']) await define({ id: 'phase', object, type: 'integer' });
  const copy = await client.post(`/estimates/${estimate.id}/invoice`);
  expect([copy.status, copy.body.items[0].metadata]).toEqual([201, { hours: 'many' }]);
  const line = (hours: string) => ({ name: 'Work', unit_cost: 1, metadata: { hours } });
  const invoice = { customer, items: [line('1.5'), line('many')] };
  expect(await client.post('/invoices', invoice)).toMatchObject(refused({ param: 'items[1][metadata][hours]' }));
  expect(await client.post(`/customers/${customer}/line_items`, line('many'))).toMatchObject(
    refused({ param: 'metadata[hours]' }),
  );
  const changed = await client.patch(`/invoices/${copy.body.id}`, { metadata: { phase: 'two' } });
  expect(changed).toMatchObject(refused({ param: 'metadata[phase]' }));
  expect((await client.patch(`/invoices/${copy.body.id}`, { metadata: { phase: 2 } })).status).toBe(200);
});

test('a request without metadata reads no definitions, one with metadata reads them once', async () => {
  const count = async (body: object) =>
    (await api.statements(() => client.make('/customers', { name: 'Counted', ...body }))).filter((sql) =>
      sql.includes('from "custom_field"'),
    ).length;
  expect([await count({}), await count({ metadata: { of_money: 1, of_date: '2027-01-01', x: 'y' } })]).toEqual([0, 1]);
});

test('an object has at most 100 fields', async () => {
  for (let index = 1; index <= 100; index++) await define({ id: `many_${index}`, object: 'coupon' });
  expect(await client.post(path, { id: 'one_more', object: 'coupon', name: 'More' })).toMatchObject(
    refused({ code: 'limit_exceeded' }),
  );
  expect((await client.post(path, { id: 'one_more', object: 'plan', name: 'More' })).status).toBe(201);
});

test('the audit log names a custom field, and not the kind of objects that have it', async () => {
  await define({ id: 'logged' });
  const [entry] = (await client.get('/audit_log?per_page=1&sort=id desc')).body;
  expect(entry).toMatchObject({ operation: 'createCustomField', object_type: 'custom_field', object_id: 'logged' });
});
