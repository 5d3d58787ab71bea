import pg from 'pg';
import { RANDOM_PAGE_COST } from './database.ts';
import { LOOKUP_SCHEMA, lookups } from './lookups.ts';
import { betweenLocks, type LockPatience, MIGRATION_LOCK, PATIENT } from './migrate.ts';
import { refuseLater } from './migrations/forecast.ts';
import { LOCK_SECONDS } from './migrations/list.ts';
import { administering, rights } from './rights.ts';
import { ROUTINE_SCHEMA, routines } from './routines.ts';
import { sessionLimits } from './sessions.ts';
import { LIMITED_ROLE, SYSTEM_ROLE } from './tenant.ts';

/** A login to be created: its name, and the password verifier that the server stores. */
export interface NewLogin {
  user: string;
  verifier: string;
}

export interface NewLogins {
  app: NewLogin;
  system: NewLogin;
  /** The local test gateway's login. It has no rights on our tables. */
  gateway: NewLogin;
}

/**
 * Creates the logins for API and workers in the database at `url` (the owner's URL) and grants their rights. `all` has the logins of each
 * encryption key: of two while it is rotated. Revokes the rights of logins of other keys. Runs after every migration, because tables may be
 * new. Idempotent, also when run concurrently. Throws LaterDatabase, because it would revoke the rights on tables that only a later version
 * knows.
 */
export async function grantLogins(
  url: string,
  all: readonly NewLogins[],
  patience: LockPatience = PATIENT,
): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    await owner.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await owner.query(`set lock_timeout = '${LOCK_SECONDS}s'`);
    const query = async (sql: string) => (await owner.query(sql)).rows;
    await refuseLater(query);
    for (const logins of all) await betweenLocks(patience, query, () => grantKey(owner, logins));
    const names = [...all.flatMap(({ app, system }) => [app.user, system.user]), LIMITED_ROLE];
    await betweenLocks(patience, query, async () => {
      await createFunctions(owner, names, { schema: LOOKUP_SCHEMA, functions: lookups });
      await createFunctions(owner, names, { schema: ROUTINE_SCHEMA, functions: routines });
      await forgetOthers(owner, all);
    });
  } finally {
    await owner.end();
  }
}

/** Creates the logins of one key, and grants their rights on tables. */
async function grantKey(owner: pg.Client, logins: NewLogins): Promise<void> {
  await administering(async () => {
    // It has none of the role's rights by itself, and no policy of the role applies to it, until it switches to the role.
    const limited = `alter role "${logins.app.user}" noinherit; grant ${LIMITED_ROLE} to "${logins.app.user}";`;
    await createLogin(owner, logins.app, limited + settingsOf(logins.app, sessionLimits('app')));
    const grant = `grant ${SYSTEM_ROLE} to "${logins.system.user}";`;
    await createLogin(owner, logins.system, grant + settingsOf(logins.system, sessionLimits('system')));
    await createLogin(owner, logins.gateway, settingsOf(logins.gateway, sessionLimits('gateway')));
  });
  await grantRights(owner, logins);
}

/**
 * Creates or updates a login. Roles belong to the whole server: a deployment with the same key in another database may create the same ones
 * at the same time.
 */
async function createLogin(owner: pg.Client, { user, verifier }: NewLogin, more: string): Promise<void> {
  await owner.query(`
    do $$ begin
      if not exists (select 1 from pg_roles where rolname = '${user}') then create role "${user}" login; end if;
    exception when duplicate_object or unique_violation then null;
    end $$;
    do $$ begin
      alter role "${user}" login password '${verifier}';
      ${more}
    exception when internal_error or unique_violation then null;
    end $$;
  `);
}

/** How sessions write times, whatever the server's settings are: `time` in db/queries/kernel/plain.ts parses them. */
const FORMAT = { timezone: 'UTC', datestyle: 'ISO' };

/** Settings belong to the login and are not sent with each connection, because poolers refuse or drop startup parameters. */
function settingsOf({ user }: NewLogin, limits: Readonly<Record<string, string>>): string {
  const settings = Object.entries({ ...limits, ...FORMAT, random_page_cost: RANDOM_PAGE_COST });
  return settings.map(([name, value]) => `alter role "${user}" set ${name} = '${value}';`).join('\n');
}

/** Grants all rights in one transaction: concurrent work has either the old rights or the new ones. */
async function grantRights(owner: pg.Client, { app, system, gateway }: NewLogins): Promise<void> {
  const logins = quoted([app.user, system.user, LIMITED_ROLE]);
  const tables = Object.entries(rights).map(
    ([table, may]) => grantOn(table, may.app, app.user, LIMITED_ROLE) + grantOn(table, may.system, system.user),
  );
  await owner.query(`
    do $$ begin
      execute format('grant connect on database %I to ${logins}, ${quoted([gateway.user])}', current_database());
    end $$;
    revoke create on schema public from public;
    grant usage on schema public to ${logins};
    revoke all on all tables in schema public from ${logins};
    revoke all on all sequences in schema public from ${logins};
    ${tables.join('\n')}
    grant usage on all sequences in schema public to ${logins};
  `);
}

function grantOn(table: string, privileges: string, ...names: readonly string[]): string {
  return privileges === '' ? '' : `grant ${privileges} on public."${table}" to ${quoted(names)};`;
}

async function createFunctions(
  owner: pg.Client,
  names: readonly string[],
  { schema, functions }: { schema: string; functions: readonly { signature: string; create: string }[] },
): Promise<void> {
  const own = [`create schema if not exists ${schema};`, `grant usage on schema ${schema} to ${quoted(names)};`];
  const statements = functions.flatMap(({ signature, create }) => [
    create,
    `revoke all on function ${signature} from public;`,
    `grant execute on function ${signature} to ${quoted(names)};`,
  ]);
  await owner.query([...own, ...statements].join('\n'));
}

/** Revokes the rights that logins of earlier keys have in this database, and drops those that have no rights anywhere. */
async function forgetOthers(owner: pg.Client, kept: readonly NewLogins[]): Promise<void> {
  const names = kept.flatMap(({ app, system, gateway }) => [app.user, system.user, gateway.user]);
  const { rows: others } = await owner.query<{ name: string }>(
    `select distinct r.rolname as name from pg_shdepend d
      join pg_roles r on r.oid = d.refobjid
      join pg_database b on b.oid = d.dbid and b.datname = current_database()
    where d.refclassid = 'pg_authid'::regclass and d.deptype = 'a' and r.rolname ~ '^perennial_(app|system|gateway)_[0-9a-f]{16}$'
      and r.rolname <> all($1)`,
    [names],
  );
  if (others.length === 0) return;
  const { rows: schemas } = await owner.query<{ name: string }>(
    `select quote_ident(nspname) as name from pg_namespace where nspname = 'public' or pg_has_role(current_user, nspowner, 'usage') and nspname !~ '^(pg_|information_schema$)'`,
  );
  for (const { name } of others) {
    const revocations = schemas.map(
      ({ name: schema }) => `
        revoke all on all tables in schema ${schema} from "${name}";
        revoke all on all sequences in schema ${schema} from "${name}";
        revoke all on all functions in schema ${schema} from "${name}";
        revoke all on schema ${schema} from "${name}";`,
    );
    await owner.query(`
      ${revocations.join('\n')}
      do $$ begin
        execute format('revoke all on database %I from "${name}"', current_database());
        drop role "${name}";
      exception when dependent_objects_still_exist or object_in_use or insufficient_privilege or internal_error then null;
      end $$;
    `);
  }
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
