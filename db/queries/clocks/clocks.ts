import type { EntityManager } from '../../orm.ts';
import type { Account } from '../../schema/account.ts';
import { unanswered } from '../../schema/attempt.ts';
import { WAITS } from '../../schema/textMessage.ts';
import { isKnownWakeup } from '../../schema/wakeup.ts';
import type { Sql } from '../kernel/sql.ts';

/** Maximum number of due wake-ups of one idle clock that are re-enqueued at a time; several may belong to one process. */
const MOST_OF_A_CLOCK = 1000;

export interface ClockKey {
  accountId: number;
  id: number;
}

/**
 * Until when all entries of an account are posted by now, rounded up to whole seconds: now or, in the sandbox, the latest time of its test
 * clocks.
 */
export async function latestKnown(
  em: EntityManager,
  { id, environment }: Pick<Account, 'id' | 'environment'>,
  systemNow: Date,
): Promise<Date> {
  const [clocks] =
    environment === 'sandbox'
      ? await em.execute<{ latest: string | null }[]>(
          'select max(frozen_at) as latest from test_clock where account_id = ?',
          [id],
        )
      : [];
  const latest = Math.max(systemNow.getTime(), clocks?.latest ? Date.parse(clocks.latest) : 0);
  return new Date(Math.ceil(latest / 1000) * 1000);
}

/** State of an advancing clock, read in one statement: the work left at its time, and the next wake-up. */
export interface ClockWork {
  /** Number of the current advance. */
  advance: number;
  frozenAt: Date;
  targetAt: Date;
  /** The earliest wake-up or text after its time; null: none. */
  nextAt: Date | null;
  /** Number of processes that the relay has yet to wake. */
  wakes: number;
  /** Number of due wake-ups whose process has not taken its step. */
  due: number;
  /** Number of attempts that the gateway has not answered. */
  attempts: number;
  /** Number of queued emails. */
  emails: number;
  /** Number of texts that wait for their provider, and are due. */
  texts: number;
  /** The oldest open problem of its customers, in words. */
  problem: string | null;
  /** Id of the advance's last step; 0: none. It grows with each step. */
  lastStep: number;
}

/** Null: there is no such clock, or it does not advance. */
export async function readClockWork(em: EntityManager, key: ClockKey, systemNow: Date): Promise<ClockWork | null> {
  const of = (table: string) => `from ${table} o where o.account_id = c.account_id and o.clock_id = c.id`;
  const [row] = await em.execute<ClockRow[]>(
    `select c.advances as advance, c.frozen_at as "frozenAt", c.target_at as "targetAt",
       least((select min(o.at) ${of('wakeup')} and o.at > c.frozen_at and ${isKnownWakeup('o')}),
         (select min(o.next_attempt_at) ${of('text_message')} and o.${WAITS} and o.next_attempt_at > c.frozen_at)) as "nextAt",
       (select count(*) ${of('outbox')} and o.topic <> 'event' and o.due_at <= ?)::int as wakes,
       (select count(*) ${of('wakeup')} and o.at <= c.frozen_at and ${isKnownWakeup('o')})::int as due,
       (select count(*) ${of('attempt')} and o.state in (${unanswered}))::int as attempts,
       (select count(*) ${of('email')} and o.state = 'queued')::int as emails,
       (select count(*) ${of('text_message')} and o.${WAITS} and o.next_attempt_at <= c.frozen_at)::int as texts,
       (select o.subject_type || ' ' || o.subject_id || ': ' || o.message ${of('problem')} and o.closed_at is null
        order by o.id limit 1) as problem,
       (select coalesce(max(s.id), 0) from test_clock_step s where s.account_id = c.account_id and s.test_clock_id = c.id
        and s.advance = c.advances) as "lastStep"
     from test_clock c where c.account_id = ? and c.id = ? and c.status = 'advancing'`,
    [systemNow, key.accountId, key.id],
  );
  if (!row) return null;
  const nextAt = row.nextAt === null ? null : new Date(row.nextAt);
  return { ...row, frozenAt: new Date(row.frozenAt), targetAt: new Date(row.targetAt), nextAt };
}

type ClockRow = Omit<ClockWork, 'frozenAt' | 'targetAt' | 'nextAt'> &
  Record<'frozenAt' | 'targetAt', Date | string> & { nextAt: Date | string | null };

/** Enqueues the processes whose wake-ups are due at the clock's time, unless the outbox still has them. */
export async function enqueueDue(em: EntityManager, { accountId, id }: ClockKey, systemNow: Date): Promise<void> {
  await em.execute(
    `insert into outbox (account_id, topic, subject_id, due_at, clock_id)
     select distinct w.account_id, w.process, w.subject_id, ?::timestamptz, w.clock_id
     from wakeup w join test_clock c on c.account_id = w.account_id and c.id = w.clock_id
     where w.account_id = ? and w.clock_id = ? and w.at <= c.frozen_at and ${isKnownWakeup('w')} and not exists (
       select 1 from outbox o where o.account_id = w.account_id and o.clock_id = w.clock_id and o.topic = w.process
         and o.subject_id = w.subject_id)`,
    [systemNow, accountId, id],
  );
}

/** Enqueues the mail pump if emails of the clock are queued and due, unless the outbox still has it. */
export async function enqueueDueMail(em: EntityManager, { accountId, id }: ClockKey, systemNow: Date): Promise<void> {
  await em.execute(
    `insert into outbox (account_id, topic, subject_id, due_at)
     select e.account_id, 'mail', e.account_id, ?::timestamptz from email e
     where e.account_id = ? and e.clock_id = ? and e.state = 'queued' and e.next_attempt_at <= ? and not exists (
       select 1 from outbox o where o.account_id = e.account_id and o.topic = 'mail' and o.subject_id = e.account_id)
     limit 1`,
    [systemNow, accountId, id, systemNow],
  );
}

/** Enqueues the text pump if texts of the clock are due at its time, unless the outbox still has it. */
export async function enqueueDueTexts(em: EntityManager, { accountId, id }: ClockKey, systemNow: Date): Promise<void> {
  await em.execute(
    `insert into outbox (account_id, topic, subject_id, due_at)
     select t.account_id, 'text', t.account_id, ?::timestamptz
     from text_message t join test_clock c on c.account_id = t.account_id and c.id = t.clock_id
     where t.account_id = ? and t.clock_id = ? and t.${WAITS} and t.next_attempt_at <= c.frozen_at and not exists (
       select 1 from outbox o where o.account_id = t.account_id and o.topic = 'text' and o.subject_id = t.account_id)
     limit 1`,
    [systemNow, accountId, id],
  );
}

/** Enqueues the processes of advancing clocks that have not moved since `before`, unless the outbox still has them. */
export async function sweepAdvancing(sql: Sql, at: { now: Date; before: Date }): Promise<void> {
  await sql.query(
    `insert into outbox (account_id, topic, subject_id, due_at, recovered)
     select c.account_id, 'clock', c.id, $2::timestamptz, true from test_clock c
     where c.status = 'advancing' and c.progressed_at <= $1 and not exists (
       select 1 from outbox o where o.account_id = c.account_id and o.topic = 'clock' and o.subject_id = c.id)`,
    [at.before, at.now],
  );
}

/** Position of a sweep over the idle clocks: those that do not advance. */
export interface ClockPosition extends ClockKey {
  /** The last wake-up of this clock that was enqueued, if the clock may have more; absent: the clock is done. */
  wakeup?: { at: string; process: string; subjectId: number; rule: string };
}

/** Before the first clock. */
export const CLOCKS_START: ClockPosition = { accountId: 0, id: 0 };

/**
 * Enqueues the due processes of the next `limit` idle clocks, unless they sleep on a problem or the outbox still has them. Returns
 * the position to continue from: the first clock with too many wake-ups for one call, else the last clock. Null: there are no more.
 */
export async function sweepIdleClocks(
  sql: Sql,
  after: ClockPosition,
  at: { now: Date; limit: number },
): Promise<ClockPosition | null> {
  const { accountId, id, wakeup } = after;
  const clocks = await sql.query<ClockKey & ({ at: null } | NonNullable<ClockPosition['wakeup']>)>(
    `with looked as (
       select account_id, id, status, frozen_at from test_clock where (account_id, id) > ($1, $2) order by account_id, id limit $4
     ), found as (
       select w.* from looked c cross join lateral (
         select w.*, row_number() over (order by w.at, w.process, w.subject_id, w.rule) as place from wakeup w
         where w.account_id = c.account_id and w.clock_id = c.id and w.at <= c.frozen_at and ${isKnownWakeup('w')} and not exists (
           select 1 from outbox o where o.account_id = w.account_id and o.topic = w.process and o.topic <> 'event'
             and o.subject_id = w.subject_id)
         and not exists (
           select 1 from wakeup p where p.account_id = w.account_id and p.process = w.process and p.subject_id = w.subject_id
             and p.rule = 'problem')
         and ((c.account_id, c.id) <> ($1, $2 + 1) or (w.at, w.process, w.subject_id, w.rule) > ($5::timestamptz, $6, $7, $8))
         order by w.at, w.process, w.subject_id, w.rule limit ${MOST_OF_A_CLOCK}
       ) w where c.status <> 'advancing'
     ), handed as (
       insert into outbox (account_id, topic, subject_id, due_at, clock_id, recovered)
       select distinct account_id, process, subject_id, $3::timestamptz, clock_id, true from found
     ) select c.account_id as "accountId", c.id, w.at::text, w.process, w.subject_id as "subjectId", w.rule
     from looked c left join found w on w.account_id = c.account_id and w.clock_id = c.id and w.place = ${MOST_OF_A_CLOCK}
     order by c.account_id, c.id`,
    [
      accountId,
      wakeup ? id - 1 : id,
      at.now,
      at.limit,
      wakeup?.at ?? '-infinity',
      wakeup?.process ?? '',
      wakeup?.subjectId ?? 0,
      wakeup?.rule ?? '',
    ],
  );
  for (const { accountId, id, ...last } of clocks) if (last.at !== null) return { accountId, id, wakeup: last };
  const last = clocks.at(-1);
  return last && clocks.length === at.limit ? { accountId: last.accountId, id: last.id } : null;
}
