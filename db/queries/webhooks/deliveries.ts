import type { Presented } from '../../../billing/json.ts';
import type { EntityManager } from '../../orm.ts';
import { ROUTINE_SCHEMA } from '../../routines.ts';
import type { Sql } from '../kernel/sql.ts';

/** The oldest waiting delivery of a lane that is due, with the event it carries. */
export interface Head {
  id: number;
  eventId: number;
  position: string;
  subjectType: string;
  subjectId: string;
  sequence: number;
  previousSequence: number | null;
  attempts: number;
  type: string;
  object: Presented;
  previous: Presented | null;
  userId: number;
  /** The member whose id `userId` is; null: it is none. */
  member: { email: string; name: string | null } | null;
  requestId: string | null;
  traceparent: string | null;
  occurredAt: Date;
  /** Real time at which the event was recorded. */
  createdAt: Date;
  /** Changes whenever the endpoint's row changes. */
  endpointVersion: string;
}

export interface Pump {
  accountId: number;
  id: number;
  shard: number;
}

/**
 * Up to `limit` due heads of one pump, the longest due first. There is one per object, which keeps the order of each object's events. A
 * disabled endpoint has none.
 */
export function dueHeads(em: EntityManager, pump: Pump & { limit: number }, now: Date): Promise<Head[]> {
  return em.execute<Head[]>(
    `select h.id, h.event_id as "eventId", h.position::text as position, l.subject_type as "subjectType",
            l.subject_id as "subjectId", h.sequence, h.previous_sequence as "previousSequence", h.attempts,
            e.type, e.object, e.previous, e.user_id as "userId",
            case when e.user_id > 0 then (select jsonb_build_object('email', m.email, 'name', m.name)
              from account a join member m on m.account_id in (a.id, a.twin_id) and m.id = e.user_id
              where a.id = e.account_id) end as member, e.request_id as "requestId", e.traceparent, e.occurred_at as "occurredAt", e.created_at as "createdAt",
            w.xmin::text as "endpointVersion"
     from webhook_lane l
     join webhook w on w.account_id = l.account_id and w.id = l.webhook_id and w.enabled and w.deleted_at is null
     cross join lateral (
       select * from webhook_delivery d
       where d.account_id = l.account_id and d.webhook_id = l.webhook_id and d.subject_type = l.subject_type
         and d.subject_id = l.subject_id and d.state = 'waiting'
       order by d.position limit 1
     ) h
     join event e on e.account_id = l.account_id and e.id = h.event_id
     where l.account_id = ? and l.webhook_id = ? and l.shard = ? and l.due_at <= ?
     order by l.due_at limit ?`,
    [pump.accountId, pump.id, pump.shard, now, pump.limit],
  );
}

/** Time at which the next lane of a pump is due; null: nothing waits. */
export async function nextLaneAt(em: EntityManager, pump: Pump): Promise<Date | null> {
  const [row] = await em.execute<{ at: Date | null }[]>(
    'select min(due_at) as at from webhook_lane where account_id = ? and webhook_id = ? and shard = ? and due_at is not null',
    [pump.accountId, pump.id, pump.shard],
  );
  return row?.at ? new Date(row.at) : null;
}

export interface LaneKey {
  accountId: number;
  webhookId: number;
  subjectType: string;
  subjectId: string;
}

/** Locks a lane against the fan-out, which puts new events on it. */
export async function lockLane(em: EntityManager, lane: LaneKey): Promise<void> {
  await em.execute(
    `select 1 from webhook_lane where account_id = ? and webhook_id = ? and subject_type = ? and subject_id = ? for update`,
    [lane.accountId, lane.webhookId, lane.subjectType, lane.subjectId],
  );
}

/** Schedules a locked lane: at `retryAt` if set, else at once if a delivery waits, else not at all. */
export async function scheduleLane(
  em: EntityManager,
  lane: LaneKey,
  at: { retryAt: Date | null; now: Date },
): Promise<void> {
  await em.execute(
    `update webhook_lane l set due_at = coalesce(?::timestamptz, (
       select ?::timestamptz from webhook_delivery d
       where d.account_id = l.account_id and d.webhook_id = l.webhook_id and d.subject_type = l.subject_type
         and d.subject_id = l.subject_id and d.state = 'waiting' limit 1))
     where account_id = ? and webhook_id = ? and subject_type = ? and subject_id = ?`,
    [at.retryAt, at.now, lane.accountId, lane.webhookId, lane.subjectType, lane.subjectId],
  );
}

/** A successful attempt. */
export interface Success {
  lane: LaneKey;
  /** Id of the delivery. */
  id: number;
  statusCode: number | null;
  answer: string;
  latencyMilliseconds: number;
}

/**
 * Records a success, ends the delivery and schedules its lane, in one statement. Does nothing if the delivery has ended already. Returns
 * whether more may be due on the lane.
 */
export async function recordSuccess(em: EntityManager, success: Success, now: Date): Promise<boolean> {
  const { accountId, webhookId, subjectType, subjectId } = success.lane;
  const { id, statusCode, answer, latencyMilliseconds } = success;
  const [row] = await em.execute<{ more: boolean }[]>(
    `select ${ROUTINE_SCHEMA}.delivery_made(?, ?, ?, ?, ?, ?, ?, ?, ?) as more`,
    [accountId, webhookId, subjectType, subjectId, id, statusCode, answer, latencyMilliseconds, now],
  );
  return row?.more ?? true;
}

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
