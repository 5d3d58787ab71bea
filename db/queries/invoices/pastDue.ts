import type { EntityManager } from '../../orm.ts';

/** Ids of the subscriptions that have a past-due invoice that is not closed. */
export async function withPastDueInvoices(
  em: EntityManager,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<Set<number>> {
  const rows = await em.execute<{ id: number }[]>(
    `select distinct subscription_id as id from invoice
     where account_id = ? and subscription_id = any(?::int[]) and past_due and not closed`,
    [accountId, `{${ids.join()}}`],
  );
  return new Set(rows.map(({ id }) => id));
}
