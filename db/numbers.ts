/** A connection of pg, as far as it is told how to read types. */
export interface Typed {
  setTypeParser(oid: number, read: (text: string) => unknown): unknown;
}

/** PostgreSQL's ids of bigint and of an array of it. */
const BIGINT = 20;
const BIGINTS = 1016;

/** Has a connection answer numbers of 64 bits as numbers, not as text: ids and counts are nowhere near 2^53. One beyond it is refused. */
export function readNumbers(client: Typed): void {
  client.setTypeParser(BIGINT, exactNumber);
  client.setTypeParser(BIGINTS, (list) => (list === '{}' ? [] : list.slice(1, -1).split(',').map(exactNumber)));
}

function exactNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`no number of ours: ${text}`);
  return value;
}
