import type pg from 'pg';
import type { JsonSchema } from '../../api/body/documented.ts';
import { CUSTOM_FIELDS } from '../../api/framework/parameters.ts';
import type { Resource } from '../../api/framework/resource.ts';
import type { QueryParameter } from '../../api/framework/route.ts';
import { isList } from '../../api/openapi/parameters.ts';
import { routes } from '../../api/resources/routes.ts';
import { captureStatements, type Statement } from '../../bench/statements.ts';
import { CONFINE } from '../../db/tenant.ts';
import type { Answer, TestApi } from './api.ts';

/** The declaration of a list. */
export interface DeclaredList {
  path: string;
  resource: Resource<object>;
  parameters: Readonly<Record<string, QueryParameter>>;
}

/** A node of an execution plan. */
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

/** The execution plans of a request for a list. */
export interface ListPlan {
  request: string;
  answer: Answer;
  /** Scans of indexes: "Index Scan invoice_by_date". */
  access: string[];
  /** Plan nodes that read too much, one line each. */
  faults: string[];
}

/** Id of the parent object of nested lists. `fill` (manyRows.ts) gives it ten rows, far from the first ones. */
export const OWNER = 2290;

/** The list of work composes its rows of several tables and sorts them; `worklistRows.test.ts` counts what it reads. */
const COMPOSED = '/worklist';

/** All lists of the API whose rows are those of a table, including nested ones. */
export function declaredLists(): DeclaredList[] {
  return routes.flatMap(({ path, answer, parameters = {} }) =>
    isList(answer) && 'kind' in answer && path !== COMPOSED
      ? [{ path: path.replaceAll(/:\w+/g, String(OWNER)), resource: answer.kind as Resource<object>, parameters }]
      : [],
  );
}

/** Parameters that filter nothing: they sort, expand, choose a format or columns, or continue a feed, as a cursor does. */
const NO_FILTERS = ['sort', 'expand', 'include', 'after_id', 'format', 'columns'];

/** The filters of a list, as the reference writes them: `filter[status]`, `updated_after`. */
export function filtersOf({ parameters }: DeclaredList): string[] {
  return Object.entries(parameters).flatMap(([name, { schema }]) => {
    if (name === 'filter') return Object.entries(schema.properties ?? {}).flatMap(filtersBy);
    return NO_FILTERS.includes(name) ? [] : [name === 'metadata' ? 'metadata[batch]' : name];
  });
}

/**
 * A filter by one value, or else by the first operator; and by `empty`, where it finds the objects without a value. Other operators use the same
 * indexes; objects with a value are counted first, as those of several filters are.
 */
function filtersBy([column, schema]: [string, JsonSchema]): string[] {
  if (column === CUSTOM_FIELDS) return []; // found like metadata
  const { type, anyOf } = schema;
  const { properties = {} } = (Array.isArray(anyOf) ? anyOf.at(-1) : schema) as {
    properties?: Record<string, JsonSchema>;
  };
  const { empty } = properties;
  const operators = Object.keys(properties);
  const isByValue = type !== 'object';
  return [
    ...(isByValue ? [`filter[${column}]`] : [`filter[${column}][${operators[0]}]`]),
    ...(empty && !('enum' in empty) ? [`filter[${column}][empty]`] : []),
  ];
}

/** The sort orders of a list, as a request writes them: `name`, `name desc`. */
export function ordersOf({ parameters }: DeclaredList): string[] {
  const columns = (parameters.sort?.schema['x-columns'] ?? []) as string[];
  return columns.flatMap((name) => [name, `${name} desc`]);
}

/** Sends a request, and explains its statements by running them again. */
export async function planOf(api: TestApi, sql: pg.Client, request: string): Promise<ListPlan> {
  let answer: Answer | undefined;
  const statements = await captureStatements(api.deps.em, async () => {
    answer = await api.sandbox.get(request);
  });
  if (!answer) throw new Error(`no answer to ${request}`);
  const access = new Set<string>();
  const faults: string[] = [];
  for (const statement of statements) {
    const { app, system } = api.databaseUrls;
    await sql.query(`set role "${new URL(statement.isOfSystem ? system : app).username}"`);
    await sql.query(CONFINE, [String(api.sandbox.account.id)]);
    if (/^(set |select set_config)/.test(statement.text)) await sql.query(statement.text, statement.values);
    // A count without a limit counts more than 10,000 rows, which is allowed.
    const isCount = statement.text.startsWith('select count');
    if (!/^select (d\.)?\*/.test(statement.text) && !(isCount && statement.text.includes('limit'))) continue;
    for (const node of nodesOf(await explain(sql, statement))) {
      if (node['Index Name']) access.add(wordsOf(node)); // a scan without an index is a fault, unless it reads few rows
      faults.push(...faultsOf(node, isCount ? COUNTED : LISTED));
    }
  }
  return { request, answer, access: [...access], faults };
}

/** Sends a request, and counts the rows that its statements read from tables, by running them again. */
export async function rowsReadFor(
  api: TestApi,
  sql: pg.Client,
  request: string,
): Promise<{ answer: Answer; rows: number; milliseconds: number }> {
  let answer: Answer | undefined;
  const statements = await captureStatements(api.deps.em, async () => {
    answer = await api.sandbox.get(request);
  });
  if (!answer) throw new Error(`no answer to ${request}`);
  let [rows, milliseconds] = [0, 0];
  for (const statement of statements) {
    if (!/^(select|with)/.test(statement.text)) continue;
    const { app, system } = api.databaseUrls;
    await sql.query(`set role "${new URL(statement.isOfSystem ? system : app).username}"`);
    await sql.query(CONFINE, [String(api.sandbox.account.id)]);
    const explained = await sql.query(`explain (analyze, format json) ${statement.text}`, statement.values);
    const [{ Plan: plan, 'Execution Time': time }] = explained.rows[0]['QUERY PLAN'];
    milliseconds += time;
    for (const node of nodesOf(plan)) if (node['Relation Name']) rows += readBy(node);
  }
  return { answer, rows: Math.round(rows), milliseconds };
}

/** Rows that a plan node read, also those that it discarded. */
function readBy(node: Node): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'];
}

/** Limits of the rows that a plan node may read: for a page of 100 with its relations, and for a count. */
const LISTED = 500;
const COUNTED = 10_100;

function faultsOf(node: Node, limit: number): string[] {
  const loops = node['Actual Loops'];
  const rows = node['Actual Rows'] * loops;
  const removed = ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * loops;
  const condition = node['Index Cond'] ?? '';
  const isSmall = rows + removed <= 10;
  // A walk through the names of customers, of whom many may have no row in the list, is limited in its time.
  const most = node['Index Name'] === 'customer_by_name' ? COUNTED : limit;
  return [
    ...(rows > most ? [`${wordsOf(node)}: ${rows} rows`] : []),
    ...(removed > LISTED ? [`${wordsOf(node)}: ${removed} rows read and discarded`] : []),
    ...(node['Node Type'] === 'Seq Scan' && !isSmall && most === LISTED ? [`${wordsOf(node)}`] : []),
    ...(node['Index Name'] && !isSmall && !condition.includes('account_id')
      ? [`${wordsOf(node)}: reads all accounts`]
      : []),
  ];
}

function wordsOf(node: Node): string {
  return [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' ');
}

async function explain(sql: pg.Client, statement: Statement): Promise<Node> {
  const { rows } = await sql.query(`explain (analyze, format json) ${statement.text}`, statement.values);
  return rows[0]['QUERY PLAN'][0].Plan;
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
