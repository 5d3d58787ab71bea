import pg from 'pg';

/** The first id beyond 32 bits. */
export const FIRST_LONG_ID = 2 ** 31;

/** Makes all 64-bit ids start beyond 32 bits. Returns the tables that have such ids. */
export async function raiseLongIds(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select sequencename as name from pg_sequences where schemaname = 'public' and data_type = 'bigint'::regtype order by 1`,
    );
    for (const { name } of rows) await client.query(`alter sequence "${name}" restart with ${FIRST_LONG_ID}`);
    return rows.map(({ name }) => name.replace(/_(id|position)_seq$/, ''));
  } finally {
    await client.end();
  }
}
