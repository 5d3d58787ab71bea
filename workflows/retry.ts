/**
 * Retry policy for activities while the database is unavailable: without end. The process handles no signals meanwhile, so it continues at
 * most ten seconds after the database is back.
 */
export const UNTIL_SERVED = { initialInterval: '1s', maximumInterval: '10s' } as const;
