import { TooManyAtOnce } from '../framework/errors.ts';

/** Bodies below this size are passed at once. */
export const LARGE_BYTES = 64 * 1024;
/** Bytes a second that one account sends in large bodies while others send requests. */
const BYTES_PER_SECOND = 4 * 1024 * 1024;
/** A client would give up before. */
const LONGEST_WAIT_MILLISECONDS = 30_000;

/** Spreads the large bodies of each sender over time: reading and parsing them keeps the event loop from the requests of others. */
export interface Pace<Who> {
  /** Waits until what was let pass before has had its time at the rate. Throws TooManyAtOnce when that is too far off. */
  pass(who: Who, bytes: number): Promise<void>;
}

/** `isAlone`: nobody else sends requests, so that nobody need be spared. */
export function createPace<Who>(isAlone: (who: Who) => boolean, bytesPerSecond = BYTES_PER_SECOND): Pace<Who> {
  /** When the next one may pass, of those for whom that is not now. */
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
