import { isGrpcDeadlineError, isGrpcServiceError } from '@temporalio/client';
import { isPump } from '../billing/processes.ts';
import { failpoint } from '../db/failpoint.ts';
import { type ClaimedWake, claimWakes, deleteWakes, releaseWakes } from '../db/queries/processes/outbox.ts';
import { inSpan } from '../db/tracing.ts';
import { processInWords } from '../present/processes/process.ts';
import type { Wake } from '../workflows/client.ts';
import type { Connection } from './connection.ts';
import type { Log } from './deps.ts';
import type { WorkerMetrics } from './metrics.ts';
import type { RelayBatch } from './relayBatch.ts';
import type { WakeShare } from './stepShare.ts';

export interface WakeDeps {
  /** Wakes a process in Temporal. */
  wake: (wake: Wake) => Promise<void>;
  systemNow: () => Date;
  /** The share of each account. Absent: no limit. */
  share?: () => WakeShare;
  log: Log;
  metrics?: WorkerMetrics;
}

/**
 * Target duration of a batch. Its size follows from the speed of the batch before, within bounds, so that new rows of other accounts wait
 * no longer for the next batch.
 */
const BATCH_MILLISECONDS = 250;
const BATCH = { first: 100, fewest: 50, most: 500 };
/** Maximum number of recovered rows in a batch, so that new work need not wait for more. */
const RECOVERED = 100;
const NO_SHARE: WakeShare = { most: null, except: [], crowded: [] };
const IN_FLIGHT = 32;
/** Lease of the rows of a batch. If a relay dies, another takes its rows after this time. Waking a process twice is harmless. */
const LEASE_MILLISECONDS = 10_000;
const RETRY_MILLISECONDS = 1000;
/** gRPC's UNAVAILABLE. */
const UNAVAILABLE = 14;

/**
 * Ids of rows whose result is not written to the database yet. They are kept across connections, so that a lost connection does not leave
 * the rows leased.
 */
interface Handled {
  woken: string[];
  failed: string[];
}

/** Wakes the processes that the outbox names, batch by batch. Unwritten results and the batch size are kept for the next connection. */
export function wakeBatches(deps: WakeDeps): (connection: Connection) => RelayBatch {
  const handled: Handled = { woken: [], failed: [] };
  let limit = BATCH.first;
  return (connection) => async () => {
    await writeResults(deps, connection, handled);
    const now = deps.systemNow();
    const { most: ofOne, except, crowded } = deps.share?.() ?? NO_SHARE;
    const most = { limit, ofOne: Math.min(ofOne ?? limit, limit), recovered: Math.min(limit, RECOVERED) };
    const claimed = await claimWakes(connection, {
      now,
      leaseMilliseconds: LEASE_MILLISECONDS,
      except,
      crowded,
      ...most,
    });
    if (claimed.length === 0) return false;
    deps.metrics?.claimed(claimed.length);
    await failpoint('relay.claimed');
    const begun = performance.now();
    await wakeAll(deps, inTurns(collapse(claimed)), handled);
    if (claimed.length >= BATCH.fewest) limit = nextLimit(claimed.length, performance.now() - begun);
    await failpoint('relay.woken');
    await writeResults(deps, connection, handled);
    return mayBeLeft(claimed, most);
  };
}

/** Whether more rows may be due: a limit of the batch or of an account was reached. */
function mayBeLeft(
  claimed: readonly ClaimedWake[],
  most: { limit: number; ofOne: number; recovered: number },
): boolean {
  const fresh = claimed.filter((row) => !row.recovered);
  if (claimed.length - fresh.length >= most.recovered || fresh.length >= most.limit) return true;
  const counts = Map.groupBy(fresh, (row) => row.accountId);
  return [...counts.values()].some((rows) => rows.length >= most.ofOne);
}

function nextLimit(woken: number, milliseconds: number): number {
  const inTime = Math.floor((woken * BATCH_MILLISECONDS) / Math.max(1, milliseconds));
  return Math.max(BATCH.fewest, Math.min(inTime, BATCH.most));
}

/** Orders the first wake of each account before the second of each. Claimed rows have no order. */
function inTurns(wakes: readonly Collapsed[]): Collapsed[] {
  const seen = new Map<number, number>();
  const turns = wakes.map((one) => {
    const turn = seen.get(one.wake.accountId) ?? 0;
    seen.set(one.wake.accountId, turn + 1);
    return { one, turn };
  });
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ one }) => one);
}

async function wakeAll(deps: WakeDeps, wakes: Collapsed[], handled: Handled): Promise<void> {
  let isUnavailable = false;
  await inParallel(wakes, async ({ wake, ids }) => {
    if (isUnavailable) return void handled.failed.push(...ids);
    try {
      await wakeInTrace(deps, wake);
      handled.woken.push(...ids);
    } catch (error) {
      isUnavailable = isUnavailable || isUnreachable(error); // the rest of the batch would fail in the same way
      handled.failed.push(...ids);
      const reason = error instanceof Error ? error.message : String(error);
      deps.log.warn({ process: wake.process, id: wake.id, reason }, 'process could not be woken');
    }
  });
}

/** Wakes a process as a part of the trace of the request that enqueued it. */
function wakeInTrace(deps: WakeDeps, wake: Collapsed['wake']): Promise<void> {
  if (wake.traceparent === null) return deps.wake(wake);
  const span = { name: `outbox ${wake.process}`, kind: 'consumer', parent: wake.traceparent } as const;
  return inSpan(span, () => deps.wake(wake));
}

function isUnreachable(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return isGrpcDeadlineError(cause) || (isGrpcServiceError(cause) && cause.code === UNAVAILABLE);
}

/** Deletes the rows whose process was woken. Releases the others for a retry. */
async function writeResults(deps: WakeDeps, connection: Connection, handled: Handled): Promise<void> {
  deps.metrics?.woken('woken', handled.woken.length);
  deps.metrics?.woken('failed', handled.failed.length);
  if (handled.woken.length > 0) await deleteWakes(connection, handled.woken);
  handled.woken = [];
  if (handled.failed.length > 0) await releaseWakes(connection, handled.failed, RETRY_MILLISECONDS);
  handled.failed = [];
}

interface Collapsed {
  wake: Wake & Pick<ClaimedWake, 'traceparent'>;
  ids: string[];
}

/** Collapses rows to one wake per process, at the earliest time of its rows. */
function collapse(rows: readonly ClaimedWake[]): Collapsed[] {
  const byProcess = new Map<string, Collapsed>();
  for (const row of rows) {
    const { id, topic, accountId, environment, subjectId, customerId, shard, startAt, traceparent } = row;
    const key = `${topic}/${subjectId}/${shard}`;
    const found = byProcess.get(key);
    if (!found) {
      const about = processInWords(topic, subjectId, row);
      const wake = { process: topic, environment, accountId, id: subjectId, customerId, startAt, about, traceparent };
      byProcess.set(key, { wake: { ...wake, ...(isPump(topic) ? { shard } : {}) }, ids: [id] });
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
