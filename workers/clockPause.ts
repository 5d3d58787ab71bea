import type { ClockWork } from '../db/queries/clocks/clocks.ts';

/** Milliseconds for each piece of work that is left: for a little work up to `some`, then for much work up to `most`. */
const PAUSE = { eachOfFew: 10, some: 250, eachOfMany: 2, most: 4000 };

/**
 * Pause of a clock between two looks, in milliseconds. A look reads all work that is left, so the pause grows with it: the rows read for each
 * step do not depend on how many steps are due at once.
 */
export function pauseOf(work: Pick<ClockWork, 'wakes' | 'due' | 'attempts' | 'emails'>): number {
  const left = work.wakes + work.due + work.attempts + work.emails;
  const ofMany = Math.min(PAUSE.eachOfMany * left, PAUSE.most);
  return Math.max(Math.min(PAUSE.eachOfFew * left, PAUSE.some), ofMany);
}
