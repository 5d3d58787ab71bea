import type { Interruption } from '../../billing/wait.ts';
import type { Attempt } from '../../db/schema/attempt.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import type { GatewayOutcome } from '../ports/ports.ts';

/** The gateway refused the request of an operation, which was not made. */
export interface Refused {
  status: 'abandoned';
  why: 'refused';
  code: string;
  message: string;
}

/** `unknown`: the gateway did not answer in time, or failed. `why` absent: `not_made`. */
export type Outcome =
  | Exclude<GatewayOutcome, { status: 'abandoned' }>
  | { status: 'abandoned'; why?: Exclude<Interruption, 'refused'> }
  | Refused
  | { status: 'unknown'; source: null };

/** An outcome, or that the payer has to authenticate before there is one. */
export type Found = Outcome | { status: 'waiting'; sealedChallenge: string };

/** A locked attempt with a new outcome, and its locked customer. */
export interface LockedAttempt extends LockedCustomer {
  attempt: Attempt;
  /** Whether its charge or refund was written before: as pending, or as a refund that was made and fails now. */
  isWritten: boolean;
  /** Whether the outcome comes from the gateway's record after the database lost it. Its customer gets no second mail about it. */
  isRecovered: boolean;
  /** Whether it was recorded as not made before. */
  isReopened?: boolean;
}
