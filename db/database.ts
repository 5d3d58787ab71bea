import { defineConfig, type MetadataStorage, MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { AccountPool, type PoolCounts } from './accountPool.ts';
import { connectTimeout } from './connectTimeout.ts';
import type { ConcurrencyLimit } from './fairness/concurrencyLimit.ts';
import type { UnusualWait } from './fairness/places.ts';
import { EntityManager } from './orm.ts';
import { PreparedDriver } from './prepared.ts';
import { entities } from './schema/entities.ts';
import type { Tenant } from './tenant.ts';

/** Data is in memory or on an SSD: random pages cost about the same as sequential ones. */
export const RANDOM_PAGE_COST = 1.1;

/** Number of connections for work over all accounts in an API: sign-in, OAuth, lists by metadata. */
const SYSTEM_POOL_SIZE = 4;

export interface DatabaseOptions {
  /** Connection URLs: of the login that sees one account at a time (`app`), and of the one that sees all accounts (`system`). */
  urls: { app: string; system: string };
  poolSize: number;
  /** The tenant if none is set; nobody by default. */
  tenant?: 'system';
  /** Called with the text of each statement; tests count with it. */
  onQuery?: (sql: string) => void;
  /** Called with the numbers of the connection pool, for monitoring. */
  onPool?: (counts: PoolCounts) => void;
  /** Called for each request that waited so long that it got a connection beyond its share, and for each that was refused. */
  onWait?: (end: UnusualWait) => void;
  /** Slows down accounts on a busy machine. Unset: no account rests. */
  concurrencyLimit?: ConcurrencyLimit<Tenant> | undefined;
}

/** An open database. One fork of `em` per request and per activity. `close` ends its connections. */
export interface Database {
  em: EntityManager;
  close(force?: boolean): Promise<void>;
}

/** MikroORM's entity metadata, discovered when the process first opens a database. */
let understood: MetadataStorage | undefined;

export function openDatabase(options: DatabaseOptions): Database {
  const orm = new MikroORM({ ...settingsOf(options), discovery: { skipSyncDiscovery: understood !== undefined } });
  if (understood) {
    orm.driver.setMetadata(understood);
    const em = new EntityManager(orm.config, orm.driver, understood);
    Object.assign(em, { global: true }); // MikroORM marks only its own one, and refuses reads and writes of it: forks do them
    return { em, close: (force) => orm.close(force) };
  }
  understood = orm.getMetadata();
  return orm;
}

function settingsOf({ urls, poolSize, tenant, onQuery, onPool, onWait, concurrencyLimit }: DatabaseOptions) {
  const url = tenant === 'system' ? urls.system : urls.app;
  const openPool = (own: pg.PoolConfig): AccountPool => {
    const system = tenant ? null : { ...own, connectionString: urls.system, max: SYSTEM_POOL_SIZE };
    const pool = new AccountPool(own, { otherwise: tenant ?? 'nobody', system, onWait, concurrencyLimit });
    onPool?.(pool);
    return pool;
  };
  return defineConfig({
    entities,
    driver: PreparedDriver,
    entityManager: EntityManager,
    clientUrl: url,
    pool: { min: 0, max: poolSize },
    driverOptions: {
      connectionString: url,
      connectionTimeoutMillis: connectTimeout(url),
      application_name: 'perennial',
      openPool,
    },
    ensureDatabase: false,
    forceUtcTimezone: true,
    ...(onQuery ? { debug: ['query'], logger: onQuery, colors: false } : {}),
  });
}
