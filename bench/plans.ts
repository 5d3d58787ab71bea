import { z } from 'zod';
import type { Sql } from '../db/queries/kernel/sql.ts';
import type { Statement } from './statements.ts';

interface Node {
  'Node Type': string;
  'Relation Name'?: string | undefined;
  'Index Name'?: string | undefined;
  Plans?: Node[] | undefined;
}

const nodeShape: z.ZodType<Node> = z.lazy(() =>
  z.object({
    'Node Type': z.string(),
    'Relation Name': z.string().optional(),
    'Index Name': z.string().optional(),
    Plans: z.array(nodeShape).optional(),
  }),
);
const explainedShape = z.array(z.object({ Plan: nodeShape })).min(1);

/** How a statement reads the tables that grow: scans and indexes. How it reads small tables does not matter. */
export interface Plan {
  text: string;
  access: string;
}

/** Tables that stay so small in the bench that PostgreSQL may ignore their indexes. */
const SMALL = new Set([
  'account',
  'plan',
  'coupon',
  'tax_rate',
  'tax_rule',
  'late_fee_schedule',
  'chasing_cadence',
  'item',
  'test_clock',
  'webhook',
  'numbering',
  'outbox',
  'problem',
  'idempotency',
  'email',
  'payment_source',
]);

/** The plan of a statement with its captured values. Empty for a statement without a plan, such as `begin`. */
export async function plansOf(sql: Sql, { text, values }: Statement): Promise<Plan[]> {
  if (!/^\s*(select|insert|update|delete|with)/i.test(text)) return [];
  const [row] = await sql.query<{ 'QUERY PLAN': unknown }>(`explain (format json) ${text}`, values);
  const [explained] = explainedShape.parse(row?.['QUERY PLAN']);
  return explained ? [{ text, access: accessOf(explained.Plan).sort().join('\n') }] : [];
}

function accessOf(node: Node): string[] {
  const table = node['Relation Name'];
  const isScan = node['Node Type'].includes('Scan') && (table === undefined || !SMALL.has(table));
  const own = isScan ? [[node['Node Type'], table, node['Index Name']].filter(Boolean).join(' ')] : [];
  return [...own, ...(node.Plans ?? []).flatMap(accessOf)];
}
