import type { EntityManager } from '../../orm.ts';

const NEXT = `select currency from customer_balance where account_id = ? and balance > 0`;

/** The currencies in which customers of an account owe something, by their codes. It reads one row of an index for each. */
export async function owedCurrencies(em: EntityManager, accountId: number): Promise<string[]> {
  const rows = await em.execute<{ currency: string }[]>(
    `with recursive found as (
       (${NEXT} order by currency limit 1)
       union all select (${NEXT} and currency > f.currency order by currency limit 1) from found f where f.currency is not null
     ) select currency from found where currency is not null`,
    [accountId, accountId],
  );
  return rows.map(({ currency }) => currency);
}
