import type { EntityManager } from '../../orm.ts';

/** Ids of the sources of a customer that somebody with an address (in lower case) stored on its pages. */
export async function sourceIdsOf(
  em: EntityManager,
  { accountId, customerId, email }: { accountId: number; customerId: number; email: string },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `select a.source_id as id from payment_consent p
     join attempt a on a.account_id = p.account_id and a.id = p.attempt_id
     where p.account_id = ? and p.customer_id = ? and p.email = ? and a.source_id is not null`,
    [accountId, customerId, email],
  );
  return rows.map(({ id }) => id);
}

/** Ids of the sources of a customer that its contacts stored for themselves: in the portal, also if they are contacts no more, or on other pages. */
export async function sourceIdsOfContacts(
  em: EntityManager,
  { accountId, customerId }: { accountId: number; customerId: number },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `select a.source_id as id from payment_consent p
     join attempt a on a.account_id = p.account_id and a.id = p.attempt_id
     join customer c on c.account_id = p.account_id and c.id = p.customer_id
     where p.account_id = ? and p.customer_id = ? and a.source_id is not null and (
       (p.page = 'portal' and not a.make_default)
       or (p.email is distinct from lower(c.email) and exists (
         select 1 from contact o where o.account_id = p.account_id and o.customer_id = p.customer_id and lower(o.email) = p.email)))`,
    [accountId, customerId],
  );
  return rows.map(({ id }) => id);
}
