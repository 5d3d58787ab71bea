import type { Product } from './product.ts';
import { until } from './wait.ts';

/** A time that the test sets, for `systemNow`. Processes continue when the sweep finds their wake-ups overdue. */
export interface SteppedTime {
  systemNow(): Date;
  moveTo(at: string): void;
}

export function steppedTime(start: string): SteppedTime {
  let now = new Date(start);
  return {
    systemNow: () => new Date(now),
    moveTo: (at) => {
      now = new Date(at);
    },
  };
}

/**
 * Moves the time of a product from one wake-up to the next until `end`. Before each move it waits until all due work is done, including
 * mail and the event log. It does not wait for webhook deliveries.
 */
export async function stepTo(product: Product, time: SteppedTime, end: string): Promise<void> {
  for (;;) {
    const now = time.systemNow().toISOString();
    await until(() => checkNoWorkIsDue(product, now), { what: `all that is due at ${now}` });
    const [next] = await product.rows<{ at: Date | string | null }>('select min(at) as at from wakeup where at > ?', [
      now,
    ]);
    if (time.systemNow() >= new Date(end)) return;
    const at = next?.at ? new Date(next.at) : new Date(end);
    time.moveTo(new Date(Math.min(at.getTime(), Date.parse(end))).toISOString());
  }
}

async function checkNoWorkIsDue(product: Product, now: string): Promise<true> {
  const [counts = {}] = await product.rows<Record<string, number>>(unfinishedWork, [now, now]);
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  if (some.length > 0) throw new Error(some.map(([what, count]) => `${count} ${what}`).join(', '));
  return true;
}

const unfinishedWork = `
  select (select count(*)::int from outbox where topic = 'event' or due_at <= ?) as "outbox rows",
         (select count(*)::int from wakeup where at <= ?) as "wake-ups",
         (select count(*)::int from attempt where state in ('open', 'unknown')) as "attempts",
         (select count(*)::int from email where state = 'queued') as "emails"`;

/**
 * With these settings the sweep enqueues overdue work within half a second and never reports it as a problem, even after a large step. Sweeps
 * every 50 ms took 40 % of a core. The gateway has time on a busy machine: a charge without an answer would be looked up at a time that does
 * not come by itself.
 */
export const fastSweepConfig = {
  gatewayDeadlineMilliseconds: 120_000,
  sweepIntervalMilliseconds: 500,
  sweepAgeMilliseconds: 0,
  sweepProblemAgeMilliseconds: Number.POSITIVE_INFINITY,
};
