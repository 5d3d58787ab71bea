import type { Sql } from '../kernel/sql.ts';

/** Mail of an account that waits although nothing of it has been sent or tried lately. */
export interface WaitingMail {
  accountId: number;
  /** Id of the email that has been due longest, and its due time. */
  oldest: number;
  since: Date;
  /** Number of emails that are due, at most `MOST_COUNTED`. */
  count: number;
}

const MOST_COUNTED = 1000;

/**
 * SQL: `first`, the queued email of each account that is due first. It jumps from the first row of one account to the first row of the next,
 * without reading the rows in between.
 */
export const OLDEST_MAIL = `first as (
       (select account_id, id, next_attempt_at as at from email where state = 'queued' order by account_id, next_attempt_at limit 1)
       union all
       select n.* from first f cross join lateral (
         select account_id, id, next_attempt_at from email where state = 'queued' and account_id > f.account_id
         order by account_id, next_attempt_at limit 1) n
     )`;

/**
 * Accounts whose oldest queued mail has been due since `before`, while no mail of the account was sent or tried after `movedSince`.
 */
export function waitingMail(
  sql: Sql,
  at: { before: Date; movedSince: Date; now: Date; limit: number },
): Promise<WaitingMail[]> {
  return sql.query<WaitingMail>(
    `with recursive ${OLDEST_MAIL}
     select account_id as "accountId", id as oldest, at as since, (select count(*)::int from (
         select from email e where e.account_id = f.account_id and e.state = 'queued' and e.next_attempt_at <= $3 limit ${MOST_COUNTED}
       ) due) as count
     from first f
     where at <= $1
       and not exists (select from email e where e.account_id = f.account_id and e.updated_at > $2 and e.attempts > 0)
       and not exists (select from problem p where p.account_id = f.account_id and p.subject_type = 'email' and p.closed_at is null)
     order by at limit $4`,
    [at.before, at.movedSince, at.now, at.limit],
  );
}

/** Open problems of waiting mail whose email has been tried since. */
export function movedMail(sql: Sql, limit: number): Promise<{ accountId: number; id: number }[]> {
  return sql.query(
    `select account_id as "accountId", id from problem p where subject_type = 'email' and closed_at is null
       and not exists (select from email e where e.account_id = p.account_id and e.id = p.subject_id and e.state = 'queued'
         and e.updated_at <= p.since) limit $1`,
    [limit],
  );
}
