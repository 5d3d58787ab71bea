import type { Caller } from './caller.ts';

/** The caller and the times that all rows of one command share. */
export interface Moment {
  caller: Caller;
  /** The customer's time. */
  now: Date;
  /** Real time. */
  systemNow: Date;
}

/** The moment of a command about an object that belongs to the account, not to a customer. Its time is real time. */
export function accountMoment(caller: Caller, systemNow: Date): Moment {
  return { caller, now: systemNow, systemNow };
}
