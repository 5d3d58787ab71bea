import type { Presented } from '../../billing/json.ts';

/** How clients of older versions see what a newer one shows otherwise. */
export interface Change {
  /** The first version that shows it as the product does; clients of every earlier one are shown `before`. */
  since: string;
  /** What it changes, as `object` says it. */
  kinds: readonly string[];
  /** One object as it was shown before, its members already so. Objects inside of it come first. */
  before(object: Presented): Presented;
}
