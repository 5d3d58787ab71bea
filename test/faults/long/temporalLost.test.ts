import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { readTestGatewayRecord } from '../../../adapters/gateways/test/record.ts';
import { runReconcile } from '../../../bin/reconcile.ts';
import type { RunningWorker } from '../../../bin/worker.ts';
import { createEndpoint, createPayer, createPlan, subscribe } from '../../support/business.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { expectOrder, expectSound } from '../../support/soundness.ts';
import { type PrivateTemporal, startPrivateTemporal } from '../../support/temporal.ts';

let temporal: PrivateTemporal;
let product: Product;
let worker: RunningWorker;
let receiver: Receiver;
let slow: Receiver;
/** Receiver of an endpoint without new events. */
let lonely: Receiver;
let webhooks: { id: number }[];

beforeAll(async () => {
  temporal = await startPrivateTemporal(); // loses its state when it stops
  const env = { TEMPORAL_ADDRESS: temporal.address, LOG_LEVEL: 'silent' };
  // No sweep: it would find the lost work a minute later.
  product = await startProduct({ env: { ...env, SWEEP_INTERVAL: '600000' }, worker: false });
  worker = await product.startWorker();
  receiver = await startReceiver();
  slow = await startReceiver();
  lonely = await startReceiver();
  webhooks = [await createEndpoint(product, receiver.url), await createEndpoint(product, slow.url)];
  await createEndpoint(product, lonely.url, ['customer.created']);
  await createPlan(product, 'gold');
});

afterAll(async () => {
  await product.close();
  await receiver.stop();
  await slow.stop();
  await lonely.stop();
  await temporal.stop();
});

/** Moves the renewals of some subscriptions and their wake-ups to a time relative to now. */
const renewAt = (which: string, fromNow: string) =>
  product.rows(
    `with moved as (
       update subscription set anchor_at = now() + interval '${fromNow}' - next_period * interval '1 month',
         created_at = now() - interval '1 year'
       where ${which} returning account_id, id
     )
     update wakeup w set at = now() + interval '${fromNow}' from moved m
     where w.account_id = m.account_id and w.process = 'subscription' and w.subject_id = m.id`,
  );

/** The distinct numbers of invoices per subscription, and the number of paid invoices. */
const billed = async () => {
  const rows = await product.rows<{ invoices: number }>(
    'select count(*)::int as invoices from invoice group by subscription_id',
  );
  const [paid] = await product.rows<{ count: number }>('select count(*)::int as count from invoice where paid');
  return { each: [...new Set(rows.map(({ invoices }) => invoices))], paid: paid?.count };
};

const captures = async () => (await readTestGatewayRecord(product.config.databaseUrl)).map(({ captured }) => captured);

test('a starting worker rebuilds every process after Temporal lost its state', async () => {
  for (const failing of [slow, lonely]) failing.answerBy(() => ({ status: 500 }));
  product.mailbox.refuse(...Array(11).fill(451));
  for (const name of ['a', 'b', 'c', 'd']) {
    await subscribe(product, await createPayer(product, name), { code: 'gold' });
  }
  const declined = await subscribe(product, await createPayer(product, 'e', 'tok_script_soft.succeed'), {
    code: 'gold',
  });
  await product.row('select count(*)::int as paid from invoice where paid', ({ paid }) => paid === 4);
  await product.row(`select 1 from charge where status = 'failed'`);
  // A confirmation of each subscription, four receipts, and a mail about the declined charge.
  await product.row(`select count(*)::int as refused from email where attempts > 0`, ({ refused }) => refused === 10);
  await product.row(
    `select count(*)::int as waiting from webhook_lane where due_at > now()`,
    ({ waiting }) => Number(waiting) > 0,
  );
  await worker.close();
  await temporal.stop();

  await renewAt('id % 2 = 0', '-1 day'); // due during the outage
  await renewAt('id % 2 = 1', '4 seconds'); // due after the outage
  const retry = `now() + interval '4 seconds'`;
  await product.rows(`update webhook_lane set due_at = ${retry} where due_at is not null`);
  await product.rows(`update email set next_attempt_at = ${retry} where state = 'queued'`);
  await product.rows(`update invoice set next_payment_attempt_at = ${retry} where subscription_id = ${declined}`);
  await product.rows(`update wakeup set at = ${retry} where process = 'invoice' and rule = 'attempt'`);
  for (const failing of [slow, lonely]) failing.answerBy(() => ({ status: 200 }));
  await temporal.start();
  worker = await product.startWorker();

  await expectSound(product, webhooks);
  await product.row('select count(*)::int as paid from invoice where paid', ({ paid }) => paid === 10);
  await expectSound(product, webhooks);
  expect(await billed()).toEqual({ each: [2], paid: 10 });
  expect((await captures()).sort()).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]); // one was declined
  expectOrder(receiver.requests);
  expectOrder(slow.requests);
});

test('reconcile rebuilds every process after Temporal lost its state under a running worker', async () => {
  await temporal.stop();
  await renewAt('id % 2 = 0', '-1 day');
  await renewAt('id % 2 = 1', '5 seconds');
  await temporal.start();
  const said = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(await runReconcile(product.config)).toBe(0);
  // Five subscriptions, and the expiry notices of five cards.
  expect(said.mock.calls).toEqual([['10 processes re-enqueued']]);
  await runReconcile(product.config); // a second run is harmless
  said.mockRestore();

  await expectSound(product, webhooks); // the running worker looks for Temporal every ten seconds
  await product.row('select count(*)::int as paid from invoice where paid', ({ paid }) => paid === 15);
  await expectSound(product, webhooks);
  expect(await billed()).toEqual({ each: [3], paid: 15 });
  expect((await captures()).filter((captured) => captured > 0)).toEqual(Array.from({ length: 15 }, () => 1));
  expectOrder(receiver.requests);
  expectOrder(slow.requests);
});
