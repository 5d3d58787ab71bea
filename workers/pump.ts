import { setTimeout as pause } from 'node:timers/promises';
import { isRetryable, isUnavailable } from '../db/failure.ts';
import type { ActivityResult } from '../workflows/process.ts';
import { type LeasedPump, leasePump, NotBegun, type PumpDeps, type PumpInput } from './pumpLease.ts';

/** Maximum number of jobs that one pump sends at a time. */
const PARALLEL = 20;
/** Time for which one activity takes new jobs. */
const REFILL_MILLISECONDS = 60_000;
/** Time for which one activity takes new jobs while another pump of the account waits for a place. */
const WANTED_MILLISECONDS = 5000;
/** Time for which a pump waits for more jobs when none is due: waking a running pump costs less than starting one. */
const LINGER_MILLISECONDS = 1000;
/** Time after which a pump looks again whether the lease of another one has ended. */
const HELD_MILLISECONDS = 3000;
const RECORD_AGAIN_MILLISECONDS = 250;

export interface PumpWork<Job> {
  /** Up to `limit` due jobs that are not in `busy`. `busy` is a copy: a job that ends during the query may still look due to it. */
  take(limit: number, busy: ReadonlySet<number>): Promise<Job[]>;
  idOf(job: Job): number;
  /**
   * Sends one job and records the outcome. It waits for `mayBegin` just before it sends. Returns whether this may have made another job due.
   */
  send(job: Job, mayBegin: () => Promise<void>): Promise<boolean>;
  /** Whether another pump of the account waits for a place. */
  isWanted?: (() => boolean) | undefined;
}

/**
 * Sends due jobs, and takes more as places become free. Stops when nothing has been due for a second, after a minute (sooner while another
 * pump waits for a place), and when a job fails; once all that it has begun is recorded, it throws that error. Returns the number of jobs that
 * it sent, or null if another pump holds the lease.
 */
export async function pump<Job>(deps: PumpDeps, input: PumpInput, work: PumpWork<Job>): Promise<number | null> {
  const leased = await leasePump(deps, input);
  if (!leased) return null;
  try {
    return await refill(leased, work);
  } finally {
    await leased.leave();
  }
}

/** The result of a pump whose lease another one holds. */
export function afterOther(systemNow: Date): ActivityResult {
  const wakeAt = systemNow.getTime() + HELD_MILLISECONDS;
  return { did: [], wakeAt, next: 'the end of the pump of another worker', more: false, call: null };
}

async function refill<Job>(leased: LeasedPump, work: PumpWork<Job>): Promise<number> {
  const { bell } = leased;
  const busy = new Set<number>();
  const failures: unknown[] = [];
  const note = (error: unknown) => void (error instanceof NotBegun || failures.push(error));
  const started = performance.now();
  let sent = 0;
  let mayBeLeft = false;
  const handle = async (job: Job) => {
    const more = await work.send(job, leased.mayBegin);
    sent += 1;
    return more;
  };
  for (;;) {
    bell.heed();
    const longest = work.isWanted?.() ? WANTED_MILLISECONDS : REFILL_MILLISECONDS;
    const goesOn = performance.now() - started < longest && failures.length === 0 && !leased.isEnding;
    const free = PARALLEL - busy.size;
    const jobs = goesOn && free > 0 ? ((await work.take(free, new Set(busy)).catch(note)) ?? []) : [];
    mayBeLeft = jobs.length >= free || !goesOn;
    for (const job of jobs) {
      const id = work.idOf(job);
      busy.add(id);
      void handle(job)
        .catch(note)
        .then((more) => {
          busy.delete(id);
          if (more || mayBeLeft) bell.ring(); // otherwise no job is left to take
        });
    }
    if (busy.size === 0 && (!goesOn || failures.length > 0)) break;
    await bell.rest(LINGER_MILLISECONDS); // also while a job hangs: a ring for new jobs may have reached another process only
    if (busy.size === 0 && !bell.isRung) break;
  }
  if (failures.length > 0) throw failures[0];
  return sent;
}

/** Records what was sent, and tries again while the database is away: whatever is sent and not recorded is sent again. */
export async function recorded<Result>(record: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await record();
    } catch (error) {
      if (!isUnavailable(error) && !isRetryable(error)) throw error;
      await pause(RECORD_AGAIN_MILLISECONDS);
    }
  }
}
