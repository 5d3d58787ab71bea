import type { EntityManager } from '../../orm.ts';
import { textArray } from '../kernel/arrays.ts';

/** Waits for other imports of the account, and makes later ones wait until the commit: they find the rows of this one. */
export async function lockStatements(em: EntityManager, accountId: number): Promise<void> {
  await em.execute(`select pg_advisory_xact_lock(hashtextextended('bank statement', ?))`, [accountId]);
}

/** Ids of payments that were imported from bank statements, by the hash of the statement's row. */
export async function paymentsOfStatementKeys(
  em: EntityManager,
  { accountId, keys }: { accountId: number; keys: readonly string[] },
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await em.execute<{ id: number; key: string }[]>(
    `select id, statement_key as key from payment
     where account_id = ? and statement_key = any(?::text[]) and statement_key is not null`,
    [accountId, textArray(keys)],
  );
  return new Map(rows.map(({ id, key }) => [key, id]));
}
