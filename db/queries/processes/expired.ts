import type { Sql } from '../kernel/sql.ts';

/** Tables of accounts whose rows expire at `expires_at`. */
const ofAccounts = [
  'oauth_token',
  'oauth_interaction',
  'oauth_grant',
  'member_session',
  'service_token',
  'portal_link',
  'portal_session',
];

/** How long events about mails are stored: longer than the period in which refusals for now are counted. */
const MAIL_EVENT_DAYS = 90;
/** How long the answer of an Idempotency-Key is stored. */
const KEY_DAYS = 30;

/**
 * Deletes expired sessions and secrets of people and of portals, rows of OAuth, service tokens, throttles, answers of Idempotency-Keys after 30 days, jobs 30 days after their end, events about mails after 90 days, and old webhook secrets. At most `limit`
 * rows of each kind; returns how many were deleted. A used or replaced token stays until it expires, so that its reuse is detected.
 */
export async function deleteExpired(sql: Sql, at: { now: Date; limit: number }): Promise<number> {
  let deleted = 0;
  for (const table of ofAccounts) {
    const rows = await sql.query(
      `delete from ${table} where (account_id, id) in (
         select account_id, id from ${table} where expires_at <= $1 limit $2 for update skip locked) returning 1`,
      [at.now, at.limit],
    );
    deleted += rows.length;
  }
  for (const table of ['person_session', 'person_secret']) {
    const rows = await sql.query(
      `delete from ${table} where id in (
         select id from ${table} where expires_at <= $1 limit $2 for update skip locked) returning 1`,
      [at.now, at.limit],
    );
    deleted += rows.length;
  }
  const throttles = await sql.query(
    'delete from throttle where key in (select key from throttle where ends_at <= $1 limit $2) returning 1',
    [at.now, at.limit],
  );
  const keys = await sql.query(
    `delete from idempotency where (account_id, credential_id, key) in (
       select account_id, credential_id, key from idempotency where created_at <= $1 limit $2 for update skip locked) returning 1`,
    [new Date(at.now.getTime() - KEY_DAYS * 86_400_000), at.limit],
  );
  const mailEvents = await sql.query(
    `delete from mail_event where (account_id, id) in (
       select account_id, id from mail_event where received_at <= $1 order by received_at limit $2) returning 1`,
    [new Date(at.now.getTime() - MAIL_EVENT_DAYS * 86_400_000), at.limit],
  );
  const jobs = await sql.query(
    `with gone as (
       delete from job where (account_id, id) in (
         select account_id, id from job where expires_at <= $1 order by expires_at limit $2 for update skip locked)
       returning account_id, store_key),
     stray as (
       insert into stray_bytes (account_id, store_key, due_at, doomed)
       select account_id, store_key, $1, false from gone where store_key is not null)
     select 1 from gone`,
    [at.now, at.limit],
  );
  const secrets = await sql.query(
    `update webhook set sealed_old_secret = null, old_secret_ends_at = null where (account_id, id) in (
       select account_id, id from webhook where old_secret_ends_at <= $1 limit $2 for update skip locked) returning 1`,
    [at.now, at.limit],
  );
  return deleted + jobs.length + mailEvents.length + secrets.length + throttles.length + keys.length;
}
