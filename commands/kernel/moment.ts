import type { Caller } from './caller.ts';

/** Caller and times that all rows of one command share. */
export interface Moment {
  caller: Caller;
  /** The customer's time. */
  now: Date;
  /** Real time. */
  systemNow: Date;
}

/** The moment of a command about an object of the account, not of a customer: real time. */
export function accountMoment(caller: Caller, systemNow: Date): Moment {
  return { caller, now: systemNow, systemNow };
}
