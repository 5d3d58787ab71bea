import type { Presented } from '../../billing/json.ts';
import type { Area } from '../../billing/people/permissions.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Reading } from '../../db/queries/kernel/reading.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Shape } from './shape.ts';

export type IdColumn = 'id' | 'code';

/** Documentation of a kind of object in the reference. */
export interface Kind {
  /** Subject of the permissions to read and write its objects. Absent: they are parts of others. */
  area?: Area;
  /** Shape of its objects in responses. */
  shape: Shape;
  /** Fields whose ids a request may expand into objects. */
  relations?: Readonly<Record<string, { to(): Kind }>>;
  /** Nested objects whose ids may be expanded, as in `items.plan`. */
  parts?: Readonly<Record<string, Part>>;
  /** Fields that are shown only when a request includes them. */
  includes?: Readonly<Record<string, { area: Area }>>;
  /** Whether its ids have 64 bits. */
  hasLongIds?: boolean;
  /** Fields with sentences of the product, which are stored in English and said in the language of the request: `refused.reason`. */
  said?: readonly string[];
}

/** A kind whose objects have no rows at hand. Its relations take the ids from the presented objects. */
export interface PresentedKind extends Kind {
  relations: Readonly<Record<string, Relation<Presented>>>;
}

export interface Part {
  to(): PresentedKind;
}

/** Loads the objects that replace an id when a request expands it. */
export interface Relation<Of> {
  to(): Kind;
  keyOf(of: Of): Key | null;
  load(reading: Reading, keys: readonly Key[], wanted: Wanted): Promise<ReadonlyMap<Key, Presented>>;
}

/** Key by which a row is found: its primary key, or its public id if that is a text. */
export type Key = number | string;

/** The expansions and includes that a request asks for. Expansions are nested: each has those of the expanded object. */
export interface Wanted {
  expand: ReadonlyMap<string, Wanted>;
  include: ReadonlySet<string>;
  /** When and for which account it is asked. Unset in expansions, which include nothing. */
  at?: { now: Date; account: Plain<Account> };
}
