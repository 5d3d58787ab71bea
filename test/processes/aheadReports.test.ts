import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Body, TestClock } from '../../client/index.ts';
import { advanceTo, clockAt } from '../support/clock.ts';
import { reportOfJob } from '../support/jobs.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { seconds } from '../support/story.ts';
import { until } from '../support/wait.ts';

/** What the next forty days will bring, asked before they come, and compared with what a test clock then does. */

const ZONE = 'America/New_York';
const NOW = '2027-01-20T12:00:00Z';
const RANGE = { start: '2027-01-20', end: '2027-02-28', zone: ZONE }; // 12 days of January and 28 of February: 40

let product: Product;
let clock: TestClock;
let someone = 0;

beforeAll(async () => {
  product = await startProduct();
  const { client } = product;
  await client.patch('/account', { time_zone: ZONE, email_new_invoices: 'none' });
  await client.post('/tax_rates', { id: 'vat', name: 'VAT', value: 10 });
  await client.post('/coupons', { id: 'twice', name: 'Twice', value: 50, duration: 2 });
  const plan = { interval: 'month', currency: 'usd' } as const;
  await client.post('/plans', { ...plan, id: 'weekly', name: 'Weekly', amount: 7, interval: 'week' });
  await client.post('/plans', { ...plan, id: 'monthly', name: 'Monthly', amount: 100 });
  await client.post('/plans', { ...plan, id: 'large', name: 'Large', amount: 300 });
  await client.post('/plans', { ...plan, id: 'calls', name: 'Calls', amount: 1, quantity_type: 'usage' });
  clock = await clockAt(product, '2027-01-05T12:00:00Z');
});
afterAll(() => product.close());

type Sold = Omit<Body<'post', '/subscriptions'>, 'customer'>;

/** Sells a subscription to a new customer. */
async function sell(name: string, body: Sold): Promise<number> {
  someone = (await product.client.post('/customers', { name, test_clock: clock.id, currency: 'usd' })).id;
  return subscribe(someone, body);
}
const subscribe = async (customer: number, body: Sold) =>
  (await product.client.post('/subscriptions', { ...body, customer })).id;
const change = (id: number, body: Body<'patch', '/subscriptions/{id}'>) =>
  product.client.patch('/subscriptions/{id}', body, { id });
const upcoming = async (by: 'day' | 'subscription') =>
  (await product.client.get('/reports/upcoming', { ...RANGE, by })).rows;
const sumOf = (rows: Record<string, unknown>[]) =>
  rows.reduce((sum, { total }) => sum + Math.round(Number(total) * 100), 0);
/** The rows of the same report as a job writes them. */
async function rowsOfJob(parameters: Record<string, string>): Promise<Record<string, unknown>[]> {
  const { id } = await product.client.post('/jobs', { type: 'report', report: 'upcoming', format: 'json', parameters });
  await product.row(`select status, problem from job where id = ${id}`, ({ status }) => status === 'done');
  return (await reportOfJob(product, id)).rows;
}
const dayOf = (at: number) => new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(new Date(at * 1000));
const billsAfter = async (last: number) =>
  product.rows<{ subscription: number; date: number; subtotal: number; total: number }>(
    `select subscription_id as subscription, extract(epoch from date)::float8 as date, subtotal::float8, total::float8
     from invoice where id > ? order by date, subscription_id`,
    [last],
  );
const ended = (id: number) =>
  until(
    async () => {
      const job = await product.client.get('/jobs/{id}', { id });
      if (job.status === 'queued' || job.status === 'running') throw new Error(job.status);
      return job;
    },
    { what: `the end of job ${id}` },
  );
const lastInvoice = async () =>
  (await product.rows<{ id: number }>('select coalesce(max(id), 0)::int as id from invoice'))[0]?.id ?? 0;

test('the report tells the bills and the movements of revenue that a clock then brings', async () => {
  await sell('Coupon', { plan: 'monthly', discounts: ['twice'], taxes: ['vat'] });
  const cents = someone;
  await sell('Trial', { plan: 'monthly', trial_days: 30 });
  await sell('Weekly', { plan: 'weekly', quantity: 2 });
  await subscribe(someone, { plan: 'monthly', snap_to_nth_day: 1 });
  const changed = await sell('Changed', { plan: 'monthly' });
  await sell('Contract', { plan: 'weekly', cycles: 4, contract_renewal_mode: 'none' });
  const canceled = await sell('Canceled', { plan: 'monthly' });
  const paused = await sell('Paused', { plan: 'monthly' });
  await sell('Arrears', { plan: 'monthly', bill_in: 'arrears' });
  await sell('Ahead', { plan: 'monthly', bill_in_advance_days: 7 });
  await sell('Later', { plan: 'monthly', start_date: seconds('2027-02-10T15:00:00Z') });
  const metered = await sell('Metered', { plan: 'calls' });
  await advanceTo(product, clock, NOW);
  await change(changed, { plan: 'large', when: 'renewal', prorate: false });
  await change(canceled, { cancel_at_period_end: true });
  await change(paused, { pause_at_period_end: true, resume_at: seconds('2027-02-20T12:00:00Z'), resume_mode: 'new' });
  await product.client.post(
    '/customers/{customer_id}/line_items',
    { name: 'Setup', unit_cost: 13 },
    { customer_id: cents },
  );
  const used = { quantity: 5, idempotency_key: 'five' };
  await product.client.post('/subscriptions/{subscription_id}/usage', used, { subscription_id: metered });

  const before = await lastInvoice();
  const told = await upcoming('subscription');
  const days = await upcoming('day');
  const moves = (await product.client.get('/reports/scheduled_mrr', RANGE)).rows;
  expect(await rowsOfJob({ ...RANGE, by: 'subscription' })).toEqual(told);
  const byCustomer = await rowsOfJob({ ...RANGE, by: 'subscription', group_by: 'customer' });
  expect(sumOf(byCustomer)).toEqual(sumOf(told));
  expect(byCustomer.map(({ customer }) => customer).sort()).toEqual(
    [...new Set(told.map(({ customer }) => customer))].sort(),
  );
  expect(await lastInvoice()).toBe(before); // nothing was written
  await advanceTo(product, clock, '2027-03-01T12:00:00Z');
  const issued = (await billsAfter(before)).filter(({ date }) => dayOf(date) <= '2027-02-28');
  const flat = (rows: { subscription: unknown; date: unknown; subtotal: unknown; total: unknown }[]) =>
    rows.map(({ subscription, date, subtotal, total }) => `${date} ${subscription}: ${subtotal} ${total}`).sort();
  expect(flat(told as never)).toEqual(flat(issued.map((bill) => ({ ...bill, date: dayOf(bill.date) }))));
  expect(issued.length).toBe(16);
  // The coupon's second bill, with the pending line: (100 + 13) / 2 = 56.50, and 10 % of it.
  expect(told.find(({ name }) => name === 'Coupon')).toMatchObject({ date: '2027-02-05', subtotal: 113, total: 62.15 });
  const sum = (rows: Record<string, unknown>[], key: string) => rows.reduce((all, row) => all + Number(row[key]), 0);
  expect([sum(days, 'total'), sum(days, 'count')]).toEqual([sum(told, 'total'), issued.length]);

  const kinds = ['new', 'reactivation', 'expansion', 'contraction', 'churn'];
  const happened = (await product.client.get('/reports/mrr', { ...RANGE, group: 'day' })).rows.flatMap((row) =>
    kinds.flatMap((kind) => (row[kind] === 0 ? [] : [`${row.period} ${kind} ${row[kind]}`])),
  );
  const scheduled = new Map<string, number>();
  for (const { date, kind, amount } of moves)
    scheduled.set(`${date} ${kind}`, (scheduled.get(`${date} ${kind}`) ?? 0) + Number(amount));
  expect([...scheduled].map(([key, amount]) => `${key} ${amount}`).sort()).toEqual(happened.sort());
  expect(moves.map(({ name, kind, amount }) => `${name}: ${kind} ${amount}`)).toEqual(
    expect.arrayContaining([
      'Trial: new 100',
      'Changed: expansion 200',
      'Contract: churn -30.33', // 7 x 52 / 12
      'Canceled: churn -100',
      'Paused: churn -100',
      'Paused: reactivation 100',
      'Later: new 100',
    ]),
  );
  await expectSound(product);
});

test('bills that would be refused do not hide those of other customers', async () => {
  const other = await clockAt(product, '2027-06-05T12:00:00Z');
  const plan = { interval: 'month', currency: 'eur', quantity_type: 'usage' } as const;
  await product.client.post('/plans', { ...plan, id: 'dear', name: 'Dear', amount: 1_000_000_000 });
  const ids: number[] = [];
  for (const name of ['Fine', 'Excessive']) {
    const customer = await product.client.post('/customers', { name, test_clock: other.id, currency: 'eur' });
    ids.push(await subscribe(customer.id, { plan: 'dear' }));
  }
  for (const [index, quantity] of [1, 1_000_000_000].entries())
    await product.client.post(
      '/subscriptions/{subscription_id}/usage',
      { quantity, idempotency_key: 'all' },
      { subscription_id: ids[index] ?? 0 },
    );
  const range = { start: '2027-06-05', end: '2027-07-10', zone: ZONE, currency: 'eur' };
  const { rows } = await product.client.get('/reports/upcoming', { ...range, by: 'customer' });
  expect(rows).toMatchObject([
    { name: 'Excessive', count: 0, refused: 1, total: 0 },
    { name: 'Fine', count: 1, refused: 0, estimated: 1, total: 1_000_000_000 },
  ]);
});

test('what has happened already is not scheduled', async () => {
  const june = await clockAt(product, '2027-06-10T12:00:00Z');
  const { id } = await product.client.post('/customers', { name: 'June', test_clock: june.id, currency: 'usd' });
  const ending = await subscribe(id, { plan: 'monthly' });
  await change(ending, { cancel_at_period_end: true });
  await advanceTo(product, june, '2027-06-20T12:00:00Z');
  const range = { start: '2027-06-01', end: '2027-07-31', zone: ZONE, customer: id };
  const scheduled = (more = {}) => product.client.get('/reports/scheduled_mrr', { ...range, ...more });
  const ends = [{ date: '2027-07-10', kind: 'churn', amount: -100 }];
  expect((await scheduled()).rows).toMatchObject(ends);
  expect((await scheduled({ known_at: seconds('2026-01-01T00:00:00Z') })).rows).toMatchObject(ends);
});

test('steps are bounded: those of a customer, which is locked meanwhile, and those of an answer', async () => {
  const daily = { interval: 'day', currency: 'gbp', amount: 1 } as const;
  await product.client.post('/plans', { ...daily, id: 'daily', name: 'Daily' });
  const days = await clockAt(product, '2027-08-01T12:00:00Z');
  const sold = async (name: string, count: number) => {
    const { id } = await product.client.post('/customers', { name, test_clock: days.id, currency: 'gbp' });
    for (let more = count; more > 0; more--) await subscribe(id, { plan: 'daily' });
    return id;
  };
  const heavy = await sold('Heavy', 2);
  const range = { start: '2027-08-01', zone: ZONE, currency: 'gbp' };
  const billsUntil = (end: string) => product.client.get('/reports/upcoming', { ...range, end, by: 'customer' });
  // Bills of 2 August to 20 September: 50 days, twice: 100 steps. One day more has 102.
  expect((await billsUntil('2027-09-20')).rows).toMatchObject([{ name: 'Heavy', count: 100 }]);
  const tooMany = { code: 'limit_exceeded', param: 'end', message: expect.stringContaining(`customer ${heavy} take`) };
  await expect(billsUntil('2027-09-21')).rejects.toMatchObject(tooMany);
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) await sold(name, 1);
  // 8 subscriptions of one step a day: 37 days are 296 steps, 38 are 304.
  expect((await billsUntil('2027-09-07')).totals).toMatchObject([{ currency: 'gbp', total: 296 }]); // 1 each
  await expect(billsUntil('2027-09-08')).rejects.toMatchObject({ code: 'limit_exceeded', param: 'end' });

  const asked = { ...range, end: '2027-09-21', by: 'customer' };
  const { id: job } = await product.client.post('/jobs', {
    type: 'report',
    report: 'upcoming',
    format: 'json',
    parameters: asked,
  });
  const done = await ended(job);
  expect(done).toMatchObject({ status: 'done', total: 7 });
  const file = await fetch(`${product.url}/jobs/${job}/file`, {
    headers: { authorization: `Basic ${Buffer.from(`${product.key}:`).toString('base64')}` },
  });
  const { rows } = (await file.json()) as { rows: { name: string; count: number; refused: number }[] };
  expect(rows.map(({ name, count, refused }) => [name, count, refused])).toEqual(
    expect.arrayContaining([
      ['Heavy', 0, 1],
      ['One', 51, 0],
    ]),
  );
});

test('too long a range is refused', async () => {
  const asked = product.client.get('/reports/upcoming', { start: '2027-01-01', end: '2027-04-03' });
  await expect(asked).rejects.toThrow('The range has more than 92 days');
});
