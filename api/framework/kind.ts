import type { Presented } from '../../billing/json.ts';
import type { Reading } from '../../db/queries/kernel/reading.ts';
import type { Shape } from './shape.ts';

export type IdColumn = 'id' | 'code';

/** Documentation of a kind of object in the reference. */
export interface Kind {
  /** Shape of its objects in responses. */
  shape: Shape;
  /** Ids that a request may expand into their objects. */
  relations?: Readonly<Record<string, { to(): Kind }>>;
  /** Nested objects whose ids may be expanded: `items.plan`. */
  parts?: Readonly<Record<string, Part>>;
  /** Fields that are shown only when a request includes them. */
  includes?: Readonly<Record<string, unknown>>;
  /** Its ids have 64 bits. */
  hasLongIds?: boolean;
}

/** A kind whose objects are not rows of a list, or are not read as such: relations take ids from the presented object. */
export interface ShownKind extends Kind {
  relations: Readonly<Record<string, Relation<Presented>>>;
}

export interface Part {
  to(): ShownKind;
}

/** Loads the objects that replace an id when a request expands it. */
export interface Relation<Of> {
  to(): Kind;
  keyOf(of: Of): Key | null;
  load(reading: Reading, keys: readonly Key[], wanted: Wanted): Promise<ReadonlyMap<Key, Presented>>;
}

/** Key by which a row is found: its primary key, or its public id where that is text. */
export type Key = number | string;

/** Expansions and includes of a request: relations to expand, by name and nested, and fields to include. */
export interface Wanted {
  expand: ReadonlyMap<string, Wanted>;
  include: ReadonlySet<string>;
}
