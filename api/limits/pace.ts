import { TooManyAtOnce } from '../framework/errors.ts';

/** Smaller bodies never wait. */
export const PACED_BYTES = 64 * 1024;
/** Rate at which one sender may send large bodies while others send requests, bytes per second. */
const BYTES_PER_SECOND = 4 * 1024 * 1024;
/** Maximum wait. With a longer one, clients would give up. */
const LONGEST_WAIT_MILLISECONDS = 10_000;

/** Spreads the large bodies of a sender over time, because reading and parsing them blocks the event loop. */
export interface Pace<Who> {
  /**
   * Waits until the sender's earlier bodies are paid off at the rate. `bytes` null: the length is unknown. Throws TooManyAtOnce when the wait
   * would be too long.
   */
  pass(who: Who, bytes: number | null): Promise<void>;
  /** Counts a body of unknown length once it has been read. */
  charge(who: Who, bytes: number): void;
}

/** `isAlone`: whether nobody else sends requests. Then the sender does not wait. */
export function createPace<Who>(isAlone: (who: Who) => boolean, bytesPerSecond = BYTES_PER_SECOND): Pace<Who> {
  /** Time at which the next body of a sender may pass, on the clock of `performance`. Past times are removed. */
  const nextAt = new Map<Who, number>();
  /** Adds the bytes of a body to the sender's schedule. Returns the time at which the body may pass. */
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
