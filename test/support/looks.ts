import pg from 'pg';
import { captureStatements, type Statement } from '../../bench/statements.ts';
import { RANDOM_PAGE_COST } from '../../db/database.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Sql } from '../../db/queries/kernel/sql.ts';
import { CONFINE } from '../../db/tenant.ts';
import type { TestApi } from './api.ts';

/** The reads of all statements of a look. A look is a query of a worker for due work. */
export interface Look {
  /** Rows that scans of tables and indexes returned or discarded. */
  rows: number;
  /** Pages of tables and indexes, in memory or not. */
  pages: number;
  /** The same, with the pages that the statements write. */
  buffers: number;
  /** Sequential scans of more than ten rows: "table: rows". */
  sequentialScans: string[];
  /** Names of the used indexes, for a reader. */
  indexes: string[];
}

/** A node of an execution plan. */
interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: Node[];
}

/** Work of a worker: with the EntityManager of one account, or with a connection that sees all accounts. */
export interface LookWork {
  em?: (em: EntityManager) => Promise<unknown>;
  /** Only statements with this text count. */
  about?: RegExp;
  sql?: (sql: Sql) => Promise<unknown>;
}

/** PostgreSQL may choose a generic plan from the sixth execution of a prepared statement on. Each statement is therefore planned five times first. */
const TIMES = 5;

/** Runs work once, and explains each of its statements by running it again in a transaction that is rolled back. */
export async function look(api: TestApi, { em, sql, about = /./ }: LookWork): Promise<Look> {
  const client = new pg.Client({
    connectionString: api.databaseUrl,
    options: `-c plan_cache_mode=auto -c random_page_cost=${RANDOM_PAGE_COST}`, // plans as in production
  });
  await client.connect();
  try {
    const statements = em ? await captureStatements(api.deps.em, () => em(api.deps.em.fork())) : [];
    const role = new URL(em ? api.databaseUrls.app : api.databaseUrls.system).username;
    const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
      statements.push({ text, values: [...values], rows: [] });
      return (await client.query(text, [...values])).rows;
    };
    await client.query('begin');
    await sql?.({ query });
    await client.query('rollback');
    await client.query(`set role "${role}"`);
    await client.query(CONFINE, [em ? String(api.sandbox.account.id) : '']);
    const read = statements.filter(
      ({ text }) => /^\s*(with|select|insert|update|delete)/.test(text) && about.test(text),
    );
    const plans = [];
    for (const statement of read) plans.push(await explain(client, statement));
    return lookOf(plans);
  } finally {
    await client.end();
  }
}

async function explain(client: pg.Client, { text, values }: Statement): Promise<Node> {
  const literals = values.map((value) => (value === null ? 'null' : client.escapeLiteral(literal(value)))).join(', ');
  const run = literals === '' ? 'execute look' : `execute look (${literals})`;
  await client.query('begin');
  try {
    await client.query(`prepare look as ${text}`);
    for (let time = 0; time < TIMES; time++) await client.query(`explain ${run}`);
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${run}`);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('rollback');
    await client.query('deallocate all');
  }
}

function literal(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? `{${value.join(',')}}` : String(value);
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function lookOf(plans: readonly Node[]): Look {
  const nodes = plans.flatMap(nodesOf);
  const scans = nodes.filter(
    (node) => /Scan$/.test(node['Node Type']) && (node['Relation Name'] ?? node['Index Name']),
  );
  const rowsOf = (node: Node) =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops'];
  const pagesOf = (node: Node) => (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const sequential = scans.filter((node) => node['Node Type'] === 'Seq Scan' && rowsOf(node) > 10);
  return {
    rows: sum(scans.map(rowsOf)),
    pages: sum(scans.map(pagesOf)),
    buffers: sum(plans.map(pagesOf)),
    sequentialScans: sequential.map((node) => `${node['Relation Name']}: ${rowsOf(node)}`),
    indexes: [...new Set(scans.map((node) => node['Index Name'] ?? `(${node['Relation Name']})`))],
  };
}
