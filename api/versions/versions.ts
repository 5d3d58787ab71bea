import type { BodyChange } from './bodyChange.ts';
import { everyEvent } from './everyEvent.ts';

/** Oldest first: each makes of a body what the next one expects. */
const changes: readonly BodyChange[] = [everyEvent];

/** The body of a client of some version as the current one would have sent it; null: it is one of the current version. */
export function readAs(version: string | null, body: object): object {
  const due = changes.filter(({ since }) => version !== null && version < since);
  return due.reduce((value, change) => change.read(value), body);
}
