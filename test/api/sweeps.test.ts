import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ensureDeployment, keepNamespace } from '../../commands/deployments.ts';
import { readBacklog } from '../../db/queries/backlog.ts';
import { beginRebuild } from '../../db/queries/reconcile.ts';
import { longOverdue } from '../../db/queries/sweep.ts';
import { type Connection, connect } from '../../workers/connection.ts';
import { createQueueProgress } from '../../workers/queueProgress.ts';
import { startRebuild } from '../../workers/rebuild.ts';
import { reconcile } from '../../workers/reconcile.ts';
import { wakeTurns } from '../../workers/relayWakes.ts';
import { type SweepDeps, sweepOnce } from '../../workers/sweep.ts';
import type { Wake } from '../../workflows/client.ts';
import { startApi, type TestApi } from '../support/api.ts';

/** What the sweep finds overdue, what of that is a problem, how what it and a rebuild hand over lets new work pass, what is forgotten. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DUE = Date.UTC(2027, 2, 1);
let now = DUE;
let api: TestApi;
/** Of the owner: scenes are set that no statement of the product makes. */
let sql: Connection;
/** Of the sweeps, which open one each otherwise. */
let kept: Connection;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  sql = await connect(api.databaseUrl);
  kept = await connect(api.databaseUrls.system);
});
afterEach(async () => {
  for (const table of ['wakeup', 'outbox', 'problem', 'queue_progress']) await sql.query(`delete from ${table}`);
});
afterAll(async () => {
  await kept.close();
  await sql.close();
  await api.close();
});

/** A busy machine takes its time for some seventy sweeps. */
const LONG = 240_000;

type Environment = 'sandbox' | 'live';

/** Wake-ups of subscriptions, from the first id to the last. */
async function wait(ids: [first: number, last: number], at: number, environment: Environment = 'sandbox') {
  await sql.query(
    `insert into wakeup (account_id, process, subject_id, rule, at, put_at, step, time_base)
     select $1::int, 'subscription', n, 'period', $2::timestamptz, '2027-01-01', 'renewal 2', 'real' from generate_series($3::int, $4::int) n`,
    [api[environment].account.id, new Date(at), ...ids],
  );
}

const progress = createQueueProgress();

/** What a worker does every half a minute, with the settings of production. */
function sweep(also: Partial<SweepDeps> = {}): Promise<number> {
  const { poke, lookUpDelay, fileStore } = api.deps;
  const log = { ...api.deps.log, debug: () => undefined };
  const close = async () => void (await kept.query('select pg_advisory_unlock_all()'));
  const open = async () => ({ ...kept, close });
  const ages = { sweepInterval: 30_000, sweepAge: MINUTE, sweepProblemAge: 10 * MINUTE };
  const systemNow = () => new Date(now);
  return sweepOnce({ em: api.em, log, poke, lookUpDelay, fileStore, open, progress, systemNow, ...ages, ...also });
}

const idsOf = async (rows: string) => (await sql.query<{ id: number }>(`select ${rows}`)).map(({ id }) => id);
const handed = () => idsOf('distinct subject_id as id from outbox order by 1');
const problems = () => idsOf('subject_id as id from problem order by 1');
const all = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Sweeps from one time to another; `serve` tells what was served before each. */
async function sweepUntil(end: number, serve: () => Promise<void> | void = () => undefined): Promise<void> {
  while (now < end) {
    now += MINUTE / 2;
    await serve();
    await sweep();
  }
}

test(
  'who stands in a long queue that moves has no problem, and is not woken again; who was lost there is found when it is over',
  async () => {
    now = DUE;
    await wait([1, 60], DUE);
    await wait([101, 105], DUE + 5 * MINUTE);
    // One renewal of the first minute each half a minute, for 25 minutes; 1 was lost.
    let next = 60;
    await sweepUntil(DUE + 25 * MINUTE, async () => {
      await sql.query('delete from wakeup where subject_id = $1', [next--]);
      progress.served('sandbox', DUE);
    });
    expect([await handed(), await problems()]).toEqual([[], []]);
    await sql.query('delete from wakeup where subject_id between 2 and 60');

    // Those that came later are still at it; what they wait for is no longer 1.
    const later = () => progress.served('sandbox', DUE + 5 * MINUTE);
    await sweepUntil(DUE + 27 * MINUTE, later);
    expect([await handed(), await problems()]).toEqual([[1], []]);
    await sql.query('delete from wakeup where subject_id > 100');
    // What is woken now is served after half a minute: 1, handed out a while ago, is not.
    const short = () => progress.served('sandbox', now - MINUTE / 2);
    await sweepUntil(DUE + 31.5 * MINUTE, short);
    expect(await problems()).toEqual([]);
    await sweepUntil(DUE + 33 * MINUTE, short);
    expect([await handed(), await problems()]).toEqual([[1], [1]]);
  },
  LONG,
);

test(
  'when nothing is served, or only elsewhere, what is ten minutes late is a problem',
  async () => {
    now = DUE;
    await wait([1, 3], DUE, 'live');
    await wait([11, 12], DUE, 'sandbox');
    await sweepUntil(DUE + 9.5 * MINUTE, () => progress.served('sandbox', DUE));
    expect([await handed(), await problems()]).toEqual([[1, 2, 3], []]);
    await sweepUntil(DUE + 12 * MINUTE, () => progress.served('sandbox', DUE));
    expect([await handed(), await problems()]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  },
  LONG,
);

test(
  'what is written with a time in the past is late from when it was written',
  async () => {
    now = DUE;
    await wait([1, 1], DUE - 365 * DAY);
    await sql.query('update wakeup set put_at = $1', [new Date(now)]);
    await sweepUntil(DUE + 9.5 * MINUTE);
    expect([await handed(), await problems()]).toEqual([[1], []]);
    await sweepUntil(DUE + 12 * MINUTE);
    expect(await problems()).toEqual([1]);
  },
  LONG,
);

test(
  'a problem that cannot be written holds back only itself, and the sweep is told not to be whole',
  async () => {
    now = DUE;
    await ensureDeployment(api.em.fork(), 'of no key', new Date(now));
    await sql.query(
      `create function refuse() returns trigger language plpgsql as
     $$ begin if new.subject_id = 1 then raise exception 'not this one'; end if; return new; end $$`,
    );
    await sql.query('create trigger refuse before insert on problem for each row execute function refuse()');
    await wait([1, 1], DUE);
    await wait([2, 3], DUE + MINUTE);
    progress.served('live', DUE);
    await sweepUntil(DUE + 12 * MINUTE);
    expect([await handed(), await problems()]).toEqual([
      [1, 2, 3],
      [2, 3],
    ]);
    expect(await idsOf('id from queue_progress')).toEqual([]); // what is cleaned up comes last
    const age = async () => (await readBacklog(sql, new Date(now))).sweepSeconds;
    expect(await age()).toBe(150); // 1 was a problem from the tenth minute: the sweep before was whole
    await sql.query('drop function refuse cascade');
    await sweep();
    expect([await problems(), await age()]).toEqual([[1, 2, 3], 0]);
  },
  LONG,
);

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

const rowsOf = (plan: Plan): number[] => [
  plan['Actual Rows'] * plan['Actual Loops'],
  ...(plan.Plans ?? []).flatMap(rowsOf),
];

test('what is asked of the queues grows with the accounts, not with accounts times what workers have told', async () => {
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
  await wait([1, 300], now - 20 * MINUTE);
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
  expect(most).toBeGreaterThan(100); // it was run
  expect(most).toBeLessThan(1000); // 402 accounts; with what was told of them there are 36 pairs each
});

test('a rebuild lets new work pass, and begins with what is wanted first', async () => {
  now = DUE;
  await wait([1, 2500], DUE + 30 * DAY); // next month's
  await wait([3001, 3250], DUE - MINUTE); // fell due meanwhile
  await wait([3251, 3300], DUE + 60 * MINUTE);
  const woken: Wake[] = [];
  const turn = wakeTurns({
    ...{ systemNow: () => new Date(now), log: { ...api.deps.log, debug: () => undefined } },
    wake: async (wake) => void woken.push(wake),
  })(sql);
  expect(await reconcile(sql, new Date(now))).toBe(2800);

  await turn();
  await enqueue(9001, 9600);
  await turn();
  // A slice of the rebuild, then all the new work that fits with the next.
  expect(woken.map(({ id }) => id).slice(0, 100)).toEqual(expect.arrayContaining(all(3001, 3100)));
  const second = woken.slice(100).map(({ id }) => id);
  expect(second.filter((id) => id > 9000).length).toBe(500);
  expect(second.filter((id) => id < 9000).toSorted(byNumber)).toEqual(all(3101, 3200));
  while (await turn());
  const ids = woken.map(({ id }) => id);
  expect(ids.toSorted(byNumber)).toEqual([...all(1, 2500), ...all(3001, 3300), ...all(9001, 9600)]);
  const [urgent, rest] = [all(3001, 3300), all(1, 2500)].map((some) => some.map((id) => ids.indexOf(id)));
  expect(Math.max(...(urgent ?? []))).toBeLessThan(Math.min(...(rest ?? [])) + 100);
  expect(await handed()).toEqual([]);
});

test(
  'one worker rebuilds for all; when it is killed, one of the others does',
  async () => {
    now = DUE;
    await ensureDeployment(api.em.fork(), 'of no key', new Date(now));
    await sql.query(`update deployment set temporal_namespace_id = 'lost'`);
    await wait([1, 1200], DUE + 30 * DAY);
    const open = () => connect(api.databaseUrls.system);
    const killed = await open();
    expect(await beginRebuild(killed, 'new')).toBe('mine');

    const keep = (id: string) => keepNamespace(api.em.fork(), id);
    const log = { ...api.deps.log, warn: () => undefined, debug: () => undefined };
    const others = [1, 2].map(() => startRebuild({ open, systemNow: () => new Date(now), log, keep }, 'new'));
    for (const { begun } of others) await begun;
    expect(await handed()).toEqual([]); // both leave it to the one that is at it
    await killed.close();
    for (const { ended } of others) await ended;
    const rows = await sql.query<{ subject: number }>('select subject_id as subject from outbox order by 1');
    expect(rows.map(({ subject }) => subject)).toEqual(all(1, 1200)); // each once: the second found it done
    expect(await beginRebuild(kept, 'new')).toBe('done');
    await kept.query('select pg_advisory_unlock_all()');
  },
  LONG,
);

test('deliveries of webhooks and their attempts are kept for as long as the deployment wants; what waits stays', async () => {
  now = DUE;
  const { id } = (await api.sandbox.post('/webhooks', { url: 'http://127.0.0.1:9/', events: '*' })).body;
  const account = api.sandbox.account.id;
  // Delivery n was attempted on day n, twice; the fourth still waits, of its endpoint's bad days.
  await sql.query(
    `with made as (
       insert into webhook_delivery (account_id, webhook_id, event_id, position, subject_type, subject_id, sequence, state, created_at, ended_at)
       select $1::int, $2::int, n, n, 'invoice', n, 1, case n when 4 then 'waiting' else 'delivered' end, day, case n when 4 then null else day end
       from generate_series(1, 40) n, lateral (select $3::timestamptz + n * interval '1 day' as day) d returning id, event_id, created_at
     )
     insert into webhook_attempt (account_id, webhook_id, delivery_id, event_id, attempt, answer, latency_milliseconds, created_at)
     select $1::int, $2::int, id, event_id, attempt, '', 1, created_at from made, generate_series(1, 2) attempt`,
    [account, id, new Date(DUE)],
  );
  now = DUE + 40 * DAY;
  await sweep();
  const kept = () => idsOf('distinct event_id as id from webhook_delivery order by 1');
  const attempted = () => idsOf('distinct event_id as id from webhook_attempt order by 1');
  expect([await kept(), await attempted()]).toEqual([all(1, 40), all(1, 40)]);
  await sweep({ deliveryHistory: 30 * DAY });
  expect([await kept(), await attempted()]).toEqual([[4, ...all(10, 40)], all(10, 40)]);
});

const byNumber = (left: number, right: number) => left - right;

/** What transactions want woken now. */
async function enqueue(first: number, last: number): Promise<void> {
  await sql.query(
    `insert into outbox (account_id, topic, subject_id, due_at)
     select $1::int, 'invoice', n, $2::timestamptz from generate_series($3::int, $4::int) n`,
    [api.sandbox.account.id, new Date(now), first, last],
  );
}
