import type { Product } from './product.ts';
import { until } from './wait.ts';

/** Time that a test moves by hand, for `systemNow`. Processes follow when the sweep finds their wake-ups overdue. */
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
 * Moves the time of a product from wake-up to wake-up of its processes, each when all that was due at the one before is done. Mail and
 * events are on their way by then, webhooks need not have arrived.
 */
export async function stepTo(product: Product, time: SteppedTime, end: string): Promise<void> {
  for (;;) {
    const now = time.systemNow().toISOString();
    await until(() => nothingLeft(product, now), { what: `all that is due at ${now}` });
    const [next] = await product.rows<{ at: Date | string | null }>('select min(at) as at from wakeup where at > ?', [
      now,
    ]);
    if (time.systemNow() >= new Date(end)) return;
    const at = next?.at ? new Date(next.at) : new Date(end);
    time.moveTo(new Date(Math.min(at.getTime(), Date.parse(end))).toISOString());
  }
}

async function nothingLeft(product: Product, now: string): Promise<true> {
  const [counts = {}] = await product.rows<Record<string, number>>(left, [now, now]);
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  if (some.length > 0) throw new Error(some.map(([what, count]) => `${count} ${what}`).join(', '));
  return true;
}

const left = `
  select (select count(*)::int from outbox where topic = 'event' or due_at <= ?) as "outbox rows",
         (select count(*)::int from wakeup where at <= ?) as "wake-ups",
         (select count(*)::int from attempt where state in ('open', 'unknown')) as "attempts",
         (select count(*)::int from email where state = 'queued') as "emails"`;

/** Settings under which the sweep hands out at once whatever is overdue in stepped time, and takes no leap for a problem. */
export const sweptConfig = {
  sweepIntervalMilliseconds: 50,
  sweepAgeMilliseconds: 0,
  sweepProblemAgeMilliseconds: Number.POSITIVE_INFINITY,
};
