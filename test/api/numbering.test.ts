import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../support/api.ts';

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.post('/customers', { name: 'Numbered' })).body.id;
});
afterAll(() => api.close());

const issue = (more: object = {}) =>
  api.sandbox.post('/invoices', { customer, items: [{ name: 'x', unit_cost: 1 }], ...more });
const inOrder = (count: number, from = 1) =>
  Array.from({ length: count }, (_, n) => `INV-${String(n + from).padStart(5, '0')}`);

test('invoices issued at once have the next numbers, without a gap, though some are refused', async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => {
      if (n % 3 === 1) return issue({ items: [{ unit_cost: -1 }] }); // refused when its total is known
      return n % 3 === 2 ? issue({ items: [{ catalog_item: 'none' }] }) : issue();
    }),
  );
  const issued = answers.filter(({ status }) => status === 201).map(({ body }) => body.number);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(20);
  expect(issued.sort()).toEqual(inOrder(10));
});

test('the series goes round supplied numbers, and takes up again behind them', async () => {
  for (const number of ['INV-00011', 'INV-00013', 'X-1']) expect((await issue({ number })).body.number).toBe(number);
  const next = [await issue(), await issue(), await issue()];
  expect(next.map(({ body }) => body.number)).toEqual(['INV-00012', 'INV-00014', 'INV-00015']);
});

test('of several requests for one number at once, one gets it', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => issue({ number: 'SAME' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  for (const { status, body } of answers) if (status === 400) expect(body.param).toBe('number');
});

test('each account has series of its own, and so has each environment', async () => {
  for (const client of [api.live, (await api.open('Other')).sandbox]) {
    const { id, number } = (await client.post('/customers', { name: 'First' })).body;
    expect(number).toBe('CUST-00001');
    expect((await client.post('/invoices', { customer: id })).body.number).toBe('INV-00001');
  }
});
