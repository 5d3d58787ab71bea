import { failpoint } from '../db/failpoint.ts';
import { appendEvents } from '../db/queries/eventLog.ts';
import { type ClaimedWake, claimWakes, deleteWakes, releaseWakes } from '../db/queries/outbox.ts';
import type { Wake } from '../workflows/client.ts';
import { type Bell, createBell } from './bell.ts';
import type { Connection } from './connection.ts';
import type { Log } from './deps.ts';
import { OUTBOX_CHANNEL } from './notifier.ts';

export interface RelayDeps {
  open: () => Promise<Connection>;
  /** Wakes a process at Temporal. */
  wake: (wake: Wake) => Promise<void>;
  systemNow: () => Date;
  log: Log;
}

export interface Relay {
  /** Looks at the outbox at once instead of at the next poll. */
  poke(): void;
  close(): Promise<void>;
}

const POLL_MILLISECONDS = 200;
const BATCH = 500;
const IN_FLIGHT = 32;
/** After so long the rows of a relay that died are taken by another; a process that is woken twice does not mind. */
const LEASE_MILLISECONDS = 10_000;
const RETRY_MILLISECONDS = 1000;
/** Session lock of the relay that appends the event log. */
const LEADER_LOCK = 7_262_002;

/**
 * Carries the outbox out: wakes processes at Temporal and, as leader, appends the event log. Any number may run; rows are leased, and
 * the leader's lock lives on the connection its writes go through, so that losing the one ends the other.
 */
export function startRelay(deps: RelayDeps): Relay {
  const bell = createBell();
  const state: State = { stopping: false, woken: [], failed: [] };
  const running = run(deps, bell, state);
  return {
    poke: bell.ring,
    async close() {
      state.stopping = true;
      bell.ring();
      await running;
    },
  };
}

interface State {
  stopping: boolean;
  /** Rows that are dealt with but not yet written down as such: the loss of a connection does not leave them leased. */
  woken: string[];
  failed: string[];
}

async function run(deps: RelayDeps, bell: Bell, state: State): Promise<void> {
  while (!state.stopping) {
    try {
      await serve(deps, bell, state);
    } catch (error) {
      deps.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'relay lost the database');
      bell.heed();
      if (!state.stopping) await bell.rest(RETRY_MILLISECONDS);
    }
  }
}

/** Serves over one connection until it is lost or the relay stops. */
async function serve(deps: RelayDeps, bell: Bell, state: State): Promise<void> {
  const connection = await deps.open();
  try {
    connection.onNotification(bell.ring);
    await connection.query(`listen ${OUTBOX_CHANNEL}`);
    await writeDown(deps, connection, state);
    let isLeader = false;
    while (!state.stopping) {
      if (!connection.isOpen) throw new Error('connection lost');
      bell.heed();
      isLeader = isLeader || (await lead(connection));
      const appended = isLeader ? await append(deps, connection) : 0;
      const claimed = await relayWakes(deps, connection, state);
      if (appended < BATCH && claimed < BATCH && !state.stopping) await bell.rest(POLL_MILLISECONDS);
    }
  } finally {
    await connection.close().catch(() => undefined);
  }
}

async function lead(connection: Connection): Promise<boolean> {
  const [row] = await connection.query<{ led: boolean }>(`select pg_try_advisory_lock(${LEADER_LOCK}) as led`);
  return row?.led ?? false;
}

async function append(deps: RelayDeps, connection: Connection): Promise<number> {
  const appended = await connection.transaction(() =>
    appendEvents(connection, { now: deps.systemNow(), limit: BATCH }),
  );
  if (appended > 0) await failpoint('relay.appended');
  return appended;
}

async function relayWakes(deps: RelayDeps, connection: Connection, state: State): Promise<number> {
  const now = deps.systemNow();
  const claimed = await claimWakes(connection, { now, leaseMilliseconds: LEASE_MILLISECONDS, limit: BATCH });
  if (claimed.length === 0) return 0;
  await failpoint('relay.claimed');
  await inParallel(collapse(claimed), async ({ wake, ids }) => {
    try {
      await deps.wake(wake);
      state.woken.push(...ids);
    } catch (error) {
      state.failed.push(...ids);
      const reason = error instanceof Error ? error.message : String(error);
      deps.log.warn({ process: wake.process, id: wake.id, reason }, 'process could not be woken');
    }
  });
  await failpoint('relay.woken');
  await writeDown(deps, connection, state);
  return claimed.length;
}

async function writeDown(deps: RelayDeps, connection: Connection, state: State): Promise<void> {
  const again = new Date(deps.systemNow().getTime() + RETRY_MILLISECONDS);
  if (state.woken.length > 0) await deleteWakes(connection, state.woken);
  state.woken = [];
  if (state.failed.length > 0) await releaseWakes(connection, state.failed, again);
  state.failed = [];
}

interface Collapsed {
  wake: Wake;
  ids: string[];
}

/** One wake per process, at the earliest time that any of its rows asks for. */
function collapse(rows: readonly ClaimedWake[]): Collapsed[] {
  const byProcess = new Map<string, Collapsed>();
  for (const { id, topic, accountId, environment, subjectId, shard, startAt } of rows) {
    const isPump = topic === 'webhook' || topic === 'mail';
    const key = `${topic}/${subjectId}/${shard}`;
    const found = byProcess.get(key);
    if (!found) {
      const wake: Wake = {
        process: topic,
        environment,
        accountId,
        id: subjectId,
        startAt,
        ...(isPump ? { shard } : {}),
      };
      byProcess.set(key, { wake, ids: [id] });
      continue;
    }
    found.ids.push(id);
    if (!startAt || (found.wake.startAt && startAt < found.wake.startAt)) found.wake.startAt = startAt;
  }
  return [...byProcess.values()];
}

async function inParallel<Job>(jobs: readonly Job[], run: (job: Job) => Promise<void>): Promise<void> {
  const queue = [...jobs];
  const worker = async (): Promise<void> => {
    for (let job = queue.shift(); job; job = queue.shift()) await run(job);
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, jobs.length) }, worker));
}
