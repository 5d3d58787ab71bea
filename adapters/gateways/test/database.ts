import pg from 'pg';
import type { Logger } from 'pino';

/** A connection or the pool: what a single statement needs. */
export type Queryable = Pick<pg.ClientBase, 'query'>;

/** The gateway's own few connections. They give up after seconds, so that a caller always gets an error in time ("outcome unknown"). */
export function openPool(databaseUrl: string, log?: Pick<Logger, 'warn'>): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'test_gateway',
    max: 4,
    connectionTimeoutMillis: 5_000,
    query_timeout: 6_000,
  });
  // Without a listener a cut idle connection would end the process.
  pool.on('error', (error) => log?.warn({ err: error }, 'test gateway lost an idle database connection'));
  return pool;
}

/** Runs `work` in a transaction of its own; a connection that failed is thrown away. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A connection cut while in use reports here as well as by the failed statement.
  const ignore = () => {};
  client.on('error', ignore);
  let broken = true;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    broken = false;
    return result;
  } finally {
    client.off('error', ignore);
    client.release(broken);
  }
}
