import { TooManyAtOnce } from '../framework/errors.ts';

/** Smaller bodies pass at once. */
export const LARGE_BYTES = 64 * 1024;
/** Rate at which one account may send large bodies while others send requests, bytes per second. */
const BYTES_PER_SECOND = 4 * 1024 * 1024;
/** Longest wait: clients would give up later. */
const LONGEST_WAIT_MILLISECONDS = 30_000;

/** Spreads large bodies of a sender over time, because reading and parsing them blocks the event loop for others. */
export interface Pace<Who> {
  /** Waits until the sender's earlier bodies have used up their time at the rate. Throws TooManyAtOnce when the wait would be too long. */
  pass(who: Who, bytes: number): Promise<void>;
}

/** `isAlone`: nobody else sends requests, so there is no need to wait. */
export function createPace<Who>(isAlone: (who: Who) => boolean, bytesPerSecond = BYTES_PER_SECOND): Pace<Who> {
  /** When the next body of a sender may pass, if that is in the future. */
  const nextAt = new Map<Who, number>();
  return {
    async pass(who, bytes) {
      if (bytes < LARGE_BYTES || isAlone(who)) return;
      const now = performance.now();
      const at = Math.max(now, nextAt.get(who) ?? 0);
      if (at - now > LONGEST_WAIT_MILLISECONDS) throw new TooManyAtOnce();
      for (const [one, until] of nextAt) if (until < now) nextAt.delete(one);
      nextAt.set(who, at + (bytes / bytesPerSecond) * 1000);
      if (at > now) await new Promise((resolve) => setTimeout(resolve, at - now));
    },
  };
}
