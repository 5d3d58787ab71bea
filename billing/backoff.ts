const HOUR = 3_600_000;

/** When a step that has failed `tries` times is tried again: 1, 2, 4, … minutes, at most six hours. Milliseconds. */
export function problemBackoff(tries: number): number {
  return Math.min(60_000 * 2 ** Math.max(0, tries - 1), 6 * HOUR);
}

/** When an email that the server could not take for now is sent again: 10 s, 30 s, then doubling to an hour. Milliseconds. */
export function mailBackoff(attempts: number): number {
  return Math.min(10_000 * 3 ** Math.max(0, attempts - 1), HOUR);
}
