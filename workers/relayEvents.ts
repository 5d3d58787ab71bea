import type { Cipher } from '../commands/ports/ports.ts';
import { failpoint } from '../db/failpoint.ts';
import { appendEvents } from '../db/queries/events/eventLog.ts';
import { retrying } from '../db/transaction.ts';
import type { Connection } from './connection.ts';
import type { WorkerMetrics } from './metrics.ts';
import { linkBatches } from './relayAudit.ts';
import type { RelayBatch } from './relayBatch.ts';

const BATCH = 500;
/** Session lock of the relay that appends the event log. */
const LEADER_LOCK = 7_262_002;
/**
 * PostgreSQL ends a session that asks nothing for this long, and with it the lock. A leader asks five times a second, unless its process is
 * frozen or starved, or its machine cannot be reached.
 */
const LEASE = '12s';

interface AppendDeps {
  systemNow: () => Date;
  cipher: Cipher;
  metrics?: WorkerMetrics;
}

/**
 * Appends committed events to the log, and links rows of the audit log, while this connection holds the leader's lock. A batch first tries to become leader. `onAppended` is
 * called after a batch, which may have written wakes of webhook pumps to the outbox.
 */
export function appendBatches(deps: AppendDeps, connection: Connection, onAppended: () => void): RelayBatch {
  let isLeader = false;
  const link = linkBatches(deps, connection);
  return async () => {
    isLeader = isLeader || (await becomeLeader(connection));
    if (!isLeader) return false;
    const append = async () => {
      const count = await appendEvents(connection, { now: deps.systemNow(), limit: BATCH });
      if (count > 0) await failpoint('relay.appending');
      return count;
    };
    const appended = await retrying(() => connection.transaction(append));
    const hasMore = await link();
    if (appended === 0) return hasMore;
    deps.metrics?.appended(appended);
    await failpoint('relay.appended');
    onAppended();
    return hasMore || appended >= BATCH;
  };
}

async function becomeLeader(connection: Connection): Promise<boolean> {
  const [row] = await connection.query<{ led: boolean }>(
    `select set_config('idle_session_timeout', '${LEASE}', false), pg_try_advisory_lock(${LEADER_LOCK}) as led`,
  );
  return row?.led ?? false;
}
