import type { Environment } from '../../db/schema/account.ts';

/** What one step of a process came to. Everything is JSON: it is the result of an activity and is read in workflow histories. */
export interface Advance {
  /** What was done, in plain words; null: nothing was due. */
  did: string | null;
  /** When to look again, epoch milliseconds; null: nothing is waited for. */
  wakeAt: number | null;
  /** What it waits for, in words. */
  next: string | null;
  /** The next step is due already. */
  more: boolean;
  /** The committed attempt that now wants its gateway. */
  call: number | null;
  /** In which queue the step stood, and since when, epoch milliseconds of real time; absent on a clock. */
  waited?: { environment: Environment; since: number };
}

/** Which object a process is about. */
export interface ProcessKey {
  accountId: number;
  id: number;
}

export const NOTHING: Advance = { did: null, wakeAt: null, next: null, more: false, call: null };
