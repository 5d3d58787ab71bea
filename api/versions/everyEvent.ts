import { textOf } from '../body/readers.ts';
import type { BodyChange } from './bodyChange.ts';

/** Version 2026-11-01 writes "*" for all events of an endpoint. Earlier versions wrote a list with "*" in it. */
export const everyEvent: BodyChange = {
  since: '2026-11-01',
  read: (body) => {
    const events: unknown = Reflect.get(body, 'events');
    return Array.isArray(events) && events.length === 1 && textOf(events[0]) === '*' ? { ...body, events: '*' } : body;
  },
};
