import { beforeAll, expect, test } from '@jest/globals';
import { connect } from '../../../workers/connection.ts';
import { refused } from '../../support/api.ts';
import { APRIL, goldSubscriptions, MARCH } from '../../support/goldSubscriptions.ts';
import { until } from '../../support/wait.ts';

/** POST /subscriptions takes the first step that is due: the answer has the period, and the invoice exists. */

const gold = goldSubscriptions();
let customer: number;
beforeAll(async () => {
  customer = await gold.customerWith();
});

const create = (body: object = {}) =>
  gold.api.sandbox.post('/subscriptions?include=latest_invoice', { customer, plan: 'gold', ...body });

test('a subscription that starts now has its first period and its first invoice at once', async () => {
  gold.moveTo(MARCH);
  const created = await create();
  const period = { period_start: MARCH, period_end: APRIL };
  const { id } = created.body;
  expect(created).toMatchObject({ status: 201, body: { status: 'active', ...period } });
  expect(created.body.latest_invoice).toMatchObject({
    status: 'not_sent',
    subscription: id,
    number: expect.any(String),
    date: MARCH,
    total: 10,
    items: [{ plan: 'gold', ...period }],
  });
  await gold.advanceTo(id, MARCH);
  expect(await gold.billed(id)).toEqual([MARCH]); // the process bills nothing twice
  await gold.advanceTo(id, APRIL);
  const read = await gold.api.sandbox.get(`/subscriptions/${id}?include=latest_invoice`);
  expect(read.body).toMatchObject({ period_start: APRIL, latest_invoice: { date: APRIL } });
});

test.each([
  ['starts later', { start_date: APRIL }],
  ['is paused', { paused: true }],
])('a subscription that %s has no invoice yet', async (_, body) => {
  gold.moveTo(MARCH);
  expect(await create(body)).toMatchObject({ status: 201, body: { period_start: null, latest_invoice: null } });
});

test('a past start bills the first period, and the process the others', async () => {
  gold.moveTo(APRIL + 86_400);
  const { body } = await create({ start_date: MARCH });
  expect(body).toMatchObject({ period_start: MARCH, period_end: APRIL, latest_invoice: { date: MARCH } });
  await gold.advanceTo(body.id, APRIL + 86_400);
  expect(await gold.billed(body.id)).toEqual([MARCH, APRIL]);
});

test.each([
  ['on credit hold', { credit_hold: true }],
  ['above the credit limit', { credit_limit: 9.99 }], // the bill is 10.00
])('%s the answer is 201 and the first invoice a draft', async (_, fields) => {
  gold.moveTo(MARCH);
  const customer = await gold.customerWith(fields);
  expect(await create({ customer })).toMatchObject({
    status: 201,
    body: { status: 'active', period_end: APRIL, latest_invoice: { status: 'draft', number: null, total: 10 } },
  });
});

test('a first invoice that just meets the credit limit is issued', async () => {
  gold.moveTo(MARCH);
  const answer = await create({ customer: await gold.customerWith({ credit_limit: 10 }) });
  expect(answer).toMatchObject({ status: 201, body: { latest_invoice: { status: 'not_sent', total: 10 } } });
});

test('a subscription whose first bill would be too large is refused, and nothing is stored', async () => {
  gold.moveTo(MARCH);
  const { sandbox } = gold.api;
  const large = await gold.customerWith();
  await sandbox.make('/plans', { id: 'huge', name: 'Huge', amount: 999_999, interval: 'month' });
  await sandbox.make('/tax_rates', { id: 'double', name: 'Double', value: 100 });
  const asked = { customer: large, plan: 'huge', quantity: 900_000, taxes: ['double'] }; // 2 x 899,999,100,000.00
  expect(await create(asked)).toMatchObject(refused({ param: 'quantity' }));
  expect((await sandbox.get(`/subscriptions?filter[customer]=${large}`)).body).toEqual([]);
  expect((await sandbox.get(`/invoices?filter[customer]=${large}`)).body).toEqual([]);
});

test('a first bill that another request makes too large meanwhile refuses the subscription, and nothing is stored', async () => {
  gold.moveTo(MARCH);
  const { sandbox } = gold.api;
  const large = await gold.customerWith({ country: 'IS' });
  await sandbox.make(`/customers/${large}/line_items`, { unit_cost: 1 });
  await sandbox.make('/plans', { id: 'vast', name: 'Vast', amount: 999_999, interval: 'month' });
  await sandbox.make('/tax_rates', { id: 'whole', name: 'Whole', value: 100 });
  const owner = await connect(gold.api.databaseUrl);
  await owner.query('begin');
  await owner.query('lock table line_item in access exclusive mode'); // the price is known by then, and the bill reads pending lines
  const asked = create({ customer: large, plan: 'vast', quantity: 900_000 });
  const waiting = "select count(*)::int as n from pg_locks where not granted and relation = 'line_item'::regclass";
  await until(async () => (await owner.query<{ n: number }>(waiting))[0]?.n === 1, { what: 'the bill', every: 5 });
  await sandbox.make('/tax_rules', { tax_rate: 'whole', country: 'IS' }); // 2 x 899,999,100,000.00
  await owner.query('commit');
  await owner.close();
  expect(await asked).toMatchObject(refused({ message: expect.stringContaining('must be below') }));
  for (const list of ['subscriptions', 'invoices', 'emails'])
    expect((await sandbox.get(`/${list}?filter[customer]=${large}`)).body).toEqual([]);
  expect((await sandbox.get(`/customers/${large}/line_items`)).body).toHaveLength(1);
  expect(await create({ customer: large })).toMatchObject({ status: 201, body: { latest_invoice: { total: 22 } } }); // 2 x (10 + 1)
});
