export interface KeptTotal {
  /** Null: counting would take too long. */
  total: Promise<number> | null;
  countedAt: number;
  /** True while a request recounts the list. */
  renewing: boolean;
}

/** Recent totals of long lists, by account, list and filter. */
export type Totals = Map<string, KeptTotal>;
