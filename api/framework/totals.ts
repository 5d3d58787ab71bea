export interface KeptTotal {
  /** Null: counting would take too long. */
  total: Promise<number> | null;
  countedAt: number;
  /** A request is counting again. */
  renewing: boolean;
}

/** Recently counted totals of long lists, by account, list and filter. */
export type Totals = Map<string, KeptTotal>;
