import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { ProcessName } from '../../../billing/processes.ts';
import { startWorkerRole } from '../../../bin/worker.ts';
import { sweepOnce } from '../../../workers/sweep.ts';
import { workflowId } from '../../../workflows/client.ts';
import { clockAt } from '../../support/clock.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { expectSound } from '../../support/soundness.ts';
import { steppedTime } from '../../support/steppedTime.ts';
import { invoiceFor, payingCustomer, seconds } from '../../support/story.ts';
import { temporalAddress } from '../../support/temporal.ts';
import { until } from '../../support/wait.ts';
import { installBundle, keptBundles, processesOf } from '../bundles.ts';

/** The longest time of a timer in Node. */
const NEVER = 2 ** 31 - 1;
const projectData = join(import.meta.dirname, '../../../.data');
let time: ReturnType<typeof steppedTime>;
let product: Product;
let receiver: Receiver;
let connection: Connection;
let oldData: string;

beforeEach(async () => {
  time = steppedTime('2027-01-31T09:59:00Z');
  oldData = mkdtempSync(join(tmpdir(), 'perennial-upgrade-'));
  const config = { sweepIntervalMilliseconds: NEVER, dataFolder: oldData, clockPatienceMilliseconds: 120_000 };
  product = await startProduct({ worker: false, systemNow: time.systemNow, config });
  receiver = await startReceiver();
  connection = await Connection.connect({ address: temporalAddress() });
});

afterEach(async () => {
  await connection.close();
  await product.close();
  await receiver.stop();
  rmSync(oldData, { recursive: true });
});

/** Workflow ids by process. */
type Processes = Partial<Record<ProcessName, string>>;

interface RunState {
  runId: string;
  status: string;
  timers: number;
  /** Causes of failed workflow tasks, for example nondeterminism, or commands that the server refuses. */
  failedTasks: string[];
  /** Builds of the workflow code that ran the tasks, in order. */
  builds: string[];
}

/** Cause `UnhandledCommand`: a signal arrived while the task completed. The server repeats the task; the code is not at fault. */
const NEW_SIGNAL = 1;

/** The state of a run. Default: the latest run. */
async function stateOf(id: string, run?: string): Promise<RunState> {
  const handle = new Client({ connection }).workflow.getHandle(id, run);
  const { runId, status } = await handle.describe();
  const events = (await handle.fetchHistory()).events ?? [];
  const tasks = events.flatMap((event) => event.workflowTaskCompletedEventAttributes ?? []);
  return {
    runId,
    status: status.name,
    timers: events.filter((event) => event.timerStartedEventAttributes).length,
    failedTasks: events.flatMap(({ workflowTaskFailedEventAttributes: failed }) =>
      failed && failed.cause !== NEW_SIGNAL ? [`cause ${failed.cause}: ${failed.failure?.message}`] : [],
    ),
    builds: [...new Set(tasks.map((task) => task.workerVersion?.buildId ?? 'unknown'))],
  };
}

const statesOf = async (processes: Processes): Promise<Record<string, RunState>> =>
  Object.fromEntries(await Promise.all(Object.entries(processes).map(async ([name, id]) => [name, await stateOf(id)])));

const nameOf = (process: ProcessName, id: number, shard?: number): string =>
  workflowId(product.deps.deployment.id, { process, id, ...(shard === undefined ? {} : { shard }) });

/** Moves the time and enqueues the due work once. A second signal to a process that is ending would start another run. */
async function moveTo(at: string): Promise<void> {
  // The sweep skips a process whose wake is on its way. That wake would make the process sleep from the time before.
  await product.row(`select count(*)::int as left from outbox where topic <> 'event'`, ({ left }) => left === 0);
  time.moveTo(at);
  const ages = { sweepInterval: NEVER, sweepAge: 0, sweepProblemAge: Number.POSITIVE_INFINITY };
  await sweepOnce({ ...product.deps, ...ages, poke: () => undefined });
}

/** Starts one process of every known type and brings each to a wait within its work. Returns their workflow ids. */
async function beginAll(known: readonly string[]): Promise<Processes> {
  const processes = await beginFirst();
  if (known.includes('estimate')) processes.estimate = await beginEstimate();
  await moveTo('2027-02-01T10:00:00Z'); // the pending debit is looked up, mail and webhook fail once more
  await mailsRefused([3, 2]);
  await deliveryFailed(3);
  if (known.includes('clock')) processes.clock = await beginClock();
  return processes;
}

/** Waits until the queued mails, in order of their ids, have been refused this often. A failure shows all mails. */
const mailsRefused = (attempts: number[]) =>
  product.row(
    `select coalesce(json_agg(attempts order by id) filter (where state = 'queued'), '[]') as attempts,
       json_agg(json_build_array(template, state, attempts, failure_reason)) as all_mails from email`,
    (mails) => isDeepStrictEqual(mails.attempts, attempts),
  );

/** Waits until the delivery about the subscription has failed this often. */
const deliveryFailed = (attempts: number) =>
  product.row<{ attempts: number; state: string }>(
    'select attempts, state from webhook_delivery',
    (delivery) => delivery.attempts === attempts && delivery.state === 'waiting',
  );

/** Starts the processes that all bundles have. */
async function beginFirst(): Promise<Processes> {
  receiver.answerBy(() => ({ status: 500 }));
  const webhook = await product.call('POST', '/webhooks', { url: receiver.url, events: ['subscription.created'] });
  await product.call('POST', '/plans', { id: 'gold', name: 'Gold', amount: 12.5, interval: 'month' });
  product.mailbox.refuse(451, 451, 451, 451, 451); // the confirmation three times, the mail about the charge twice
  const customer = await payingCustomer(product, 'tok_script_soft.succeed');
  // The process writes the first bill of a start that is ahead. A due start would be billed by the request itself.
  const terms = { customer: customer.id, plan: 'gold', start_date: seconds('2027-01-31T10:00:00Z') };
  const { id: subscription } = await product.call('POST', '/subscriptions', terms);
  // Confirmation and delivery are tried before the time moves, and again after it.
  await mailsRefused([1]);
  await deliveryFailed(1);
  await moveTo('2027-01-31T10:00:00Z');
  const invoice = await product.row<{ id: number }>('select id from invoice where period = 0 and attempt_count = 1');
  await mailsRefused([2, 1]);
  await deliveryFailed(2);

  const slow = await payingCustomer(product, 'tok_123123123_123123893', { email: null });
  await invoiceFor(product, slow.id, 7);
  const attempt = await product.row<{ id: number }>(`select id from attempt where state = 'pending'`);
  const [lane] = await product.rows<{ shard: number }>('select shard from webhook_lane');
  return {
    subscription: nameOf('subscription', subscription),
    invoice: nameOf('invoice', invoice.id),
    charge: nameOf('charge', attempt.id),
    webhook: nameOf('webhook', webhook.id, lane?.shard),
    mail: nameOf('mail', product.accountId, 0),
  };
}

/** Creates an estimate and shortens its time. Its process, whose start was delayed, is woken early and sleeps. */
async function beginEstimate(): Promise<string> {
  const { client } = product;
  const { id: customer } = await client.post('/customers', { name: 'Asker' });
  const items = [{ name: 'Consulting', unit_cost: 100 }];
  const { id } = await client.post('/estimates', { customer, items, expiration_date: seconds('2027-02-20T12:00:00Z') });
  const process = nameOf('estimate', id);
  await until(() => stateOf(process), { what: 'the delayed process of the estimate' });
  await client.patch('/estimates/{id}', { expiration_date: seconds('2027-02-15T12:00:00Z') }, { id });
  return process;
}

/** Creates an advancing clock that waits for a receipt of its customer, which the mailbox refuses once. */
async function beginClock(): Promise<string> {
  const clock = await clockAt(product, '2027-02-01T10:00:00Z');
  product.mailbox.refuse(451);
  const customer = await payingCustomer(product, 'tok_4242424242424242', { test_clock: clock.id });
  await invoiceFor(product, customer.id, 5);
  await product.row(`select 1 from email where clock_id = ${clock.id} and attempts = 1 and state = 'queued'`);
  await product.client.post(
    '/test_clocks/{id}/advance',
    { frozen_time: seconds('2027-02-02T10:00:00Z') },
    { id: clock.id },
  );
  return nameOf('clock', clock.id);
}

/** Waits until each process sleeps on a timer of the old code. A clock waits in an activity instead. */
async function untilAllSleep(processes: Processes): Promise<Record<string, RunState>> {
  return until(
    async () => {
      const states = await statesOf(processes);
      for (const state of Object.values(states)) expect(state).toMatchObject({ status: 'RUNNING', failedTasks: [] });
      const awake = Object.entries(states).filter(
        ([name, { timers, builds }]) => (name === 'clock' ? builds.length : timers) === 0,
      );
      expect(awake).toEqual([]);
      return states;
    },
    { what: 'every process to sleep' },
  );
}

/** Expects that the clock has arrived, and that its process has closed the estimate. */
async function expectArrived({ clock, estimate }: Processes): Promise<void> {
  const { client } = product;
  const clocks = (await client.get('/test_clocks')).map(({ status, frozen_time }) => [status, frozen_time]);
  expect(clocks).toEqual(clock ? [['ready', seconds('2027-02-02T10:00:00Z')]] : []);
  if (!estimate) return;
  const [expired] = await client.get('/estimates');
  expect(expired).toMatchObject({ status: 'declined', closed: true });
  const [closing] = await client.get('/events', { related_to: `estimate,${expired?.id}` });
  expect(closing).toMatchObject({ type: 'estimate.updated', user: { id: -1 }, data: { previous: { closed: false } } });
}

test('a kept bundle has test clocks and estimates, whose arrival is expected below', () => {
  const both = keptBundles().filter((bundle) =>
    processesOf(bundle)
      .join()
      .match(/clock.*estimate/),
  );
  expect(both).not.toEqual([]);
});

test.each(keptBundles())('current code finishes the processes that %s started', async (bundle) => {
  await installBundle(bundle, join(oldData, 'cache'));
  const old = await product.startWorker();
  const known = processesOf(bundle);
  const processes = await beginAll(known);
  expect(Object.keys(processes).sort()).toEqual(known);
  const asleep = await untilAllSleep(processes);
  await old.close();

  const today = await startWorkerRole({ ...product.deps, config: { ...product.config, dataFolder: projectData } });
  try {
    receiver.answerBy(() => ({ status: 200 }));
    await moveTo('2027-02-10T10:00:00Z'); // the retry; due with the renewal, it would wait for the next sweep
    await product.row('select 1 from invoice where period = 0 and paid');
    await moveTo('2027-02-28T10:00:00Z');
    await product.row(`select 1 from invoice where period = 1 and paid`);
    await product.row(`select count(*)::int as owed from invoice where not paid`, ({ owed }) => owed === 0);
    await product.row(`select count(*)::int as left from email where state <> 'sent'`, ({ left }) => left === 0);
    await expectSound(product);
    for (const [name, id] of Object.entries(processes)) {
      const before = asleep[name];
      // One run on two builds of the workflow code: the current build continued the old run.
      const finished = {
        status: name === 'subscription' ? 'RUNNING' : 'COMPLETED',
        failedTasks: [],
        builds: [before?.builds[0], expect.any(String)],
      };
      const isFinished = async () => expect(await stateOf(id, before?.runId)).toMatchObject(finished) ?? true;
      await until(isFinished, { what: `${name} to finish in its first run` });
    }
    await expectArrived(processes);
    expect(await product.rows('select message from problem')).toEqual([]);
  } finally {
    await today.close();
  }
});
