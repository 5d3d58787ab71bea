import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Body, Customer, Subscription } from '../../client/index.ts';
import { type Product, startProduct } from '../support/product.ts';
import { fastSweepConfig, steppedTime, stepTo } from '../support/steppedTime.ts';
import { payingCustomer, seconds } from '../support/story.ts';
import { until } from '../support/wait.ts';

const time = steppedTime('2027-01-31T10:00:00Z');
let product: Product;
let customer: Customer;

beforeAll(async () => {
  product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
  for (const interval of ['day', 'week', 'month', 'year'] as const) {
    await product.client.post('/plans', { id: interval, name: `Every ${interval}`, amount: 10, interval });
  }
  customer = await payingCustomer(product, 'tok_4242424242424242');
});
afterAll(() => product.close());

function subscribe(over: Partial<Body<'post', '/subscriptions'>>): Promise<Subscription> {
  return product.client.post('/subscriptions', { customer: customer.id, plan: 'month', ...over });
}

/** Waits until the subscription has this many invoices. Returns their dates. */
async function billed(id: number, count: number): Promise<string[]> {
  const days = async () => {
    const rows = await product.rows<{ date: Date | string }>(
      'select date from invoice where subscription_id = ? order by period',
      [id],
    );
    return rows.length >= count ? rows.map((row) => new Date(row.date).toISOString().slice(0, 10)) : null;
  };
  return until(days, { what: `${count} invoices of subscription ${id}` });
}

test('a subscription from the 31st renews at the end of shorter months and on the 31st again', async () => {
  const { id } = await subscribe({});
  expect(await billed(id, 1)).toEqual(['2027-01-31']);
  time.moveTo('2027-02-28T10:00:00Z');
  expect(await billed(id, 2)).toEqual(['2027-01-31', '2027-02-28']);
  time.moveTo('2027-05-31T10:00:00Z');
  expect(await billed(id, 5)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']);
  expect(await product.client.get('/subscriptions/{id}', { id })).toMatchObject({
    status: 'active',
    period_start: seconds('2027-05-31T10:00:00Z'),
    period_end: seconds('2027-06-30T10:00:00Z'),
    recurring_total: 10,
    mrr: 10,
  });
  await product.client.delete('/subscriptions/{id}', { id });
  expect(await product.audit()).toEqual([]);
});

test('every interval counts from its anchor', async () => {
  time.moveTo('2028-02-29T08:00:00Z');
  const daily = await subscribe({ plan: 'day', cycles: 3 });
  const weekly = await subscribe({ plan: 'week', cycles: 2 });
  const yearly = await subscribe({ plan: 'year', cycles: 2 });
  await billed(daily.id, 1);
  time.moveTo('2028-03-07T08:00:00Z');
  expect(await billed(daily.id, 3)).toEqual(['2028-02-29', '2028-03-01', '2028-03-02']);
  expect(await billed(weekly.id, 2)).toEqual(['2028-02-29', '2028-03-07']);
  time.moveTo('2029-02-28T08:00:00Z');
  expect(await billed(yearly.id, 2)).toEqual(['2028-02-29', '2029-02-28']);
});

test('a subscription finishes when the last of its cycles is over', async () => {
  time.moveTo('2029-03-01T00:00:00Z');
  const created = await subscribe({ cycles: 2 });
  expect(created).toMatchObject({
    contract_period_start: seconds('2029-03-01T00:00:00Z'),
    contract_period_end: seconds('2029-05-01T00:00:00Z'),
  });
  await billed(created.id, 1);
  time.moveTo('2029-04-30T00:00:00Z');
  await billed(created.id, 2);
  expect(await product.client.get('/subscriptions/{id}', { id: created.id })).toMatchObject({
    status: 'active',
    paused: false,
  });
  time.moveTo('2029-05-01T00:00:00Z');
  await product.row(`select 1 from subscription where id = ${created.id} and status = 'finished'`);
  expect(await billed(created.id, 2)).toHaveLength(2);
});

test('paused periods are not billed, and the schedule stays', async () => {
  time.moveTo('2030-01-10T00:00:00Z');
  const { id } = await subscribe({});
  await billed(id, 1);
  await product.client.patch('/subscriptions/{id}', { paused: true }, { id });
  time.moveTo('2030-03-25T00:00:00Z');
  expect(await product.client.patch('/subscriptions/{id}', { paused: false }, { id })).toMatchObject({
    paused: false,
    status: 'active',
  });
  time.moveTo('2030-04-10T00:00:00Z');
  expect(await billed(id, 2)).toEqual(['2030-01-10', '2030-04-10']);
  expect(await product.audit()).toEqual([]);
});

test('a subscription canceled at the end of the period gets no further bill; the cancellation can be undone', async () => {
  time.moveTo('2030-06-01T00:00:00Z');
  const { id } = await subscribe({});
  await billed(id, 1);
  await product.client.patch('/subscriptions/{id}', { cancel_at_period_end: true }, { id });
  await product.client.patch('/subscriptions/{id}', { cancel_at_period_end: false }, { id });
  time.moveTo('2030-07-01T00:00:00Z');
  await billed(id, 2);
  await product.client.patch('/subscriptions/{id}', { cancel_at_period_end: true }, { id });
  time.moveTo('2030-08-01T00:00:00Z');
  await product.row(`select 1 from subscription where id = ${id} and status = 'canceled'`);
  expect(await product.client.get('/subscriptions/{id}', { id })).toMatchObject({
    canceled_at: seconds('2030-08-01T00:00:00Z'),
    period_start: null,
    period_end: null,
    mrr: 0,
  });
  expect(await billed(id, 2)).toEqual(['2030-06-01', '2030-07-01']);
});

test('a start in the future waits; a start in the past bills the missed periods, collected one a day', async () => {
  time.moveTo('2031-01-01T00:00:00Z');
  const future = await subscribe({ start_date: seconds('2031-01-05T00:00:00Z') });
  expect(future).toMatchObject({ status: 'not_started', period_start: null });
  const past = await subscribe({ start_date: seconds('2030-11-01T00:00:00Z') });
  expect(await billed(past.id, 3)).toEqual(['2030-11-01', '2030-12-01', '2031-01-01']);
  // Periods 0 and 1 were missed. Period 1 is charged a day later. Period 2 is the current one.
  await product.row(`select 1 from invoice where subscription_id = ${past.id} and period = 0 and paid`);
  const [second] = await product.rows<{ at: string }>(
    'select next_payment_attempt_at as at from invoice where subscription_id = ? and period = 1',
    [past.id],
  );
  expect(new Date(second?.at ?? 0).toISOString()).toBe('2031-01-02T00:00:00.000Z');
  time.moveTo('2031-01-05T00:00:00Z');
  expect(await billed(future.id, 1)).toEqual(['2031-01-05']);
  await expect(subscribe({ start_date: seconds('2029-12-01T00:00:00Z') })).rejects.toThrow(
    /more than 12 missed periods/,
  );
});

test('sixteen backfilled periods are collected one a day, in order', async () => {
  time.moveTo('2032-01-20T00:00:00Z');
  const payer = await payingCustomer(product, 'tok_4242424242424242', { name: 'Backfilled' });
  const start_date = seconds('2030-10-15T00:00:00Z'); // the sixteenth period began on 15 January 2032
  const { id } = await subscribe({ customer: payer.id, start_date, backfill: true });
  expect(await billed(id, 16)).toHaveLength(16);
  await stepTo(product, time, '2032-02-05T00:00:00Z');
  const charges = await product.rows<{ period: number; at: Date | string }>(
    `select i.period, c.created_at as at from charge c join attempt_invoice ai using (account_id, attempt_id)
     join invoice i on i.account_id = ai.account_id and i.id = ai.invoice_id
     where c.customer_id = ? and c.status = 'succeeded' order by c.id`,
    [payer.id],
  );
  const days = Array.from({ length: 16 }, (_, n) => new Date(Date.UTC(2032, 0, 20 + n)).toISOString());
  expect(charges.map(({ period, at }) => [period, new Date(at).toISOString()])).toEqual(days.map((day, n) => [n, day]));
  expect(await product.audit()).toEqual([]);
});
