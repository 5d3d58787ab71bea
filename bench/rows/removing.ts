import type { Sql } from '../../db/queries/kernel/sql.ts';

/**
 * Runs work and then removes all rows that it has inserted, without triggers, and restores the rows of charges and payments that it has
 * changed. Nothing else may write meanwhile.
 */
export async function rowsRemoved<Result>(sql: Sql, work: () => Promise<Result>): Promise<Result> {
  const tables = await sql.query<{ name: string }>(
    `select table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'id' and c.data_type in ('integer', 'bigint') and t.table_type = 'BASE TABLE'`,
  );
  const last = new Map<string, number>();
  for (const { name } of tables) {
    const [row] = await sql.query<{ id: string }>(`select coalesce(max(id), 0)::text as id from "${name}"`);
    last.set(name, Number(row?.id));
  }
  const kept = ['charge', 'payment', 'customer'];
  for (const name of kept) await sql.query(`create table "bench_${name}" as select * from "${name}"`);
  const result = await work();
  await sql.query('set session_replication_role = replica');
  for (const [name, id] of last) await sql.query(`delete from "${name}" where id > $1`, [id]);
  for (const name of kept) {
    await sql.query(`delete from "${name}" where id in (select id from "bench_${name}")`);
    await sql.query(`insert into "${name}" select * from "bench_${name}"`);
    await sql.query(`drop table "bench_${name}"`);
  }
  await sql.query('set session_replication_role = origin');
  return result;
}
