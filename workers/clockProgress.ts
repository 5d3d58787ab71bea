import type { ClockWork } from '../db/queries/clocks/clocks.ts';

/**
 * Whether anything has happened since the look before, for one wait of a clock at an instant. More wakes are no progress, because the
 * clock hands them out itself; fewer than since anything else has changed are.
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
