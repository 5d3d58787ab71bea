import { env as environment } from 'node:process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { createWaker } from '../../bin/deps.ts';
import { workflowId } from '../../workflows/client.ts';
import { recordHistory } from '../replay/record.ts';
import { GOOD_CARD, subscribe } from '../support/business.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { payingCustomer, seconds } from '../support/story.ts';
import { type PrivateTemporal, startPrivateTemporal } from '../support/temporal.ts';
import { until } from '../support/wait.ts';

let temporal: PrivateTemporal;
let product: Product;
let connection: Connection;
let client: Client;
/** A subscription whose process was started before the attributes were registered. */
let early: number;

beforeAll(async () => {
  temporal = await startPrivateTemporal();
  connection = await Connection.connect({ address: temporal.address });
  client = new Client({ connection });
  const some = { PerennialAccount: 2, PerennialSubject: 2 }; // registered by an older version
  await connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes: some });
  const env = { TEMPORAL_ADDRESS: temporal.address, SWEEP_INTERVAL: '600000', LOG_LEVEL: 'silent' };
  product = await startProduct({ worker: false, env });
  await product.client.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  early = await brokenSubscription('early');
  const waker = createWaker(product.deps); // started before the attributes are registered
  const { accountId } = product;
  await waker.wake({ process: 'subscription', environment: 'sandbox', accountId, id: early, startAt: null });
  await waker.close();
  await product.startWorker();
});

afterAll(async () => {
  await product.close();
  await connection.close();
  await temporal.stop();
});

/**
 * Creates a subscription that starts in a moment, and whose first step fails because its time zone is unknown. Its customer has no mail,
 * whose process would start before the attributes are registered.
 */
const brokenSubscription = async (name: string) => {
  const { id: customer } = await payingCustomer(product, GOOD_CARD, { name, email: null });
  const also = `update subscription set time_zone = 'Not/AZone' where customer_id = ${customer}`;
  const startAt = new Date(Date.now() + 2_000);
  return subscribe(product, customer, { code: 'gold', startAt, also });
};

const processOf = (id: number) => workflowId(product.deps.deployment.id, { process: 'subscription', id });

/** Ids of the processes that match a query. A process may have several runs. */
async function found(query: string): Promise<string[]> {
  const ids = new Set<string>();
  for await (const { workflowId: id } of client.workflow.list({ query })) ids.add(id);
  return [...ids].sort();
}

/** Waits until a query matches exactly these processes. */
const finds = (query: string, ids: string[]) =>
  until(async () => expect(await found(query)).toEqual(ids) === undefined, { what: query });

/** Number of times that a process has upserted its state. */
async function timesTold(id: number): Promise<number> {
  const { events } = await client.workflow.getHandle(processOf(id)).fetchHistory();
  return (events ?? []).filter((event) => event.upsertWorkflowSearchAttributesEventAttributes).length;
}

test('operators find processes by account, customer and object', async () => {
  const { id: customer } = await payingCustomer(product, GOOD_CARD);
  const { id: subscription } = await product.client.post('/subscriptions', { customer, plan: 'gold' });
  const invoice = await product.row<{ id: number }>(
    `select id from invoice where paid and subscription_id = ${subscription}`,
  );
  const deployment = product.deps.deployment.id;
  const ours = `PerennialAccount = '${product.accountId}'`;
  await finds(`${ours} and PerennialCustomer = '${customer}' and PerennialSubject = 'invoice/${invoice.id}'`, [
    `${deployment}/invoice/${invoice.id}`,
  ]);
  const items = [{ name: 'Consulting', unit_cost: 100 }];
  const { id: estimate } = await product.client.post('/estimates', {
    customer,
    items,
    expiration_date: seconds('2100-01-01'),
  });
  await finds(`${ours} and PerennialCustomer = '${customer}' and PerennialSubject = 'estimate/${estimate}'`, [
    `${deployment}/estimate/${estimate}`,
  ]);
  await finds(`PerennialSubject = 'subscription/${subscription}' and PerennialState = 'waiting'`, [
    processOf(subscription),
  ]);
  await finds(`${ours} and PerennialSubject = 'mail/${product.accountId}'`, [
    `${deployment}/mail/${product.accountId}/0`,
  ]);
  expect(await timesTold(subscription)).toBe(0); // a healthy process never upserts it
});

test('operators find stuck processes; one that began without a state continues without it', async () => {
  const broken = await brokenSubscription('broken');
  await product.row('select count(*)::int as stuck from problem', ({ stuck }) => stuck === 2);
  await finds(`PerennialState = 'problem'`, [processOf(broken)]);
  await product.rows(`update subscription set time_zone = 'UTC' where id in (${broken}, ${early})`);
  await product.rows(
    `insert into outbox (account_id, topic, subject_id, due_at)
     select account_id, 'subscription', id, now() from subscription where id in (${broken}, ${early})`,
  );
  await product.row('select count(*)::int as paid from invoice where paid', ({ paid }) => paid === 3);
  await finds(`PerennialState = 'problem'`, []);
  await finds(`PerennialState = 'waiting' and PerennialSubject = 'subscription/${broken}'`, [processOf(broken)]);
  if (environment.PERENNIAL_RECORD_HISTORIES) await recordHistory(client, processOf(broken), 'subscription.stuck');
  expect({ broken: await timesTold(broken), early: await timesTold(early) }).toEqual({ broken: 2, early: 0 });
  await expectSound(product);
});
