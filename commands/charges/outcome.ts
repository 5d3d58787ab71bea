import type { Interruption } from '../../billing/wait.ts';
import type { Attempt } from '../../db/schema/attempt.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import type { GatewayOutcome } from '../ports.ts';

/** `unknown`: the gateway did not answer before the deadline. `why` absent: the gateway has not carried it out. */
export type Outcome =
  | Exclude<GatewayOutcome, { status: 'abandoned' }>
  | { status: 'abandoned'; why?: Interruption }
  | { status: 'unknown'; source: null };

/** An attempt that has just got an outcome, its customer locked. */
export interface LockedAttempt extends LockedCustomer {
  attempt: Attempt;
  /** It was pending or unknown before. */
  wasPending: boolean;
}
