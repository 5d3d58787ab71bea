import pg from 'pg';
import { appendEvents } from '../../db/queries/events/eventLog.ts';

/** SQL: backend pid of the connection with which a relay leads in this database. */
export const LEADER = `select pid from pg_locks where locktype = 'advisory' and objid = 7262002 and granted
  and database = (select oid from pg_database where datname = current_database())`;

/** Appends committed events to the log and fans them out, as the relay leader does. Returns their number. */
export async function appendOnce(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const query = async <Row>(text: string, values: readonly unknown[] = []) => {
      const { rows } = await client.query(text, [...values]);
      return rows as Row[];
    };
    return await appendEvents({ query }, { now: new Date(), limit: 500 });
  } finally {
    await client.end();
  }
}
