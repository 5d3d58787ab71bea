import type { Presented } from '../billing/json.ts';
import type { EntityManager } from '../db/orm.ts';

/** A relation of a resource: presenting it in place of its id. */
export interface Relation<Row> {
  /** Loads what `present` needs, for many rows in as many statements as for one. */
  load(em: EntityManager, rows: Row[]): Promise<unknown>;
  /** Null where the row has none. */
  present(row: Row): Presented | null;
}

/** Relations by dotted path: `customer`, `subscription.plan`. A path is expanded after those that it begins with. */
export type Relations<Row> = Readonly<Record<string, Relation<Row>>>;

export interface Expansion<Row> extends Relation<Row> {
  path: string[];
}

/** The relations that a request wants expanded, shorter paths first; unknown ones are ignored. */
export function expansionsOf<Row>(query: URLSearchParams, relations: Relations<Row> = {}): Expansion<Row>[] {
  const paths = (query.get('expand') ?? '').split(',').map((path) => path.trim());
  const wanted = new Set(
    paths.flatMap((path) => path.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'))),
  );
  return Object.entries(relations)
    .filter(([path]) => wanted.has(path))
    .map(([path, relation]) => ({ ...relation, path: path.split('.') }))
    .sort((a, b) => a.path.length - b.path.length);
}

/** Rows as presented, with the expansions in place of ids. */
export async function expandAll<Row>(
  em: EntityManager,
  what: { rows: Row[]; presented: Presented[]; expansions: Expansion<Row>[] },
): Promise<Presented[]> {
  let { presented } = what;
  for (const expansion of what.expansions) {
    await expansion.load(em, what.rows);
    presented = what.rows.map((row, index) => put(presented[index] ?? {}, expansion.path, expansion.present(row)));
  }
  return presented;
}

/** One row with the expansions of its request. */
export async function expandOne<Row>(
  em: EntityManager,
  what: { row: Row; presented: Presented; query: URLSearchParams; relations: Relations<Row> },
): Promise<Presented> {
  const { row, presented, query, relations } = what;
  const [expanded] = await expandAll(em, {
    rows: [row],
    presented: [presented],
    expansions: expansionsOf(query, relations),
  });
  return expanded ?? presented;
}

function put(object: Presented, path: readonly string[], value: Presented | null): Presented {
  const [name = '', ...rest] = path;
  if (value === null) return object;
  if (rest.length === 0) return { ...object, [name]: value };
  const inner = object[name];
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  return isObject ? { ...object, [name]: put(inner, rest, value) } : object;
}
