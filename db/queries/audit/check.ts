/** One disagreement between what is stored and what it is recomputed from. */
export interface Drift {
  check: string;
  accountId: number;
  object: string;
  stored: string;
  recomputed: string;
}

/** One way in which the books may disagree with themselves. */
export interface Check {
  name: string;
  /** Selects "accountId", object, stored, recomputed of each row that disagrees. */
  sql: string;
}

export const compare = (object: string, stored: string, recomputed: string): string =>
  `account_id as "accountId", ${object} as object, (${stored})::text as stored, (${recomputed})::text as recomputed`;
