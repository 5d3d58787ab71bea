import { databaseUrls } from '../../adapters/databaseLogins.ts';
import type { Sql } from '../../db/queries/kernel/sql.ts';
import { type Connection, connect } from '../../workers/connection.ts';
import { numberOf } from '../database.ts';
import { exchange } from '../insideApi.ts';
import { medianOf } from '../pairs/ratios.ts';
import { cpuMilliseconds } from '../processes.ts';
import { sandboxAccount } from '../sampleData.ts';
import type { Stage } from '../stage.ts';
import type { Statement } from '../statements.ts';

const ROUNDS = 11;
const TIMES = 500;

/**
 * Milliseconds of PostgreSQL's CPU for the statements that read one invoice: with row-level security, as the API sends them, and without it.
 */
export interface RowSecurityCost {
  secured: number;
  bare: number;
}

/** The statement that authenticates, without the function that may read every key. */
const AUTHENTICATION = `select account.*, api_key.id as credential_id, api_key.kind, api_key.scope, api_key.last_used_at
  from api_key join account on account.id = api_key.account_id
  where api_key.hash = $1 and api_key.revoked_at is null and (api_key.expires_at is null or api_key.expires_at > $2)`;

/**
 * Measures the cost of row-level security in a read. Its statements are sent many times, alternately by the login that sees one account and
 * by the one that sees all. Setting the account of a session is not measured.
 */
export async function measureRowSecurity(stage: Stage, sql: Sql): Promise<RowSecurityCost> {
  const invoice = await numberOf(sql, 'select max(id) from invoice where account_id = $1', [await sandboxAccount(sql)]);
  const read = { method: 'GET' as const, path: `/invoices/${invoice}` };
  const [, captured] = await exchange(stage, [read, read]);
  const secured = captured?.statements ?? [];
  const bare = secured.map((one) => (one.text.includes('lookup.') ? { ...one, text: AUTHENTICATION } : one));
  const urls = databaseUrls(stage.config.databaseUrl, stage.config.encryptionKey);
  const [app, system] = [await connect(urls.app), await connect(urls.system)];
  try {
    const figures: RowSecurityCost[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      figures.push({ secured: await cpuOf(app, secured), bare: await cpuOf(system, bare) });
    }
    return { secured: medianOf(figures.map((one) => one.secured)), bare: medianOf(figures.map((one) => one.bare)) };
  } finally {
    await Promise.all([app.close(), system.close()]);
  }
}

/** CPU time of the connection's backend, milliseconds per round of all statements. */
async function cpuOf(connection: Connection, statements: readonly Statement[]): Promise<number> {
  const [backend] = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pids = [backend?.pid ?? 0];
  const before = cpuMilliseconds(pids);
  for (let time = 0; time < TIMES; time++) {
    for (const { text, values } of statements) await connection.query(text, values);
  }
  return (cpuMilliseconds(pids) - before) / TIMES;
}
