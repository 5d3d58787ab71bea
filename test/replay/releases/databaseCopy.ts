import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { testGatewayTables } from '../../../adapters/gateways/test/schema.ts';
import { markOf } from '../../../db/migrations/initial.ts';
import { migrationNames } from '../../../db/migrations/names.ts';
import { LIMITED_ROLE, SYSTEM_ROLE } from '../../../db/tenant.ts';
import { projectFolder } from '../../suites.ts';

const SCHEMAS = `('public', 'test_gateway')`;

/**
 * SQL that recreates a migrated database of this version in an empty one: the current migrations, the functions that `migrate` creates, all
 * rows, and the state of all sequences. Logins and their rights are left out because `migrate` creates them.
 */
export async function copyDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read');
    const rows = await copyRows(client);
    return [...schema(), ...(await functions(client)), 'set session_replication_role = replica', ...rows, '']
      .join(';\n')
      .concat('reset session_replication_role;\n');
  } finally {
    await client.end();
  }
}

function schema(): string[] {
  const migrations = migrationNames.map((name) =>
    readFileSync(join(projectFolder, 'db/migrations', `${name}.sql`), 'utf8'),
  );
  return [
    ...[SYSTEM_ROLE, LIMITED_ROLE].map(
      (role) =>
        `do $$ begin create role ${role} nologin; exception when duplicate_object or unique_violation then null; end $$`,
    ),
    ...migrations,
    'create table mikro_orm_migrations (id serial primary key, name varchar(255), executed_at timestamptz default current_timestamp)',
    `comment on table mikro_orm_migrations is '${markOf(migrationNames[0])}'`,
    testGatewayTables,
  ];
}

/** The functions outside the schema "public", which `migrate` creates again each time. */
async function functions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ schema: string; definition: string }>(
    `select nspname as schema, pg_get_functiondef(p.oid) as definition from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where nspname !~ '^pg_' and nspname not in ('information_schema', 'public') order by 1, proname`,
  );
  const schemas = [...new Set(rows.map((row) => row.schema))];
  return [...schemas.map((name) => `create schema ${name}`), ...rows.map(({ definition }) => definition)];
}

async function copyRows(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string; columns: string[]; identity: boolean }>(
    `select format('%I.%I', nspname, relname) as name, array_agg(quote_ident(attname) order by attnum) as columns,
       bool_or(attidentity = 'a') as identity
     from pg_class c join pg_namespace n on n.oid = relnamespace join pg_attribute a on attrelid = c.oid
     where nspname in ${SCHEMAS} and relkind = 'r' and attnum > 0 and not attisdropped and attgenerated = ''
     group by nspname, relname order by 1`,
  );
  const { rows: sequences } = await client.query<{ statement: string }>(
    `select format('select setval(%L, %s)', format('%I.%I', schemaname, sequencename), last_value) as statement
     from pg_sequences where schemaname in ${SCHEMAS} and last_value is not null order by 1`,
  );
  const inserts: string[] = [];
  for (const { name, columns, identity } of tables) {
    const values = columns.map((column) => `quote_nullable(${column}::text)`).join(` || ', ' || `);
    const { rows } = await client.query<{ row: string }>(
      `select '(' || ${values} || ')' as row from ${name} order by ctid`,
    );
    if (rows.length === 0) continue;
    const into = `insert into ${name} (${columns.join(', ')})${identity ? ' overriding system value' : ''}`;
    inserts.push(`${into} values\n${rows.map(({ row }) => row).join(',\n')}`);
  }
  return [...inserts, ...sequences.map(({ statement }) => statement)];
}
