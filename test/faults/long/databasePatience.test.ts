import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection as TemporalConnection } from '@temporalio/client';
import { Refusal } from '../../../billing/refusal.ts';
import { createClockBells } from '../../../workers/clockBells.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import { createLivePumps } from '../../../workers/livePumps.ts';
import { takeSteps } from '../../../workers/steps.ts';
import { workflowId } from '../../../workflows/client.ts';
import { createPayer, createPlan, subscribe } from '../../support/business.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { expectSound } from '../../support/soundness.ts';
import { temporalAddress } from '../../support/temporal.ts';
import { until } from '../../support/wait.ts';

let product: Product;
let owner: Connection;
let temporal: TemporalConnection;

beforeAll(async () => {
  product = await startProduct({ endpoint: true, env: { SWEEP_INTERVAL: '600000', LOG_LEVEL: 'silent' } }); // no sweep in this test
  await createPlan(product, 'gold');
  temporal = await TemporalConnection.connect({ address: temporalAddress() });
  owner = await connect(product.config.databaseUrl);
  await owner.query(`
    create sequence tries;
    create function fails() returns trigger language plpgsql security definer as $$ begin
      perform nextval('tries');
      raise exception 'failed on purpose' using errcode = tg_argv[0];
    end $$`);
});

afterAll(async () => {
  await owner.close();
  await temporal.close();
  await product.close();
});

/** SQLSTATE of "the database system is starting up", and of an exception that a function raises. */
type Code = '57P03' | 'P0001';

/** Makes all inserts of invoices fail with this code. null: they succeed again. */
const failWith = (code: Code | null) =>
  owner.transaction(async () => {
    await owner.query('drop trigger if exists fails on invoice');
    await owner.query(`select setval('tries', 1, false)`);
    if (code)
      await owner.query(`create trigger fails before insert on invoice for each row execute function fails('${code}')`);
  });

/** Waits until this many inserts of invoices have failed. */
const tried = (times: number) =>
  until(
    async () => {
      const [row] = await owner.query<{ enough: boolean }>(
        'select is_called and last_value >= $1 as enough from tries',
        [times],
      );
      return row?.enough;
    },
    { what: `${times} tries` },
  );

const newSubscription = async (name: string) => subscribe(product, await createPayer(product, name), { code: 'gold' });

const billed = (subscription: number) =>
  product.row(`select 1 from invoice where paid and subscription_id = ${subscription}`);

const problems = () => product.rows('select subject_id, step, message, tries, closed_at from problem');

/** The regular activities of the process with their attempts, and the number of its failed local activities. */
async function stepsOf(subscription: number) {
  const { workflow } = new Client({ connection: temporal });
  const id = workflowId(product.deps.deployment.id, { process: 'subscription', id: subscription });
  const { events = [] } = await workflow.getHandle(id).fetchHistory();
  const names = (events ?? []).flatMap((event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? []);
  const attempts = (events ?? []).flatMap((event) => event.activityTaskStartedEventAttributes?.attempt ?? []);
  const failed = (events ?? []).filter((event) => event.markerRecordedEventAttributes?.failure);
  return { names, attempts, failedLocally: failed.length };
}

test('a step that fails three times because the database is unavailable is retried until it succeeds, without a problem', async () => {
  await failWith('57P03');
  const subscription = await newSubscription('waiting');
  await tried(4);
  await failWith(null);
  await billed(subscription);
  const { names, attempts, failedLocally } = await stepsOf(subscription);
  expect({ names, failedLocally }).toEqual({ names: ['advanceSubscription'], failedLocally: 1 });
  expect(attempts[0]).toBeGreaterThanOrEqual(2); // after three local attempts
  expect(await problems()).toEqual([]);
  await expectSound(product);
});

test('a step that fails for another reason while retrying is a problem at once', async () => {
  await failWith('57P03');
  const subscription = await newSubscription('broken');
  await tried(4);
  await failWith('P0001');
  await product.row('select 1 from problem');
  expect(await problems()).toEqual([
    {
      subject_id: subscription,
      step: 'advanceSubscription',
      message: 'database error P0001',
      tries: 1,
      closed_at: null,
    },
  ]);
  expect((await stepsOf(subscription)).names).toEqual(['advanceSubscription', 'reportProblem']);

  await failWith(null);
  await product.rows(
    `insert into outbox (account_id, topic, subject_id, due_at)
     values (${product.accountId}, 'subscription', ${subscription}, now())`,
  );
  await billed(subscription);
  expect(await problems()).toEqual([expect.objectContaining({ tries: 1, closed_at: expect.any(String) })]);
  await expectSound(product);
});

test('tries lost to an unavailable database do not count when an attempt fails for another reason', async () => {
  const failRuns = (code: Code) =>
    owner.transaction(async () => {
      await owner.query('drop trigger if exists fails on attempt');
      await owner.query(`select setval('tries', 1, false)`);
      await owner.query(`create trigger fails before update on attempt for each row execute function fails('${code}')`);
    });
  const payer = await createPayer(product, 'unpaid');
  await failRuns('57P03');
  await subscribe(product, payer, { code: 'gold' });
  await tried(2);
  await failRuns('P0001');
  await product.row(`select 1 from problem where subject_type = 'invoice' and message = 'database error P0001'`);
  const [{ count } = { count: 0 }] = await owner.query<{ count: number }>('select last_value::int as count from tries');
  expect(count).toBe(3);
  await owner.query('drop trigger fails on attempt');
});

test('a refused step is not retried at once: it becomes a problem on which the process sleeps', async () => {
  const id = await newSubscription('refused');
  await billed(id);
  const { accountId, deps } = product;
  const step = () => Promise.reject(new Refusal('state_conflict', 'not like this'));
  const stepping = { process: 'subscription' as const, input: { accountId, id }, step };
  const result = await takeSteps(
    { ...deps, pumps: createLivePumps(), clocks: createClockBells(), poke: () => undefined },
    stepping,
  );
  expect(result).toMatchObject({ did: ['refused: not like this'], more: false, call: null, isStuck: true });
  const [wakeup] = await product.rows(
    `select extract(epoch from at)::float8 * 1000 as at from wakeup where rule = 'problem' and subject_id = ${id}`,
  );
  expect(wakeup).toEqual({ at: result.wakeAt });
  expect(await problems()).toContainEqual(
    expect.objectContaining({ subject_id: id, message: 'not like this', closed_at: null }),
  );
});

/** The maximum retry interval in seconds of each activity type that any process has scheduled. */
async function longestWaits(): Promise<Record<string, number>> {
  const { workflow } = new Client({ connection: temporal });
  const waits: Record<string, number> = {};
  for await (const { workflowId: id } of workflow.list({
    query: `WorkflowId STARTS_WITH '${product.deps.deployment.id}/'`,
  }))
    for (const { activityTaskScheduledEventAttributes: asked } of (await workflow.getHandle(id).fetchHistory())
      .events ?? [])
      if (asked) waits[asked.activityType?.name ?? ''] = Number(asked.retryPolicy?.maximumInterval?.seconds);
  return waits;
}

test('work that waited for the database continues within ten seconds of its return', async () => {
  const activities = ['advanceSubscription', 'pumpMail', 'pumpWebhook', 'reportProblem', 'runAttempt'];
  const seen = async () => {
    const waits = await longestWaits();
    return activities.every((name) => name in waits) ? waits : null;
  };
  expect(await until(seen, { what: 'each kind of activity' })).toEqual(
    Object.fromEntries(activities.map((name) => [name, 10])),
  );
});
