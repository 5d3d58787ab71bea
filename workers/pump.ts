import { Context } from '@temporalio/activity';

/** How many are sent at the same time by one pump. */
const PARALLEL = 20;
/** How long one activity goes on refilling. */
const REFILL_MILLISECONDS = 60_000;

export interface PumpWork<Job> {
  /** Up to `limit` jobs that are due now, none of `busy`. */
  take(limit: number, busy: ReadonlySet<number>): Promise<Job[]>;
  idOf(job: Job): number;
  /** Sends one and records what became of it. */
  send(job: Job): Promise<void>;
}

/** Sends what is due, twenty at a time, refilling as places get free, until nothing is due or a minute is over. Answers how many. */
export async function pump<Job>(work: PumpWork<Job>): Promise<number> {
  const busy = new Map<number, Promise<void>>();
  const failures: unknown[] = [];
  const started = performance.now();
  let sent = 0;
  for (;;) {
    const inTime = performance.now() - started < REFILL_MILLISECONDS && failures.length === 0;
    const free = PARALLEL - busy.size;
    const jobs = inTime && free > 0 ? await work.take(free, new Set(busy.keys())) : [];
    for (const job of jobs) {
      const id = work.idOf(job);
      const done = work
        .send(job)
        .catch((error) => void failures.push(error))
        .finally(() => busy.delete(id));
      busy.set(id, done);
      sent += 1;
    }
    Context.current().heartbeat();
    if (busy.size === 0) break;
    await Promise.race(busy.values());
  }
  if (failures.length > 0) throw failures[0];
  return sent;
}
