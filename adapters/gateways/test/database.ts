import pg from 'pg';
import type { Logger } from 'pino';

/** Sends single statements, over a connection or the pool. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
}

/**
 * Prepares each statement with values under a name, so that a connection parses and plans it once. A migration may change the result
 * columns of a prepared statement. The server then refuses it, and it is prepared anew under another name: at once, or with its transaction.
 */
export function prepared(db: pg.Pool | pg.PoolClient): Queryable {
  return {
    query: (text, values) => (values ? renewing('totalCount' in db, () => send(db, text, values)) : db.query(text)),
  };
}

/** Names by statement text. There are few texts. */
const names = new Map<string, string>();
let named = 0;

function send<Row extends pg.QueryResultRow>(db: Pick<pg.ClientBase, 'query'>, text: string, values: unknown[]) {
  const name = names.get(text) ?? `t${named++}`;
  names.set(text, name);
  return db.query<Row>({ name, text, values });
}

/** Runs `work`, and once more if that can help after the result columns of a prepared statement have changed. */
async function renewing<T>(canRepeat: boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isStale(error)) throw error;
    names.clear();
    if (!canRepeat) throw error;
    return work();
  }
}

const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery';

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
export function inTransaction<T>(pool: pg.Pool, work: (db: Queryable) => Promise<T>): Promise<T> {
  return renewing(true, () => transactionOnce(pool, work));
}

async function transactionOnce<T>(pool: pg.Pool, work: (db: Queryable) => Promise<T>): Promise<T> {
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
