import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { nameStatements, type Pool, releaseLostConnections } from './pool.ts';
import { PreparedDriver } from './prepared.ts';
import { entities } from './schema/entities.ts';

export type { EntityManager } from '@mikro-orm/postgresql';
export { MikroORM } from '@mikro-orm/postgresql';

/** Role that API and workers act as: may read and write rows, owns nothing, and cannot alter the books. */
export const APP_ROLE = 'perennial_app';

/** Limits of every session: no statement, lock wait or forgotten transaction holds others up for long. */
const session = [
  `-c role=${APP_ROLE}`,
  '-c statement_timeout=5s',
  '-c lock_timeout=3s',
  '-c idle_in_transaction_session_timeout=10s',
].join(' ');

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** Called with the text of each statement; tests count with it. */
  onQuery?: (sql: string) => void;
}

/** Opens the database as the application role. One fork of its `em` per request and per activity. */
export function openDatabase(options: DatabaseOptions): Promise<MikroORM> {
  const { onQuery } = options;
  return MikroORM.init(
    defineConfig({
      entities,
      driver: PreparedDriver,
      clientUrl: options.url,
      pool: { min: 0, max: options.poolSize },
      driverOptions: {
        options: session,
        connectionTimeoutMillis: 5000,
        application_name: 'perennial',
        onPoolCreated: (pool: Pool) => {
          releaseLostConnections(pool);
          nameStatements(pool);
        },
      },
      ensureDatabase: false,
      forceUtcTimezone: true,
      ...(onQuery ? { debug: ['query'], logger: onQuery, colors: false } : {}),
    }),
  );
}
