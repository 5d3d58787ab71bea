import type { ProcessName } from '../../../billing/processes.ts';
import type { EntityManager } from '../../orm.ts';
import { Outbox, type OutboxTopic } from '../../schema/outbox.ts';
import type { Sql } from '../kernel/sql.ts';
import { type ProcessSubject, subjectOf } from './facts.ts';

/** A request to wake a process, leased by a relay. */
export interface ClaimedWake extends ProcessSubject {
  id: string;
  accountId: number;
  environment: 'live' | 'sandbox';
  topic: ProcessName;
  subjectId: number;
  /** The customer that owns the object; null for pumps. */
  customerId: number | null;
  shard: number;
  startAt: Date | null;
  /** Whether the sweep or a rebuild enqueued it. */
  recovered: boolean;
}

/** SQL: condition of new work, the same as in its index. */
const FRESH = "topic <> 'event' and not recovered";

/**
 * Leases due rows to the caller; no other caller gets them. Takes up to `limit` rows of new work, accounts in turn: the oldest row of each,
 * then the next of each, so that many rows of one account do not delay others. It takes at most `ofOne` of an account, none of those in
 * `except`, and none of a process for which the account is in `full`. Also takes up to `recovered` recovered rows, earliest first.
 */
export function claimWakes(
  sql: Sql,
  at: {
    now: Date;
    leaseMilliseconds: number;
    limit: number;
    ofOne: number;
    except: readonly number[];
    full: readonly { accountId: number; process: ProcessName }[];
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
             and (leased_until is null or leased_until <= $1) and not exists (
             select 1 from unnest($7::int[], $8::text[]) as f(account_id, process)
             where f.account_id = outbox.account_id and f.process = outbox.topic)
           order by due_at limit $5) first) o
       where w.account_id <> all($6::int[])
       order by o.turn, o.due_at limit $3
     ), fresh as (
       select id from outbox where id in (select id from turns) and (leased_until is null or leased_until <= $1)
       for update skip locked
     ), again as (
       select id from outbox where recovered and due_at <= $1 and (leased_until is null or leased_until <= $1)
       order by coalesce(start_at, due_at) limit $4 for update skip locked
     ), claimed as (
       update outbox set leased_until = $2 where id in (select id from fresh union all select id from again) returning *
     )
     select c.id::text as id, c.account_id as "accountId", a.environment, c.topic, c.subject_id as "subjectId", c.shard,
            c.recovered, c.start_at as "startAt", o.customer_id as "customerId", o.number, o.amount, o.currency, o.kind, o.method
     from claimed c join account a on a.id = c.account_id left join lateral (${subjectOf('c')}) o on true`,
    [
      at.now,
      new Date(at.now.getTime() + at.leaseMilliseconds),
      at.limit,
      at.recovered,
      at.ofOne,
      at.except,
      at.full.map(({ accountId }) => accountId),
      at.full.map(({ process }) => process),
    ],
  );
}

/** Deletes rows whose process has been woken. */
export async function deleteWakes(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.query('delete from outbox where id = any($1::bigint[])', [ids]);
}

/** Extends the lease of rows whose process could not be woken. They are retried at `dueAt`. */
export async function releaseWakes(sql: Sql, ids: readonly string[], dueAt: Date): Promise<void> {
  await sql.query('update outbox set leased_until = $2 where id = any($1::bigint[])', [ids, dueAt]);
}

/** Enqueues a wake-up of a process that waits for its place. It goes past the limits of its account, because the place is reserved. */
export function enqueueReserved(
  em: EntityManager,
  wake: { accountId: number; topic: OutboxTopic; subjectId: number; shard: number },
  dueAt: Date,
): void {
  em.append(Outbox, { ...wake, dueAt, recovered: true });
}
