/** Generated rows of one table. `columns`: SQL expressions for the values of row n, counted from one. */
export interface Table {
  name: string;
  /** Rows for each invoice, or less than one; by default one. */
  each?: number;
  /** Id of row n less n. Tables of the same name have different ones, `PART` apart. */
  after?: number;
  columns: Record<string, string>;
}

/** More than the rows of any table. */
export const PART = 100_000_000;

export const BEGIN = `timestamptz '2024-01-01'`;
/** One invoice each 40 seconds. */
export const timeOf = (invoice: string): string => `${BEGIN} + ${invoice} * interval '40 seconds'`;
export const at = timeOf('n');
export const times = { created_at: at, updated_at: at };

/** SQL: a value that every `count`-th row gets, and one for all others. */
export const oneIn = (count: number, one: string, others: string): string =>
  `case when n % ${count} = 0 then ${one} else ${others} end`;

/** SQL: the value of each of some rows that belong together, by their number from 0. */
export const byPart = (part: string, values: readonly string[]): string =>
  `case ${part} ${values.map((value, index) => `when ${index} then ${value}`).join(' ')} end`;
