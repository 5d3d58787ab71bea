import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ensureDeployment, storeNamespaceId } from '../../../commands/accounts/deployments.ts';
import { beginRebuild } from '../../../db/queries/processes/reconcile.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import { startRebuild } from '../../../workers/rebuild.ts';
import { reconcile } from '../../../workers/reconcile.ts';
import { wakeBatches } from '../../../workers/relayWakes.ts';
import type { Wake } from '../../../workflows/client.ts';
import type { TestApi } from '../../support/api.ts';
import { idsFrom, putWakeups, startWakes, type Wakes } from '../../support/sweeps.ts';

/** The rebuild of all processes on an empty Temporal server: one worker enqueues them, and new work does not wait. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DUE = Date.UTC(2027, 2, 1);
let wakes: Wakes;
let api: TestApi;
let sql: Connection;
beforeAll(async () => {
  wakes = await startWakes(() => new Date(DUE));
  ({ api, sql } = wakes);
});
afterEach(() => wakes.clear());
afterAll(() => wakes.close());

test('a rebuild lets new work pass, and starts with the most urgent processes', async () => {
  await putWakeups(api, [1, 2500], DUE + 30 * DAY); // due next month
  await putWakeups(api, [3001, 3250], DUE - MINUTE); // overdue
  await putWakeups(api, [3251, 3300], DUE + 60 * MINUTE);
  const woken: Wake[] = [];
  const handleBatch = wakeBatches({
    systemNow: () => new Date(DUE),
    log: { ...api.deps.log, debug: () => undefined },
    wake: async (wake) => void woken.push(wake),
  })(sql);
  expect(await reconcile(sql, new Date(DUE))).toBe(2800);

  await handleBatch();
  await enqueue(9001, 9600);
  await handleBatch();
  // First a slice of the rebuild, then new work together with the next slice.
  expect(woken.map(({ id }) => id).slice(0, 100)).toEqual(expect.arrayContaining(idsFrom(3001, 3100)));
  const second = woken.slice(100).map(({ id }) => id);
  expect(second.filter((id) => id > 9000).length).toBe(500);
  expect(second.filter((id) => id < 9000).toSorted(byNumber)).toEqual(idsFrom(3101, 3200));
  while (await handleBatch());
  const ids = woken.map(({ id }) => id);
  expect(ids.toSorted(byNumber)).toEqual([...idsFrom(1, 2500), ...idsFrom(3001, 3300), ...idsFrom(9001, 9600)]);
  const [urgent, rest] = [idsFrom(3001, 3300), idsFrom(1, 2500)].map((some) => some.map((id) => ids.indexOf(id)));
  expect(Math.max(...(urgent ?? []))).toBeLessThan(Math.min(...(rest ?? [])) + 100);
  expect(await sql.query('select from outbox')).toEqual([]);
});

test('one worker rebuilds for all; when it is killed, another one takes over', async () => {
  await ensureDeployment(api.em.fork(), 'of no key', new Date(DUE));
  await sql.query(`update deployment set temporal_namespace_id = 'lost'`);
  await putWakeups(api, [1, 1200], DUE + 30 * DAY);
  const open = () => connect(api.databaseUrls.system);
  const killed = await open();
  expect(await beginRebuild(killed, 'new')).toBe('mine');

  const store = (id: string) => storeNamespaceId(api.em.fork(), id);
  const log = { ...api.deps.log, warn: () => undefined, debug: () => undefined };
  const others = [1, 2].map(() =>
    startRebuild({ open, systemNow: () => new Date(DUE), log, storeNamespaceId: store }, 'new'),
  );
  for (const { begun } of others) await begun;
  expect(await wakes.enqueuedSubscriptions()).toEqual([]); // both skip the rebuild because another worker runs it
  await killed.close();
  for (const { ended } of others) await ended;
  expect(await wakes.enqueuedSubscriptions()).toEqual(idsFrom(1, 1200)); // each is enqueued once: the second worker finds the rebuild done
  const late = await open();
  expect(await beginRebuild(late, 'new')).toBe('done');
  await late.close();
});

const byNumber = (left: number, right: number) => left - right;

/** Adds wakes to the outbox, as transactions do. */
async function enqueue(first: number, last: number): Promise<void> {
  await sql.query(
    `insert into outbox (account_id, topic, subject_id, due_at)
     select $1::int, 'invoice', n, $2::timestamptz from generate_series($3::int, $4::int) n`,
    [api.sandbox.account.id, new Date(DUE), first, last],
  );
}
