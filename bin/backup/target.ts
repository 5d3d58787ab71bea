import pg from 'pg';
import { type Connection, connect } from '../../workers/connection.ts';
import { ConfigError } from '../configError.ts';
import { openSession } from './session.ts';
import { quoted } from './tables.ts';

/** PostgreSQL's code for a database that does not exist. */
const NO_DATABASE = '3D000';

/** Opens the database for a restore as its owner. Creates it if it does not exist. Throws a ConfigError if it has tables. */
export async function openTarget(url: string): Promise<Connection> {
  const connection = await openSession(url).catch(async (error: unknown) => {
    if (!(error instanceof pg.DatabaseError && error.code === NO_DATABASE)) throw error;
    await createDatabase(url);
    return openSession(url);
  });
  const [found] = await connection.query<{ count: number }>(
    `select count(*)::int as count from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p')`,
  );
  if (found?.count === 0) return connection;
  await connection.close();
  throw new ConfigError(
    'The database is not empty. A restore never overwrites data: set DATABASE_URL to a new database, which the restore creates.',
  );
}

async function createDatabase(url: string): Promise<void> {
  const server = new URL(url);
  const name = decodeURIComponent(server.pathname.slice(1));
  server.pathname = '/postgres';
  const connection = await connect(server.href);
  await connection.query(`create database ${quoted(name)}`).finally(() => connection.close());
}
