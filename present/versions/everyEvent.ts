import type { Change } from './change.ts';

/** 2026-11-01: all events of an endpoint are "*". Before, they were a list with "*" in it. */
export const everyEvent: Change = {
  since: '2026-11-01',
  kinds: ['webhook'],
  before: (object) => (object.events === '*' ? { ...object, events: ['*'] } : object),
};
