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
