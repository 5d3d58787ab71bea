import type { Sql } from '../../db/queries/kernel/sql.ts';
import { quoted } from './tables.ts';

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/**
 * Runs work that writes rows of tables of a schema in any order: without triggers, which would write rows of their own, and without foreign
 * keys. Afterwards both are as before, and PostgreSQL has checked the foreign keys. Needs the owner, and a transaction.
 */
export async function withoutConstraints(
  sql: Sql,
  { schema, tables }: { schema: string; tables: readonly string[] },
  work: () => Promise<void>,
): Promise<void> {
  const own = (table: string) => `${quoted(schema)}.${quoted(table)}`;
  const keys = await sql.query<ForeignKey>(
    `select r.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c join pg_class r on r.oid = c.conrelid
     where c.contype = 'f' and c.connamespace = $1::regnamespace and c.conparentid = 0 order by 1, 2`,
    [schema],
  );
  for (const { table, name } of keys) await sql.query(`alter table ${own(table)} drop constraint ${quoted(name)}`);
  for (const table of tables) await sql.query(`alter table ${own(table)} disable trigger user`);
  await work();
  for (const table of tables) await sql.query(`alter table ${own(table)} enable trigger user`);
  for (const { table, name, definition } of keys)
    await sql.query(`alter table ${own(table)} add constraint ${quoted(name)} ${definition}`);
}
