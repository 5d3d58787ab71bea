import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readTestGatewayRecord } from '../../adapters/gateways/test/record.ts';
import { runMigrate } from '../../bin/migrate.ts';
import { migrationNames } from '../../db/migrations/names.ts';
import { untilAdvanced } from '../support/clock.ts';
import { type Product, startProduct, testConfig } from '../support/product.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { eventsOf, expectOrder, repeatedEventIds } from '../support/soundness.ts';
import { fastSweepConfig, steppedTime, stepTo } from '../support/steppedTime.ts';
import { seconds } from '../support/story.ts';
import { type PrivateTemporal, startPrivateTemporal } from '../support/temporal.ts';
import { aboutRelease, restoreRelease } from './releases/release.ts';

const about = aboutRelease('0.1.0');
/** All that waited for another try is due: mail, webhooks, look-ups. */
const LATER = '2027-03-07T14:00:00Z';
const END = '2027-04-06T00:00:00Z';
const time = steppedTime(about.at);
let temporal: PrivateTemporal;
let product: Product;
let receiver: Receiver;

beforeEach(async () => {
  temporal = await startPrivateTemporal(); // knows none of the processes
  receiver = await startReceiver();
  const database = await restoreRelease('0.1.0');
  await runMigrate(testConfig({ DATABASE_URL: database.url }));
  const env = { TEMPORAL_ADDRESS: temporal.address };
  const restored = { ...about, database };
  product = await startProduct({ restored, worker: false, systemNow: time.systemNow, config: fastSweepConfig, env });
});
afterEach(async () => {
  await product.close();
  await receiver.stop();
  await temporal.stop();
});

test('this version migrates the data of 0.1.0, finishes what it began, and the books are clean', async () => {
  const { client } = product;
  const names = await product.rows<{ name: string }>('select name from mikro_orm_migrations order by id');
  expect(names.map(({ name }) => name)).toEqual(migrationNames);
  const begun = await lookAtBegun();
  expect(begun.attempts.map(({ state }) => state)).toEqual(['open', 'pending', 'unknown']);
  expect(begun.clock.status).toBe('stopped');
  for (const many of [begun.mails, begun.deliveries, begun.processes]) expect(many.length).toBeGreaterThan(1);
  expect(await product.audit()).toEqual([]);

  const [webhook] = await client.get('/webhooks');
  await client.patch('/webhooks/{id}', { url: receiver.url }, { id: webhook?.id ?? 0 });
  time.moveTo(LATER);
  await product.startWorker();
  await product.row(`select count(*)::int as left from email where state = 'queued'`, ({ left }) => left === 0);
  const { id } = begun.clock;
  await client.post('/test_clocks/{id}/advance', { frozen_time: seconds(END) }, { id });
  expect(await untilAdvanced(product, id)).toMatchObject({ status: 'ready', frozen_time: seconds(END) });
  await stepTo(product, time, END);
  await expectFinished(begun);
  expect(await product.rows('select message from problem where closed_at is null')).toEqual([]);
  expect(await product.audit()).toEqual([]);
});

/** Objects and processes that 0.1.0 had begun. */
async function lookAtBegun() {
  const list = async (sql: string) => (await product.rows<{ value: string }>(sql)).map(({ value }) => value);
  const [clock] = await product.client.get('/test_clocks');
  if (clock === undefined) throw new Error('There is no test clock');
  return {
    clock,
    attempts: await undecided(),
    sent: await list(`select id::text as value from email where state = 'sent'`),
    mails: await list(`select id::text as value from email where state = 'queued'`),
    deliveries: await list(`select event_id::text as value from webhook_delivery where state = 'waiting'`),
    delivered: new Map(
      (
        await product.rows<{ object: string; sequence: number }>(
          `select subject_type || ' ' || subject_id as object, max(sequence) as sequence
           from webhook_delivery where state <> 'waiting' group by 1`,
        )
      ).map(({ object, sequence }) => [object, sequence]),
    ),
    processes: await list(
      `select distinct process || ' ' || subject_id as value from wakeup where process <> 'charge'`,
    ),
  };
}

/** Attempts without an outcome, in the order of their states. */
const undecided = () =>
  product.rows<{ id: string; state: string }>(
    `select id::text, state from attempt where ended_at is null order by state, id`,
  );

async function expectFinished(begun: Awaited<ReturnType<typeof lookAtBegun>>): Promise<void> {
  // Mail: each once.
  const mails = await product.rows<{ id: string; state: string }>('select id::text, state from email');
  expect(mails.filter(({ state }) => state !== 'sent')).toEqual([]);
  expect(product.mailbox.messages()).toHaveLength(mails.length - begun.sent.length);
  // Webhooks: each once, in order.
  await product.row(
    `select count(*)::int as left from webhook_delivery where state = 'waiting'`,
    ({ left }) => left === 0,
  );
  expect(repeatedEventIds(receiver.requests)).toEqual([]);
  expectOrder(receiver.requests, begun.delivered);
  const told = new Set(eventsOf(receiver.requests).map((event) => String(event.id)));
  expect(begun.deliveries.filter((event) => !told.has(event))).toEqual([]);
  // Attempts: both charges without an answer took the money once; the books say so. Dan's debit of April is new.
  const before = new Set(begun.attempts.map(({ id }) => id));
  expect((await undecided()).map(({ id, state }) => [before.has(id), state])).toEqual([[false, 'pending']]);
  const captured = (await readTestGatewayRecord(product.config.databaseUrl)).map((operation) => operation.captured);
  expect(captured.filter((count) => count > 1)).toEqual([]);
  const unanswered = await product.client.get('/charges', { filter: { customer: await customerNamed('Gus') } });
  expect(unanswered.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  expect(await billsOf('Bea')).toEqual([
    ['paid', 1],
    ['paid', 4],
    ['paid', 1],
  ]);
  expect(await billsOf('Late')).toEqual([['paid', 1]]);
  expect(await statusesOf('Dan')).toEqual(['paid', 'paid', 'pending']);
  expect(await statusesOf('Ivy')).toEqual(['paid', 'paid', 'paid']);
}

/** Status and attempts of each invoice of a customer, oldest first. */
async function billsOf(name: string) {
  const invoices = await product.client.get('/invoices', { filter: { customer: await customerNamed(name) } });
  return invoices
    .toSorted((one, other) => one.date - other.date)
    .map(({ status, attempt_count }) => [status, attempt_count]);
}

const statusesOf = async (name: string) => (await billsOf(name)).map(([status]) => status);

async function customerNamed(name: string): Promise<number> {
  const [customer] = await product.client.get('/customers', { filter: { name } });
  return customer?.id ?? 0;
}
