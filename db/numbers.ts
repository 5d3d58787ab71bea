/** The part of a pg connection that sets how types are read. */
export interface Typed {
  setTypeParser(oid: number, read: (text: string) => unknown): unknown;
}

/** PostgreSQL's type ids of bigint and bigint[]. */
const BIGINT = 20;
const BIGINTS = 1016;

/**
 * Makes a connection return 64-bit integers as numbers instead of text. Ids and counts are far below 2^53; a larger value throws an Error.
 */
export function readNumbers(client: Typed): void {
  client.setTypeParser(BIGINT, exactNumber);
  client.setTypeParser(BIGINTS, (list) => (list === '{}' ? [] : list.slice(1, -1).split(',').map(exactNumber)));
}

function exactNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`no number of ours: ${text}`);
  return value;
}
