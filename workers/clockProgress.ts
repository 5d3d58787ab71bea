import type { ClockWork } from '../db/queries/clocks/clocks.ts';

/**
 * Returns a function that tells whether there has been progress since the previous look, for one wait of a clock. Re-sent wake-ups don't
 * count as progress, because the clock sends them itself. Fewer wake-ups than at the last progress do.
 */
export function progressOf(): (work: ClockWork) => boolean {
  let seen = '';
  let least = 0;
  return ({ wakes, ...others }) => {
    const state = JSON.stringify(others);
    if (state === seen && wakes >= least) return false;
    seen = state;
    least = wakes;
    return true;
  };
}
