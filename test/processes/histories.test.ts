import { env } from 'node:process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { ProcessName } from '../../billing/processes.ts';
import { workflowId } from '../../workflows/client.ts';
import { recordHistory } from '../replay/record.ts';
import { advanceTo, clockAt } from '../support/clock.ts';
import { readableHistories, readableHistory } from '../support/histories.ts';
import { type Product, startProduct } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';
import { invoiceFor, payingCustomer } from '../support/story.ts';
import { temporalAddress } from '../support/temporal.ts';
import { TEST_PROVIDER } from '../support/texts.ts';
import { until } from '../support/wait.ts';

const time = steppedTime('2027-01-31T10:00:00Z');
let product: Product;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  const config = { ...fastSweepConfig, gatewayDeadlineMilliseconds: 20_000 };
  product = await startProduct({ systemNow: time.systemNow, config, env: { CHARGE_LOOKUP_DELAY: '200' } });
  connection = await Connection.connect({ address: temporalAddress() });
  client = new Client({ connection });
});
afterAll(async () => {
  await connection.close();
  await product.close();
});

/** The text of a process's history. With PERENNIAL_RECORD_HISTORIES set, the history is stored for test/replay. */
async function historyOf(process: ProcessName, key: { id: number; shard?: number }, story: string): Promise<string> {
  const id = workflowId(product.deps.deployment.id, { process, ...key });
  if (env.PERENNIAL_RECORD_HISTORIES) await recordHistory(client, id, `${process}.${story}`);
  return readableHistory(client, id);
}

test('histories tell operators what each process did, but not who the customer is', async () => {
  const receiver = await startReceiver();
  receiver.answer({ status: 500 });
  const { client } = product;
  const webhook = await client.post('/webhooks', { url: receiver.url, events: ['subscription.created'] });
  await client.post('/plans', { id: 'gold', name: 'Golden Plan', amount: 12.5, interval: 'month' });
  const person = { name: 'Roberta Secretperson', email: 'roberta@secret.example' };
  const customer = await payingCustomer(product, 'tok_script_soft.succeed', person);
  const { id } = await client.post('/subscriptions', { customer: customer.id, plan: 'gold' });
  await product.row('select 1 from invoice where attempt_count = 1');
  const [first] = await product.rows<{ id: number }>('select id from invoice where period = 0');
  const invoiceId = first?.id ?? 0;
  // The timer's summary has the reason of the wait.
  await until(
    async () =>
      (await historyOf('invoice', { id: invoiceId }, 'retried')).includes(
        'attempt 2 of 4: soft decline insufficient_funds',
      ),
    {
      what: 'the reason of the second attempt',
    },
  );
  time.moveTo('2027-02-28T10:00:00Z');
  await product.row('select 1 from invoice where period = 1 and paid');
  await product.row('select 1 from invoice where period = 0 and paid');

  const subscription = await historyOf('subscription', { id }, 'renewals');
  expect(subscription).toContain('renewal 1: issued INV-00002 for 12.50 usd');
  expect(subscription).toContain('each period: waits for renewal 2, 2027-03-31 10:00Z'); // the timer's summary
  const invoice = await historyOf('invoice', { id: invoiceId }, 'retried');
  expect(invoice).toContain('attempt 1: charging 12.50');
  expect(invoice).toContain('attempt 2: charging 12.50');

  const slow = await payingCustomer(product, 'tok_script_timeout_taken', person);
  const late = await invoiceFor(product, slow.id, 7);
  await product.row(`select 1 from attempt where state = 'unknown'`);
  time.moveTo('2027-02-28T11:00:00Z');
  await product.row(`select 1 from invoice where id = ${late.id} and paid`);
  const [attempt] = await product.rows<{ id: number }>(
    'select attempt_id as id from attempt_invoice where invoice_id = ?',
    [late.id],
  );
  const charge = await historyOf('charge', { id: attempt?.id ?? 0 }, 'looked_up');
  expect(charge).toContain('ask the payment gateway whether the payment was made');

  await until(() => receiver.requests.length > 0, { what: 'a delivery' });
  const [lane] = await product.rows<{ shard: number }>(`select shard from webhook_lane where webhook_id = ?`, [
    webhook.id,
  ]);
  const deliveries = await historyOf('webhook', { id: webhook.id, shard: lane?.shard ?? 0 }, 'failed_once');
  await product.row(`select 1 from email where state = 'sent'`);
  const mail = await historyOf('mail', { id: product.accountId, shard: 0 }, 'sent');

  for (const history of [subscription, invoice, charge, deliveries, mail]) {
    expect(history).not.toMatch(/Roberta|Secretperson|secret\.example|tok_|4242424242|Golden Plan/);
  }
  // The history of two invoices and the waits around them is small.
  expect(subscription.length).toBeLessThan(60_000);
  await receiver.stop();
});

test('the history of a test clock shows how far it got, and in how many rounds', async () => {
  const clock = await clockAt(product, '2027-01-31T10:00:00Z');
  const person = { name: 'Roberta Secretperson', email: 'roberta@secret.example' };
  const customer = await payingCustomer(product, 'tok_4242424242424242', { ...person, test_clock: clock.id });
  await product.client.post('/subscriptions', { customer: customer.id, plan: 'gold' });
  expect(await advanceTo(product, clock, '2027-03-31T10:00:00Z')).toMatchObject({ status: 'ready' });
  const told = async () => /\d rounds, arrived/.test(await historyOf('clock', { id: clock.id }, 'advanced'));
  await until(told, { what: 'its history' });
  expect(await historyOf('clock', { id: clock.id }, 'advanced')).not.toMatch(/Roberta|secret\.example|Golden Plan/);
});

test('the history of a payment source shows that its customer was told of the expiry', async () => {
  const person = { name: 'Roberta Secretperson', email: 'roberta@secret.example' };
  const { id } = await payingCustomer(product, 'tok_4242424242424242', person);
  const { payment_source: card } = await product.client.get('/customers/{id}', { id });
  // The card is valid through December, three years after it was stored. 30 days before January 1 is December 2.
  time.moveTo('2030-12-02T00:00:00Z');
  const subject = 'Your card for Acme expires soon';
  await product.mailbox.waitFor((mail) => mail.subject === subject, subject);
  const about = { id: card?.id ?? 0 };
  const told = async () =>
    (await historyOf('payment_source', about, 'card_expiring')).includes('WORKFLOW_EXECUTION_COMPLETED');
  await until(told, { what: 'the end of its process' });
  const history = await historyOf('payment_source', about, 'card_expiring');
  // A signal that arrives as the run completes fails its workflow task. The step is repeated then, and finds the mail already queued.
  if (!history.includes('WORKFLOW_TASK_FAILED')) expect(history).toContain('mailed that the card expires in 2030-12');
  // Ids contain 4242 by chance. A text about the card has a space or a bullet before it.
  expect(history).not.toMatch(/Roberta|secret\.example|[ •]4242/);
});

test('the history of a chasing shows each step, and when the next one comes', async () => {
  const { client } = product;
  time.moveTo('2031-01-06T08:00:00Z'); // a Monday
  const steps = [
    { name: 'Ask Roberta', action: 'email' as const, schedule: 'age:1' },
    { name: 'Call Roberta', action: 'phone' as const, schedule: 'age:4' },
    { name: 'Decide', action: 'escalate' as const, schedule: 'age:90' },
  ];
  const cadence = await client.post('/chasing_cadences', { name: 'Standard', steps });
  const person = { name: 'Roberta Secretperson', email: 'roberta@secret.example' };
  const customer = await client.post('/customers', { ...person, chasing_cadence: cadence.id });
  await invoiceFor(product, customer.id, 55);
  const stories = [
    ['2031-01-07T09:00:00Z', 'step 1 of 3: asked for 55.00 usd by email'],
    ['2031-01-10T09:00:00Z', '(phone) about 55.00 usd'],
  ];
  for (const [at = '', did = ''] of stories) {
    time.moveTo(at);
    const asked = async () => (await historyOf('chasing', { id: customer.id }, 'asked')).includes(did);
    await until(asked, { what: `"${did}" in its history` });
  }
  expect(await historyOf('chasing', { id: customer.id }, 'asked')).not.toMatch(/Roberta|secret\.example/);
  // The process of a changed cadence ends once all customers are planned.
  const ended = async () =>
    (await historyOf('cadence', { id: cadence.id }, 'planned')).includes('WORKFLOW_EXECUTION_COMPLETED');
  await until(ended, { what: 'the end of the process of the cadence' });
});

test('the process that plans statements ends once all customers are planned', async () => {
  await product.client.patch('/account', { statement_day: '5' });
  const key = { id: product.accountId };
  const ended = async () => (await historyOf('statements', key, 'planned')).includes('WORKFLOW_EXECUTION_COMPLETED');
  await until(ended, { what: 'the end of the planning' });
  await product.client.patch('/account', { statement_day: null });
});

// A signal amid the step makes Temporal repeat it. Then its result is not in the history, and the repeated one finds nothing to do.
test('a payment is applied by its process, whose history has nothing of what the bank wrote', async () => {
  const { client } = product;
  await client.patch('/account', { auto_apply_matches: true });
  const customer = await client.post('/customers', { name: 'Wilhelmina Hidden' });
  const invoice = await client.post('/invoices', { customer: customer.id, items: [{ name: 'Desk', unit_cost: 88.5 }] });
  const csv = `Day,Amount,Text\n2027-03-01,88.50,Wilhelmina Hidden ${invoice.number}\n`;
  const mapping = { date: 'Day', amount: 'Amount', reference: 'Text' };
  const { rows } = await client.post('/payments/import', { csv, mapping });
  const key = { id: rows[0]?.payment ?? 0 };
  const ended = async () => (await historyOf('payment', key, 'applied')).includes('WORKFLOW_EXECUTION_COMPLETED');
  await until(ended, { what: 'the end of the process of the payment' });
  const history = await historyOf('payment', key, 'applied');
  expect(history).not.toMatch(/Wilhelmina|Hidden/);
  await product.row(`select 1 from invoice where paid and number = '${invoice.number}'`);
  await client.patch('/account', { auto_apply_matches: null });
});

test('the history of the digest shows which day it told, without amounts and addresses', async () => {
  const { client } = product;
  time.moveTo('2031-01-20T12:00:00Z');
  await client.patch('/account', { alert_recipients: ['roberta@secret.example'] });
  await client.post('/payments', { amount: 77.25 });
  const key = { id: product.accountId };
  time.moveTo('2031-01-21T07:00:00Z');
  const told = async () => (await historyOf('digest', key, 'told')).includes('mailed the digest of 2031-01-20');
  await until(told, { what: 'the digest in its history' });
  const history = await historyOf('digest', key, 'told');
  expect(history).toContain('mails the digest of 2031-01-21');
  expect(history).not.toMatch(/secret\.example|77\.25/);
  await client.patch('/account', { alert_recipients: null });
});

test('the history of a schedule shows which day it reported, that of a job what it wrote, without recipients', async () => {
  const { client } = product;
  const [member] = await product.rows<{ id: number }>(
    `insert into member (account_id, email, name, role, status, created_at, updated_at)
     select twin_id, 'roberta@secret.example', 'Roberta', 'read_only', 'active', now(), now() from account where id = ? returning id`,
    [product.accountId],
  );
  const schedule = await client.post('/report_schedules', {
    name: 'Owed',
    report: 'aging',
    parameters: { range: 'previous_day' },
    every: 'day',
    hour: 7,
    zone: 'UTC',
    recipients: [member?.id ?? 0],
  });
  time.moveTo('2031-01-23T07:00:00Z');
  const asked = async () =>
    (await historyOf('report_schedule', { id: schedule.id }, 'asked')).includes('asked for the report of');
  await until(asked, { what: 'the report in the history of its schedule' });
  const { id } = await product.row<{ id: number }>(`select id from job where status = 'done'`);
  const ended = async () => (await historyOf('job', { id }, 'written')).includes('WORKFLOW_EXECUTION_COMPLETED');
  await until(ended, { what: 'the end of the process of the job' });
  const histories = [
    await historyOf('job', { id }, 'written'),
    await historyOf('report_schedule', { id: schedule.id }, 'asked'),
  ];
  expect(histories.join()).not.toMatch(/secret\.example|Roberta/);
  await client.delete('/report_schedules/{id}', { id: schedule.id });
});

test('the history of texts shows that what was due was sent', async () => {
  time.moveTo('2031-02-03T08:00:00Z'); // a Monday
  await product.client.post('/message_providers', TEST_PROVIDER);
  const steps = [{ name: 'Text', action: 'sms' as const, schedule: 'age:1' }];
  const cadence = await product.client.post('/chasing_cadences', { name: 'Texts', steps });
  const person = { name: 'Roberta Secretperson', chasing_cadence: cadence.id };
  const customer = await product.client.post('/customers', person);
  const contact = { name: 'Roberta Secretperson', phone: '+44 20 7946 0123', sms_enabled: true };
  await product.client.post('/customers/{customer_id}/contacts', contact, { customer_id: customer.id });
  await invoiceFor(product, customer.id, 55);
  time.moveTo('2031-02-04T09:00:00Z');
  await product.row(`select 1 from text_message where state = 'sent'`);
  const key = { id: product.accountId, shard: 0 };
  const id = workflowId(product.deps.deployment.id, { process: 'text', ...key });
  const sending = async () => {
    // A sweep may have started another run.
    const histories = await readableHistories(client, id);
    return histories.includes('handled 1 texts') && histories;
  };
  const history = await until(sending, { what: 'the sending in a history' });
  expect(history).toContain('send what is due');
  if (env.PERENNIAL_RECORD_HISTORIES) await historyOf('text', key, 'sent');
  expect(history).not.toMatch(/Roberta|Secretperson|7946/);
});
