import { writeMovements } from '../../mrr.ts';
import type { Sql } from '../kernel/sql.ts';

/**
 * Derives the movements of revenue of subscriptions from before movements were written, from their events. At most `limit` subscriptions;
 * returns how many it took. A second run writes nothing: the database refuses a second movement of an event.
 */
export async function deriveMovements(sql: Sql, limit: number): Promise<number> {
  const rows = await sql.query(
    `with taken as (
       update subscription set mrr_derived = true where (account_id, id) in (
         select account_id, id from subscription where mrr_derived is null limit $1 for update skip locked)
       returning account_id, id
     ), past as (
       select e.* from taken t join event e on e.account_id = t.account_id and e.subject_type = 'subscription' and e.subject_id = t.id::text
     ), written as (${writeMovements('past')} on conflict (account_id, event_id) do nothing)
     select 1 from taken`,
    [limit],
  );
  return rows.length;
}
