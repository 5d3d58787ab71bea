import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Customer } from '../../client/index.ts';
import { sweepAttempts } from '../../db/queries/processes/sweep.ts';
import { connect } from '../../workers/connection.ts';
import { gatewayWithout } from '../faults/money/outage.ts';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { invoiceFor, payingCustomer, seconds } from '../support/story.ts';

/** At the last second of 2199 no later retry is possible, and nothing is retried in a loop. */

const END = '2199-12-31T23:59:59Z';
let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterEach(async () => expect(await product.audit()).toEqual([]));
afterAll(() => product.close());

/** Waits that a clock can reach. */
const waits = (clock: number) =>
  product.rows(`select process || ' ' || rule as wait, to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as at
    from wakeup where clock_id = ${clock} and at <= '${END}' order by 2, 1`);

const attempts = (customer: Customer) =>
  product.rows(`select state, count(*)::int as count from attempt where kind = 'charge' and customer_id = ${customer.id}
    group by 1 order by 1`);

test('a pending debit is looked up for the last time at the last second, and the clock arrives', async () => {
  const clock = await clockAt(product, '2199-12-31T09:00:00Z');
  const customer = await payingCustomer(product, 'tok_123123123_123123893', { test_clock: clock.id });
  await invoiceFor(product, customer.id, 30);
  await product.row(`select 1 from attempt where customer_id = ${customer.id} and state = 'pending'`);
  expect(await waits(clock.id)).toEqual([{ wait: 'charge look_up', at: '2199-12-31 23:59:59' }]);
  expect(await advanceTo(product, clock, END)).toMatchObject({ status: 'ready', frozen_time: seconds(END) });
  expect(await waits(clock.id)).toEqual([]);
  const [attempt] = await product.rows(
    `select state, extract(epoch from looked_up_at)::float8 as "lookedUpAt" from attempt
     where kind = 'charge' and customer_id = ${customer.id}`,
  );
  expect(attempt).toEqual({ state: 'pending', lookedUpAt: seconds(END) });
  expect(await sweptCharges()).toEqual([]);
  await invoiceFor(product, customer.id, 40); // its charge becomes pending at the last second
  await product.row(`select 1 from attempt where amount = 40 and state = 'pending'`);
  expect(await waits(clock.id)).toEqual([]);
  expect(await sweptCharges()).toEqual([]);
});

/** Charges that a sweep enqueues much later. */
async function sweptCharges(): Promise<unknown[]> {
  const connection = await connect(product.config.databaseUrl);
  try {
    await connection.query('begin');
    const later = new Date(Date.now() + 86_400_000);
    await sweepAttempts(connection, { now: later, before: later, limit: 1000 });
    return await connection.query(`select subject_id from outbox where topic = 'charge'`);
  } finally {
    await connection.query('rollback');
    await connection.close();
  }
}

test('AutoPay without a gateway stops at the last second, and the clock arrives', async () => {
  const clock = await clockAt(product, '2199-12-31T23:59:00Z');
  const customer = await payingCustomer(product, 'tok_4242424242424242', { test_clock: clock.id });
  const restore = await gatewayWithout(product, 'operation');
  const { id } = await invoiceFor(product, customer.id, 50);
  await product.row(
    `select 1 from wakeup where process = 'invoice' and subject_id = ${id} and at > '2199-12-31T23:59:00Z'`,
  );
  expect(await waits(clock.id)).toEqual([{ wait: 'invoice attempt', at: '2199-12-31 23:59:59' }]);
  const there = await advanceTo(product, clock, END);
  await restore();
  expect([there.status, ...story(there).map((step) => step.replace(/^.{17}invoice \d+: /, ''))]).toEqual([
    'ready',
    'attempt 1: charging 50.00 usd',
    'charge of 50.00 usd abandoned',
    'past due',
  ]);
  expect(await attempts(customer)).toEqual([{ state: 'abandoned', count: 3 }]);
  expect(await waits(clock.id)).toEqual([]);
});

test('a card that declines at the last second is not charged again', async () => {
  const clock = await clockAt(product, END);
  const customer = await payingCustomer(product, 'tok_script_soft.soft.soft.soft', { test_clock: clock.id });
  const { id } = await invoiceFor(product, customer.id, 60);
  await product.row(`select 1 from invoice where id = ${id} and past_due`);
  expect(await attempts(customer)).toEqual([{ state: 'failed', count: 1 }]);
  expect(await product.client.get('/invoices/{id}', { id })).toMatchObject({
    attempt_count: 1,
    next_payment_attempt: null,
  });
  expect(await waits(clock.id)).toEqual([]);
});
