/** One difference between a stored value and its recomputed value. */
export interface Drift {
  check: string;
  accountId: number;
  object: string;
  stored: string;
  recomputed: string;
}

/** One check of the books. */
export interface Check {
  name: string;
  /** Selects "accountId", object, stored, recomputed for each row with a difference. */
  sql: string;
}

export const compare = (object: string, stored: string, recomputed: string): string =>
  `account_id as "accountId", ${object} as object, (${stored})::text as stored, (${recomputed})::text as recomputed`;
