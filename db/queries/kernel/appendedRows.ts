import type { EntityMetadata } from '@mikro-orm/core';
import { type Column, columnsOf } from './plain.ts';
import { givenRows, rowsAsJson } from './rowsAsJson.ts';

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
