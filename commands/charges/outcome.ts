import type { Attempt } from '../../db/schema/attempt.ts';
import type { Interruption } from '../../present/payments/attempt.ts';
import type { CustomerMoment } from '../kernel/moment.ts';
import type { GatewayOutcome } from '../ports.ts';

/** `unknown`: the gateway was asked and did not answer in time. `why`: unless said, the gateway has not done it. */
export type Outcome =
  | Exclude<GatewayOutcome, { status: 'abandoned' }>
  | { status: 'abandoned'; why?: Interruption }
  | { status: 'unknown'; source: null };

/** An attempt that has just been given an outcome, its customer locked. */
export interface AttemptMoment extends CustomerMoment {
  attempt: Attempt;
  /** It was shown as pending before. */
  wasPending: boolean;
}
