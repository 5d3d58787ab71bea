import type { BodyChange } from './bodyChange.ts';
import { everyEvent } from './everyEvent.ts';

/** Oldest first. Each one converts a body for the next one. */
const changes: readonly BodyChange[] = [everyEvent];

/** Converts a body to the current version. `version` null: it has the current version already. */
export function readAs(version: string | null, body: object): object {
  const due = changes.filter(({ since }) => version !== null && version < since);
  return due.reduce((value, change) => change.read(value), body);
}
