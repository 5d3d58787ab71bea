import type { Environment } from '../../../billing/environments.ts';
import type { ProcessName } from '../../../billing/processes.ts';
import type { EntityManager, NewRow } from '../../orm.ts';
import { Outbox, type OutboxTopic } from '../../schema/outbox.ts';
import { currentCause } from '../../tracing.ts';
import type { Sql } from '../kernel/sql.ts';
import { type ProcessSubject, subjectOf } from './facts.ts';

/** A request to wake a process, leased by a relay. */
export interface ClaimedWake extends ProcessSubject {
  id: string;
  accountId: number;
  environment: Environment;
  topic: ProcessName;
  subjectId: number;
  /** The customer that owns the object; null for pumps. */
  customerId: number | null;
  shard: number;
  startAt: Date | null;
  /** Its place in the trace of the request that caused it. Null: none. */
  traceparent: string | null;
  /** Whether it goes past the limits of its account: the sweep, a rebuild or a call enqueued it. */
  recovered: boolean;
}

/** SQL: condition of new work, the same as in its index. */
const FRESH = "topic <> 'event' and not recovered";

/**
 * Turns sequential scans off for a relay's whole session. PostgreSQL keeps the plan of a prepared statement. It plans while the outbox is
 * nearly empty, and the plan for an empty table reads all of it. Statements of a relay name rows by arrays of ids, because a join may read
 * the whole index.
 */
export async function readByIndexes(sql: Sql): Promise<void> {
  await sql.query('set enable_seqscan = off');
}

/**
 * Leases due rows to the caller; no other caller gets them. Takes up to `limit` rows of new work, accounts in turn: the oldest row of each,
 * then the next of each, so that many rows of one account do not delay others. It takes at most `ofOne` of an account, none of those in
 * `except`, and none of a process for which the account is in `crowded`. Also takes up to `recovered` recovered rows, earliest first. A lease
 * ends by the clock of the database: relays in several processes compare leases, and the time of the product may stand still.
 */
export function claimWakes(
  sql: Sql,
  at: {
    now: Date;
    leaseMilliseconds: number;
    limit: number;
    ofOne: number;
    except: readonly number[];
    crowded: readonly { accountId: number; process: ProcessName }[];
    recovered: number;
  },
): Promise<ClaimedWake[]> {
  return sql.query<ClaimedWake>(
    `with recursive waiting as (
       (select account_id from outbox where ${FRESH} order by account_id limit 1)
       union all
       select n.account_id from waiting w cross join lateral (
         select account_id from outbox where ${FRESH} and account_id > w.account_id order by account_id limit 1) n
     ), turns as (
       select o.id from waiting w cross join lateral (
         select id, due_at, row_number() over (order by due_at) as turn from (
           select id, due_at from outbox where ${FRESH} and account_id = w.account_id and due_at <= $1
             and (leased_until is null or leased_until <= now()) and account_id || '/' || topic <> all($7::text[])
           order by due_at limit $5) first) o
       where w.account_id <> all($6::int[])
       order by o.turn, o.due_at limit $3
     ), fresh as (
       select id from outbox where id = any(array(select id from turns)) and (leased_until is null or leased_until <= now())
       for update skip locked
     ), again as (
       select id from outbox where recovered and due_at <= $1 and (leased_until is null or leased_until <= now())
       order by coalesce(start_at, due_at) limit $4 for update skip locked
     ), claimed as (
       update outbox set leased_until = now() + $2 * interval '1 ms'
       where id = any(array(select id from fresh union all select id from again)) returning *
     )
     select c.id::text as id, c.account_id as "accountId", coalesce(a.environment, 'live') as environment, c.topic, c.subject_id as "subjectId", c.shard,
            c.recovered, c.start_at as "startAt", c.traceparent, o.customer_id as "customerId", o.number, o.amount, o.currency, o.kind, o.method
     from claimed c left join account a on a.id = c.account_id left join lateral (${subjectOf('c')}) o on true`,
    [
      at.now,
      at.leaseMilliseconds,
      at.limit,
      at.recovered,
      at.ofOne,
      at.except,
      at.crowded.map(({ accountId, process }) => `${accountId}/${process}`),
    ],
  );
}

/** Deletes rows whose process has been woken. */
export async function deleteWakes(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.query('delete from outbox where id = any($1::bigint[])', [ids]);
}

/** Shortens the lease of rows whose process could not be woken. They are retried when it ends. */
export async function releaseWakes(sql: Sql, ids: readonly string[], retryMilliseconds: number): Promise<void> {
  await sql.query(`update outbox set leased_until = now() + $2 * interval '1 ms' where id = any($1::bigint[])`, [
    ids,
    retryMilliseconds,
  ]);
}

/** A process of an account, as the outbox names it. */
export interface WakeKey {
  accountId: number;
  topic: OutboxTopic;
  subjectId: number;
  shard: number;
}

/** Enqueues a wake of a process, in the transaction that gives it something to do and in the trace of the current work. */
export function enqueue(em: EntityManager, row: NewRow<Outbox>): void {
  em.append(Outbox, { ...row, traceparent: currentCause().traceparent });
}

/**
 * Enqueues a wake of a process that has a reserved place. The limits of its account do not apply to it. It goes before the rows of a sweep
 * or a rebuild.
 */
export function enqueueCall(em: EntityManager, wake: WakeKey): void {
  enqueue(em, { ...wake, dueAt: new Date(0), recovered: true });
}

/** Enqueues a wake of a process. Replaces those that no relay has leased yet, so that they never are many. */
export async function enqueueOnce(em: EntityManager, wake: WakeKey, now: Date): Promise<void> {
  const { accountId, topic, subjectId, shard } = wake;
  await em.execute(
    `with replaced as (
       delete from outbox where account_id = ? and topic = ? and topic <> 'event' and subject_id = ? and shard = ?
         and leased_until is null and not recovered returning due_at
     )
     insert into outbox (account_id, topic, subject_id, shard, due_at)
     select ?::int, ?, ?::int, ?::int, coalesce(min(due_at), ?::timestamptz) from replaced`,
    [accountId, topic, subjectId, shard, accountId, topic, subjectId, shard, now],
  );
}
