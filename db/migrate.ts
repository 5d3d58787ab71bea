import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { migrationsList } from './migrations/list.ts';
import { APP_ROLE } from './orm.ts';
import { entities } from './schema/entities.ts';

/** One migrator at a time, whichever machine it runs on. */
const MIGRATION_LOCK = 7_262_001;

/** The database as its owner: for migrations and their checks only. */
export function openDatabaseAsOwner(url: string): Promise<MikroORM> {
  return MikroORM.init(
    defineConfig({
      entities,
      clientUrl: url,
      pool: { min: 0, max: 2 },
      extensions: [Migrator],
      ensureDatabase: false,
      forceUtcTimezone: true,
      migrations: { migrationsList, snapshot: false, silent: true },
    }),
  );
}

/** Brings the database at `url` to this version and grants the application role its rights. Harmless when repeated or raced. */
export async function migrate(url: string): Promise<void> {
  const orm = await openDatabaseAsOwner(url);
  try {
    await orm.em.getConnection().execute(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await orm.migrator.up();
    await grantRights(orm);
  } finally {
    await orm.close(true);
  }
}

async function grantRights(orm: MikroORM): Promise<void> {
  await orm.em.getConnection().execute(`
    do $$ begin
      if not exists (select 1 from pg_roles where rolname = '${APP_ROLE}') then create role ${APP_ROLE} nologin; end if;
    exception when duplicate_object or unique_violation then null;
    end $$;
    grant ${APP_ROLE} to current_user;
    grant usage on schema public to ${APP_ROLE};
    grant select, insert, update, delete on all tables in schema public to ${APP_ROLE};
    revoke update, delete on ledger_entry from ${APP_ROLE};
    revoke insert, update, delete on mikro_orm_migrations from ${APP_ROLE};
    grant usage, select on all sequences in schema public to ${APP_ROLE};
  `);
}
