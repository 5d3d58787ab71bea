import { setTimeout as pause } from 'node:timers/promises';
import type { Cipher } from '../commands/ports/ports.ts';
import { readByIndexes } from '../db/queries/processes/outbox.ts';
import { type Bell, createBell } from './bell.ts';
import type { Connection } from './connection.ts';
import type { Log } from './deps.ts';
import { OUTBOX_CHANNEL } from './notifier.ts';
import type { RelayBatch } from './relayBatch.ts';
import { appendBatches } from './relayEvents.ts';
import { type WakeDeps, wakeBatches } from './relayWakes.ts';

export interface RelayDeps extends WakeDeps {
  open: () => Promise<Connection>;
  cipher: Cipher;
  log: Log;
  /** True while this worker takes no due work. */
  isPaused?: () => boolean;
}

export interface Relay {
  /** Makes the relay read the outbox at once instead of at the next poll. */
  poke(): void;
  close(): Promise<void>;
}

const POLL_MILLISECONDS = 200;
/** Pause after an empty or small batch, so that the next one takes more rows. */
const GATHER_MILLISECONDS = 20;
const RETRY_MILLISECONDS = 1000;

/**
 * Drains the outbox: wakes processes in Temporal, and as leader appends to the event log. Both use their own connection, so that events are
 * appended while Temporal is unavailable. Any number of relays may run, because they lease the rows. The leader's lock is held by the
 * connection that appends, so a lost connection ends both. PostgreSQL ends that of a leader which is frozen.
 */
export function startRelay(deps: RelayDeps): Relay {
  const state = { stopping: false };
  const events = createBell();
  const wakes = createBell();
  const wake = wakeBatches(deps);
  const unlessPaused = (connection: Connection): RelayBatch => {
    const batch = wake(connection);
    return async () => !deps.isPaused?.() && batch();
  };
  const running = Promise.all([
    run(deps, { bell: events, batches: (connection) => appendBatches(deps, connection, wakes.ring) }, state),
    run(deps, { bell: wakes, batches: unlessPaused }, state),
  ]);
  const poke = () => {
    events.ring();
    wakes.ring();
  };
  return {
    poke,
    async close() {
      state.stopping = true;
      poke();
      await running;
    },
  };
}

interface Duty {
  bell: Bell;
  /** Creates the handler of batches over a new connection. */
  batches: (connection: Connection) => RelayBatch;
}

async function run(deps: RelayDeps, duty: Duty, state: { stopping: boolean }): Promise<void> {
  while (!state.stopping) {
    try {
      await serve(deps, duty, state);
    } catch (error) {
      deps.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'relay lost the database');
      duty.bell.heed();
      if (!state.stopping) await duty.bell.rest(RETRY_MILLISECONDS);
    }
  }
}

/** Serves over one connection until the connection is lost or the relay stops. */
async function serve(deps: RelayDeps, { bell, batches }: Duty, state: { stopping: boolean }): Promise<void> {
  const connection = await deps.open();
  try {
    connection.onNotification(bell.ring);
    await connection.query(`listen ${OUTBOX_CHANNEL}`);
    await readByIndexes(connection);
    const handleBatch = batches(connection);
    while (!state.stopping) {
      if (!connection.isOpen) throw new Error('connection lost');
      bell.heed();
      const more = await handleBatch();
      if (more || state.stopping) continue;
      await pause(GATHER_MILLISECONDS);
      await bell.rest(POLL_MILLISECONDS - GATHER_MILLISECONDS);
    }
  } finally {
    await connection.close().catch(() => undefined);
  }
}
