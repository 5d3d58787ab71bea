/** A future step: the rule that plans it, its time (epoch milliseconds), and its description. */
export interface Wait {
  rule: string;
  at: number;
  step: string;
  /** Absent or null: the usual reason of its rule. */
  reason?: Reason | null;
}

/** Why a step is planned. `detail`: the decline code of a gateway, or the message of a problem. */
export interface Reason {
  code: ReasonCode;
  detail: string | null;
}

/**
 * The reason why an attempt never happened. unreachable: the gateway could not be called; interrupted: the attempt was abandoned before the
 * gateway was asked to confirm it; not_made: the gateway was asked to confirm it, but has not done it.
 */
export type Interruption = 'unreachable' | 'interrupted' | 'not_made';

export type ReasonCode =
  | 'soft_decline'
  | 'hard_decline'
  | 'needs_customer'
  | Interruption
  /** The next period would end after the latest supported time. */
  | 'latest_date'
  /** The step was refused or failed before. */
  | 'step_failed';

/** Answer of a rule: the step due now, if any, and all pending waits, including that of the due step. */
export interface NextStep<Step> {
  due: Step | null;
  waits: Wait[];
}

/** The reason that a row keeps in two columns. */
export function reasonOf(row: {
  reason?: ReasonCode | null | undefined;
  reasonDetail?: string | null | undefined;
}): Reason | null {
  return row.reason ? { code: row.reason, detail: row.reasonDetail ?? null } : null;
}
