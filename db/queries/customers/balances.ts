import type { EntityManager } from '../../orm.ts';

interface Whose {
  accountId: number;
  customerId: number;
  currency: string;
}

/** What a customer owes in a currency: decimal text. */
export interface Owed {
  outstanding: string;
  dueNow: string;
  pastDue: boolean;
}

/**
 * What is open of a customer's issued invoices. Due now is what is past due and what AutoPay has yet to collect; what AutoPay has given
 * up is due by its date, as any other.
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
