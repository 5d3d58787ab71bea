import type { Sql } from '../../db/queries/kernel/sql.ts';

/** A table with its columns. Generated columns are left out, because the database computes them. */
export interface TableColumns {
  schema: string;
  table: string;
  columns: { name: string; type: string }[];
}

/** Number of rows that are read at once. */
const BATCH = 500;
/** Characters of rows that are written at once, at least. */
const WRITTEN_AT_ONCE = 4_000_000;

/** The tables of a schema. */
export function tablesOf(sql: Sql, schema: string): Promise<TableColumns[]> {
  return sql.query<TableColumns>(
    `select n.nspname as schema, c.relname as table, (
       select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
       from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname = $1 order by c.relname`,
    [schema],
  );
}

/** Reads all rows of a table, each as a JSON list of the texts of its columns. Call it in a transaction. */
export async function* rowsOf(sql: Sql, { schema, table, columns }: TableColumns): AsyncGenerator<string[]> {
  const texts = columns.map(({ name }) => `${quoted(name)}::text`);
  const rows = `select to_json(array[${texts.join(', ')}])::text as line from ${quoted(schema)}.${quoted(table)}`;
  await sql.query(`declare backed_up no scroll cursor for ${rows}`);
  for (;;) {
    const batch = await sql.query<{ line: string }>(`fetch ${BATCH} from backed_up`);
    if (batch.length === 0) break;
    yield batch.map(({ line }) => line);
  }
  await sql.query('close backed_up');
}

/** Writes rows as `rowsOf` reads them. `columns`: the columns of each row, in order. Returns the number of rows. */
export async function loadRows(
  sql: Sql,
  { schema, table, columns }: TableColumns,
  batches: AsyncIterable<string[]>,
): Promise<number> {
  const names = columns.map(({ name }) => quoted(name)).join(', ');
  const values = columns.map(({ type }, index) => `(r.line->>${index})::${type}`).join(', ');
  // With `offset`, PostgreSQL parses each row once, not once for each column.
  const insertion = `insert into ${quoted(schema)}.${quoted(table)} (${names}) overriding system value
    select ${values} from (select line from jsonb_array_elements($1::jsonb) as lines(line) offset 0) r`;
  const write = (lines: readonly string[]) => sql.query(insertion, [`[${lines.join()}]`]);
  let rows = 0;
  let waiting: string[] = [];
  let size = 0;
  for await (const lines of batches) {
    for (const line of lines) {
      waiting.push(line);
      size += line.length;
      if (size < WRITTEN_AT_ONCE) continue;
      await write(waiting);
      rows += waiting.length;
      waiting = [];
      size = 0;
    }
  }
  if (waiting.length > 0) await write(waiting);
  return rows + waiting.length;
}

/** The columns of a part, with the types that they have in a database. Throws if a column is missing there. */
export function typedColumns(
  part: { schema: string; table: string; columns: string[] },
  tables: readonly TableColumns[],
): TableColumns {
  const found = tables.find(({ schema, table }) => schema === part.schema && table === part.table);
  const columns = part.columns.map((name) => {
    const column = found?.columns.find((one) => one.name === name);
    if (!column) throw new Error(`the database has no column ${part.schema}.${part.table}.${name}`);
    return column;
  });
  return { schema: part.schema, table: part.table, columns };
}

/** A name in a statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
