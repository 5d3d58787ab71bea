import type { Presented } from '../../billing/json.ts';

/** Converts what a newer version shows to what clients of older versions expect. */
export interface Change {
  /** The first version with the new form. Clients of all earlier ones are shown `before`. */
  since: string;
  /** The kinds of objects that it changes, by their `object`. */
  kinds: readonly string[];
  /** Converts one object to its earlier form. The objects inside it are already converted. */
  before(object: Presented): Presented;
}
