import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
let client: Client;

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(() => api.close());

const DAY = 86_400;
const start = Math.floor(Date.now() / 1000) + DAY;
const inDays = (days: number) => start + days * DAY;
const parts = (...amounts: number[]) => amounts.map((amount, index) => ({ date: inDays(index * 30), amount }));

test('a dry run shows which installments a change keeps, removes and adds, and stores nothing', async () => {
  const customer = (await client.make('/customers', { name: 'Ada' })).id;
  const invoice = (await client.make('/invoices', { customer, items: [{ name: 'Roof', unit_cost: 90 }] })).id;
  const path = `/invoices/${invoice}/payment_plan`;
  const put = async (installments: object[]) => (await client.request('PUT', path, { installments })).body;
  const read = async () => (await client.get(path)).body;
  const stored = async (id: number) => [
    await read(),
    (await client.get(`/invoices/${invoice}`)).body,
    (await client.get(`/events?related_to=payment_plan,${id}`)).body.length,
  ];
  const dryRun = (installments: object[], method = 'PUT') =>
    client.request(method, `${path}?dry_run=true`, { installments });
  const shown = (days: number, amount: number, balance = amount) => ({ date: inDays(days), amount, balance });
  expect(await dryRun(parts(45, 45), 'POST')).toMatchObject({
    status: 200,
    body: { former_status: null, status: 'active', kept: [], removed: [], added: [shown(0, 45), shown(30, 45)] },
  });
  expect(await client.get(path)).toMatchObject({ status: 404 });
  const { id } = await put(parts(30, 30, 30));
  const applied_to = [{ type: 'invoice', invoice, amount: 40 }];
  await client.make('/payments', { customer, amount: 40, applied_to }); // the first is paid, and 10 of the second
  const before = await stored(id);
  const wanted = [
    { date: inDays(40), amount: 20 },
    { date: inDays(70), amount: 30 },
  ];
  expect((await dryRun(wanted)).body).toEqual({
    former_status: 'active',
    status: 'active',
    kept: [shown(0, 30, 0), shown(30, 10, 0)],
    removed: [shown(60, 30)],
    added: [shown(40, 20), shown(70, 30)],
  });
  expect(await dryRun(parts(40, 40))).toMatchObject(refused({ param: 'installments' }));
  expect(await stored(id)).toEqual(before);
  expect(await client.request('PUT', `${path}?dry_run=false`, { installments: wanted })).toMatchObject({
    body: { id, installments: [{}, {}, shown(40, 20), shown(70, 30)] },
  });
});
