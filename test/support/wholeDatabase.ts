import { type Connection, connect } from '../../workers/connection.ts';

/** The rows of each table as JSON, by `schema.table`. */
export type Rows = Record<string, string[]>;

/** Runs work with a connection to a database, whose settings do not change how values are written. */
export async function withConnection<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connect(url);
  try {
    await connection.query(
      `set datestyle = 'ISO'; set timezone = 'UTC'; set extra_float_digits = 1; set bytea_output = 'hex'`,
    );
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** All tables of all schemas, apart from PostgreSQL's own. Partitions are read with their table: months are opened as time goes by. */
const TABLES = `
  select format('%s.%s', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1`;

/** All rows of a database. `without`: columns to leave out, by table. */
export function rowsIn(url: string, without: Readonly<Record<string, readonly string[]>>): Promise<Rows> {
  return withConnection(url, async (connection) => {
    const rows: Rows = {};
    for (const { name } of await connection.query<{ name: string }>(TABLES)) {
      const read = `select (to_jsonb(t) - $1::text[])::text as row from ${name} t order by 1`;
      rows[name] = (await connection.query<{ row: string }>(read, [without[name] ?? []])).map(({ row }) => row);
    }
    return rows;
  });
}

/** The last value of each sequence that has one. The sequence of the migrations is left out. */
export function sequencesIn(url: string): Promise<Record<string, number>> {
  return withConnection(url, async (connection) => {
    const sequences = await connection.query<{ name: string; last: number }>(
      `select format('%s.%s', schemaname, sequencename) as name, last_value::float8 as last from pg_sequences
       where last_value is not null and sequencename !~ '^mikro_orm_migrations' order by 1`,
    );
    return Object.fromEntries(sequences.map(({ name, last }) => [name, last]));
  });
}

const PARTITIONS = 'select oid from pg_class where relispartition';

/** What guards the rows of all tables, as lines: constraints that are checked, triggers that are enabled, row security. */
export function guardsIn(url: string): Promise<string[]> {
  return withConnection(url, async (connection) => {
    const lines = await connection.query<{ line: string }>(
      `select format('%s.%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) as line
       from pg_constraint where conrelid <> 0 and connamespace <> 'pg_catalog'::regnamespace and conrelid not in (${PARTITIONS})
       union all select format('%s %s', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal and tgrelid not in (${PARTITIONS})
       union all select format('%s %s %s', oid::regclass, relrowsecurity, relforcerowsecurity) from pg_class where relrowsecurity
       order by 1`,
    );
    return lines.map(({ line }) => line);
  });
}
