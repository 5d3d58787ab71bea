import type { EntityManager } from '../../db/orm.ts';
import { Account } from '../../db/schema/account.ts';
import type { UsedCredential } from '../../db/schema/event.ts';

/** User id of events: API requests are -2, the product's own processes are -1. */
export type UserId = -1 | -2;

export const API_USER: UserId = -2;

export interface Caller {
  account: Account;
  userId: UserId;
  /** The credential of the request; null: there was no request, or a hosted page made it. */
  credential: UsedCredential | null;
}

/** The product itself as caller. Reads the account. */
export async function systemCaller(em: EntityManager, accountId: number): Promise<Caller> {
  return systemCallerOf(await em.findOneOrFail(Account, { id: accountId }));
}

/** The product itself as caller, for a loaded account. */
export function systemCallerOf(account: Account): Caller {
  return { account, userId: -1, credential: null };
}

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

/** Versions of the API, oldest first: docs/versions.md. An account keeps the version it was created with. */
export const VERSIONS = ['2026-09-01', '2026-11-01'] as const;

export const CURRENT_VERSION: string = VERSIONS[VERSIONS.length - 1] ?? '';
