import { setTimeout as pause } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { isLockTimeout, isRetryable } from './failure.ts';
import { refuseForeign } from './migrations/initial.ts';
import { migrationsList } from './migrations/list.ts';
import { administering } from './roles.ts';
import { entities } from './schema/entities.ts';
import { SYSTEM_ROLE } from './tenant.ts';

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
 * ForeignDatabase for a database that this version cannot migrate, TablesLocked if a lock cannot be taken.
 */
export async function migrate(url: string, patience: LockPatience = PATIENT): Promise<void> {
  const lock = new pg.Client({ connectionString: url });
  await lock.connect();
  try {
    await lock.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    const orm = await openDatabaseAsOwner(url, []);
    try {
      await refuseForeign((sql) => orm.em.getConnection().execute(sql));
      await administering(() => createSystemRole(orm)); // policies refer to the role
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
  const { tries, pauseMilliseconds, upTo, onLocked } = patience;
  for (let left = tries - 1; ; left -= 1) {
    try {
      await orm.migrator.up(upTo === undefined ? {} : { to: upTo });
      return;
    } catch (error) {
      if (!isLockTimeout(error) && !isRetryable(error)) throw error;
      const oldest = await oldestTransaction(orm);
      if (left === 0)
        throw new TablesLocked(
          `Tables stayed locked for ${tries} tries. ${oldest} End it, then run \`migrate\` again.`,
        );
      onLocked?.(oldest);
      await pause(pauseMilliseconds);
    }
  }
}

async function oldestTransaction(orm: MikroORM): Promise<string> {
  const [oldest] = await orm.em.getConnection().execute(`
    select pid, coalesce(usename, '') as login, to_char(xact_start, 'HH24:MI:SS') as since from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null order by xact_start limit 1`);
  if (oldest === undefined) return 'No other transaction is open any more.';
  return `The oldest other transaction is that of ${oldest.login}, process ${oldest.pid}, open since ${oldest.since}.`;
}

async function createSystemRole(orm: MikroORM): Promise<void> {
  await orm.em.getConnection().execute(`
    do $$ begin
      if not exists (select 1 from pg_roles where rolname = '${SYSTEM_ROLE}') then create role ${SYSTEM_ROLE} nologin; end if;
    exception when duplicate_object or unique_violation then null;
    end $$`);
}
