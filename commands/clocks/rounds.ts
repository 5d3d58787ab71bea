import { lockTestClock } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  type ClockKey,
  type ClockWork,
  enqueueDue,
  enqueueDueTexts,
  readClockWork,
} from '../../db/queries/clocks/clocks.ts';
import type { TestClock } from '../../db/schema/testClock.ts';

/**
 * Result of a round. `moved`: the clock moved to the next due time. `arrived`: it reached its target. `busy`: work is left at its current
 * time. `stopped`: a problem stopped it. `over`: it does not exist or does not advance.
 */
export type Round = 'moved' | 'arrived' | 'stopped' | 'busy' | 'over';

/** Whether work is left at the clock's current time. */
export function isBusy(work: ClockWork): boolean {
  return work.wakes + work.due + work.attempts + work.emails + work.texts > 0;
}

/**
 * Takes one round of an advancing clock. When no work is left at its time, it moves to the next wake-up of its customers and enqueues the
 * processes that are due then. After the last wake-up it moves to its target. An open problem of one of its customers stops it.
 */
export async function takeClockRound(em: EntityManager, key: ClockKey, systemNow: Date): Promise<Round> {
  // Commands about its customers hold a shared lock: this lock waits for them, so that the next statement sees their writes.
  const clock = await lockTestClock(em, key, 'no key update');
  const work = clock && (await readClockWork(em, key, systemNow));
  if (!clock || !work) return 'over';
  if (work.problem !== null) return endAdvance(clock, { stopReason: work.problem }, systemNow);
  if (isBusy(work)) return 'busy';
  const { nextAt, targetAt } = work;
  if (nextAt === null || nextAt > targetAt) {
    clock.frozenAt = targetAt;
    return endAdvance(clock, { stopReason: null }, systemNow);
  }
  Object.assign(clock, { frozenAt: nextAt, progressedAt: systemNow });
  await em.write();
  await enqueueDue(em, key, systemNow);
  await enqueueDueTexts(em, key, systemNow);
  return 'moved';
}

export interface ClockStop extends ClockKey {
  reason: string;
  /** Ordinal of the advance to stop; null: the running one. */
  advance: number | null;
  /** Whether the reason still holds. Checked when the clock is locked. Absent: it holds. */
  holds?: (work: ClockWork) => boolean;
}

/**
 * Stops an advancing clock at its current time, unless another advance is running or the reason no longer holds. Returns whether it did.
 */
export async function stopClock(em: EntityManager, stop: ClockStop, systemNow: Date): Promise<boolean> {
  const clock = await lockTestClock(em, stop, 'no key update');
  if (clock?.status !== 'advancing') return false;
  if (stop.advance !== null && stop.advance !== clock.advances) return false;
  if (stop.holds) {
    const work = await readClockWork(em, stop, systemNow);
    if (!work || !stop.holds(work)) return false;
  }
  endAdvance(clock, { stopReason: stop.reason }, systemNow);
  return true;
}

function endAdvance(clock: TestClock, how: { stopReason: string | null }, systemNow: Date): Round {
  const stopped = how.stopReason !== null;
  Object.assign(clock, { status: stopped ? 'stopped' : 'ready', targetAt: null, progressedAt: null });
  Object.assign(clock, { stopReason: how.stopReason, updatedAt: systemNow });
  return stopped ? 'stopped' : 'arrived';
}

/** Description of the work that a clock waits for. */
export function leftInWords(work: ClockWork): string {
  const parts = [
    [work.attempts, 'without an answer of the gateway', 'charge'],
    [work.emails, 'not sent', 'email'],
    [work.texts, 'not sent', 'text'],
    [Math.max(work.due, work.wakes), 'not done', 'step'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, state, noun]) => `${count} ${noun}${count === 1 ? '' : 's'} ${state}`)
    .join(', ');
}
