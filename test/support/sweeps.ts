import type { Environment } from '../../billing/environments.ts';
import { type Connection, connect } from '../../workers/connection.ts';
import { type SweepDeps, sweepOnce } from '../../workers/sweep.ts';
import { startApi, type TestApi } from './api.ts';

const MINUTE = 60_000;

/** An API whose wake-ups and outbox a test fills and reads. */
export interface Wakes {
  api: TestApi;
  /** A connection of the owner, for statements that the product never runs. */
  sql: Connection;
  /** Ids of the subscriptions in the outbox. */
  enqueuedSubscriptions(): Promise<number[]>;
  /** Empties the tables for the next test. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function startWakes(systemNow: () => Date): Promise<Wakes> {
  const api = await startApi({ systemNow });
  const sql = await connect(api.databaseUrl);
  return {
    api,
    sql,
    enqueuedSubscriptions: async () => {
      const what = `select subject_id as id from outbox where topic = 'subscription' order by 1`;
      return (await sql.query<{ id: number }>(what)).map(({ id }) => id);
    },
    clear: async () => {
      for (const table of ['wakeup', 'outbox', 'problem', 'queue_progress']) await sql.query(`delete from ${table}`);
    },
    close: async () => {
      await sql.close();
      await api.close();
    },
  };
}

/** Runs one sweep with production settings, except for `overrides`. Returns the number of enqueued wake-ups. */
export function sweepAt(api: TestApi, now: number, overrides: Partial<SweepDeps> = {}): Promise<number> {
  const { poke, lookUpDelay, fileStore, cipher } = api.deps;
  const log = { ...api.deps.log, debug: () => undefined };
  const open = () => connect(api.databaseUrls.system);
  const ages = { sweepInterval: MINUTE / 2, sweepAge: MINUTE, sweepProblemAge: 10 * MINUTE };
  const systemNow = () => new Date(now);
  return sweepOnce({ em: api.em, log, poke, lookUpDelay, fileStore, cipher, open, systemNow, ...ages, ...overrides });
}

/** Inserts wake-ups in real time for the subscriptions from the first to the last id. The subscriptions need not exist. */
export async function putWakeups(
  api: TestApi,
  ids: readonly [first: number, last: number],
  at: number,
  environment: Environment = 'sandbox',
): Promise<void> {
  await api.em.fork().execute(
    `insert into wakeup (account_id, process, subject_id, rule, at, put_at, step, time_base)
     select ?::int, 'subscription', n, 'bill', ?::timestamptz, '2027-01-01', 'renewal 2', 'real' from generate_series(?::int, ?::int) n`,
    [api[environment].account.id, new Date(at), ...ids],
  );
}

export function idsFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
