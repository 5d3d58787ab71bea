import pg from 'pg';
import type { Logger } from 'pino';

/** A connection or the pool, for single statements. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

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
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    broken = false;
    return result;
  } finally {
    client.release(broken);
  }
}
