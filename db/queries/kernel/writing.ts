import type { EntityMetadata } from '@mikro-orm/core';
import type { EntityManager } from '../../orm.ts';
import { type Column, columnsOf, type Plain, type RowClass, tableOf } from './plain.ts';

/**
 * Inserts plain rows of one table. The statement is the same for any number of rows, and is planned once. For two hundred lines of a
 * document, entities take four times as long.
 */
export async function insertRows<Row extends object>(
  em: EntityManager,
  row: RowClass<Row>,
  rows: readonly Plain<Row>[],
): Promise<void> {
  const { insertion, given } = writingOf(em, row);
  if (rows.length > 0) await em.execute(insertion, [given(rows)]);
}

/** Updates existing rows, found by account and id, to the given values. */
export async function updateRows<Row extends object>(
  em: EntityManager,
  row: RowClass<Row>,
  rows: readonly Plain<Row>[],
): Promise<void> {
  const { change, given } = writingOf(em, row);
  if (rows.length > 0) await em.execute(change, [given(rows)]);
}

/** Deletes rows of one account by their ids. */
export async function deleteRows(
  em: EntityManager,
  row: RowClass<object>,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<void> {
  if (ids.length === 0) return;
  await em.execute(`delete from ${tableOf(em, row).name} where account_id = ? and id = any(?::bigint[])`, [
    accountId,
    `{${ids.join(',')}}`,
  ]);
}

/** Statements that write any number of rows of a table. Their only parameter holds the rows. */
export interface Writing {
  table: string;
  /** Inserts rows that have their ids. */
  insertion: string;
  /** Inserts rows whose ids the database generates. */
  addition: string;
  change: string;
  /** The parameter of `insertion` and `change`. Absent values become null. */
  given(rows: readonly object[]): string;
  /** The parameter of `addition`. Absent values become their defaults. */
  added(rows: readonly object[]): string;
}

const known = new WeakMap<EntityMetadata, Writing>();

export function writingOf(em: EntityManager, row: RowClass<object>): Writing {
  const meta = em.getMetadata().get(row);
  const writing = known.get(meta) ?? newWriting(meta);
  known.set(meta, writing);
  return writing;
}

function newWriting(meta: EntityMetadata): Writing {
  const table = `"${meta.tableName}"`;
  const columns = columnsOf(meta);
  const given = `json_populate_recordset(null::${table}, ?::json) as r`;
  const insertionOf = (written: Column[]) => {
    const names = written.map(({ column }) => `"${column}"`).join(', ');
    return `insert into ${table} (${names}) select ${names} from ${given}`;
  };
  const inserted = columns.map((column) => ({ ...column, absent: null }));
  const added = columns.map((column) => ({ ...column, absent: column.property.default ?? null }));
  const values = columns.filter(({ property }) => !property.primary).map(({ column }) => `"${column}" = r."${column}"`);
  return {
    table,
    insertion: insertionOf(columns),
    addition: insertionOf(columns.filter(({ property }) => !property.autoincrement)),
    change: `update ${table} t set ${values.join(', ')} from ${given} where t.account_id = r.account_id and t.id = r.id`,
    given: (rows) => asJson(rows, inserted),
    added: (rows) => asJson(rows, added),
  };
}

interface Written extends Column {
  /** The value for rows that leave the column out. */
  absent: unknown;
}

function asJson(rows: readonly object[], columns: readonly Written[]): string {
  return wellFormed(JSON.stringify(rows.map((row) => inColumns(row, columns))));
}

/** Leaves out null values: absent members are null for the statement. */
function inColumns(row: object, columns: readonly Written[]): object {
  const values: Record<string, unknown> = {};
  for (const { name, column, isRelation, absent } of columns) {
    const said: unknown = Reflect.get(row, name);
    const value = said === undefined ? absent : said;
    if (value !== null) values[column] = isRelation ? idOf(name, value) : value;
  }
  return values;
}

/** The id of a reference, given as an object with an id or as a key of account and id. */
function idOf(name: string, reference: unknown): unknown {
  const id: unknown = Array.isArray(reference) ? reference.at(-1) : Reflect.get(Object(reference), 'id');
  // JSON would drop an undefined id, and the row would refer to nothing.
  if (id === undefined || id === null) throw new Error(`${name} refers to a row that has no id`);
  return id;
}

/** Replaces lone surrogates, which PostgreSQL does not accept, by U+FFFD. JSON.stringify escapes only lone surrogates as \ud…. */
function wellFormed(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replaceAll(/\\(?:ud[89a-f]..|.)/g, (escaped) => (escaped.startsWith('\\ud') ? '\ufffd' : escaped));
}
