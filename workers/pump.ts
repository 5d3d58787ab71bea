import { Context } from '@temporalio/activity';
import type { LivePump } from './livePumps.ts';

/** How many are sent at the same time by one pump. */
const PARALLEL = 20;
/** How long one activity goes on refilling. */
const REFILL_MILLISECONDS = 60_000;
/** The same while another pump of the account waits for its place. */
const WANTED_MILLISECONDS = 5000;
/** How long it waits for more when nothing is due: a pump that is at work costs less to wake than one that has ended. */
const LINGER_MILLISECONDS = 1000;
const BEAT_MILLISECONDS = 2000;

export interface PumpWork<Job> {
  /** Up to `limit` jobs that are due now, none of `busy`: those at work when it is asked, for one that ends meanwhile still looks due. */
  take(limit: number, busy: ReadonlySet<number>): Promise<Job[]>;
  idOf(job: Job): number;
  /** Sends one and records what became of it. Answers whether another one may be due because of that. */
  send(job: Job): Promise<boolean>;
  /** Whether another pump waits for its place. */
  isWanted?: () => boolean;
}

/** Sends what is due, refilling as places get free, until nothing has been due for a second or a minute is over. Answers how many. */
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
          if (more || mayBeLeft) bell.ring(); // else a look would find nothing
        });
    }
    if (busy.size === 0 && !goesOn) break;
    await bell.rest(LINGER_MILLISECONDS); // not longer while something hangs: a ring may land in another process
    if (busy.size === 0 && !bell.isRung) break;
  }
  if (failures.length > 0) throw failures[0];
  return sent;
}
