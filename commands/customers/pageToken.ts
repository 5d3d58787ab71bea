import type { EntityManager } from '../../db/orm.ts';
import { newToken } from '../../db/schema/columns.ts';

/** The secret part of the URLs of a customer's pages. A customer from before such pages gets one. */
export async function pageTokenOf(em: EntityManager, key: { accountId: number; id: number }): Promise<string> {
  const [row] = await em.execute<{ token: string }[]>(
    'update customer set token = coalesce(token, ?) where account_id = ? and id = ? returning token',
    [newToken(), key.accountId, key.id],
  );
  if (!row) throw new Error(`no customer ${key.id}`);
  return row.token;
}
