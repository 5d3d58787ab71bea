import type { Sql } from './sql.ts';

/**
 * Deletes what signing in and OAuth leave behind once it has expired, at most `limit` rows of each kind; answers how many. A token that
 * was used or replaced stays until it expires: that somebody uses it again must be seen.
 */
export async function deleteExpired(sql: Sql, at: { now: Date; limit: number }): Promise<number> {
  let deleted = 0;
  for (const table of ['oauth_token', 'oauth_interaction', 'oauth_grant', 'member_session']) {
    const rows = await sql.query(
      `delete from ${table} where (account_id, id) in (
         select account_id, id from ${table} where expires_at <= $1 limit $2 for update skip locked) returning 1`,
      [at.now, at.limit],
    );
    deleted += rows.length;
  }
  const rows = await sql.query(
    'delete from throttle where key in (select key from throttle where ends_at <= $1 limit $2) returning 1',
    [at.now, at.limit],
  );
  return deleted + rows.length;
}
