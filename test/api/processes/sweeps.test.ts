import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ensureDeployment } from '../../../commands/accounts/deployments.ts';
import { CLOCKS_START, sweepIdleClocks } from '../../../db/queries/clocks/clocks.ts';
import { readBacklog } from '../../../db/queries/processes/queues.ts';
import { longOverdue } from '../../../db/queries/processes/sweep.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import { createQueueProgress } from '../../../workers/queueProgress.ts';
import type { SweepDeps } from '../../../workers/sweep.ts';
import type { TestApi } from '../../support/api.ts';
import { putWakeups, startWakes, sweepAt, type Wakes } from '../../support/sweeps.ts';

/** Overdue work that the sweep finds, and which of it becomes a problem. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DUE = Date.UTC(2027, 2, 1);
let now = DUE;
let wakes: Wakes;
let api: TestApi;
let sql: Connection;
/** One connection for all sweeps, which would open one each. */
let kept: Connection;
beforeAll(async () => {
  wakes = await startWakes(() => new Date(now));
  ({ api, sql } = wakes);
  kept = await connect(api.databaseUrls.system);
});
afterEach(() => wakes.clear());
afterAll(async () => {
  await kept.close();
  await wakes.close();
});

const progress = createQueueProgress();

function sweep(also: Partial<SweepDeps> = {}): Promise<number> {
  const close = async () => void (await kept.query('select pg_advisory_unlock_all()'));
  return sweepAt(api, now, { open: async () => ({ ...kept, close }), progress, ...also });
}

const idsOf = async (rows: string) => (await sql.query<{ id: number }>(`select ${rows}`)).map(({ id }) => id);
const enqueued = () => wakes.enqueuedSubscriptions();
const problems = () => idsOf('subject_id as id from problem order by 1');

/** Sweeps repeatedly until `end`. `serve` runs before each sweep and reports served work. */
async function sweepUntil(end: number, serve: () => Promise<void> | void = () => undefined): Promise<void> {
  while (now < end) {
    now += MINUTE / 2;
    await serve();
    await sweep();
  }
}

test('a process in a long queue that moves is not re-enqueued and no problem; one that was lost there is found once the queue has passed it', async () => {
  now = DUE;
  await putWakeups(api, [1, 60], DUE);
  await putWakeups(api, [101, 105], DUE + 5 * MINUTE);
  // For 25 minutes, one of the renewals due first runs every half minute. Renewal 1 is lost.
  let next = 60;
  await sweepUntil(DUE + 25 * MINUTE, async () => {
    await sql.query('delete from wakeup where subject_id = $1', [next--]);
    progress.served('sandbox', DUE);
  });
  expect([await enqueued(), await problems()]).toEqual([[], []]);
  await sql.query('delete from wakeup where subject_id between 2 and 60');

  // Later renewals are still being served, so the queue no longer waits for number 1.
  const later = () => progress.served('sandbox', DUE + 5 * MINUTE);
  await sweepUntil(DUE + 27 * MINUTE, later);
  expect([await enqueued(), await problems()]).toEqual([[1], []]);
  await sql.query('delete from wakeup where subject_id > 100');
  // New wakes are served after half a minute, but number 1, enqueued earlier, is not.
  const short = () => progress.served('sandbox', now - MINUTE / 2);
  await sweepUntil(DUE + 31.5 * MINUTE, short);
  expect(await problems()).toEqual([]);
  await sweepUntil(DUE + 33 * MINUTE, short);
  expect([await enqueued(), await problems()]).toEqual([[1], [1]]);
});

test('work that is ten minutes late is a problem when its queue serves nothing', async () => {
  now = DUE;
  await putWakeups(api, [1, 3], DUE, 'live');
  await putWakeups(api, [11, 12], DUE, 'sandbox');
  await sweepUntil(DUE + 9.5 * MINUTE, () => progress.served('sandbox', DUE));
  expect([await enqueued(), await problems()]).toEqual([[1, 2, 3], []]);
  await sweepUntil(DUE + 12 * MINUTE, () => progress.served('sandbox', DUE));
  expect([await enqueued(), await problems()]).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
});

test('work written with a past time is late from when it was written', async () => {
  now = DUE;
  await putWakeups(api, [1, 1], DUE - 365 * DAY);
  await sql.query('update wakeup set put_at = $1', [new Date(now)]);
  await sweepUntil(DUE + 9.5 * MINUTE);
  expect([await enqueued(), await problems()]).toEqual([[1], []]);
  await sweepUntil(DUE + 12 * MINUTE);
  expect(await problems()).toEqual([1]);
});

test('a problem that cannot be written affects only itself, and marks the sweep as incomplete', async () => {
  now = DUE;
  await ensureDeployment(api.em.fork(), 'of no key', new Date(now));
  await sql.query(
    `create function refuse() returns trigger language plpgsql as
     $$ begin if new.subject_id = 1 then raise exception 'not this one'; end if; return new; end $$`,
  );
  await sql.query('create trigger refuse before insert on problem for each row execute function refuse()');
  await putWakeups(api, [1, 1], DUE);
  await putWakeups(api, [2, 3], DUE + MINUTE);
  progress.served('live', DUE);
  await sweepUntil(DUE + 12 * MINUTE);
  expect([await enqueued(), await problems()]).toEqual([
    [1, 2, 3],
    [2, 3],
  ]);
  expect(await idsOf('id from queue_progress')).toEqual([]); // cleaning up comes last
  const age = async () => (await readBacklog(sql, new Date(now))).sweepSeconds;
  expect(await age()).toBe(150); // number 1 was a problem from the tenth minute on: the sweep before it was complete
  await sql.query('drop function refuse cascade');
  await sweep();
  expect([await problems(), await age()]).toEqual([[1, 2, 3], 0]);
});

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

const rowsOf = (plan: Plan): number[] => [
  plan['Actual Rows'] * plan['Actual Loops'],
  ...(plan.Plans ?? []).flatMap(rowsOf),
];

test('the number of queue look-ups grows with the accounts, not with accounts times workers', async () => {
  now = DUE;
  await sql.query(
    `insert into account select (jsonb_populate_record(a, jsonb_build_object('id', 1000000 + n, 'twin_id', null))).*
     from account a, generate_series(1, 400) n where a.id = $1`,
    [api.sandbox.account.id],
  );
  await sql.query(
    `insert into queue_progress (environment, since, noted_at) select 'sandbox', $1::timestamptz, $1 from generate_series(1, 36)`,
    [new Date(now)],
  );
  await putWakeups(api, [1, 300], now - 20 * MINUTE);
  await sql.query('update wakeup set sweeps = 1');
  await sql.query('analyze account, queue_progress, wakeup');
  let most = 0;
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const rows = await sql.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (analyze, format json) ${text}`, values);
    most = Math.max(...rows.flatMap((row) => row['QUERY PLAN'].flatMap((one) => rowsOf(one.Plan))));
    return [];
  };
  const ago = (minutes: number) => new Date(now - minutes * MINUTE);
  await longOverdue({ query }, { before: ago(10), handedBefore: ago(1), movedSince: ago(5), limit: 20 });
  await sql.query('delete from account where id > 1000000');
  expect(most).toBeGreaterThan(100); // the query was run
  expect(most).toBeLessThan(1000); // 402 accounts with 36 pairs of queue progress each
});

test('a sweep looks at a limited number of idle clocks, and the next sweep continues after them', async () => {
  now = DUE;
  const account = api.sandbox.account.id;
  const clocks: number[] = [];
  for (const subject of [1, 2, 3]) {
    const { id } = await api.sandbox.make('/test_clocks', { frozen_time: DUE / 1000 });
    clocks.push(id);
    await sql.query(
      `insert into wakeup (account_id, process, subject_id, rule, at, put_at, step, time_base, clock_id)
       values ($1, 'subscription', $2, 'bill', $3, $3, 'renewal 2', 'clock', $4)`,
      [account, subject, new Date(DUE), id],
    );
  }
  const look = { now: new Date(now), limit: 2 };
  const second = await sweepIdleClocks(sql, CLOCKS_START, look);
  expect([second, await enqueued()]).toEqual([{ accountId: account, id: clocks[1] }, [1, 2]]);
  expect([await sweepIdleClocks(sql, second ?? CLOCKS_START, look), await enqueued()]).toEqual([null, [1, 2, 3]]);
  await sql.query('delete from outbox');
  const place = { after: { accountId: account, id: clocks[0] ?? 0 } };
  await sweep({ clocks: place });
  expect([place.after, await enqueued()]).toEqual([CLOCKS_START, [2, 3]]); // the last slice: the next one starts again
  await sweep({ clocks: place });
  expect(await enqueued()).toEqual([1, 2, 3]);
});
