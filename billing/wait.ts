import type { WakeRule } from './processes.ts';

/** A planned step. */
export interface Wait {
  /** Name of the rule that plans it. */
  rule: WakeRule;
  /** Epoch milliseconds. */
  at: number;
  /** Description for operators. */
  step: string;
  /** Absent or null: the usual reason of its rule, which is not shown. */
  reason?: Reason | null;
}

/** Why a step is planned. `detail`: the decline code of a gateway, the configuration that was refused, the message of a problem, or
 * a number of days. */
export interface Reason {
  code: ReasonCode;
  detail: string | null;
}

/**
 * Reason why an abandoned attempt moved no money. `unreachable`: the gateway could not be called. `interrupted`: nobody asked the gateway
 * to confirm it. `not_made`: the gateway may have been asked to confirm it, but has not carried it out. `unauthenticated`: the payer was asked
 * to authenticate, and did not. `refused`: the gateway refused the request for a reason that the people of the account have to mend.
 */
export type Interruption = 'unreachable' | 'interrupted' | 'not_made' | 'unauthenticated' | 'refused';

export type ReasonCode =
  | 'soft_decline'
  | 'hard_decline'
  | 'needs_customer'
  | Interruption
  /** The next period would end after the latest supported time. */
  | 'latest_date'
  /** The period starts later: `detail` is the number of days before a period at which its subscription bills. */
  | 'ahead_of_period'
  /** The period ends, and its subscription bills in arrears. */
  | 'in_arrears'
  /** The step was refused or failed before. */
  | 'step_failed';

/** Result of a rule: the step due now, if any, and all pending waits, including that of the due step. */
export interface NextStep<Step> {
  due: Step | null;
  waits: Wait[];
}

/** The reason that a row stores in two columns; null: none. */
export function reasonOf(row: {
  reason?: ReasonCode | null | undefined;
  reasonDetail?: string | null | undefined;
}): Reason | null {
  return row.reason ? { code: row.reason, detail: row.reasonDetail ?? null } : null;
}

const HOUR = 3_600_000;

/** Delay in milliseconds before a step that failed `tries` times is tried again: 1 minute, doubled with each failure, at most 6 hours. */
export function problemBackoff(tries: number): number {
  return Math.min(60_000 * 2 ** Math.max(0, tries - 1), 6 * HOUR);
}

/**
 * Delay in milliseconds before an email is sent again after a temporary failure of the mail server: 10 seconds, tripled with each attempt,
 * at most 1 hour.
 */
export function mailBackoff(attempts: number): number {
  return Math.min(10_000 * 3 ** Math.max(0, attempts - 1), HOUR);
}
