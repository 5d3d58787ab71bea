import { WAITS } from '../../schema/textMessage.ts';
import type { Sql } from '../kernel/sql.ts';

/** Mail or texts of an account that wait although nothing of them has been sent or tried lately. */
export interface WaitingMail {
  accountId: number;
  /** Id of the email or text that has been due longest, and its due time. */
  oldest: number;
  since: Date;
  /** Number of those that are due, at most `MOST_COUNTED`. */
  count: number;
}

/** The tables whose rows pumps send. Their problems have the name of the table as the type of their subject. */
export const sentTables = ['email', 'text_message'] as const;
export type SentTable = (typeof sentTables)[number];

/** SQL: condition of a row that waits in real time. */
const waits: Readonly<Record<SentTable, string>> = {
  email: "state = 'queued'",
  text_message: `${WAITS} and clock_id is null`,
};

const MOST_COUNTED = 1000;

/** SQL: `first` has each account's waiting row that is due first. It jumps from account to account, without reading the rows in between. */
const oldestIn = (table: SentTable) => `first as (
       (select account_id, id, next_attempt_at as at from ${table} where ${waits[table]} order by account_id, next_attempt_at limit 1)
       union all
       select n.* from first f cross join lateral (
         select account_id, id, next_attempt_at from ${table} where ${waits[table]} and account_id > f.account_id
         order by account_id, next_attempt_at limit 1) n
     )`;

export const OLDEST_MAIL = oldestIn('email');
export const OLDEST_TEXT = oldestIn('text_message');

/**
 * Accounts whose oldest waiting email or text has been due since `before`, while none of the account was sent or tried after `movedSince`.
 */
export function waitingMail(
  sql: Sql,
  table: SentTable,
  at: { before: Date; movedSince: Date; now: Date; limit: number },
): Promise<WaitingMail[]> {
  return sql.query<WaitingMail>(
    `with recursive ${oldestIn(table)}
     select account_id as "accountId", id as oldest, at as since, (select count(*)::int from (
         select from ${table} e where e.account_id = f.account_id and ${waits[table]} and e.next_attempt_at <= $3 limit ${MOST_COUNTED}
       ) due) as count
     from first f
     where at <= $1
       and not exists (select from ${table} e where e.account_id = f.account_id and e.updated_at > $2 and e.attempts > 0)
       and not exists (select from problem p where p.account_id = f.account_id and p.subject_type = '${table}' and p.closed_at is null)
     order by at limit $4`,
    [at.before, at.movedSince, at.now, at.limit],
  );
}

/** Open problems of waiting mail or texts whose email or text has been tried since. */
export function movedMail(sql: Sql, table: SentTable, limit: number): Promise<{ accountId: number; id: number }[]> {
  return sql.query(
    `select account_id as "accountId", id from problem p where subject_type = '${table}' and closed_at is null
       and not exists (select from ${table} e where e.account_id = p.account_id and e.id = p.subject_id and ${waits[table]}
         and e.updated_at <= p.since) limit $1`,
    [limit],
  );
}
