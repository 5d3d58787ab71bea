import { textOf } from '../body/readers.ts';

/** Converts request bodies of older versions to the next version. */
interface BodyChange {
  /** The first version that does not need the conversion. */
  since: string;
  /** Converts the body to the version `since`. Numbers, and all values of a form, are `Sent`. */
  read(body: object): object;
}

/** Version 2026-11-01 writes "*" for all events of an endpoint. Earlier versions wrote a list with "*" in it. */
const everyEvent: BodyChange = {
  since: '2026-11-01',
  read: (body) => {
    const events: unknown = Reflect.get(body, 'events');
    return Array.isArray(events) && events.length === 1 && textOf(events[0]) === '*' ? { ...body, events: '*' } : body;
  },
};

/** Oldest first. Each one converts a body for the next one. */
const changes: readonly BodyChange[] = [everyEvent];

/** Converts a body to the current version. `version` null: it has the current version already. */
export function readAs(version: string | null, body: object): object {
  const due = changes.filter(({ since }) => version !== null && version < since);
  return due.reduce((value, change) => change.read(value), body);
}
