import type { EntityManager } from '../../orm.ts';

/** How many payments of a link were declined since a time. */
export async function declinesOfLink(
  em: EntityManager,
  { accountId, linkId, since }: { accountId: number; linkId: number; since: Date },
): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from link_payment p
       join attempt a on a.account_id = p.account_id and a.id = p.attempt_id
     where p.account_id = ? and p.link_id = ? and p.created_at > ? and a.state = 'failed'`,
    [accountId, linkId, since],
  );
  return row?.count ?? 0;
}

/** Id of the oldest active customer with this address in lower case whose terms do not keep invoices from being issued. Null: there is none. */
export async function payerOf(
  em: EntityManager,
  { accountId, address }: { accountId: number; address: string },
): Promise<number | null> {
  const [row] = await em.execute<{ id: number }[]>(
    `select id from customer where account_id = ? and lower(email) = ?
       and active and not credit_hold and credit_limit is null and anonymized_at is null and test_clock_id is null
     order by id limit 1`,
    [accountId, address],
  );
  return row?.id ?? null;
}
