import { Context } from '@temporalio/activity';
import type { LivePump } from './livePumps.ts';

/** Maximum number of jobs that one pump sends at a time. */
const PARALLEL = 20;
/** Time for which one activity takes new jobs. */
const REFILL_MILLISECONDS = 60_000;
/** Time for which one activity takes new jobs while another pump of the account waits for a place. */
const WANTED_MILLISECONDS = 5000;
/** Time for which a pump waits for more jobs when none is due: waking a running pump costs less than starting one. */
const LINGER_MILLISECONDS = 1000;
const BEAT_MILLISECONDS = 2000;

export interface PumpWork<Job> {
  /** Up to `limit` due jobs that are not in `busy`. `busy` is a copy: a job that ends during the query may still look due to it. */
  take(limit: number, busy: ReadonlySet<number>): Promise<Job[]>;
  idOf(job: Job): number;
  /** Sends one job and records the outcome. Returns whether this may have made another job due. */
  send(job: Job): Promise<boolean>;
  /** Whether another pump of the account waits for a place. */
  isWanted?: () => boolean;
}

/**
 * Sends due jobs, and takes more as places become free. Stops when nothing has been due for a second, after a minute (sooner while another
 * pump waits for a place), and when a job fails; it then throws that error. Returns the number of jobs that it sent.
 */
export async function pump<Job>(live: LivePump, work: PumpWork<Job>): Promise<number> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), BEAT_MILLISECONDS);
  try {
    return await refill(live, work);
  } finally {
    live.leave();
    clearInterval(beat);
  }
}

async function refill<Job>(live: LivePump, work: PumpWork<Job>): Promise<number> {
  const { bell } = live;
  const busy = new Set<number>();
  const failures: unknown[] = [];
  const started = performance.now();
  let sent = 0;
  let mayBeLeft = false;
  for (;;) {
    bell.heed();
    const longest = work.isWanted?.() ? WANTED_MILLISECONDS : REFILL_MILLISECONDS;
    const goesOn = performance.now() - started < longest && failures.length === 0 && !live.isClosing;
    const free = PARALLEL - busy.size;
    const jobs = goesOn && free > 0 ? await work.take(free, new Set(busy)) : [];
    mayBeLeft = jobs.length >= free || !goesOn;
    for (const job of jobs) {
      const id = work.idOf(job);
      busy.add(id);
      sent += 1;
      void work
        .send(job)
        .catch((error: unknown) => failures.push(error) > 0)
        .then((more) => {
          busy.delete(id);
          if (more || mayBeLeft) bell.ring(); // otherwise no job is left to take
        });
    }
    if (busy.size === 0 && !goesOn) break;
    await bell.rest(LINGER_MILLISECONDS); // also while a job hangs: a ring for new jobs may have reached another process only
    if (busy.size === 0 && !bell.isRung) break;
  }
  if (failures.length > 0) throw failures[0];
  return sent;
}
