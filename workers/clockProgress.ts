import type { ClockWork } from '../db/queries/clocks/clocks.ts';

/**
 * Tells whether anything has happened since the previous look, during one wait of a clock at an instant. Re-sent wake-ups don't count as
 * progress, because the clock sends them itself. Fewer wake-ups than at the last progress do count.
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
