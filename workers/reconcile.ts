import { CLOCKS_START, type ClockPosition, sweepAdvancing, sweepIdleClocks } from '../db/queries/clocks/clocks.ts';
import { RECONCILE_START, reconcileWakeups } from '../db/queries/processes/reconcile.ts';
import { sweepAttempts, sweepPumps } from '../db/queries/processes/sweep.ts';
import type { Connection } from './connection.ts';

const BATCH = 500;
/** Pumps are woken for all waiting rows, whenever these are due. A pump itself sleeps until then. */
const AT_ANY_TIME = new Date('9999-01-01');

/**
 * Rebuilds all processes from the database: enqueues each for the relay, with the time of its wake-up. Leaves wake-ups on a test clock to
 * the clock: enqueues advancing clocks, and only the due wake-ups of idle clocks. Returns the number of timed processes.
 */
export async function reconcile(connection: Connection, now: Date): Promise<number> {
  let handed = 0;
  let position: typeof RECONCILE_START | null = RECONCILE_START;
  while (position) {
    const batch: Awaited<ReturnType<typeof reconcileWakeups>> = await reconcileWakeups(connection, position, {
      now,
      limit: BATCH,
    });
    handed += batch.handed;
    position = batch.position;
  }
  await sweepAttempts(connection, { now, before: now, limit: 1_000_000 });
  await sweepPumps(connection, { now, before: AT_ANY_TIME });
  await sweepAdvancing(connection, { now, before: now });
  let clocks: ClockPosition | null = CLOCKS_START;
  while (clocks) clocks = await sweepIdleClocks(connection, clocks, { now, limit: BATCH });
  return handed;
}
