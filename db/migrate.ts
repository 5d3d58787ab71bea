import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { refuseForeign } from './migrations/initial.ts';
import { migrationsList } from './migrations/list.ts';
import { entities } from './schema/entities.ts';
import { APP_ROLE, SYSTEM_ROLE } from './tenant.ts';

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

/**
 * Brings the database at `url` to this version and grants the application role its rights. Harmless when repeated or raced. Throws
 * ForeignDatabase for one that this version cannot go on with.
 */
export async function migrate(url: string): Promise<void> {
  const orm = await openDatabaseAsOwner(url);
  try {
    const connection = orm.em.getConnection();
    await connection.execute(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await refuseForeign((sql) => connection.execute(sql));
    await createRoles(orm); // policies name them
    await orm.migrator.up();
    await grantRights(orm);
  } finally {
    await orm.close(true);
  }
}

async function createRoles(orm: MikroORM): Promise<void> {
  const roles = [APP_ROLE, SYSTEM_ROLE].map(
    (role) => `
    do $$ begin
      if not exists (select 1 from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
    exception when duplicate_object or unique_violation then null;
    end $$;
    grant ${role} to current_user;`,
  );
  await orm.em.getConnection().execute(roles.join(''));
}

async function grantRights(orm: MikroORM): Promise<void> {
  const roles = `${APP_ROLE}, ${SYSTEM_ROLE}`;
  await orm.em.getConnection().execute(`
    grant usage on schema public to ${roles};
    grant select, insert, update, delete on all tables in schema public to ${roles};
    revoke update, delete on ledger_entry from ${roles};
    revoke insert, update, delete on mikro_orm_migrations from ${roles};
    grant usage, select on all sequences in schema public to ${roles};
  `);
}
