export interface KeptTotal {
  /** Null: counting takes longer than it may. */
  total: Promise<number> | null;
  countedAt: number;
  /** Somebody counts anew. */
  renewing: boolean;
}

/** Totals of long lists that were counted a moment ago, by account, list and filter. */
export type Totals = Map<string, KeptTotal>;
