import type { Column } from './plain.ts';

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
