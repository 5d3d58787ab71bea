import { everyEvent } from './everyEvent.ts';

/** How bodies of clients of older versions are read as the product reads them now. */
export interface BodyChange {
  /** The first version that does not need it. */
  since: string;
  /** The body as the version `since` would have it. Numbers, and all that a form holds, are `Sent`. */
  read(body: object): object;
}

/** Oldest first: each makes of a body what the next one expects. */
const changes: readonly BodyChange[] = [everyEvent];

/** The body of a client of some version as the current one would have sent it; null: it is one of the current version. */
export function readAs(version: string | null, body: object): object {
  const due = changes.filter(({ since }) => version !== null && version < since);
  return due.reduce((value, change) => change.read(value), body);
}
