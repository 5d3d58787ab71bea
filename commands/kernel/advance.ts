import type { Environment } from '../../db/schema/account.ts';

/** The result of one step of a process. Everything is JSON: it is the result of an activity and is read in workflow histories. */
export interface Advance {
  /** The step that was taken, in words; null: nothing was due. */
  did: string | null;
  /** When to check again, epoch milliseconds; null: nothing is scheduled. */
  wakeAt: number | null;
  /** The wait that ends then, in words. */
  next: string | null;
  /** The next step is due already. */
  more: boolean;
  /** Id of the committed attempt whose gateway call is to be made now; null: none. */
  call: number | null;
  /** The queue in which the step waited, and since when, epoch milliseconds of real time; absent on a test clock. */
  waited?: { environment: Environment; since: number };
}

/** The object that a process is about. */
export interface ProcessKey {
  accountId: number;
  id: number;
}

export const NOTHING: Advance = { did: null, wakeAt: null, next: null, more: false, call: null };
