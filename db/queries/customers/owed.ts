import type { EntityManager } from '../../orm.ts';
import { LAST } from '../credit/creditBalance.ts';

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

const OF_CUSTOMER = 'account_id = ? and customer_id = ?';
const CHANGED = `select currency from credit_balance_change where ${OF_CUSTOMER}`;

/**
 * The currencies in which a customer owes something, or has a credit balance, an open credit note or money of payments that is not applied, by
 * their codes. Of the changes of its credit balance, it reads those at the latest time of each currency.
 */
export async function currenciesOf(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
): Promise<string[]> {
  const key = [accountId, id];
  const rows = await em.execute<{ currency: string }[]>(
    `with recursive changed as (
       (${CHANGED} order by currency limit 1)
       union all
       select (${CHANGED} and currency > c.currency order by currency limit 1) from changed c where c.currency is not null
     )
     select currency from changed where currency is not null and (
       select balance from credit_balance_change where ${OF_CUSTOMER} and currency = changed.currency order by ${LAST} limit 1) > 0
     union select currency from customer_balance where ${OF_CUSTOMER} and balance > 0
     union select currency from credit_note where ${OF_CUSTOMER} and status = 'open'
     union select currency from payment where ${OF_CUSTOMER} and balance > 0 and not voided
     order by currency`,
    [...key, ...key, ...key, ...key, ...key, ...key],
  );
  return rows.map(({ currency }) => currency);
}
