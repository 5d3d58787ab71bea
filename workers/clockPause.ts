import type { ClockWork } from '../db/queries/clocks/clocks.ts';

/** Milliseconds of pause for each piece of work that is left, with a maximum. The first pair applies to little work, the second to much. */
const PAUSE = { eachOfFew: 10, some: 250, eachOfMany: 2, most: 4000 };

/**
 * Pause of a clock between two looks, in milliseconds. A look reads all work that is left. The pause grows with it up to
 * 2,000 pieces, so that a step among 2,000 costs about as many rows as one among 200.
 */
export function pauseOf(work: Pick<ClockWork, 'wakes' | 'due' | 'attempts' | 'emails'>): number {
  const left = work.wakes + work.due + work.attempts + work.emails;
  const ofMany = Math.min(PAUSE.eachOfMany * left, PAUSE.most);
  return Math.max(Math.min(PAUSE.eachOfFew * left, PAUSE.some), ofMany);
}
