import { CLOCKS_START, type ClockPosition, sweepAdvancing, sweepIdleClocks } from '../db/queries/clocks/clocks.ts';
import { RECONCILE_START, reconcileWakeups } from '../db/queries/processes/reconcile.ts';
import { sweepAttempts, sweepPumps } from '../db/queries/processes/sweep.ts';
import type { Connection } from './connection.ts';

const BATCH = 500;
/** Pumps are woken for all waiting rows, whenever they are due: a pump itself sleeps until then. */
const AT_ANY_TIME = new Date('9999-01-01');

/**
 * Rebuilds every process from the database: each is handed to the relay with its time. Wake-ups on a test clock are left to the clock,
 * which is woken if it advances. Answers how many timed processes were handed over.
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
