import type { Product } from './product.ts';

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
    await product.row(left(now), ({ count }: { count: number }) => count === 0);
    const [next] = await product.rows<{ at: Date | string | null }>('select min(at) as at from wakeup where at > ?', [
      now,
    ]);
    if (time.systemNow() >= new Date(end)) return;
    const at = next?.at ? new Date(next.at) : new Date(end);
    time.moveTo(new Date(Math.min(at.getTime(), Date.parse(end))).toISOString());
  }
}

const left = (now: string) => `
  select ((select count(*) from outbox where topic = 'event' or due_at <= '${now}')
    + (select count(*) from wakeup where at <= '${now}')
    + (select count(*) from attempt where state in ('open', 'unknown'))
    + (select count(*) from email where state = 'queued'))::int as count`;

/** Settings under which the sweep hands out at once whatever is overdue in stepped time, and takes no leap for a problem. */
export const sweptConfig = {
  sweepIntervalMilliseconds: 50,
  sweepAgeMilliseconds: 0,
  sweepProblemAgeMilliseconds: Number.POSITIVE_INFINITY,
};
