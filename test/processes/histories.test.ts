import { env } from 'node:process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { type ProcessName, workflowId } from '../../workflows/client.ts';
import { recordHistory } from '../replay/record.ts';
import { type Product, startProduct } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import { steppedTime, sweptConfig } from '../support/steppedTime.ts';
import { invoiceFor, payingCustomer } from '../support/story.ts';
import { temporalAddress } from '../support/temporal.ts';
import { until } from '../support/wait.ts';

const time = steppedTime('2027-01-31T10:00:00Z');
let product: Product;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  const env = { CHARGE_LOOKUP_DELAY: '200', GATEWAY_DEADLINE: '300' };
  product = await startProduct({ systemNow: time.systemNow, config: sweptConfig, env });
  connection = await Connection.connect({ address: temporalAddress() });
  client = new Client({ connection });
}, 60_000);
afterAll(async () => {
  await connection.close();
  await product.close();
});

/** Text of a process's history; with PERENNIAL_RECORD set it is kept for test/replay. */
async function historyOf(process: ProcessName, key: { id: number; shard?: number }, story: string): Promise<string> {
  const id = workflowId(product.deps.deployment.id, { process, ...key });
  if (env.PERENNIAL_RECORD) await recordHistory(client, id, `${process}.${story}`);
  return JSON.stringify(historyToJSON(await client.workflow.getHandle(id).fetchHistory()));
}

test('an operator can read what each process did; nobody can read who the customer is', async () => {
  const receiver = await startReceiver();
  receiver.answer({ status: 500 });
  const webhook = await product.call('POST', '/webhooks', { url: receiver.url, events: ['subscription.created'] });
  await product.call('POST', '/plans', { id: 'gold', name: 'Golden Plan', amount: 12.5, interval: 'month' });
  const person = { name: 'Roberta Secretperson', email: 'roberta@secret.example' };
  const customer = await payingCustomer(product, 'tok_script_soft.succeed', person);
  const { id } = await product.call('POST', '/subscriptions', { customer: customer.id, plan: 'gold' });
  await product.row('select 1 from invoice where attempt_count = 1');
  time.moveTo('2027-02-28T10:00:00Z');
  await product.row('select 1 from invoice where period = 1 and paid');
  await product.row('select 1 from invoice where period = 0 and paid');

  const subscription = await historyOf('subscription', { id }, 'renewals');
  expect(subscription).toContain('renewal 1: issued INV-00002 for 12.50 usd');
  expect(subscription).toContain('renewal 2, 2027-03-31T10:00Z'); // what the timer waits for
  const [first] = await product.rows<{ id: number }>('select id from invoice where period = 0');
  const invoice = await historyOf('invoice', { id: first?.id ?? 0 }, 'retried');
  expect(invoice).toContain('attempt 1: charging 12.50');
  expect(invoice).toContain('attempt 2 of 4: soft decline insufficient_funds');

  const slow = await payingCustomer(product, 'tok_script_timeout_taken', person);
  const late = await invoiceFor(product, slow.id, 7);
  await product.row(`select 1 from invoice where id = ${late.id} and paid`);
  const [attempt] = await product.rows<{ id: number }>(
    'select attempt_id as id from attempt_invoice where invoice_id = ?',
    [late.id],
  );
  const charge = await historyOf('charge', { id: attempt?.id ?? 0 }, 'looked_up');
  expect(charge).toContain('looking up charge attempt');

  await until(() => receiver.requests.length > 0, { what: 'a delivery' });
  const [lane] = await product.rows<{ shard: number }>(`select shard from webhook_lane where webhook_id = ?`, [
    webhook.id,
  ]);
  const deliveries = await historyOf('webhook', { id: webhook.id, shard: lane?.shard ?? 0 }, 'failed_once');
  await product.row(`select 1 from email where state = 'sent'`);
  const mail = await historyOf('mail', { id: product.accountId, shard: 0 }, 'sent');

  for (const history of [subscription, invoice, charge, deliveries, mail]) {
    expect(history).not.toMatch(/Roberta|Secretperson|secret\.example|tok_|4242|Golden Plan/);
  }
  // A renewal costs little: two bills and the waits around them.
  expect(subscription.length).toBeLessThan(30_000);
  await receiver.stop();
});
