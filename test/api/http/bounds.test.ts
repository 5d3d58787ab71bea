import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect } from '../../../workers/connection.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { LOCK_WAITS, until } from '../../support/wait.ts';

let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi();
  customer = (await api.sandbox.make('/customers', { name: 'Bounded' })).id;
});
afterAll(() => api.close());

const line = (unit_cost: string) => `{"customer":${customer},"items":[{"unit_cost":${unit_cost}}]}`;

test('a number is read from the text of the request exactly, not through a double', async () => {
  const issue = (text: string) => api.sandbox.post('/invoices', line(text));
  // As doubles they would be 9007199254740992 and 1: the first would be another amount, and the second would be valid.
  expect(await issue('9007199254740993')).toMatchObject(
    refused({ param: 'items[0][unit_cost]', message: expect.stringContaining('15 significant digits') }),
  );
  expect(await issue('1.0000000000000001')).toMatchObject(refused({ param: 'items[0][unit_cost]' }));
  expect(await issue('0.1000000000000000055511151231257827')).toMatchObject({ status: 400 });
  // As a double, 1.005 is slightly less and would be rounded to 1.00.
  expect((await issue('1.005')).body.total).toBe(1.01);
  expect((await issue('1.50')).body.items[0].unit_cost).toBe(1.5);
  expect((await issue('1e-2')).body.total).toBe(0.01);
});

test.each(['0x1F', '0b11', '3.00000000000000001', '1e', ' ', '+3', '9007199254740993'])(
  'a whole number is decimal, and whole exactly: %s is refused',
  async (days) => {
    const body = new URLSearchParams({ name: 'A', autopay_delay_days: days }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await api.sandbox.request('POST', '/customers', body, headers);
    expect(answer).toMatchObject(refused({ param: 'autopay_delay_days' }));
    const payment = new URLSearchParams({ amount: '1', date: days }).toString();
    expect(await api.sandbox.request('POST', '/payments', payment, headers)).toMatchObject(refused({ param: 'date' }));
  },
);

test('a whole number can be written with decimals or an exponent', async () => {
  for (const days of ['3', '3.0', '0.3e1']) {
    const answer = await api.sandbox.post('/customers', `{"name":"A","autopay_delay_days":${days}}`);
    expect(answer).toMatchObject({ status: 201, body: { autopay_delay_days: 3 } });
  }
});

test('an amount that is too large is refused with its own field, also on a pending line', async () => {
  const path = `/customers/${customer}/line_items`;
  const message = expect.stringContaining('Amounts must be below');
  const rate = (await api.sandbox.make('/tax_rates', { id: 'huge', name: 'Huge', value: 99 })).id;
  for (const [body, param] of [
    [{ unit_cost: 1e12 }, 'unit_cost'],
    [{ unit_cost: 1e11, quantity: 100 }, 'unit_cost'],
    [{ unit_cost: 6e11, taxes: [rate] }, 'unit_cost'], // 600 + 594 thousand millions
  ] as const) {
    expect(await api.sandbox.post(path, body)).toMatchObject(refused({ param, message }));
    const { id } = (await api.sandbox.post(path, { unit_cost: 1 })).body;
    expect(await api.sandbox.patch(`${path}/${id}`, body)).toMatchObject(refused({ param, message }));
    await api.sandbox.delete(`${path}/${id}`);
  }
  const { status, body } = await api.sandbox.post('/invoices', {
    customer,
    items: [{ unit_cost: 1 }, { unit_cost: 1e12 }],
  });
  expect([status, body.param]).toEqual([400, 'items[1]']);
});

const text = (length: number) => 'é'.repeat(length);
const plan = { name: 'P', amount: 1, interval: 'month' };

test.each([
  ['/items', 'id', 'i'.repeat(64), 'i'.repeat(65), { name: 'a' }],
  ['/plans', 'id', 'p'.repeat(64), 'p'.repeat(65), plan],
  ['/items', 'id', 'ab', 'a', { name: 'a' }],
  ['/coupons', 'id', 'c'.repeat(64), 'c'.repeat(65), { name: 'a', value: 1 }],
  ['/tax_rates', 'id', 't'.repeat(64), 't'.repeat(65), { name: 'a', value: 1 }],
  ['/coupons', 'name', text(255), text(256), { value: 1 }],
  ['/tax_rates', 'name', text(255), text(256), { value: 1 }],
  ['/coupons', 'value', 100, 100.1, { name: 'a' }],
  ['/tax_rates', 'value', 100, 100.1, { name: 'a' }],
  ['/items', 'name', text(255), text(256), {}],
  ['/plans', 'name', text(255), text(256), { amount: 1, interval: 'month' }],
  ['/items', 'description', text(10_000), text(10_001), { name: 'a' }],
  ['/customers', 'notes', text(10_000), text(10_001), { name: 'a' }],
  ['/payments', 'notes', text(10_000), text(10_001), { amount: 1 }],
  ['/payments', 'reference', text(255), text(256), { amount: 1 }],
  ['/payments', 'ach_sender_id', text(255), text(256), { amount: 1 }],
  ['/webhooks', 'description', text(10_000), text(10_001), { url: 'http://127.0.0.1:9/' }],
  ['/webhooks', 'url', url(2048), url(2049), {}],
  ['/payments', 'date', 7_258_118_399, 7_258_118_400, { amount: 1 }],
  ['/payments', 'amount', 999_999_999_999, 1_000_000_000_000, {}],
])('%s accepts the maximum of %s and refuses one more', async (path, name, most, more, rest) => {
  const kept = await api.sandbox.post(path, { ...rest, [name]: most });
  expect({ status: kept.status, value: kept.body[name] }).toEqual({ status: 201, value: most });
  expect((await api.sandbox.get(`${path}/${kept.body.id}`)).body[name]).toBe(most);
  expect(await api.sandbox.post(path, { ...rest, [name]: more })).toMatchObject(refused({ param: name }));
});

function url(length: number): string {
  const start = 'http://127.0.0.1:9/';
  return start + 'x'.repeat(length - start.length);
}

test.each([
  ['webhooks', 'webhook', { url: 'http://127.0.0.1:9/' }],
  ['OAuth applications', 'oauth_application', { name: 'Sync', redirect_uris: ['https://example.com/callback'] }],
])(
  'an account has fifty %s at most, also when several are made at once, and may have another in place of a deleted one',
  async (words, table, body) => {
    const { sandbox } = await api.open(`Many ${words}`);
    const make = () => sandbox.post(`/${table}s`, body);
    const made = [];
    for (let count = 0; count < 49; count += 1) made.push(await make());
    expect(made.map(({ status }) => status)).toEqual(Array(49).fill(201));
    // A request that waited too long for the lock, because the other one came late, is made again.
    const insistent = async (): ReturnType<typeof make> => {
      const answer = await make();
      return answer.status >= 500 ? insistent() : answer;
    };
    const owner = await connect(api.databaseUrl);
    // Both requests count the existing ones before either of them adds one.
    const racing = await owner.transaction(async () => {
      await owner.query(`lock table ${table} in share mode`);
      const both = [insistent(), insistent()];
      await until(async () => (await owner.query(LOCK_WAITS)).length === 2, { what: 'two that wait' });
      return both;
    });
    await owner.close();
    expect((await Promise.all(racing)).map(({ status }) => status).toSorted()).toEqual([201, 400]);
    expect(await make()).toMatchObject(refused({ message: `An account has at most 50 ${words}` }));
    await sandbox.delete(`/${table}s/${made[7]?.body.id}`);
    expect((await make()).status).toBe(201);
  },
);

test('text fields of an invoice have the same limits', async () => {
  for (const [name, most] of [
    ['notes', 10_000],
    ['purchase_order', 255],
    ['name', 255],
    ['number', 255],
  ] as const) {
    const kept = await api.sandbox.post('/invoices', { customer, [name]: text(most) });
    expect({ status: kept.status, value: kept.body[name] }).toEqual({ status: 201, value: text(most) });
    const refusal = await api.sandbox.post('/invoices', { customer, [name]: text(most + 1) });
    expect(refusal).toMatchObject(refused({ param: name }));
  }
});

test('a subscription that could bill more in a month than the largest amount is refused', async () => {
  const customer = (await api.sandbox.make('/customers', { name: 'Large' })).id;
  const plan = { name: 'Daily', currency: 'usd', amount: 999_999_999.99, interval: 'day' };
  const { id } = await api.sandbox.make('/plans', plan);
  // 900 x 999,999,999.99 = 899,999,999,991.00 a day; x 365 / 12 is more than 10^12 a month
  const asked = await api.sandbox.post('/subscriptions', { customer, plan: id, quantity: 900 });
  expect(asked).toMatchObject(refused({ param: 'quantity' }));
});
