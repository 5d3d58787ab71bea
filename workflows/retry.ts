/**
 * How an activity is tried again that the database could not serve, for as long as it takes. A process hears no signal meanwhile: what it
 * waits for goes on ten seconds after the database is back, at the latest.
 */
export const UNTIL_SERVED = { initialInterval: '1s', maximumInterval: '10s' } as const;
