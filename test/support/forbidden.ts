import pg from 'pg';

/**
 * Searches for card numbers and secrets in what each test file leaves behind: its databases, the outputs of its programs, its
 * mails, files and histories.
 */

/** Card numbers of the test gateway, tokens of pages, keys of gateways, and secrets that sign the events of a gateway. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  'card number':
    '(424242424242|545454545454|51051051051051|400000000000|400005665566|60111111111111|37828224631)\\d{2,4}(?!\\d)',
  'token of a page': 'svt_[0-9A-Za-z]{40}',
  'secret key': '(sk|rk)_(test|live)_[0-9A-Za-z]{8,}',
};
const ALL = Object.values(FORBIDDEN).join('|');

/** Places outside the database, since the last database was dropped. */
const noted = new Set<string>();

/** Searches an output or a mail. The test file fails when its database is dropped. */
export function noteForbidden(place: string, text: string): void {
  for (const found of forbiddenIn(place, text)) noted.add(found);
}

function forbiddenIn(place: string, text: string): string[] {
  return Object.entries(FORBIDDEN)
    .filter(([, pattern]) => new RegExp(`(?<!\\d)(${pattern})`).test(text))
    .map(([kind]) => `${place}: ${kind}`);
}

/** Throws if these places, or those noted before, show a card number or a secret. */
export function refuseForbidden(inDatabase: readonly string[]): void {
  const found = [...inDatabase, ...noted];
  noted.clear();
  if (found.length > 0) throw new Error(`the test leaves card numbers or secrets behind:\n${found.join('\n')}`);
}

/** The test gateway stands for a company outside the product, which knows its cards. */
const TABLES = `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema|test_gateway)' and pg_relation_size(c.oid) > 0`;

/** SQLSTATE of a database that does not exist any more. */
const NO_DATABASE = '3D000';

/** The tables of a database with a row that shows a card number or a secret. */
export async function forbiddenInDatabase(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const { rows: tables } = await client.query<{ schema: string; name: string }>(TABLES);
    const parts = tables.map(
      ({ schema, name }) =>
        `(select '${name}' as name, t::text as row from "${schema}"."${name}" t where t::text ~ $1 limit 3)`,
    );
    if (parts.length === 0) return [];
    const { rows } = await client.query<{ name: string; row: string }>(parts.join(' union all '), [ALL]);
    return rows.flatMap(({ name, row }) => forbiddenIn(`table ${name}`, row));
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === NO_DATABASE) return [];
    throw error;
  } finally {
    await client.end();
  }
}
