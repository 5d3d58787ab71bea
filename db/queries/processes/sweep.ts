import type { TimedProcess } from '../../../billing/processes.ts';
import { LATEST } from '../../../billing/time/calendar.ts';
import type { ReasonCode } from '../../../billing/wait.ts';
import { undecided } from '../../schema/attempt.ts';
import { isKnownWakeup } from '../../schema/wakeup.ts';
import type { Sql } from '../kernel/sql.ts';
import { isPassed } from './queues.ts';
import { OLDEST_MAIL, OLDEST_TEXT } from './waitingMail.ts';

/** Maximum number of senders whose DNS check one sweep enqueues. */
const MOST_CHECKS = 1000;

export interface Overdue {
  accountId: number;
  process: TimedProcess;
  subjectId: number;
  rule: string;
  step: string;
  reason: ReasonCode | null;
  reasonDetail: string | null;
  at: Date;
}

/**
 * Re-enqueues wake-ups in real time that are overdue since `before`, at most `limit`, one per process, and counts how often. Leaves out
 * those in a long queue that has moved since `before`, those in a clock's time, and those of a process that sleeps on a problem.
 */
export async function sweepWakeups(sql: Sql, at: { now: Date; before: Date; limit: number }): Promise<number> {
  const rows = await sql.query(
    `with overdue as (
       update wakeup set sweeps = sweeps + 1, handed_at = coalesce(handed_at, $2) where (account_id, process, subject_id, rule) in (
         select account_id, process, subject_id, rule from wakeup w where time_base = 'real' and at <= $1 and ${isKnownWakeup('w')}
           and coalesce(put_at, at) <= $1 and ${isPassed('w', '$1')} and not exists (
           select 1 from wakeup p where p.account_id = w.account_id and p.process = w.process
           and p.subject_id = w.subject_id and p.rule = 'problem' and p.at > $1)
         order by sweeps, at limit $3 for update of w skip locked
       ) returning account_id, process, subject_id
     )
     insert into outbox (account_id, topic, subject_id, due_at, recovered)
     select distinct account_id, process, subject_id, $2::timestamptz, true from overdue d where not exists (
       select 1 from outbox o where o.account_id = d.account_id and o.topic = d.process and o.topic <> 'event'
         and o.subject_id = d.subject_id)
     returning 1 as handed`,
    [at.before, at.now, at.limit],
  );
  return rows.length;
}

/**
 * Wake-ups in real time that are overdue since `before`, were re-enqueued before `handedBefore`, and were passed by their queue: nothing
 * served since `movedSince` had waited as long. They indicate a fault.
 */
export function longOverdue(
  sql: Sql,
  at: { before: Date; handedBefore: Date; movedSince: Date; limit: number },
): Promise<Overdue[]> {
  return sql.query<Overdue>(
    `select account_id as "accountId", process, subject_id as "subjectId", rule, step, reason, reason_detail as "reasonDetail", at
     from wakeup w
     where time_base = 'real' and at <= $1 and ${isKnownWakeup('w')} and coalesce(put_at, at) <= $1 and sweeps > 0 and coalesce(handed_at, at) <= $2
       and ${isPassed('w', '$3')} and not exists (
       select 1 from wakeup p where p.account_id = w.account_id and p.process = w.process
       and p.subject_id = w.subject_id and p.rule = 'problem')
     order by at limit $4`,
    [at.before, at.handedBefore, at.movedSince, at.limit],
  );
}

/**
 * Enqueues the processes of attempts that started before `before`, have no outcome and no planned look-up. Pending attempts on a clock at
 * the latest allowed date are not looked up any more.
 */
export async function sweepAttempts(sql: Sql, at: { now: Date; before: Date; limit: number }): Promise<void> {
  await sql.query(
    `insert into outbox (account_id, topic, subject_id, due_at, recovered)
     select a.account_id, 'charge', a.id, $2::timestamptz, true from attempt a
     where a.state in (${undecided}) and a.started_at <= $1
       and not exists (select 1 from outbox o where o.account_id = a.account_id and o.topic = 'charge' and o.subject_id = a.id)
       and not exists (select 1 from wakeup w where w.account_id = a.account_id and w.process = 'charge' and w.subject_id = a.id)
       and not exists (select 1 from test_clock c where c.account_id = a.account_id and c.id = a.clock_id and a.state = 'pending'
         and c.frozen_at >= $4)
     limit $3`,
    [at.before, at.now, at.limit, new Date(LATEST)],
  );
}

/**
 * Enqueues the processes of attempts whose gateway events were received before `before` and are not processed, unless the outbox already has
 * them, or they sleep on a problem.
 */
export async function sweepGatewayEvents(sql: Sql, at: { now: Date; before: Date; limit: number }): Promise<void> {
  await sql.query(
    `insert into outbox (account_id, topic, subject_id, due_at, recovered)
     select distinct e.account_id, 'charge', e.attempt_id, $2::timestamptz, true from gateway_event e
     where e.state = 'received' and e.received_at <= $1
       and not exists (select 1 from outbox o where o.account_id = e.account_id and o.topic = 'charge' and o.subject_id = e.attempt_id)
       and not exists (select 1 from wakeup w where w.account_id = e.account_id and w.process = 'charge' and w.subject_id = e.attempt_id
         and w.rule = 'problem' and w.at > $1)
     limit $3`,
    [at.before, at.now, at.limit],
  );
}

/**
 * Enqueues the pumps of queued mail, waiting texts, DNS checks of mail senders and webhook lanes that were due at `before` or earlier,
 * unless the outbox already has them. It jumps from the first row of one pump to the first row of the next, without reading the rows in between.
 */
export async function sweepPumps(sql: Sql, at: { now: Date; before: Date }): Promise<void> {
  await sql.query(
    `with recursive ${OLDEST_MAIL}
     insert into outbox (account_id, topic, subject_id, shard, due_at, recovered)
     select account_id, 'mail', account_id, 0, $2::timestamptz, true from first f
     where at <= $1 and not exists (
       select 1 from outbox o where o.account_id = f.account_id and o.topic = 'mail' and o.subject_id = f.account_id)`,
    [at.before, at.now],
  );
  await sql.query(
    `insert into outbox (account_id, topic, subject_id, shard, due_at, recovered)
     select account_id, 'mail', account_id, 0, $2::timestamptz, true from mail_sender s
     where deleted_at is null and next_look_at <= $1 and not exists (
       select 1 from outbox o where o.account_id = s.account_id and o.topic = 'mail' and o.subject_id = s.account_id)
     order by next_look_at limit $3`,
    [at.before, at.now, MOST_CHECKS],
  );
  await sql.query(
    `with recursive ${OLDEST_TEXT}
     insert into outbox (account_id, topic, subject_id, shard, due_at, recovered)
     select account_id, 'text', account_id, 0, $2::timestamptz, true from first f
     where at <= $1 and not exists (
       select 1 from outbox o where o.account_id = f.account_id and o.topic = 'text' and o.subject_id = f.account_id)`,
    [at.before, at.now],
  );
  await sql.query(
    `with recursive first as (
       (select account_id, webhook_id, shard, due_at from webhook_lane where due_at is not null
        order by account_id, webhook_id, shard, due_at limit 1)
       union all
       select n.* from first f cross join lateral (
         select account_id, webhook_id, shard, due_at from webhook_lane
         where due_at is not null and (account_id, webhook_id, shard) > (f.account_id, f.webhook_id, f.shard)
         order by account_id, webhook_id, shard, due_at limit 1) n
     )
     insert into outbox (account_id, topic, subject_id, shard, due_at, recovered)
     select f.account_id, 'webhook', f.webhook_id, f.shard, $2::timestamptz, true
     from first f join webhook w on w.account_id = f.account_id and w.id = f.webhook_id
     where f.due_at <= $1 and w.enabled and w.deleted_at is null and not exists (
       select 1 from outbox o where o.account_id = f.account_id and o.topic = 'webhook' and o.subject_id = f.webhook_id
         and o.shard = f.shard)`,
    [at.before, at.now],
  );
}

/** Records the time of a successful sweep. */
export async function keepSweep(sql: Sql, now: Date): Promise<void> {
  await sql.query('update deployment set swept_at = $1', [now]);
}
