import type { EntityMetadata } from '@mikro-orm/core';
import { type Column, columnsOf } from './plain.ts';

/** The source for a statement that writes any number of rows into a table. Its only parameter is `rowsAsJson`. */
export function givenRows(table: string): string {
  return `json_populate_recordset(null::${table}, ?::json) as r`;
}

export interface Written extends Column {
  /** The value for rows that leave the column out. */
  absent: unknown;
}

export function rowsAsJson(rows: readonly object[], columns: readonly Written[]): string {
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

/** Rows of any tables that wait to be inserted together. */
export class AppendedRows {
  #waiting = new Map<Insertion, object[]>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  add(meta: EntityMetadata, row: object): void {
    const insertion = insertionFor(meta, row);
    const rows = this.#waiting.get(insertion) ?? [];
    this.#waiting.set(insertion, rows);
    rows.push({ ...row });
  }

  /** Returns one statement that inserts all waiting rows, in order within each table. Null: no rows wait. Empties the list. */
  take(): { sql: string; values: string[] } | null {
    // Sorted, so that few texts arise: the server keeps each text that it is sent.
    const sorted = [...this.#waiting].toSorted(([left], [right]) => (left.sql < right.sql ? -1 : 1));
    this.#waiting = new Map();
    const last = sorted.pop();
    if (!last) return null;
    const parts = sorted.map(([{ sql }], index) => `part${index} as (${sql})`);
    const before = parts.length > 0 ? `with ${parts.join(', ')} ` : '';
    const values = [...sorted, last].map(([insertion, rows]) => insertion.parameter(rows));
    return { sql: before + last[0].sql, values };
  }
}

/** A statement that inserts any number of rows of a table. */
export interface Insertion {
  sql: string;
  /** Its only parameter, which holds the rows. Absent values become their defaults. */
  parameter(rows: readonly object[]): string;
}

interface Insertions {
  /** For rows that have their ids. */
  withIds: Insertion;
  /** For rows whose ids the database generates. */
  withoutIds: Insertion;
  generated: string | undefined;
}

const known = new WeakMap<EntityMetadata, Insertions>();

export function insertionFor(meta: EntityMetadata, row: object): Insertion {
  const { withIds, withoutIds, generated } = known.get(meta) ?? keep(meta);
  return generated === undefined || Object.hasOwn(row, generated) ? withIds : withoutIds;
}

function keep(meta: EntityMetadata): Insertions {
  const columns = columnsOf(meta);
  const generated = columns.find(({ property }) => property.autoincrement)?.name;
  const insertions = {
    withIds: newInsertion(meta, columns),
    withoutIds: newInsertion(
      meta,
      columns.filter(({ property }) => !property.autoincrement),
    ),
    generated,
  };
  known.set(meta, insertions);
  return insertions;
}

function newInsertion(meta: EntityMetadata, columns: readonly Column[]): Insertion {
  const table = `"${meta.tableName}"`;
  const names = columns.map(({ column }) => `"${column}"`).join(', ');
  const written = columns.map((column) => ({ ...column, absent: column.property.default ?? null }));
  return {
    sql: `insert into ${table} (${names}) select ${names} from ${givenRows(table)}`,
    parameter: (rows) => rowsAsJson(rows, written),
  };
}
