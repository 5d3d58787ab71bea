import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runAttempt, settleAttempt } from '../../commands/charges/attempts.ts';
import { advanceCharge } from '../../commands/charges/steps.ts';
import type { Gateway } from '../../commands/ports/ports.ts';
import { armFailpoints } from '../../db/failpoint.ts';
import { inTransaction } from '../../db/transaction.ts';
import { onlyGateways } from '../support/gateways.ts';
import { type Product, startProduct } from '../support/product.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';
import { invoiceFor, seconds } from '../support/story.ts';

const time = steppedTime('2027-03-01T09:00:00Z');
let product: Product;
beforeAll(async () => {
  product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig, worker: false });
});
afterAll(() => product.close());

const succeedsLater = 'tok_123123123_123123893';
const failsLater = 'tok_123123123_000222222227';

/** Charges a new invoice of a customer by bank debit. */
async function debit(
  customer: number,
  gateway_token: string,
): Promise<{ invoice: number; charge: () => Promise<unknown> }> {
  const { id: invoice } = await invoiceFor(product, customer, 30);
  const applied_to = [{ type: 'invoice' as const, invoice, amount: 30 }];
  const body = { customer, method: 'ach' as const, amount: 30, gateway_token, applied_to };
  return { invoice, charge: () => product.client.post('/charges', body) };
}

const attemptOf = async (invoice: number): Promise<number> => {
  const [row] = await product.rows<{ id: number }>(
    `select attempt_id as id from attempt_invoice where invoice_id = ${invoice} order by id desc limit 1`,
  );
  return row?.id ?? 0;
};

/** The wake-ups of the attempt's process. */
const wakeups = (attempt: number) =>
  product.rows(`select rule, extract(epoch from at)::float8 as at, time_base, clock_id from wakeup
    where process = 'charge' and subject_id = ${attempt}`);

const lookUp = (day: string, clock: number | null = null) => [
  { rule: 'look_up', at: seconds(day), time_base: clock === null ? 'real' : 'clock', clock_id: clock },
];

test("an unknown charge that turns out to be pending is looked up in the clock's time", async () => {
  const { id: customer } = await product.client.post('/customers', { name: 'On a clock' });
  const [clock] = await product.rows<{ id: number }>(
    `insert into test_clock (account_id, frozen_at, created_at, updated_at)
     values (${product.accountId}, '2030-05-01T00:00:00Z', now(), now()) returning id`,
  );
  const clockId = clock?.id ?? 0;
  await product.rows(`update customer set test_clock_id = ${clockId} where id = ${customer}`);
  const { invoice, charge } = await debit(customer, succeedsLater);
  armFailpoints('charge.started=throw');
  await expect(charge()).rejects.toMatchObject({ status: 500 });
  armFailpoints('');
  const { deps, accountId } = product;
  const key = { accountId, id: await attemptOf(invoice) };
  const takeStep = () =>
    inTransaction(deps.em, (em) => advanceCharge(em, { ...key, lookUpDelay: 60_000 }, time.systemNow()));
  const stateIs = async (state: string) =>
    expect(await product.rows(`select state from attempt where id = ${key.id}`)).toEqual([{ state }]);

  await runAttempt({ ...deps, gateways: onlyGateways(new Map([['test', answerLost()]])) }, key);
  await stateIs('unknown');
  await takeStep();
  expect(await wakeups(key.id)).toEqual(lookUp('2027-03-01T09:00:01Z')); // the look-up is due soon in real time, because a clock may wait for it

  await settleAttempt(deps, key);
  await stateIs('pending');
  expect(await wakeups(key.id)).toEqual(lookUp('2030-05-02T00:00:00Z', clockId));
  expect(await product.rows("select 1 from outbox where topic = 'charge'")).toEqual([]); // only the clock enqueues it
  expect(await takeStep()).toMatchObject({ call: null, wakeAt: null });

  await product.rows(`update test_clock set frozen_at = '2030-05-03T00:00:00Z' where id = ${clockId}`);
  expect(await takeStep()).toMatchObject({ call: key.id, wakeAt: null });
  expect(await wakeups(key.id)).toEqual(lookUp('2030-05-02T00:00:00Z', clockId)); // until the look-up is over
  await settleAttempt(deps, key);
  await stateIs('succeeded');
  expect(await wakeups(key.id)).toEqual([]);
  expect(await product.client.get('/invoices/{id}', { id: invoice })).toMatchObject({ paid: true });
});

/** A gateway whose answer to a confirmation is lost. */
function answerLost(): Gateway {
  const real: Gateway = product.deps.testGateway;
  const confirm: Gateway['confirm'] = async (...asked) => {
    await real.confirm(...asked);
    throw new Error('connection lost');
  };
  return { ...real, confirm };
}

test('pending debits are looked up every day until the bank has decided', async () => {
  const { id: customer } = await product.client.post('/customers', { name: 'Debtor' });
  const debits = [await debit(customer, succeedsLater), await debit(customer, failsLater)];
  for (const { charge } of debits) await charge();
  const attempts = await Promise.all(debits.map(({ invoice }) => attemptOf(invoice)));
  for (const attempt of attempts) {
    expect(await wakeups(attempt)).toEqual(lookUp('2027-03-02T09:00:00Z'));
    // The look-up of the unanswered charge is replaced by the one of the next day.
    expect(
      await product.rows(`select extract(epoch from start_at)::float8 as start from outbox
        where topic = 'charge' and subject_id = ${attempt}`),
    ).toEqual([{ start: seconds('2027-03-02T09:00:00Z') }]);
  }

  await product.startWorker();
  time.moveTo('2027-03-02T09:00:00Z');
  const ids = attempts.join(', ');
  await product.row<{ count: number }>(
    `select count(*)::int as count from wakeup where process = 'charge' and subject_id in (${ids})
     and rule = 'look_up' and at = '2027-03-03T09:00:00Z'`,
    ({ count }) => count === 2,
  );
  expect(await product.rows(`select distinct state from attempt where id in (${ids})`)).toEqual([{ state: 'pending' }]);

  time.moveTo('2027-03-03T09:00:00Z');
  await product.row<{ count: number }>(
    `select count(*)::int as count from attempt where id in (${ids}) and ended_at is not null and sealed_token is null`,
    ({ count }) => count === 2,
  );
  const [paid, failed] = await Promise.all(
    debits.map(({ invoice }) => product.client.get('/invoices/{id}', { id: invoice })),
  );
  expect([paid, failed]).toMatchObject([
    { status: 'paid', balance: 0 },
    { paid: false, balance: 30, attempt_count: 1 },
  ]);
  expect(await Promise.all(attempts.map(wakeups))).toEqual([[], []]);
  expect(await product.audit()).toEqual([]);
});
