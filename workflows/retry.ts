/**
 * Retry policy for activities that wait for the database or another service. They are retried without end, at least every ten seconds,
 * because the process handles no signals meanwhile.
 */
export const UNTIL_SERVED = { initialInterval: '1s', maximumInterval: '10s' } as const;
