import type { EntityManager } from '../../db/orm.ts';
import { Account } from '../../db/schema/account.ts';
import type { UsedCredential } from '../../db/schema/event.ts';

/** Who asks: API requests -2, the product's own processes -1. Events carry it. */
export type UserId = -1 | -2;

export const API_USER: UserId = -2;

export interface Caller {
  account: Account;
  userId: UserId;
  /** What the request was sent with; null: no request asked, or one of a page. */
  credential: UsedCredential | null;
}

/** The product itself, acting for an account. */
export async function systemCaller(em: EntityManager, accountId: number): Promise<Caller> {
  return systemCallerOf(await em.findOneOrFail(Account, { id: accountId }));
}

/** The same, where the account is known. */
export function systemCallerOf(account: Account): Caller {
  return { account, userId: -1, credential: null };
}
