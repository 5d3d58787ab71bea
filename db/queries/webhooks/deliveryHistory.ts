import type { Sql } from '../kernel/sql.ts';

/**
 * Deletes delivery attempts made before a time, at most `limit` over all accounts, and their deliveries that had ended by then. Waiting
 * deliveries stay. Returns the number of deleted attempts.
 */
export async function forgetDeliveries(sql: Sql, at: { before: Date; limit: number }): Promise<number> {
  const rows = await sql.query(
    `with old as (
       delete from webhook_attempt where (account_id, id) in (
         select t.account_id, t.id from account a cross join lateral (
           select account_id, id from webhook_attempt w where w.account_id = a.id and w.created_at < $1
           order by w.created_at, w.id limit $2) t
         limit $2)
       returning account_id, delivery_id
     ), ended as (
       delete from webhook_delivery d using (select distinct account_id, delivery_id from old) o
       where d.account_id = o.account_id and d.id = o.delivery_id and d.state <> 'waiting' and d.ended_at < $1
     ) select 1 from old`,
    [at.before, at.limit],
  );
  return rows.length;
}
