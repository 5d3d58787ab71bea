import type { EntityManager } from '../../db/orm.ts';
import { Account } from '../../db/schema/account.ts';

/** Who asks: API requests -2, the product's own processes -1. Events carry it. */
export type UserId = -1 | -2;

export const API_USER: UserId = -2;

export interface Caller {
  account: Account;
  userId: UserId;
}

/** The product itself, acting for an account. */
export async function systemCaller(em: EntityManager, accountId: number): Promise<Caller> {
  return { account: await em.findOneOrFail(Account, { id: accountId }), userId: -1 };
}
