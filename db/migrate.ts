import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { refuseForeign } from './migrations/initial.ts';
import { migrationsList } from './migrations/list.ts';
import { administering } from './roles.ts';
import { entities } from './schema/entities.ts';
import { SYSTEM_ROLE } from './tenant.ts';

/** Advisory lock: one migrator at a time, on whichever machine. */
export const MIGRATION_LOCK = 7_262_001;

/** Opens the database as its owner: for migrations and their checks only. */
export function openDatabaseAsOwner(url: string): Promise<MikroORM> {
  return MikroORM.init(
    defineConfig({
      entities,
      clientUrl: url,
      driverOptions: { connectionString: url },
      pool: { min: 0, max: 2 },
      extensions: [Migrator],
      ensureDatabase: false,
      forceUtcTimezone: true,
      migrations: { migrationsList, snapshot: false, silent: true },
    }),
  );
}

/**
 * Migrates the database at `url` to this version. Idempotent, also when run concurrently. Throws ForeignDatabase for a database that this
 * version cannot migrate.
 */
export async function migrate(url: string): Promise<void> {
  const orm = await openDatabaseAsOwner(url);
  try {
    const connection = orm.em.getConnection();
    await connection.execute(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await refuseForeign((sql) => connection.execute(sql));
    await administering(() => createSystemRole(orm)); // policies refer to the role
    await orm.migrator.up();
  } finally {
    await orm.close(true);
  }
}

async function createSystemRole(orm: MikroORM): Promise<void> {
  await orm.em.getConnection().execute(`
    do $$ begin
      if not exists (select 1 from pg_roles where rolname = '${SYSTEM_ROLE}') then create role ${SYSTEM_ROLE} nologin; end if;
    exception when duplicate_object or unique_violation then null;
    end $$`);
}
