import type { Change } from './change.ts';

/** Version 2026-11-01 shows "*" for all events of an endpoint. Earlier versions show a list with "*" in it. */
export const everyEvent: Change = {
  since: '2026-11-01',
  kinds: ['webhook'],
  before: (object) => (object.events === '*' ? { ...object, events: ['*'] } : object),
};
