import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { confineSessions, nameStatements, type Pool, releaseLostConnections } from './pool.ts';
import { PreparedDriver } from './prepared.ts';
import { entities } from './schema/entities.ts';
import { APP_ROLE, type Tenant } from './tenant.ts';

export type { EntityManager } from '@mikro-orm/postgresql';
export { MikroORM } from '@mikro-orm/postgresql';

/** What is read is in memory or on a disk without a head: pages in any order cost about the same as one after another. */
export const RANDOM_PAGE_COST = 1.1;

/** Limits of every session: no statement, lock wait or forgotten transaction holds others up for long. */
const session = [
  `-c role=${APP_ROLE}`,
  '-c statement_timeout=5s',
  '-c lock_timeout=3s',
  '-c idle_in_transaction_session_timeout=10s',
  `-c random_page_cost=${RANDOM_PAGE_COST}`,
].join(' ');

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** Whose work is done where nothing says it; nobody's unless given. */
  tenant?: Tenant;
  /** Called with the text of each statement; tests count with it. */
  onQuery?: (sql: string) => void;
  /** Called with the pool of connections, for who watches it. */
  onPool?: (pool: Pool) => void;
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
          confineSessions(pool, options.tenant ?? 'nobody');
          options.onPool?.(pool);
        },
      },
      ensureDatabase: false,
      forceUtcTimezone: true,
      ...(onQuery ? { debug: ['query'], logger: onQuery, colors: false } : {}),
    }),
  );
}
