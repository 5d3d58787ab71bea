import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readTestGatewayRecord } from '../../../adapters/gateways/test/record.ts';
import { connect } from '../../../workers/connection.ts';
import { createEndpoint, createPayer, createPlan, subscribe } from '../../support/business.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { expectSound } from '../../support/soundness.ts';
import { until } from '../../support/wait.ts';
import { lookUpNow } from '../money/past.ts';

let product: Product;
let receiver: Receiver;
let webhook: { id: number };
/** A subscription whose wake was lost before the relay read it. */
let lost: number;

beforeAll(async () => {
  const env = { SWEEP_INTERVAL: '200', SWEEP_AGE: '1000', SWEEP_PROBLEM_AGE: '10000' };
  product = await startProduct({
    worker: false,
    env: { ...env, GATEWAY_DEADLINE: '3000' },
  });
  receiver = await startReceiver();
  webhook = await createEndpoint(product, receiver.url);
  await createPlan(product, 'gold');
  lost = await newSubscription('lost');
  const wakes = await product.rows(`delete from outbox where topic = 'subscription' returning 1 as wake`);
  expect(wakes).toHaveLength(1);
  await product.startWorker();
});

afterAll(async () => {
  await product.close();
  await receiver.stop();
});

/** Creates a customer and subscribes it. Returns the subscription's id. */
const newSubscription = async (name: string, token?: string) =>
  subscribe(product, await createPayer(product, name, token), { code: 'gold' });

const paid = (subscription: number) =>
  product.row(`select 1 from invoice where paid and subscription_id = ${subscription}`);

const problemOf = (subscription: number) =>
  `select tries, step, message, extract(epoch from next_try_at - clock_timestamp())::float8 as "secondsLeft", closed_at
   from problem where subject_type = 'subscription' and subject_id = ${subscription}`;

interface ProblemRow {
  tries: number;
  step: string;
  message: string;
  secondsLeft: number;
  closed_at: Date | null;
}

test('the sweep finds the overdue wake-up of a lost wake, and the work is done', async () => {
  await paid(lost);
  await product.row(`select 1 from queue_progress where environment = 'sandbox'`); // the worker has recorded the progress of its queue
  await expectSound(product, [webhook]);
});

test('overdue work becomes a problem, which closes itself', async () => {
  const customer = await createPayer(product, 'blocked');
  const blocker = await connect(product.config.databaseUrl);
  const subscription = await subscribe(product, customer, { code: 'gold' });
  await blocker.query('begin');
  await blocker.query(`select 1 from customer where id = ${customer} for update`);
  const others = await newSubscription('unblocked');
  const problem = await product.row<ProblemRow>(problemOf(subscription));
  expect(problem).toMatchObject({ tries: 1, step: 'first bill', message: expect.stringMatching(/^overdue since 2/) });
  await paid(others); // other customers do not wait
  await blocker.query('commit');
  await blocker.close();
  await paid(subscription);
  await product.row<ProblemRow>(problemOf(subscription), (row) => row.closed_at !== null);
  await expectSound(product, [webhook]);
});

test('a step that throws becomes a problem after three tries, is retried with back-off, and delays nobody else', async () => {
  const { rows, row } = product;
  const customer = await createPayer(product, 'broken');
  // The subscription gets an invalid time zone as it is created, so every step throws.
  const broken = await subscribe(product, customer, {
    code: 'gold',
    also: `update subscription set time_zone = 'Not/AZone' where customer_id = ${customer}`,
  });
  const others = await newSubscription('healthy');
  await row<ProblemRow>(problemOf(broken));
  await paid(others);
  // A wake from before the problem may still arrive. After that, sweeps do not wake the process.
  const first = await until(
    async () => {
      const [before] = await rows<ProblemRow>(problemOf(broken));
      await sweeps(4);
      const [after] = await rows<ProblemRow>(problemOf(broken));
      return before && before.tries === after?.tries && after;
    },
    { what: 'the step to be left alone' },
  );
  const { tries } = first;
  expect(first).toMatchObject({
    step: 'advanceSubscription',
    message: expect.stringMatching(/zone/i),
    closed_at: null,
  });
  expectBackoff(first);

  const due = `update wakeup set at = now() - interval '1 s' where rule = 'problem'`;
  await rows(due);
  expectBackoff(await row<ProblemRow>(problemOf(broken), (one) => one.tries === tries + 1));

  await rows(`update subscription set time_zone = 'UTC' where id = ${broken}`);
  await rows(due);
  await paid(broken);
  await row<ProblemRow>(problemOf(broken), (one) => one.closed_at !== null);
  expect(await rows(`select 1 from wakeup where rule = 'problem'`)).toEqual([]);
  await expectSound(product, [webhook]);
});

/** Expects the next try 1, 2, 4, … minutes after the last one. */
function expectBackoff({ tries, secondsLeft }: ProblemRow): void {
  const wait = 60 * 2 ** (tries - 1);
  expect(secondsLeft).toBeGreaterThan(wait - 15);
  expect(secondsLeft).toBeLessThanOrEqual(wait);
}

/** Waits for this many sweeps. They count up on a wake-up whose subject does not exist. */
async function sweeps(count: number): Promise<void> {
  await product.rows(
    `insert into wakeup (account_id, process, subject_id, rule, at, step, time_base, sweeps)
     values (${product.accountId}, 'charge', 999999, 'look_up', now() - interval '1 s', 'none', 'real', 0)`,
  );
  await product.row<{ sweeps: number }>(
    `select sweeps from wakeup where subject_id = 999999 and rule = 'look_up'`,
    (row) => row.sweeps >= count,
  );
  await product.rows('delete from wakeup where subject_id = 999999');
}

test('a forgotten attempt is looked up', async () => {
  const subscription = await newSubscription('forgotten', 'tok_4000000000000119'); // takes the money and never answers
  const attempt = `select id from attempt where kind = 'charge' and state = 'unknown'`;
  await product.row(attempt);
  const forgotten = await product.rows(
    `delete from outbox where topic = 'charge' and subject_id = (${attempt}) returning 1 as gone`,
  );
  expect(forgotten).toHaveLength(1);
  expect(await product.rows(`select 1 from wakeup where process = 'charge'`)).toEqual([]);
  await product.rows(`update attempt set started_at = started_at - interval '1 minute' where state = 'unknown'`);
  await paid(subscription);
  await expectSound(product, [webhook]);
  const record = await readTestGatewayRecord(product.config.databaseUrl);
  expect(record.filter(({ captured }) => captured !== 1)).toEqual([]);
});

test('an attempt that was abandoned at the gateway without a record is no decline', async () => {
  const subscription = await newSubscription('abandoned', 'tok_script_timeout_untaken.succeed');
  const attempt = await product.row<{ reference: string; customer: number }>(
    `select reference, customer_id as customer from attempt where kind = 'charge' and state = 'unknown'`,
  );
  expect(await product.deps.testGateway.abandon(attempt.reference, AbortSignal.timeout(60_000))).toBe(true);
  await lookUpNow(product, attempt.customer, 'unknown');
  await paid(subscription); // by another attempt, at once
  const attempts = `select state from attempt where kind = 'charge' and customer_id = (
    select customer_id from subscription where id = ${subscription}) order by id`;
  expect(await product.rows(attempts)).toEqual([{ state: 'abandoned' }, { state: 'succeeded' }]);
  expect(await product.rows(`select 1 from email where template = 'auto_payment_failed_email'`)).toEqual([]);
  await expectSound(product, [webhook]);
});
