import type pg from 'pg';
import type { Resource } from '../../api/framework/resource.ts';
import type { QueryParameter } from '../../api/framework/route.ts';
import { isList } from '../../api/openapi/parameters.ts';
import { routes } from '../../api/resources/routes.ts';
import { captureStatements, type Statement } from '../../bench/statements.ts';
import { METADATA } from '../../db/schema/indexes.ts';
import { CONFINE } from '../../db/tenant.ts';
import type { Answer, TestApi } from './api.ts';

/** A list as it is declared. */
export interface Listed {
  path: string;
  resource: Resource<object>;
  parameters: Readonly<Record<string, QueryParameter>>;
}

/** How PostgreSQL ran a statement. */
interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

/** What a request for a list had the database do. */
export interface Seen {
  request: string;
  answer: Answer;
  /** Indexes and tables that its rows were found by, in words. */
  access: string[];
  /** What a list must not need, in words. */
  faults: string[];
}

/** The object that nested lists lie below: `fill` gives each ten of what may belong to it, far from the first rows. */
export const OWNER = 2290;

/** Every list of the API, nested ones too. */
export function declaredLists(): Listed[] {
  return routes.flatMap(({ path, answer, parameters = {} }) =>
    isList(answer) && 'kind' in answer
      ? [{ path: path.replaceAll(/:\w+/g, String(OWNER)), resource: answer.kind as Resource<object>, parameters }]
      : [],
  );
}

/** What narrows nothing: how its objects are shown, and where in the log a feed goes on, as a cursor does. */
const NO_FILTERS = ['sort', 'expand', 'include', 'after_id'];

/** What a list can be narrowed by, as the reference says it: `filter[status]`, `updated_after`. */
export function filtersOf({ parameters }: Listed): string[] {
  return Object.entries(parameters).flatMap(([name, { schema }]) => {
    if (name === 'filter') return Object.keys(schema.properties ?? {}).map((column) => `filter[${column}]`);
    return NO_FILTERS.includes(name) ? [] : [name === 'metadata' ? 'metadata[batch]' : name];
  });
}

/** What it can be sorted by, as a request says it: `name`, `name desc`. */
export function ordersOf({ parameters }: Listed): string[] {
  const columns = (parameters.sort?.schema['x-columns'] ?? []) as string[];
  return columns.flatMap((name) => [name, `${name} desc`]);
}

/** Sends a request, and runs again what it had the database do, to see how. */
export async function see(api: TestApi, sql: pg.Client, request: string): Promise<Seen> {
  let answer: Answer | undefined;
  const statements = await captureStatements(api.deps.em, async () => {
    answer = await api.sandbox.get(request);
  });
  if (!answer) throw new Error(`no answer to ${request}`);
  const access = new Set<string>();
  const faults: string[] = [];
  for (const statement of statements) {
    const { app, system } = api.databaseUrls;
    await sql.query(`set role "${new URL(statement.text.includes(METADATA) ? system : app).username}"`);
    await sql.query(CONFINE, [String(api.sandbox.account.id)]);
    if (/^(set |select set_config)/.test(statement.text)) await sql.query(statement.text, statement.values);
    // A count without a limit is one of more than 10,000 rows, which takes no longer than it may.
    const isCount = statement.text.startsWith('select count');
    if (!statement.text.startsWith('select *') && !(isCount && statement.text.includes('limit'))) continue;
    for (const node of nodesOf(await explained(sql, statement))) {
      if (node['Index Name']) access.add(wordsOf(node)); // of tables there is none but of a few rows, else it is a fault
      faults.push(...faultsOf(node, isCount ? COUNTED : LISTED));
    }
  }
  return { request, answer, access: [...access], faults };
}

/** Rows that a node may touch: of a page of 100 and what it refers to; and of a count, which may be of most of a table. */
const LISTED = 500;
const COUNTED = 10_100;

function faultsOf(node: Node, most: number): string[] {
  const loops = node['Actual Loops'];
  const rows = node['Actual Rows'] * loops;
  const removed = ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * loops;
  const condition = node['Index Cond'] ?? '';
  const isSmall = rows + removed <= 10;
  return [
    ...(rows > most ? [`${wordsOf(node)}: ${rows} rows`] : []),
    ...(removed > LISTED ? [`${wordsOf(node)}: ${removed} rows read in vain`] : []),
    ...(node['Node Type'] === 'Seq Scan' && !isSmall && most === LISTED ? [`${wordsOf(node)}`] : []),
    ...(node['Index Name'] && !isSmall && !condition.includes('account_id') ? [`${wordsOf(node)}: any account`] : []),
  ];
}

function wordsOf(node: Node): string {
  return [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' ');
}

async function explained(sql: pg.Client, statement: Statement): Promise<Node> {
  const { rows } = await sql.query(`explain (analyze, format json) ${statement.text}`, statement.values);
  return rows[0]['QUERY PLAN'][0].Plan;
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
