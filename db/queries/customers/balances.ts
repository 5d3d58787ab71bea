import type { EntityManager } from '../../orm.ts';

interface Whose {
  accountId: number;
  customerId: number;
  currency: string;
}

/** The amounts that a customer owes in a currency: decimal text. */
export interface Owed {
  outstanding: string;
  dueNow: string;
  pastDue: boolean;
}

/**
 * Sums the open balances of a customer's issued invoices. `dueNow` is the part that is past due or that AutoPay has yet to collect. An
 * invoice that AutoPay has given up counts only when it is past due.
 */
export async function owedBy(em: EntityManager, { accountId, customerId, currency }: Whose): Promise<Owed> {
  const [row] = await em.execute<Owed[]>(
    `select coalesce(sum(balance), 0)::text as outstanding,
            coalesce(sum(balance) filter (where past_due or (autopay and not autopay_stopped)), 0)::text as "dueNow",
            coalesce(bool_or(past_due), false) as "pastDue"
     from invoice where account_id = ? and customer_id = ? and currency = ? and not closed and status <> 'draft'`,
    [accountId, customerId, currency],
  );
  return row ?? { outstanding: '0', dueNow: '0', pastDue: false };
}
