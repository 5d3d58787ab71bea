import { type Connection, connect } from '../../workers/connection.ts';
import { type SweepDeps, sweepOnce } from '../../workers/sweep.ts';
import { startApi, type TestApi } from './api.ts';

const MINUTE = 60_000;

/** What is to be woken and is handed out, as tests set it and find it. */
export interface Wakes {
  api: TestApi;
  /** Of the owner: scenes are set that no statement of the product makes. */
  sql: Connection;
  /** The subscriptions in the outbox. */
  handed(): Promise<number[]>;
  /** Leaves nothing to the next test. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function startWakes(systemNow: () => Date): Promise<Wakes> {
  const api = await startApi({ systemNow });
  const sql = await connect(api.databaseUrl);
  return {
    api,
    sql,
    handed: async () => {
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

/** What a worker does every half a minute, with the settings of production but for what `also` says. Answers how many wake-ups were handed out. */
export function sweepAt(api: TestApi, now: number, also: Partial<SweepDeps> = {}): Promise<number> {
  const { poke, lookUpDelay, fileStore } = api.deps;
  const log = { ...api.deps.log, debug: () => undefined };
  const open = () => connect(api.databaseUrls.system);
  const ages = { sweepInterval: MINUTE / 2, sweepAge: MINUTE, sweepProblemAge: 10 * MINUTE };
  const systemNow = () => new Date(now);
  return sweepOnce({ em: api.em, log, poke, lookUpDelay, fileStore, open, systemNow, ...ages, ...also });
}

type Environment = 'sandbox' | 'live';

/** Wake-ups of subscriptions in real time, from the first id to the last, straight into the table. */
export async function putWakeups(
  api: TestApi,
  ids: readonly [first: number, last: number],
  at: number,
  environment: Environment = 'sandbox',
): Promise<void> {
  await api.em.fork().execute(
    `insert into wakeup (account_id, process, subject_id, rule, at, put_at, step, time_base)
     select ?::int, 'subscription', n, 'period', ?::timestamptz, '2027-01-01', 'renewal 2', 'real' from generate_series(?::int, ?::int) n`,
    [api[environment].account.id, new Date(at), ...ids],
  );
}

export function allFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
