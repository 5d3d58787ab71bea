import { z } from 'zod';
import type { Sql } from '../db/queries/sql.ts';
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

/** How a statement is carried out: which nodes, on which tables, by which indexes. */
export interface Plan {
  text: string;
  shape: string;
}

/** The plan of a statement with the values it had; null for what has none. */
export async function planOf(sql: Sql, { text, values }: Statement): Promise<Plan | null> {
  if (!/^\s*(select|insert|update|delete|with)/i.test(text)) return null;
  const [row] = await sql.query<{ 'QUERY PLAN': unknown }>(`explain (format json) ${text}`, values);
  const [explained] = explainedShape.parse(row?.['QUERY PLAN']);
  return { text, shape: explained ? shapeOf(explained.Plan) : '' };
}

function shapeOf(node: Node): string {
  const name = [node['Node Type'], node['Relation Name'], node['Index Name']].filter(Boolean).join(' ');
  const below = (node.Plans ?? []).map(shapeOf);
  return below.length === 0 ? name : `${name} (${below.join(', ')})`;
}
