import type { EntityManager } from '../../orm.ts';
import type { Sql } from '../kernel/sql.ts';

/**
 * Appends committed events to the log, in one order for all readers. Fans them out to the subscribed endpoints: deliveries, their lanes,
 * and wakes of their pumps. Two statements, in the transaction of `sql`. Only the relay leader calls it. Returns the number of
 * appended events.
 */
export async function appendEvents(sql: Sql, batch: { now: Date; limit: number }): Promise<number> {
  const logged = await sql.query<{ position: number }>(
    `with due as (
       select id from outbox where topic = 'event' order by id limit $1 for update skip locked
     ), taken as (
       delete from outbox where id = any(array(select id from due)) returning id, account_id, event_id
     )
     insert into event_log (account_id, event_id) select account_id, event_id from taken order by id returning position`,
    [batch.limit],
  );
  const positions = logged.map((row) => row.position);
  if (positions.length === 0) return 0;
  await fanOut(sql, positions, batch.now);
  return positions.length;
}

/**
 * A pump gets no second wake while the outbox has one that no relay has leased yet. The lock on its row keeps relays from leasing it until
 * this transaction has committed. Pumps whose lanes all wait for a retry get no wake.
 */
async function fanOut(sql: Sql, positions: readonly number[], now: Date): Promise<void> {
  await sql.query(
    `with wanted as (
       select e.account_id, w.id as webhook_id, e.id as event_id, l.position, e.subject_type, e.subject_id, e.sequence,
              coalesce((a.settings ->> 'webhook_shards')::int, 4) as shards
       from event_log l
       join event e on e.account_id = l.account_id and e.id = l.event_id
       join account a on a.id = e.account_id
       join webhook w on w.account_id = e.account_id and w.enabled and w.deleted_at is null
         and (w.events is null or e.type = any(w.events))
       where l.position = any($1::bigint[])
     ), delivered as (
       insert into webhook_delivery
         (account_id, webhook_id, event_id, position, subject_type, subject_id, sequence, previous_sequence, state, created_at)
       select n.account_id, n.webhook_id, n.event_id, n.position, n.subject_type, n.subject_id, n.sequence,
              coalesce(
                lag(n.sequence) over (partition by n.account_id, n.webhook_id, n.subject_type, n.subject_id order by n.position),
                lane.last_sequence),
              'waiting', $2
       from wanted n
       left join webhook_lane lane on lane.account_id = n.account_id and lane.webhook_id = n.webhook_id
         and lane.subject_type = n.subject_type and lane.subject_id = n.subject_id
     ), lanes as (
       insert into webhook_lane (account_id, webhook_id, subject_type, subject_id, shard, last_sequence, due_at)
       select account_id, webhook_id, subject_type, subject_id,
              abs(hashtext(subject_type || subject_id)) % max(shards), max(sequence), $2
       from wanted group by account_id, webhook_id, subject_type, subject_id order by 1, 2, 3, 4
       on conflict (account_id, webhook_id, subject_type, subject_id)
       do update set last_sequence = excluded.last_sequence, due_at = coalesce(webhook_lane.due_at, excluded.due_at)
       returning account_id, webhook_id, shard, due_at
     ), pump as (
       select distinct account_id, webhook_id, shard from lanes where due_at <= $2
     ), pending as (
       select o.account_id, o.subject_id, o.shard
       from outbox o join pump p on p.account_id = o.account_id and p.webhook_id = o.subject_id and p.shard = o.shard
       where o.topic = 'webhook' and not o.recovered and o.leased_until is null for update of o skip locked
     )
     insert into outbox (account_id, topic, subject_id, shard, due_at)
     select account_id, 'webhook', webhook_id, shard, $2::timestamptz
     from (select account_id, webhook_id, shard from pump except select account_id, subject_id, shard from pending) p`,
    [positions, now],
  );
}

/** Position of an event in the log of its account; null while it has none, undefined when there is no such event. */
export async function positionOf(
  em: EntityManager,
  key: { accountId: number; id: number },
): Promise<string | null | undefined> {
  const [row] = await em.execute<{ position: string | null }[]>(
    `select l.position::text as position from event e left join event_log l on l.account_id = e.account_id and l.event_id = e.id
     where e.account_id = ? and e.id = ?`,
    [key.accountId, key.id],
  );
  return row?.position;
}
