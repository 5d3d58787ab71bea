import { defineConfig, type EntityManager, type MetadataStorage, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { AppendedRows } from './appending.ts';
import { confineSessions } from './confinement.ts';
import { readNumbers } from './numbers.ts';
import type { UnusualWait } from './places.ts';
import { nameStatements, type Pool, releaseLostConnections } from './pool.ts';
import { PreparedDriver } from './prepared.ts';
import { entities } from './schema/entities.ts';

/** What is read is in memory or on a disk without a head: pages in any order cost about the same as one after another. */
export const RANDOM_PAGE_COST = 1.1;

/** Connections for work over all accounts: of an API signing in, OAuth, and lists by metadata. */
const SYSTEM_POOL_SIZE = 4;

export interface DatabaseOptions {
  /** The database, for the login that sees one account at a time and for the one that sees all of them. */
  urls: { app: string; system: string };
  poolSize: number;
  /** Whose work is done where nothing says it; nobody's unless given. */
  tenant?: 'system';
  /** Called with the text of each statement; tests count with it. */
  onQuery?: (sql: string) => void;
  /** Called with the pool of connections, for who watches it. */
  onPool?: (pool: Pool) => void;
  /** Told of each that waited for a connection for so long that it got one beyond its share, and of each that was refused. */
  onWait?: (end: UnusualWait) => void;
}

/** An open database. One fork of `em` per request and per activity. `close` ends its connections. */
export interface Database {
  em: EntityManager;
  close(force?: boolean): Promise<void>;
}

/** The entities as MikroORM understands them, which it finds out when the process first opens a database. */
let understood: MetadataStorage | undefined;

export function openDatabase(options: DatabaseOptions): Database {
  const orm = new MikroORM({ ...settingsOf(options), discovery: { skipSyncDiscovery: understood !== undefined } });
  if (understood) giveEntities(orm, understood);
  else understood = orm.getMetadata();
  return orm;
}

/** As MikroORM does when it has found them out. */
function giveEntities(orm: Pick<MikroORM, 'driver'>, entities: MetadataStorage): void {
  orm.driver.setMetadata(entities);
  const em = orm.driver.createEntityManager();
  Reflect.set(em, 'global', true); // only its forks hold rows
  Reflect.set(orm, 'em', em);
}

function settingsOf({ urls, poolSize, tenant, onQuery, onPool, onWait }: DatabaseOptions) {
  const url = tenant === 'system' ? urls.system : urls.app;
  return defineConfig({
    entities,
    driver: PreparedDriver,
    clientUrl: url,
    pool: { min: 0, max: poolSize },
    driverOptions: {
      connectionString: url,
      connectionTimeoutMillis: 5000,
      application_name: 'perennial',
      onPoolCreated: (pool: pg.Pool) => {
        prepare(pool);
        confineSessions(pool, {
          otherwise: tenant ?? 'nobody',
          size: poolSize,
          systemSize: SYSTEM_POOL_SIZE,
          system: tenant ? pool : systemPool(pool, urls.system),
          onWait,
        });
        onPool?.(pool);
      },
    },
    ensureDatabase: false,
    forceUtcTimezone: true,
    subscribers: [new AppendedRows()],
    ...(onQuery ? { debug: ['query'], logger: onQuery, colors: false } : {}),
  });
}

function prepare(pool: Pool): void {
  pool.on('connect', readNumbers);
  releaseLostConnections(pool);
  nameStatements(pool);
}

/** Connects when it is first needed, and ends with the pool beside which it is. */
function systemPool(beside: pg.Pool, url: string): pg.Pool {
  const pool = new pg.Pool({ ...beside.options, connectionString: url, max: SYSTEM_POOL_SIZE });
  prepare(pool);
  // As the pool beside: a connection that is cut is known by the statement that fails.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  pool.on('error', () => undefined);
  const end = beside.end.bind(beside);
  beside.end = async () => {
    await Promise.all([end(), pool.end()]);
  };
  return pool;
}
