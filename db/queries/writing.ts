import type { EntityMetadata } from '@mikro-orm/core';
import type { EntityManager } from '../orm.ts';
import type { Plain, RowClass } from './plain.ts';

/**
 * Plain rows of one table, written at once: the statement is the same for any number of them, and is planned once. As entities of a unit
 * of work two hundred lines of a document took four times as long.
 */
export async function insertRows<Row extends object>(
  em: EntityManager,
  row: RowClass<Row>,
  rows: readonly Plain<Row>[],
): Promise<void> {
  if (rows.length === 0) return;
  const { table, columns } = writingOf(em, row);
  const names = columns.map(({ column }) => column).join(', ');
  const given = textOf(rows, columns);
  await em.execute(`insert into ${table} (${names}) select ${names} from ${givenTo(table)}`, [given]);
}

/** Makes rows that are there those that are given, by account and id. */
export async function updateRows<Row extends object>(
  em: EntityManager,
  row: RowClass<Row>,
  rows: readonly Plain<Row>[],
): Promise<void> {
  if (rows.length === 0) return;
  const { table, columns } = writingOf(em, row);
  const values = columns.filter(({ isKey }) => !isKey).map(({ column }) => `${column} = r.${column}`);
  await em.execute(
    `update ${table} t set ${values.join(', ')} from ${givenTo(table)} where t.account_id = r.account_id and t.id = r.id`,
    [textOf(rows, columns)],
  );
}

/** Deletes rows of one account by their ids. */
export async function deleteRows(
  em: EntityManager,
  row: RowClass<object>,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<void> {
  if (ids.length === 0) return;
  const { table } = writingOf(em, row);
  await em.execute(`delete from ${table} where account_id = ? and id = any(?::bigint[])`, [
    accountId,
    `{${ids.join(',')}}`,
  ]);
}

interface Column {
  name: string;
  column: string;
  isKey: boolean;
  isRelation: boolean;
}

interface Writing {
  table: string;
  columns: Column[];
}

const known = new WeakMap<EntityMetadata, Writing>();

function writingOf(em: EntityManager, row: RowClass<object>): Writing {
  const meta = em.getMetadata().get(row);
  const found = known.get(meta);
  if (found) return found;
  const columns = meta.props.flatMap(({ name, kind, fieldNames, primary = false }) => {
    // Of a relation, whose key begins with the account, the part that is its own.
    const column = kind === '1:m' ? undefined : fieldNames?.at(-1);
    return column ? [{ name, column, isKey: primary, isRelation: kind !== 'scalar' }] : [];
  });
  const writing = { table: meta.tableName, columns };
  known.set(meta, writing);
  return writing;
}

const givenTo = (table: string) => `json_populate_recordset(null::${table}, ?::json) as r`;

/** What is empty is left out: it is null there. */
function textOf(rows: readonly object[], columns: readonly Column[]): string {
  return JSON.stringify(
    rows.map((row) => {
      const values: Record<string, unknown> = {};
      for (const { name, column, isRelation } of columns) {
        const value: unknown = Reflect.get(row, name) ?? null;
        if (value !== null) values[column] = isRelation ? Reflect.get(Object(value), 'id') : value;
      }
      return values;
    }),
  );
}
