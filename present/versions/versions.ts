import type { Json, Presented } from '../../billing/json.ts';

/** A change of responses between two versions of the API. Converts responses back for older versions. */
interface Change {
  /** The first version with the new form. Responses for all earlier versions are converted. */
  since: string;
  /** The kinds of objects that it changes: values of their field `object`. */
  kinds: readonly string[];
  /** Converts one object to its earlier form. The objects inside it are already converted. */
  before(object: Presented): Presented;
}

/** In version 2026-11-01, `metadata` is always an object. Earlier versions show empty metadata as an empty array. */
export const emptyMetadata: Change = {
  since: '2026-11-01',
  kinds: [
    'customer',
    'invoice',
    'estimate',
    'credit_note',
    'line_item',
    'payment',
    'subscription',
    'item',
    'plan',
    'coupon',
    'tax_rate',
  ],
  before: (object) => (isEmptyObject(object.metadata) ? { ...object, metadata: [] } : object),
};

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** Version 2026-11-01 shows "*" for all events of an endpoint. Earlier versions show a list with "*" in it. */
const everyEvent: Change = {
  since: '2026-11-01',
  kinds: ['webhook'],
  before: (object) => (object.events === '*' ? { ...object, events: ['*'] } : object),
};

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
