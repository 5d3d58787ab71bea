import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection as TemporalConnection } from '@temporalio/client';
import { type SweepDeps, sweepOnce } from '../../workers/sweep.ts';
import { workflowId } from '../../workflows/client.ts';
import { createEndpoint, createPayer, createPlan, subscribe } from '../support/business.ts';
import { appendOnce } from '../support/eventLog.ts';
import { type Product, startProduct } from '../support/product.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { expectOrder, expectSound, repeatedEventIds } from '../support/soundness.ts';
import { temporalAddress } from '../support/temporal.ts';
import { until } from '../support/wait.ts';
import { allCaptures } from './money/recovery.ts';

let product: Product;
let receiver: Receiver;
let webhook: { id: number };
let temporal: TemporalConnection;

beforeAll(async () => {
  product = await startProduct({
    worker: false,
    env: { SWEEP_INTERVAL: '200', SWEEP_AGE: '1000', LOG_LEVEL: 'silent' },
  });
  receiver = await startReceiver();
  webhook = await createEndpoint(product, receiver.url);
  await createPlan(product, 'gold');
  temporal = await TemporalConnection.connect({ address: temporalAddress() });
});

afterAll(async () => {
  await temporal.close();
  await product.close();
  await receiver.stop();
});

const SUBSCRIPTIONS = 3;

/** The wakes in the outbox, with the number of their rows. */
const wakes = () =>
  product.rows(`select topic, subject_id, shard, count(*)::int as times from outbox where topic in ('subscription', 'mail', 'webhook')
    group by topic, subject_id, shard order by topic, subject_id, shard`);

const sweepDeps = (): SweepDeps => {
  const { em, open, systemNow, log, lookUpDelay, fileStore, cipher } = product.deps;
  const ages = { sweepInterval: 0, sweepAge: 0, sweepProblemAge: Number.POSITIVE_INFINITY };
  return { em, open, systemNow, log, lookUpDelay, fileStore, cipher, poke: () => undefined, ...ages };
};

/** Starts a sweep that is admitted and then waits for `goOn`. */
function pausedSweep() {
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let isIn: () => void = () => undefined;
  const entered = new Promise<void>((resolve) => {
    isIn = resolve;
  });
  const open = async () => {
    const connection = await product.deps.open();
    const query: typeof connection.query = async (text, values) => {
      const rows = await connection.query<never>(text, values);
      isIn(); // its first statement asks to be admitted
      await gate;
      return rows;
    };
    return { ...connection, query };
  };
  return { handed: sweepOnce({ ...sweepDeps(), open }), entered, goOn };
}

test('simultaneous and successive sweeps enqueue nothing twice, and work is billed and sent once', async () => {
  for (let count = 0; count < SUBSCRIPTIONS; count++) {
    await subscribe(product, await createPayer(product, `payer${count}`), { code: 'gold' });
  }
  await product.row(
    `select count(*)::int as due from wakeup where process = 'subscription' and at <= now()`,
    ({ due }) => due === SUBSCRIPTIONS,
  );
  await appendOnce(product.config.databaseUrl);
  await product.rows(`delete from outbox where topic in ('subscription', 'mail', 'webhook')`);
  const one = pausedSweep();
  await one.entered;
  expect(await sweepOnce(sweepDeps())).toBe(0);
  expect(await wakes()).toEqual([]);
  one.goOn();
  expect(await one.handed).toBe(SUBSCRIPTIONS);
  const handed = await wakes();
  expect(handed.map(({ times }) => times)).toEqual(handed.map(() => 1));
  expect(handed.map(({ topic }) => topic)).toEqual(expect.arrayContaining(['subscription', 'webhook']));
  expect(await sweepOnce(sweepDeps())).toBe(0); // no relay has run, and nothing is enqueued again
  expect(await wakes()).toEqual(handed);

  await product.startWorker();
  await expectSound(product, [webhook]);
  expect(await product.rows('select count(*)::int as bills from invoice group by subscription_id')).toEqual(
    Array.from({ length: SUBSCRIPTIONS }, () => ({ bills: 1 })),
  );
  expect(await allCaptures(product)).toBe(SUBSCRIPTIONS);
  expect(repeatedEventIds(receiver.requests)).toEqual([]);
});

test('the sweep finds due mail and deliveries of pumps whose processes are gone', async () => {
  receiver.answerBy(() => ({ status: 500 }));
  product.mailbox.refuse(451);
  await subscribe(product, await createPayer(product, 'late'), { code: 'gold' });
  const failed = `select 1 from email where attempts = 1 and state = 'queued' and to_address = 'late@example.com'`;
  await product.row(failed);
  const lanes = `select shard, count(*) filter (where due_at > now() + interval '2 s')::int as put_off
    from webhook_lane where due_at is not null group by shard`;
  await until(
    async () => {
      const shards = await product.rows<{ shard: number; put_off: number }>(lanes);
      return shards.length > 0 && shards.every(({ put_off }) => put_off > 0);
    },
    { what: 'a failed attempt on every shard' },
  );
  await endPumps();

  receiver.answerBy(() => ({ status: 200 }));
  await product.rows(`update webhook_lane set due_at = now() - interval '1 s' where due_at is not null`);
  await product.rows(`update email set next_attempt_at = now() - interval '1 s' where state = 'queued'`);
  await expectSound(product, [webhook]);
  await product.mailbox.waitFor(({ to }) => to.includes('late@example.com'), 'the receipt');
  expectOrder(receiver.requests);
});

/** Terminates the workflows of all pumps while they sleep. */
async function endPumps(): Promise<void> {
  const { workflow } = new Client({ connection: temporal });
  const shards = await product.rows<{ shard: number }>(
    'select distinct shard from webhook_lane where due_at is not null',
  );
  const pumps = [
    { process: 'mail' as const, id: product.accountId, shard: 0 },
    ...shards.map(({ shard }) => ({ process: 'webhook' as const, id: webhook.id, shard })),
  ];
  for (const pump of pumps) {
    const handle = workflow.getHandle(workflowId(product.deps.deployment.id, pump));
    await until(async () => (await handle.describe()).raw.pendingActivities?.length === 0, { what: 'a pump to rest' });
    await handle.terminate();
  }
}
