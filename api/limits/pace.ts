import { TooManyAtOnce } from '../framework/errors.ts';

/** Smaller bodies pass at once. */
export const PACED_BYTES = 64 * 1024;
/** Rate at which one account may send large bodies while others send requests, bytes per second. */
const BYTES_PER_SECOND = 4 * 1024 * 1024;
/** Longest wait: clients would give up later. */
const LONGEST_WAIT_MILLISECONDS = 10_000;

/** Spreads large bodies of a sender over time, because reading and parsing them blocks the event loop for others. */
export interface Pace<Who> {
  /**
   * Waits until the sender's earlier bodies have used up their time at the rate. `bytes` null: the client does not say how many it sends.
   * Throws TooManyAtOnce when the wait would be too long.
   */
  pass(who: Who, bytes: number | null): Promise<void>;
  /** Counts a body that passed without a length. */
  charge(who: Who, bytes: number): void;
}

/** `isAlone`: nobody else sends requests, so there is no need to wait. */
export function createPace<Who>(isAlone: (who: Who) => boolean, bytesPerSecond = BYTES_PER_SECOND): Pace<Who> {
  /** When the next body of a sender may pass, if that is in the future. */
  const nextAt = new Map<Who, number>();
  /** Books the bytes of a body. Answers the time at which it may pass. */
  const reserve = (who: Who, bytes: number): number => {
    const now = performance.now();
    for (const [one, until] of nextAt) if (until < now) nextAt.delete(one);
    const at = nextAt.get(who) ?? now;
    nextAt.set(who, at + (bytes / bytesPerSecond) * 1000);
    return at;
  };
  return {
    async pass(who, bytes) {
      if ((bytes !== null && bytes < PACED_BYTES) || isAlone(who)) return;
      const wait = (nextAt.get(who) ?? 0) - performance.now();
      if (wait > LONGEST_WAIT_MILLISECONDS) throw new TooManyAtOnce(Math.ceil(wait / 1000));
      const at = reserve(who, bytes ?? 0);
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, at - performance.now()));
    },
    charge(who, bytes) {
      if (bytes >= PACED_BYTES && !isAlone(who)) reserve(who, bytes);
    },
  };
}
