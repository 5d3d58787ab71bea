import { defineConfig, type MetadataStorage, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { confineSessions } from './confinement.ts';
import { connectTimeout } from './connectTimeout.ts';
import { readNumbers } from './numbers.ts';
import { EntityManager } from './orm.ts';
import type { UnusualWait } from './places.ts';
import { nameStatements, type Pool, releaseLostConnections } from './pool.ts';
import { PreparedDriver } from './prepared.ts';
import { entities } from './schema/entities.ts';
import type { Tenant } from './tenant.ts';
import type { Throttle } from './throttle.ts';

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
  /** Called with the connection pool, for monitoring. */
  onPool?: (pool: Pool) => void;
  /** Called for each request that waited so long that it got a connection beyond its share, and for each that was refused. */
  onWait?: (end: UnusualWait) => void;
  /** Slows down accounts on a busy machine. Unset: no account rests. */
  throttle?: Throttle<Tenant> | undefined;
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
    return { em: new EntityManager(orm.config, orm.driver, understood), close: (force) => orm.close(force) };
  }
  understood = orm.getMetadata();
  return orm;
}

function settingsOf({ urls, poolSize, tenant, onQuery, onPool, onWait, throttle }: DatabaseOptions) {
  const url = tenant === 'system' ? urls.system : urls.app;
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
      onPoolCreated: (pool: pg.Pool) => {
        prepare(pool);
        confineSessions(pool, {
          otherwise: tenant ?? 'nobody',
          size: poolSize,
          systemSize: SYSTEM_POOL_SIZE,
          system: tenant ? pool : systemPool(pool, urls.system),
          onWait,
          throttle,
        });
        onPool?.(pool);
      },
    },
    ensureDatabase: false,
    forceUtcTimezone: true,
    ...(onQuery ? { debug: ['query'], logger: onQuery, colors: false } : {}),
  });
}

function prepare(pool: Pool): void {
  pool.on('connect', readNumbers);
  releaseLostConnections(pool);
  nameStatements(pool);
}

/** A pool that connects when it is first used, and ends with the pool beside it. */
function systemPool(beside: pg.Pool, url: string): pg.Pool {
  const pool = new pg.Pool({ ...beside.options, connectionString: url, max: SYSTEM_POOL_SIZE });
  prepare(pool);
  // As in the pool beside: a statement that fails tells of a lost connection.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  pool.on('error', () => undefined);
  const end = beside.end.bind(beside);
  beside.end = async () => {
    await Promise.all([end(), pool.end()]);
  };
  return pool;
}
