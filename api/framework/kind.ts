import type { Presented } from '../../billing/json.ts';
import type { Reading } from '../../db/queries/kernel/reading.ts';
import type { Shape } from './shape.ts';

export type IdColumn = 'id' | 'code';

/** What the reference says of a kind of object. */
export interface Kind {
  /** What its objects look like in responses. */
  shape: Shape;
  /** Ids that a request may have replaced by their objects. */
  relations?: Readonly<Record<string, { to(): Kind }>>;
  /** Objects within its objects whose own ids may be replaced: `items.plan`. */
  parts?: Readonly<Record<string, Part>>;
  /** Fields that are shown to requests that `include` them. */
  includes?: Readonly<Record<string, unknown>>;
  /** Its ids have 64 bits. */
  hasLongIds?: boolean;
}

/** What is no row of a list, or not read as one: ids are taken from what is shown. */
export interface ShownKind extends Kind {
  relations: Readonly<Record<string, Relation<Presented>>>;
}

export interface Part {
  to(): ShownKind;
}

/** What is shown in place of an id when a request expands it. */
export interface Relation<Of> {
  to(): Kind;
  keyOf(of: Of): Key | null;
  load(reading: Reading, keys: readonly Key[], wanted: Wanted): Promise<ReadonlyMap<Key, Presented>>;
}

/** What a row is found by: its own key, or the id that clients know where that is text. */
export type Key = number | string;

/** What a request wants beyond the object itself: relations to expand, by name and within one another, and fields to include. */
export interface Wanted {
  expand: ReadonlyMap<string, Wanted>;
  include: ReadonlySet<string>;
}
