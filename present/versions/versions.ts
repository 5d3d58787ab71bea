import type { Json } from '../../billing/json.ts';
import type { Change } from './change.ts';
import { emptyMetadata } from './emptyMetadata.ts';
import { everyEvent } from './everyEvent.ts';

/** Newest first. Each one converts the result of the one before it. */
const changes: readonly Change[] = [emptyMetadata, everyEvent];

/** Converts a response body to a version. Null: the current version. Versions are dates and can be compared as text. */
export function presentAs<Shown extends Json>(version: string | null, shown: Shown): Shown;
export function presentAs(version: string | null, shown: Json): Json {
  const due = changes.filter(({ since }) => version !== null && version < since);
  return due.reduce((value, change) => changed(value, change), shown);
}

/** The same for a response body as JSON text. */
export function textAs(version: string | null, json: string): string {
  const isCurrent = changes.every(({ since }) => version === null || version >= since);
  return isCurrent ? json : JSON.stringify(presentAs(version, JSON.parse(json)));
}

/** Not converted, because its keys and values are the client's own texts. */
const UNCONVERTED = 'metadata';

/** `kind`: the kind of an object without a field `object`. An event's old values have the kind of its object. */
function changed(value: Json, change: Change, kind: Json = null): Json {
  if (Array.isArray(value)) return value.map((element) => changed(element, change));
  if (typeof value !== 'object' || value === null) return value;
  const own = typeof value.object === 'string' ? value.object : kind;
  const members = Object.entries(value).map(([name, member]) => {
    return [
      name,
      name === UNCONVERTED ? member : changed(member, change, name === 'previous' ? kindOf(value.object) : null),
    ] as const;
  });
  const object = Object.fromEntries(members);
  return typeof own === 'string' && change.kinds.includes(own) ? change.before(object) : object;
}

function kindOf(value: Json | undefined): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value.object ?? null) : null;
}
