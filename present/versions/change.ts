import type { Presented } from '../../billing/json.ts';

/** A change of responses between two versions of the API. Converts responses back for older versions. */
export interface Change {
  /** The first version with the new form. Responses for all earlier versions are converted. */
  since: string;
  /** The kinds of objects that it changes: values of their field `object`. */
  kinds: readonly string[];
  /** Converts one object to its earlier form. The objects inside it are already converted. */
  before(object: Presented): Presented;
}
