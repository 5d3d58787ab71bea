import type { EntityManager } from '../../orm.ts';
import { customerTables, tablesWithUpdatedAt } from '../../schema/customerTables.ts';

/** Tables whose rows stay with the merged customer: neither the ledger nor stored answers are rewritten. */
export const stayingTables = ['idempotency', 'ledger_entry'] as const;

const LONGEST_MILLISECONDS = 30_000;

/** Moves all rows of a locked customer to another, except its children. None of these rows may be loaded as entities. */
export async function moveRows(
  em: EntityManager,
  move: { accountId: number; from: number; to: number; now: Date },
): Promise<void> {
  const { accountId, from, to, now } = move;
  await em.execute(`set local statement_timeout = ${LONGEST_MILLISECONDS}`);
  for (const table of customerTables) {
    const isTimed = tablesWithUpdatedAt.includes(table);
    const changed = isTimed ? ', updated_at = ?' : '';
    const times = isTimed ? [now] : [];
    await em.execute(`update ${table} set customer_id = ?${changed} where account_id = ? and customer_id = ?`, [
      to,
      ...times,
      accountId,
      from,
    ]);
  }
}

/** A customer's credit in one currency, and the date of its first change. */
export interface CurrencyCredit {
  currency: string;
  /** Decimal text. */
  balance: string;
  since: Date;
}

export async function creditsOf(
  em: EntityManager,
  { accountId, customerId }: { accountId: number; customerId: number },
): Promise<CurrencyCredit[]> {
  const rows = await em.execute<CurrencyCredit[]>(
    `select currency, sum(amount)::text as balance, min(at) as since from credit_balance_change
     where account_id = ? and customer_id = ? group by currency order by currency`,
    [accountId, customerId],
  );
  return rows.map((row) => ({ ...row, since: new Date(row.since) }));
}
