import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { type Colleague, colleague } from '../../support/people.ts';

/** Each amount is a different power of two, so that a sum says what is in it. */

let api: TestApi;
let client: Client;
const now = Date.parse('2028-03-31T18:00:00Z');
const ids: Record<string, number> = {};
let owner: number;
/** Bob's owner, who sees no other customers. */
let limited: Colleague;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  client = api.sandbox;
  await client.patch('/account', { time_zone: 'US/Eastern' });
  for (const [id, name] of [
    ['segment', 'Segment'],
    ['region', 'Region'],
  ])
    await client.make('/custom_fields', { id, name, object: 'customer' });
  limited = await colleague(api, client, { role: 'account_manager', isLimited: true });
  owner = limited.id;
  await sell('Ann', { segment: 'Retail', region: 'North' }, [
    [1, 'usd', '2028-01-10'],
    [2, 'eur', '2028-02-10'],
  ]);
  await sell('Bob', { segment: 'Retail', region: 'South' }, [[4, 'usd', '2028-02-10']], { owner });
  await sell('Cyd', { segment: '=1+1' }, [[8, 'usd', '2028-02-29']]);
  // Midnight in New York is five hours later in UTC: 31 January.
  await sell('Dee', {}, [[16, 'usd', '2028-02-01T04:59:59Z']]);
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

async function sell(name: string, metadata: object, sales: [number, string, string][], more: object = {}) {
  const { id } = await client.make('/customers', { name, metadata, ...more });
  ids[name] = id;
  for (const [unit_cost, currency, day] of sales) {
    const date = Date.parse(day.includes('T') ? day : `${day}T17:00:00Z`) / 1000;
    await client.make('/invoices', { customer: id, currency, date, items: [{ name: 'Work', unit_cost }] });
  }
}

const report = async (path: string) => {
  const { status, body } = await client.get(path.startsWith('/') ? path : `/reports/${path}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};
/** Some cells of each row. */
const cells = async (path: string, ...names: string[]) =>
  // biome-ignore lint/suspicious/noExplicitAny: rows have the cells of any report
  (await report(path)).rows.map((row: any) => names.map((name) => row[name]));

test('reports are of the customers whose custom fields have the values, and so are the paths in them', async () => {
  const path = 'aging?metadata[segment]=Retail';
  expect(await cells(path, 'name', 'currency', 'total')).toEqual([
    ['Ann', 'eur', 2],
    ['Ann', 'usd', 1],
    ['Bob', 'usd', 4],
  ]);
  const { rows, totals } = await report(path);
  expect(totals).toMatchObject([
    { currency: 'eur', total: 2 },
    { currency: 'usd', total: 1 + 4 },
  ]);
  expect(await cells(rows[2].hrefs.total, 'name', 'amount')).toEqual([['Bob', 4]]);
  // Filters are all met; a value that nobody has leaves nothing.
  expect(await cells(`${path}&metadata[region]=North&currency=usd`, 'name', 'total')).toEqual([['Ann', 1]]);
  expect(await cells('aging?metadata[segment]=retail', 'name')).toEqual([]);
  const forward = await report('roll_forward?start=2028-01-01&metadata[segment]=Retail&currency=usd');
  expect(forward.rows).toMatchObject([{ opening: 0, invoiced: 1 + 4, closing: 5 }]);
  expect(await cells(forward.rows[0].hrefs.invoiced, 'amount')).toEqual([[1], [4]]);
  expect(await cells(forward.rows[0].hrefs.closing, 'amount')).toEqual([[1], [4]]);
});

test('custom fields are columns of rows that have a customer, in JSON and in CSV', async () => {
  const { columns, rows } = await report('open_items?by=date&fields=region,segment&currency=usd');
  expect(columns.slice(-2)).toEqual([
    { id: 'metadata.region', title: 'Region', type: 'text' },
    { id: 'metadata.segment', title: 'Segment', type: 'text' },
  ]);
  // biome-ignore lint/suspicious/noExplicitAny: rows have the cells of any report
  expect(rows.map((row: any) => [row.name, row['metadata.region'], row['metadata.segment']])).toEqual([
    ['Ann', 'North', 'Retail'],
    ['Dee', null, null],
    ['Bob', 'South', 'Retail'],
    ['Cyd', null, '=1+1'],
  ]);
  const csv = await fetch(`${client.url}/reports/aging?fields=segment&currency=usd&format=csv`, {
    headers: { authorization: `Basic ${btoa(`${client.key}:`)}` },
  });
  const lines = (await csv.text()).trimEnd().split('\r\n');
  expect(lines.map((line) => line.split(',').at(-1))).toEqual(['metadata.segment', 'Retail', 'Retail', "'=1+1", '']);
});

test('values that fit the type of their field are numbers, flags and days; others stay texts', async () => {
  const { sandbox: own } = await api.open('Typed');
  const types = { number: 'integer', rate: 'double', line: 'money', since: 'date', key: 'boolean' };
  const add = async (name: string, amount: number, metadata: object) => {
    const { id } = await own.make('/customers', { name, metadata });
    await own.make('/credit_balance_adjustments', { customer: id, currency: 'usd', amount });
  };
  // Before there were fields, any text was a value.
  await add('Odd', 1, { number: '-x', rate: '1e3', line: '99999999999.12345', since: 'soon: =1', key: 'yes' });
  for (const [id, type] of Object.entries(types))
    await own.make('/custom_fields', { id, type, name: id, object: 'customer' });
  const early = { since: '2028-02-03', key: 'false' };
  await add('One', 2, { ...early, number: '-5', rate: '-0.25', line: '12.50' });
  await add('Ten', 4, { ...early, number: '10', since: '2028-02-29', key: 'true' });
  await add('Two', 8, { number: '2' });
  const read = async (query: string) => (await own.get(`/reports/credits?${query}`)).body;
  const fields = `fields=${Object.keys(types)}`;
  const { columns, rows } = await read(fields);
  // biome-ignore lint/suspicious/noExplicitAny: columns of any report
  expect(columns.slice(-5).map(({ type }: any) => type)).toEqual(['integer', 'number', 'number', 'day', 'boolean']);
  expect(rows).toMatchObject([
    { 'metadata.number': '-x', 'metadata.rate': '1e3', 'metadata.since': 'soon: =1', 'metadata.key': 'yes' },
    { 'metadata.number': -5, 'metadata.rate': -0.25, 'metadata.line': 12.5, 'metadata.key': false },
    { 'metadata.number': 10, 'metadata.rate': null, 'metadata.since': '2028-02-29', 'metadata.key': true },
    { 'metadata.number': 2, 'metadata.key': null },
  ]);
  const csv = String(await read(`${fields}&format=csv`)).split('\r\n');
  expect(csv.slice(1, 3).map((line) => line.split(',').slice(-5).join())).toEqual([
    "'-x,1e3,99999999999.12345,soon: =1,yes",
    '-5,-0.25,12.5,2028-02-03,false',
  ]);
  const grouped = async (column: string) => {
    const report = await read(`group_by=metadata.${column}`);
    const key = `metadata.${column.split(':')[0]}`;
    // biome-ignore lint/suspicious/noExplicitAny: rows have the cells of any report
    return report.rows.map((row: any) => [row[key], row.total, row.hrefs.rows !== undefined]);
  };
  expect(await grouped('number')).toEqual([
    [-5, 2, true],
    [2, 8, true],
    [10, 4, true],
    ['-x', 1, true],
  ]);
  expect(await grouped('key')).toEqual([
    [false, 2, true],
    [true, 4, true],
    ['yes', 1, true],
    [null, 8, false],
  ]);
  expect(await grouped('since:month')).toEqual([
    ['2028-02', 2 + 4, false], // a filter has one day
    ['soon: =1', 1, false],
    [null, 8, false],
  ]);
});

test('rows are summed up by a column, currencies apart', async () => {
  const bySegment = await report('open_items?group_by=metadata.segment');
  // biome-ignore lint/suspicious/noExplicitAny: rows have the cells of any report
  const sums = bySegment.rows.map((row: any) => [row['metadata.segment'], row.currency, row.rows, row.amount]);
  expect(sums).toEqual([
    ['Retail', 'eur', 1, 2],
    ['=1+1', 'usd', 1, 8],
    ['Retail', 'usd', 2, 1 + 4],
    [null, 'usd', 1, 16],
  ]);
  // biome-ignore lint/suspicious/noExplicitAny: columns of any report
  expect(bySegment.columns.map(({ id }: any) => id)).toEqual([
    'metadata.segment',
    'currency',
    'rows',
    'amount',
    'disputed',
    'promised',
    'on_plan',
  ]);
  expect(bySegment.totals).toEqual((await report('open_items')).totals);
  expect(await cells(bySegment.rows[2].hrefs.rows, 'name', 'amount')).toEqual([
    ['Ann', 1],
    ['Bob', 4],
  ]);
  expect(await cells('open_items?group_by=customer', 'name', 'currency', 'amount')).toEqual([
    ['Ann', 'eur', 2],
    ['Ann', 'usd', 1],
    ['Bob', 'usd', 4],
    ['Cyd', 'usd', 8],
    ['Dee', 'usd', 16],
  ]);
  expect(await cells('open_items?group_by=owner', 'owner', 'currency', 'amount')).toEqual([
    [null, 'eur', 2],
    [owner, 'usd', 4],
    [null, 'usd', 1 + 8 + 16],
  ]);
  expect(await cells('open_items?group_by=currency', 'currency', 'rows', 'amount')).toEqual([
    ['eur', 1, 2],
    ['usd', 4, 1 + 4 + 8 + 16],
  ]);
  expect(await cells('open_items?group_by=date:month', 'date', 'currency', 'amount')).toEqual([
    ['2028-02', 'eur', 2],
    ['2028-01', 'usd', 1 + 16],
    ['2028-02', 'usd', 4 + 8],
  ]);
});

test('a member that sees only its own customers gets their fields and sums, and changes no definitions', async () => {
  const { status, body } = await limited.client.get('/reports/open_items?fields=region&group_by=metadata.segment');
  expect([status, body.rows]).toMatchObject([
    200,
    [{ 'metadata.segment': 'Retail', currency: 'usd', rows: 1, amount: 4 }],
  ]);
  expect((await limited.client.get('/custom_fields/segment')).body.name).toBe('Segment');
  for (const request of [limited.client.patch, limited.client.delete])
    expect((await request('/custom_fields/segment', { name: 'Mine' })).status).toBe(403);
});

test('numbers of payments are summed up, rates and ages are not', async () => {
  for (const amount of [32, 64]) await client.make('/payments', { customer: ids.Ann, amount, method: 'check' });
  await client.make('/payments', { customer: ids.Bob, amount: 128, method: 'cash' });
  expect(await cells('cash_received?group_by=method', 'method', 'count', 'received', 'rows')).toEqual([
    ['cash', 1, 128, 1],
    ['check', 2, 32 + 64, 1],
  ]);
  const dso = await report('dso?start=2028-01-01&group_by=currency');
  // biome-ignore lint/suspicious/noExplicitAny: columns of any report
  expect(dso.columns.map(({ id }: any) => id)).toEqual([
    'currency',
    'rows',
    'opening',
    'invoiced',
    'closing',
    'not_due',
  ]);
});

test.each([
  ['aging?metadata[color]=red', 'metadata[color]', 'Unknown custom field of customers color; did you mean '],
  ['aging?metadata[]=red', 'metadata[]', 'Metadata filter without a key'],
  ['aging?fields=segment,color', 'fields', 'Unknown custom field of customers color'],
  ['cash_received?fields=segment', 'fields', 'The rows of this report have no customer'],
  ['aging?group_by=metadata.color', 'group_by', 'Unknown custom field of customers color'],
  ['aging?group_by=total', 'group_by', 'group_by must be one of customer, name, number, currency, owner, metadata.'],
  ['open_items?group_by=age', 'group_by', 'group_by must be one of customer, name, invoice, '],
  ['open_items?group_by=name:month', 'group_by', 'group_by must be one of date:month, due_date:month: name'],
  ['cash_received?group_by=owner', 'group_by', 'group_by must be one of date, method, currency: owner'],
  ['aging?zone=Mars/Base', 'zone', 'zone must be a time zone'],
  ['aging?zone=%2B05:00', 'zone', 'zone must be a time zone'],
])('%s is refused', async (path, param, message) => {
  const answer = await client.get(`/reports/${path}`);
  expect(answer).toMatchObject(refused({ param, message: expect.stringContaining(message) }));
});

test('the trial balance has no filter by customers', async () => {
  expect(await client.get('/reports/trial_balance?metadata[segment]=Retail')).toMatchObject(
    refused({ code: 'parameter_unknown', param: 'metadata[segment]' }),
  );
});

test('a field that is deleted while a filter names it is refused, as one of other objects and of other accounts is', async () => {
  await client.make('/custom_fields', { id: 'gone', object: 'customer', name: 'Gone' });
  const paths = ['aging?metadata[gone]=1', 'aging?fields=gone', 'aging?group_by=metadata.gone'];
  for (const path of paths) expect((await client.get(`/reports/${path}`)).status).toBe(200);
  await client.delete('/custom_fields/gone');
  await client.make('/custom_fields', { id: 'gone', object: 'invoice', name: 'Of invoices' });
  for (const path of paths)
    expect(await client.get(`/reports/${path}`)).toMatchObject(
      refused({ code: 'parameter_invalid', param: path.includes('[') ? 'metadata[gone]' : path.split(/[?=]/)[1] }),
    );
  expect(await api.live.get('/reports/aging?metadata[segment]=Retail')).toMatchObject(
    refused({ message: 'Unknown custom field of customers segment: there are none' }),
  );
});
