import { setTimeout as pause } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { isLockTimeout, isRetryable } from './failure.ts';
import { refuseLater } from './migrations/forecast.ts';
import { refuseForeign } from './migrations/initial.ts';
import { migrationsList } from './migrations/list.ts';
import { administering } from './rights.ts';
import { entities } from './schema/entities.ts';
import { LIMITED_ROLE, SYSTEM_ROLE } from './tenant.ts';

/** Advisory lock: one migrator at a time, on whichever machine. */
export const MIGRATION_LOCK = 7_262_001;

/** Opens the database as its owner: for migrations and their checks only. Checks compare entities; migrations pass none. */
export function openDatabaseAsOwner(url: string, known: typeof entities | [] = entities): Promise<MikroORM> {
  return MikroORM.init(
    defineConfig({
      entities: known,
      discovery: { warnWhenNoEntities: false },
      clientUrl: url,
      driverOptions: { connectionString: url },
      pool: { min: 0, max: 2 },
      extensions: [Migrator],
      ensureDatabase: false,
      forceUtcTimezone: true,
      migrations: { migrationsList, allOrNothing: false, snapshot: false, silent: true },
    }),
  );
}

/** How far a migration goes, and how often and how long it retries while another transaction locks a table. */
export interface LockPatience {
  /** Number of tries before it gives up. */
  tries: number;
  pauseMilliseconds: number;
  /** The last migration to run; absent: all. */
  upTo?: string;
  /** Called after each failed try, with a description of the oldest other transaction. */
  onLocked?(oldest: string): void;
}

/** About eight minutes at most: each try waits up to two seconds for its lock. */
export const PATIENT: LockPatience = { tries: 100, pauseMilliseconds: 3000 };

/** Thrown when a table that a migration must lock stays locked. The message is for the operator. */
export class TablesLocked extends Error {
  override readonly name = 'TablesLocked';
}

/**
 * Migrates the database at `url` to this version, or to the migration `upTo`. Idempotent, also when run concurrently. Throws
 * ForeignDatabase or LaterDatabase for a database that this version cannot migrate, TablesLocked if a lock cannot be taken.
 */
export async function migrate(url: string, patience: LockPatience = PATIENT): Promise<void> {
  const lock = new pg.Client({ connectionString: url });
  await lock.connect();
  try {
    await lock.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    const orm = await openDatabaseAsOwner(url, []);
    try {
      const query = (sql: string) => orm.em.getConnection().execute(sql);
      await refuseForeign(query);
      await refuseLater(query);
      await administering(() => createRoles(orm)); // policies refer to the roles
      await migrateBetweenLocks(orm, patience);
    } finally {
      await orm.close(true);
    }
  } finally {
    await lock.end();
  }
}

/** Each migration is a transaction that waits for locks only briefly, because all later transactions wait behind it. */
async function migrateBetweenLocks(orm: MikroORM, patience: LockPatience): Promise<void> {
  const query = (sql: string) => orm.em.getConnection().execute(sql);
  const { upTo } = patience;
  await betweenLocks(patience, query, () => orm.migrator.up(upTo === undefined ? {} : { to: upTo }));
}

/** Repeats work that waits only briefly for its locks, until it has them. Throws TablesLocked if it never does. */
export async function betweenLocks(
  { tries, pauseMilliseconds, onLocked }: LockPatience,
  query: (sql: string) => Promise<Record<string, unknown>[]>,
  work: () => Promise<unknown>,
): Promise<void> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isLockTimeout(error) && !isRetryable(error)) throw error;
      const oldest = await oldestTransaction(query);
      if (left === 0)
        throw new TablesLocked(
          `Tables stayed locked for ${tries} tries. ${oldest} End it, then run \`migrate\` again.`,
        );
      onLocked?.(oldest);
      await pause(pauseMilliseconds);
    }
  }
}

/** Names the transaction that has had locks on our tables for the longest time. A login without `pg_read_all_stats` sees which, but not since when. */
async function oldestTransaction(query: (sql: string) => Promise<Record<string, unknown>[]>): Promise<string> {
  const [oldest] = await query(`
    select a.pid, coalesce(usename, '') as login, to_char(min(xact_start), 'HH24:MI:SS') as since,
      string_agg(distinct relname, ', ' order by relname) as tables
    from pg_locks l join pg_class c on c.oid = l.relation join pg_stat_activity a using (pid)
    where l.database = (select oid from pg_database where datname = current_database()) and l.granted and c.relkind in ('r', 'p')
      and c.relnamespace in (to_regnamespace('public'), to_regnamespace('test_gateway')) and a.pid <> pg_backend_pid()
    group by a.pid, usename order by min(xact_start), a.pid limit 1`);
  if (oldest === undefined) return 'No other transaction has locks on our tables any more.';
  const { login, pid, since, tables } = oldest;
  const holder = `${login}, process ${pid}, which has locks on ${tables}`;
  return typeof since === 'string'
    ? `The oldest other transaction is that of ${holder}, open since ${since}.`
    : `One other transaction is that of ${holder}. This login cannot see which is the oldest: grant pg_read_all_stats to it.`;
}

async function createRoles(orm: MikroORM): Promise<void> {
  for (const role of [SYSTEM_ROLE, LIMITED_ROLE])
    await orm.em.getConnection().execute(`
      do $$ begin
        if not exists (select 1 from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
      exception when duplicate_object or unique_violation then null;
      end $$`);
}
