const HOUR = 3_600_000;

/** Delay in milliseconds before a step that failed `tries` times is tried again: 1 minute, doubled with each failure, at most 6 hours. */
export function problemBackoff(tries: number): number {
  return Math.min(60_000 * 2 ** Math.max(0, tries - 1), 6 * HOUR);
}

/**
 * Delay in milliseconds before an email is sent again after a temporary failure of the mail server: 10 seconds, tripled with each attempt,
 * at most 1 hour.
 */
export function mailBackoff(attempts: number): number {
  return Math.min(10_000 * 3 ** Math.max(0, attempts - 1), HOUR);
}
