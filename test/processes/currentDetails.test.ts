import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import type { ProcessName } from '../../billing/processes.ts';
import { workflowId } from '../../workflows/client.ts';
import { subscribe } from '../support/business.ts';
import { clockAt } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';
import { invoiceFor, payingCustomer, seconds } from '../support/story.ts';
import { temporalAddress } from '../support/temporal.ts';
import { until } from '../support/wait.ts';

const time = steppedTime('2027-01-31T10:00:00Z');
let product: Product;
let connection: Connection;
let client: Client;

beforeAll(async () => {
  const env = { CHARGE_LOOKUP_DELAY: '60000' };
  product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig, env });
  connection = await Connection.connect({ address: temporalAddress() });
  client = new Client({ connection });
  await product.client.post('/plans', { id: 'gold', name: 'Gold', amount: 12.5, interval: 'month' });
});
afterAll(async () => {
  await connection.close();
  await product.close();
});

const handleOf = (process: ProcessName, id: number) =>
  client.workflow.getHandle(workflowId(product.deps.deployment.id, { process, id }));

/** Waits until the details that Temporal's pages show of a process match. Returns them as lines. */
async function shows(process: ProcessName, id: number, expected: RegExp): Promise<string[]> {
  const what = `${process} ${id} to show ${expected}`;
  const look = async () => {
    const metadata = await handleOf(process, id).query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(metadata.currentDetails).toMatch(expected);
    return metadata.currentDetails;
  };
  return (await until(look, { what, every: 200 })).split('\n\n');
}

const HARD = 'tok_4000000000000002';

test.each([
  [
    'tok_script_soft.succeed',
    /^249\.00 usd owed, attempt 1 failed: declined, insufficient_funds$/m,
    /^waits for attempt 2 of 4: soft decline insufficient_funds, 2027-02-03/,
  ],
  [HARD, /^249\.00 usd owed, attempt 1 failed: declined, lost_card$/m, /^waits for (past due|attempt)/],
  ['tok_4242424242424242', /^paid$/m, /^no planned step$/m],
  ['tok_123123123_123123893', /charging 249\.00 usd: pending, the payment gateway has not told/, /^no planned step/],
])('the details of an invoice charged with %s show the outcome, not a running charge', async (token, status, waits) => {
  const customer = await payingCustomer(product, token);
  const invoice = await invoiceFor(product, customer.id, 249);
  const [about, now, next, asOf] = await shows('invoice', invoice.id, status);
  expect(about).toBe(`invoice ${invoice.number}, 249.00 usd`);
  expect(now).toMatch(status);
  expect(next).toMatch(waits);
  expect(asOf).toMatch(/^as of \d{4}-\d\d-\d\d \d\d:\d\dZ$/);
});

test('details of an attempt that is looked up show that the gateway has not answered', async () => {
  const customer = await payingCustomer(product, 'tok_123123123_123123893');
  const invoice = await invoiceFor(product, customer.id, 7);
  const wanted = `select attempt_id as id from attempt_invoice where invoice_id = ${invoice.id}`;
  const attempt = await product.row<{ id: number }>(wanted);
  await shows('invoice', invoice.id, /pending/);
  time.moveTo('2027-02-01T10:00:00Z'); // the gateway is asked daily
  const [about, now, next] = await shows('charge', attempt.id, /pending.*\n\nwaits for /);
  expect(about).toBe(`charge of 7.00 usd for invoice ${invoice.number}`);
  expect(now).toBe('charging 7.00 usd: pending, the payment gateway has not told the outcome');
  expect(next).toMatch(/^waits for ask the payment gateway whether the payment was made, 2027-02-02/);
});

test('details of a subscription show its next renewal, pausing, resuming and canceling', async () => {
  const customer = await payingCustomer(product, 'tok_4242424242424242');
  const start_date = seconds('2027-02-01T10:01:00Z'); // its process bills the first period, not the request
  const { id } = await product.client.post('/subscriptions', { customer: customer.id, plan: 'gold', start_date });
  time.moveTo('2027-02-01T10:01:00Z');
  const [about, now, next] = await shows('subscription', id, /waits for renewal 1, 2027-0/);
  expect([about, now]).toEqual([`subscription ${id}, 12.50 usd each period`, 'active, 1 cycle billed']);
  expect(next).toMatch(/^waits for renewal 1/);
  await product.client.patch('/subscriptions/{id}', { paused: true }, { id });
  await shows('subscription', id, /active, paused, 1 cycle billed\n/);
  await product.client.patch('/subscriptions/{id}', { paused: false }, { id });
  const asleep = async () => (await (await handleOf('subscription', id).describe()).staticDetails()) ?? null;
  expect(await until(asleep, { what: 'its next run, delayed' })).toMatch(/^Waits until 2027-0\d-\d\d/);
  await product.client.delete('/subscriptions/{id}', { id });
  await shows('subscription', id, /canceled, 1 cycle billed\n\nno planned step/);
});

test('details of an invoice paid by check no longer show its next charge', async () => {
  const customer = await payingCustomer(product, 'tok_4000000000000069');
  const invoice = await invoiceFor(product, customer.id, 25);
  await shows('invoice', invoice.id, /waits for attempt 2/);
  const applied_to = [{ type: 'invoice' as const, invoice: invoice.id, amount: 25 }];
  await product.client.post('/payments', { customer: customer.id, amount: 25, applied_to });
  await shows('invoice', invoice.id, /\n\npaid\n\nno planned step/);
});

test('details of a process with a problem show the problem and its next retry', async () => {
  const { id: customer } = await payingCustomer(product, 'tok_4242424242424242');
  const also = `update subscription set time_zone = 'Not/AZone' where customer_id = ${customer}`;
  const startAt = new Date('2027-02-01T10:02:00Z');
  const id = await subscribe(product, customer, { code: 'gold', startAt, also });
  time.moveTo('2027-02-01T10:02:00Z');
  const [, now, next] = await shows('subscription', id, /problem, /);
  expect([now, next]).toEqual([
    expect.stringContaining('NOT/AZONE'),
    expect.stringMatching(/^waits for try again, 2027-/),
  ]);
  await product.rows(`update subscription set time_zone = 'UTC' where id = ${id}`);
});

test('details of an advancing test clock show its target and its arrival', async () => {
  const clock = await clockAt(product, '2027-02-01T10:00:00Z');
  await product.row(`select count(*)::int as left from email where state = 'queued'`, ({ left }) => left === 0);
  product.mailbox.refuse(451);
  const customer = await payingCustomer(product, 'tok_4242424242424242', { test_clock: clock.id });
  const invoice = await invoiceFor(product, customer.id, 5);
  const refused = `select 1 from email where clock_id = ${clock.id} and attempts = 1 and state = 'queued'`;
  await product.row(refused);
  const target = { frozen_time: seconds('2027-02-03T10:00:00Z') };
  await product.client.post('/test_clocks/{id}/advance', target, { id: clock.id });
  await shows('clock', clock.id, /^test clock \d+\n\nat work since /); // it waits for the mail
  time.moveTo('2027-02-03T10:00:00Z');
  await shows('clock', clock.id, /ready at 2027-02-03 10:00Z/);
  await shows('invoice', invoice.id, /\n\npaid; its test clock wakes it\n/);
});

test('details of a process that has not begun show what it waits for', async () => {
  const { id: customer } = await product.client.post('/customers', { name: 'Asker' });
  const items = [{ name: 'Consulting', unit_cost: 100 }];
  const asked = { customer, number: 'EST-[x](y)', items, expiration_date: seconds('2100-01-01') };
  const { id } = await product.client.post('/estimates', asked);
  const described = await until(() => handleOf('estimate', id).describe(), { what: 'the process of the estimate' });
  expect(await described.staticSummary()).toBe('estimate EST-?x??y?, 100.00 usd'); // Markdown in the number is removed
  expect(await described.staticDetails()).toBe('Waits until 2100-01-02 00:00Z: nothing is due before.');
});

const text = (payload: temporal.api.common.v1.IPayload | null | undefined) =>
  payload?.data ? JSON.parse(Buffer.from(payload.data).toString()) : null;

test('every timer, activity and signal has a summary with number and amount', async () => {
  const customer = await payingCustomer(product, 'tok_script_soft.succeed');
  const invoice = await invoiceFor(product, customer.id, 31);
  await shows('invoice', invoice.id, /waits for attempt 2/);
  const { events } = await handleOf('invoice', invoice.id).fetchHistory();
  const summaries = (events ?? []).flatMap((event) => {
    const signal = event.workflowExecutionSignaledEventAttributes;
    if (signal) return [['signal', text(signal.input?.payloads?.[0])]];
    if (event.timerStartedEventAttributes) return [['timer', text(event.userMetadata?.summary)]];
    if (event.activityTaskScheduledEventAttributes) return [['activity', text(event.userMetadata?.summary)]];
    if (event.markerRecordedEventAttributes) return [['step', text(event.userMetadata?.summary)]];
    return event.workflowExecutionStartedEventAttributes ? [['start', text(event.userMetadata?.summary)]] : [];
  });
  const about = `invoice ${invoice.number}, 31.00 usd`;
  const timer = `^${about}: waits for attempt 2 of 4: soft decline insufficient_funds, 20\\d\\d-\\d\\d-\\d\\d`;
  const each = [
    ['start', about],
    ['signal', `look again at ${about}`],
    ['step', about],
    ['activity', `${about}: ask the payment gateway`],
    ['timer', expect.stringMatching(timer)],
  ];
  expect(summaries).toEqual(expect.arrayContaining(each));
  for (const [, summary] of summaries) expect(summary).toContain(about);
});
