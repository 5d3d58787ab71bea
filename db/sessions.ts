import type { Sql } from './queries/kernel/sql.ts';

/** Milliseconds that a statement of each login may take. Those over all accounts (`system`) may take longer: relay and sweep work in batches. */
export const STATEMENT_MILLISECONDS = { app: 5000, system: 10_000, gateway: 5000 } as const;

/** Limits of a login's sessions: no statement, lock wait or forgotten transaction holds others up for long. */
export const sessionLimits = (login: keyof typeof STATEMENT_MILLISECONDS): Readonly<Record<string, string>> => ({
  statement_timeout: `${STATEMENT_MILLISECONDS[login]}ms`,
  lock_timeout: '3s',
  idle_in_transaction_session_timeout: '10s',
});

interface Kept extends Sql {
  close(): Promise<void>;
}

/**
 * Reason why connections to this address are unfit; null: each keeps one session. Session locks, prepared statements and the session's
 * account depend on that. A pooler in transaction mode lends a session to another client between transactions.
 */
export async function unfitSessions(open: () => Promise<Kept>): Promise<string | null> {
  const [one, other] = [await open(), await open()];
  try {
    const before = [await sessionOf(one), await sessionOf(other)];
    await other.query('begin');
    const after = [await sessionOf(one), await sessionOf(other)];
    await other.query('rollback');
    if (String(before) !== String(after) || before[0] === before[1]) {
      return (
        'DATABASE_URL leads to a pooler that pools transactions (PgBouncer: pool_mode = transaction). Perennial needs one that pools sessions ' +
        '(pool_mode = session), or PostgreSQL itself: processes hold session locks, and a session knows whose rows it may see'
      );
    }
    const [limit] = await one.query<{ set: string }>(`select current_setting('statement_timeout') as set`);
    if (limit?.set !== '0') return null;
    return 'PostgreSQL gives the sessions of Perennial no limits of time: run `migrate`, which gives them to its logins';
  } finally {
    await Promise.allSettled([one.close(), other.close()]);
  }
}

async function sessionOf(connection: Sql): Promise<number | undefined> {
  const [row] = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
  return row?.pid;
}
