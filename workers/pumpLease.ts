import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import type { PumpProcess } from '../billing/processes.ts';
import { endPumpLease, type PumpRun, renewPumpLease, takePumpLease } from '../db/queries/processes/pumpLeases.ts';
import type { ProcessInput } from '../workflows/process.ts';
import type { WorkerDeps } from './deps.ts';
import type { LivePump } from './livePumps.ts';

/** Less than Temporal's heartbeat timeout for pumps: the lease of a dead worker has ended when another one starts its pump. */
const LEASE_MILLISECONDS = 12_000;
/** Time after a renewal for which a pump begins sends without asking the database. */
const SURE_MILLISECONDS = 4000;
const BEAT_MILLISECONDS = 2000;
/** A pump that takes longer than this hangs, and loses its lease. */
const LONGEST_MILLISECONDS = 300_000;

/** A job was not begun: the pump is leaving, or another one may have taken over. */
export class NotBegun extends Error {
  override readonly name = 'NotBegun';
}

/** Name of a pump: its process, and the ids of the input that starts it. */
export type PumpInput = ProcessInput & { process: PumpProcess };
export type PumpDeps = Pick<WorkerDeps, 'em' | 'pumps' | 'log'>;

/** A pump that holds its lease, so that no other pump sends the same jobs. */
export interface LeasedPump {
  bell: LivePump['bell'];
  /** Whether it takes no more jobs. */
  readonly isEnding: boolean;
  /** Throws NotBegun, unless the pump may begin a send now. */
  mayBegin(): Promise<void>;
  /** Ends the lease. */
  leave(): Promise<void>;
}

/**
 * Takes the lease of a pump and keeps it, as the activity's heartbeats do for Temporal. Null: another pump holds it. A worker that was starved
 * may run long after Temporal has started its pump elsewhere; the lease keeps both from sending.
 */
export async function leasePump({ em, pumps, log }: PumpDeps, input: PumpInput): Promise<LeasedPump | null> {
  const context = Context.current();
  const { accountId, process, id, shard = 0 } = input;
  const run: PumpRun = { accountId, process, id, shard, holder: randomUUID() };
  const started = performance.now();
  if (!(await takePumpLease(em.fork(), run, LEASE_MILLISECONDS))) return null;
  const live = pumps.enter(input);
  const state = { isOver: false, renewedAt: started };
  const stop = () => {
    if (!state.isOver) log.warn({ account: accountId, process, id, shard }, 'another worker takes over this pump');
    state.isOver = true;
    live.leave();
    live.bell.ring();
  };
  const ask = async () => {
    const askedAt = performance.now();
    if (await renewPumpLease(em.fork(), run, LEASE_MILLISECONDS)) state.renewedAt = askedAt;
    else stop();
  };
  let asking: Promise<void> | null = null;
  const renew = () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
  const beat = setInterval(() => {
    context.heartbeat();
    if (performance.now() - started < LONGEST_MILLISECONDS) renew().catch(() => undefined); // the next beat tries again
  }, BEAT_MILLISECONDS);
  context.cancellationSignal.addEventListener('abort', stop); // Temporal has given it up
  const isEnding = () => state.isOver || live.isClosing;
  return {
    bell: live.bell,
    get isEnding() {
      return isEnding();
    },
    async mayBegin() {
      while (!isEnding() && performance.now() - state.renewedAt > SURE_MILLISECONDS) await renew();
      if (isEnding()) throw new NotBegun();
    },
    async leave() {
      live.leave();
      clearInterval(beat);
      context.cancellationSignal.removeEventListener('abort', stop);
      await endPumpLease(em.fork(), run).catch(() => undefined); // it then ends by itself
    },
  };
}
