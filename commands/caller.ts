import type { EntityManager } from '../db/orm.ts';
import { Account } from '../db/schema/account.ts';
import { Missing } from './missing.ts';

/** Who asks: API requests -2, the product's own processes -1. Events carry it. */
export type UserId = -1 | -2;

export const API_USER: UserId = -2;

export interface Caller {
  account: Account;
  userId: UserId;
}

/** The product itself, about to lock the customer that an object belongs to: one statement for both. Throws Missing. */
export async function systemCallerFor(
  em: EntityManager,
  about: { table: 'subscription' | 'estimate' | 'invoice' | 'attempt'; accountId: number; id: number },
): Promise<{ caller: Caller; customerId: number }> {
  const { table, accountId, id } = about;
  const statement = {
    sql: `select a.*, s.customer_id as subject_customer_id from account a
          join ${table} s on s.account_id = a.id and s.id = ? where a.id = ?`,
    values: [id, accountId],
  };
  const [row] = await em.execute<{ subject_customer_id: number }[]>(statement.sql, statement.values);
  if (!row) throw new Missing(table, id);
  const { subject_customer_id: customerId, ...columns } = row;
  return { caller: { account: em.map(Account, columns), userId: -1 }, customerId };
}

/** The product itself, acting for an account. */
export async function systemCaller(em: EntityManager, accountId: number): Promise<Caller> {
  return { account: await em.findOneOrFail(Account, { id: accountId }), userId: -1 };
}
