import pg from 'pg';
import type { Sql } from '../db/queries/kernel/sql.ts';

/** A connection as the owner of the database. */
export interface Database extends Sql {
  close(): Promise<void>;
}

export async function openOwner(url: string): Promise<Database> {
  const client = new pg.Client({ connectionString: url, application_name: 'bench' });
  await client.connect();
  return {
    async query(text, values = []) {
      const { rows } = await client.query(text, [...values]);
      return rows;
    },
    close: () => client.end(),
  };
}

/** Runs a statement that returns a single number. */
export async function numberOf(sql: Sql, text: string, values: readonly unknown[] = []): Promise<number> {
  const [row] = await sql.query<Record<string, unknown>>(text, values);
  return Number(Object.values(row ?? {})[0]);
}
