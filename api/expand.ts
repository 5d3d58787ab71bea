import type { Presented } from '../billing/json.ts';
import type { Plain } from '../db/queries/plain.ts';
import type { Reading } from '../db/queries/reading.ts';
import type { Relation, Resource, Wanted } from './resource.ts';

/** `expand=customer,subscription.plan&include=applied_to`; what is unknown is ignored. */
export function wantedBy(query: URLSearchParams): Wanted {
  const paths = namesOf(query, 'expand').map((path) => path.split('.'));
  return { expand: tree(paths), include: new Set(namesOf(query, 'include')) };
}

/** More paths, or deeper ones, than there are relations to follow have no effect. */
const MOST_PATHS = 50;
const DEEPEST = 5;

function namesOf(query: URLSearchParams, parameter: string): string[] {
  const names = query
    .getAll(parameter)
    .concat(query.getAll(`${parameter}[]`))
    .join(',')
    .split(',');
  return names.slice(0, MOST_PATHS).map((name) => name.trim());
}

function tree(paths: readonly string[][], depth = 1): Map<string, Wanted> {
  const byFirst = Map.groupBy(paths, ([name = '']) => name);
  return new Map(
    [...byFirst].map(([name, members]) => {
      const rest = members.map((path) => path.slice(1)).filter((path) => path.length > 0);
      return [name, { expand: depth < DEEPEST ? tree(rest, depth + 1) : new Map(), include: new Set<string>() }];
    }),
  );
}

/** Rows as a request wants to see them. One statement for each relation, however many rows there are. */
export async function presentRows<Row extends object>(
  reading: Reading,
  resource: Resource<Row>,
  { rows, wanted }: { rows: readonly Plain<Row>[]; wanted: Wanted },
): Promise<Presented[]> {
  let presented = await resource.present(reading, rows);
  for (const [name, include] of Object.entries(resource.includes ?? {})) {
    if (!wanted.include.has(name)) continue;
    const values = await include(reading, rows);
    presented = presented.map((object, index) => ({ ...object, [name]: values[index] ?? null }));
  }
  for (const [name, relation] of Object.entries(resource.relations ?? {})) {
    const inner = wanted.expand.get(name);
    if (inner === undefined) continue;
    const ids = rows.map((row) => relation.idOf(row));
    const found = await relation.load(
      reading,
      ids.filter((id) => id !== null),
      inner,
    );
    presented = presented.map((object, index) => put(object, name, found.get(ids[index] ?? 0)));
  }
  return presented;
}

function put(object: Presented, name: string, value: Presented | undefined): Presented {
  return value === undefined ? object : { ...object, [name]: value };
}

/** A relation to one object of a resource; that is named by a function, because resources refer to one another. */
export function relation<Row extends object, Target extends object>(
  to: () => Resource<Target>,
  idOf: (row: Plain<Row>) => number | null,
): Relation<Row> {
  return {
    to,
    idOf,
    load: async (reading, ids, wanted) => {
      const found = await reading.byId(to().row, ids);
      const presented = await presentRows(reading, to(), { rows: [...found.values()], wanted });
      return new Map([...found.keys()].map((id, index) => [id, presented[index] ?? {}]));
    },
  };
}
