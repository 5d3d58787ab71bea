import { MINOR_UNITS } from '../../../billing/money/money.ts';

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
  /** Compares all documents of an account with its counters: it cannot be limited to some customers. */
  isOfAccount?: boolean;
  /** Reads the whole ledger: the audit since a time leaves it out. */
  isOfLedger?: boolean;
}

export const compare = (object: string, stored: string, recomputed: string): string =>
  `account_id as "accountId", ${object} as object, (${stored})::text as stored, (${recomputed})::text as recomputed`;

/** SQL: the number of decimals of a currency. */
export const digitsOf = (currency: string): string =>
  `case ${currency} ${[...MINOR_UNITS].map(([code, digits]) => `when '${code}' then ${digits}`).join(' ')} else 2 end`;
