import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { numberKey } from '../../../billing/documents/numbering.ts';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let client: Client;
let customer: number;
/** A customer without invoices, so that its credit notes pay none. */
let credited: number;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
  customer = (await client.make('/customers', { name: 'Ours' })).id;
  credited = (await client.make('/customers', { name: 'Credited' })).id;
});
afterAll(async () => {
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  expect(api.faults).toEqual([]);
  await api.close();
});

const items = [{ unit_cost: 1 }];
const taken = (number: string) => refused({ param: 'number', message: `Number is taken: ${number}` });

describe.each([
  ['/customers', () => ({ name: 'C' })],
  ['/invoices', () => ({ customer, items })],
  ['/estimates', () => ({ customer, items })],
  ['/credit_notes', () => ({ customer: credited, items })],
] as const)('numbers of %s', (path, body) => {
  const post = (number: string) => client.post(path, { ...body(), number });

  test('are trimmed and compared without case', async () => {
    const first = await post('\u00a0 Straße  A-1 ');
    expect(first.body).toMatchObject({ number: 'Straße  A-1' });
    for (const number of ['straße A-1', 'STRASSE A-1', 'Straße a-1', 'Ｓtraße A-１', 'Stra\u1e9ee\u00a0A-1']) {
      expect(await post(number)).toMatchObject(taken(number));
    }
    expect(await post('  strasse a-1 ')).toMatchObject(taken('strasse a-1'));
    expect(await post('Stra\u200bße A-1')).toMatchObject(refused({ param: 'number' }));
    const other = (await post('Other')).body.id;
    expect(await client.patch(`${path}/${other}`, { number: 'STRASSE A-1' })).toMatchObject(taken('STRASSE A-1'));
    expect((await client.patch(`${path}/${other}`, { number: 'OTHER' })).body).toMatchObject({ number: 'OTHER' });
    const found = await client.get(`${path}?filter[number]=strasse a-1&sort=number desc`);
    expect(found.body).toMatchObject([{ id: first.body.id, number: 'Straße  A-1' }]);
  });

  test('the database refuses one of two simultaneous requests', async () => {
    for (let round = 0; round < 5; round++) {
      const twins = await Promise.all([`twin-${round}`, `TWIN-${round}`, `Twin-${round}`].map(post));
      expect(twins.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
      for (const { status, body } of twins) if (status === 400) expect(body.param).toBe('number');
    }
  });

  test('a series never takes them in another case', async () => {
    const next = await (async () => Number((await client.post(path, body())).body.number.replace(/\D/g, '')) + 1)();
    const prefix = { '/customers': 'cust', '/invoices': 'inv', '/estimates': 'est', '/credit_notes': 'cn' }[path];
    const text = (value: number) => String(value).padStart(5, '0');
    expect((await post(`${prefix}-${text(next)}`)).status).toBe(201);
    expect((await client.post(path, body())).body.number).toBe(`${prefix.toUpperCase()}-${text(next + 1)}`);
  });
});

test('a prefix in another case continues the numbers of its series', async () => {
  const issue = async () => (await client.make('/invoices', { customer, items })).number;
  const before = Number((await issue()).slice(-5));
  const take = (prefix: string) => client.patch('/account', { numbering: { invoice: { prefix } } });
  await take('inv-');
  expect(await issue()).toBe(`inv-${String(before + 1).padStart(5, '0')}`);
  expect((await take('  Ä ')).body.numbering.invoice).toEqual({ prefix: 'Ä ', next: 1 });
  expect(await issue()).toBe('Ä 00001');
  expect(await client.post('/invoices', { customer, items, number: 'ä  00002' })).toMatchObject({ status: 201 });
  expect(await issue()).toBe('Ä 00003');
  expect((await take('Inv-')).body.numbering.invoice).toEqual({ prefix: 'Inv-', next: before + 2 });
  const { series } = (await client.get('/numbering/audit')).body;
  expect(series.flatMap(({ missing }: { missing: object[] }) => missing)).toEqual([]);
  expect(await take('\u200b')).toMatchObject(refused({ param: 'numbering[invoice][prefix]' }));
});

test('every row stores the comparison key of its number', async () => {
  for (const table of ['customer', 'invoice', 'estimate', 'credit_note']) {
    const rows = await api.em
      .fork()
      .execute<{ number: string; number_key: string }[]>(
        `select number, number_key from ${table} where number is not null`,
      );
    expect(rows.length).toBeGreaterThan(5);
    for (const { number, number_key } of rows) expect(number_key).toBe(numberKey(number));
  }
});
