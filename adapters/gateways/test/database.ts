import pg from 'pg';
import type { Logger } from 'pino';

/** Sends single statements, over a connection or the pool. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
}

/**
 * Prepares each statement with values under a name, so that a connection parses and plans it once. A migration may change the result
 * columns of a prepared statement. The server then refuses it, and this call throws. The next call prepares it under another name.
 */
export function prepared(db: Pick<pg.ClientBase, 'query'>): Queryable {
  return {
    async query(text, values) {
      if (!values) return db.query(text);
      try {
        return await db.query({ name: nameOf(text), text, values });
      } catch (error) {
        if (isStale(error)) names.delete(text);
        throw error;
      }
    },
  };
}

/** Names by statement text. There are few texts. */
const names = new Map<string, string>();
let named = 0;

function nameOf(text: string): string {
  const name = names.get(text) ?? `t${named++}`;
  names.set(text, name);
  return name;
}

/** Whether the server refused a prepared statement because its result columns have changed. */
function isStale(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000';
}

/**
 * Opens the gateway's own connection pool, of at most four connections. Its statements time out within seconds, so that a caller gets an error
 * in time and treats the outcome as unknown.
 */
export function openPool(databaseUrl: string, log?: Pick<Logger, 'warn'>): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'test_gateway',
    max: 4,
    connectionTimeoutMillis: 5_000,
    query_timeout: 6_000,
  });
  // Without a listener, a lost connection would end the process. The pool listens only to idle ones; a failed statement reports those in use.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  pool.on('error', (error) => log?.warn({ err: error }, 'test gateway lost an idle database connection'));
  return pool;
}

/** Runs `work` in a transaction. A connection on which anything failed is discarded. */
export async function inTransaction<T>(pool: pg.Pool, work: (db: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    const result = await work(prepared(client));
    await client.query('commit');
    broken = false;
    return result;
  } finally {
    client.release(broken);
  }
}
