import { addDays, heldAtLatest, heldRetry } from './calendar.ts';

export interface FirstAttempt {
  /** Date of the document, and when it was really issued: a late issue does not shorten the customer's time. */
  dateAt: number;
  issuedAt: number;
  delayDays: number;
  minimumDelaySeconds: number;
  zone: string;
}

/** When an invoice is charged for the first time, epoch milliseconds. */
export function firstAttemptAt(rule: FirstAttempt): number {
  const delayed = addDays(Math.max(rule.dateAt, rule.issuedAt), rule.delayDays, rule.zone);
  return heldAtLatest(Math.max(delayed, rule.issuedAt + rule.minimumDelaySeconds * 1000));
}

export interface Failure {
  /** Attempts with an outcome so far, this one included. */
  attemptCount: number;
  kind: 'soft' | 'hard' | 'needs_customer';
  code: string;
  sourceType: 'card' | 'bank_account';
  retryDays: readonly number[];
  failedAt: number;
  zone: string;
}

export type AfterFailure =
  | { kind: 'retry'; at: number }
  | { kind: 'stop'; reason: 'hard_decline' | 'needs_customer' | 'no_retries_left' };

/** Bank debits may be presented twice again, and only when the money was missing. */
const BANK_RETRIES = 2;
const BANK_RETRYABLE = new Set(['insufficient_funds', 'uncollected_funds']);

/** What follows a failed automatic charge: another after the n-th delay, or collection by hand. */
export function afterFailure(failure: Failure): AfterFailure {
  if (failure.kind === 'hard') return { kind: 'stop', reason: 'hard_decline' };
  if (failure.kind === 'needs_customer') return { kind: 'stop', reason: 'needs_customer' };
  const days = failure.retryDays[failure.attemptCount - 1];
  const exhausted = days === undefined || (failure.sourceType === 'bank_account' && !bankMayRetry(failure));
  if (exhausted) return { kind: 'stop', reason: 'no_retries_left' };
  const at = heldRetry(failure.failedAt, addDays(failure.failedAt, days, failure.zone));
  return at === null ? { kind: 'stop', reason: 'no_retries_left' } : { kind: 'retry', at };
}

function bankMayRetry(failure: Failure): boolean {
  return failure.attemptCount <= BANK_RETRIES && BANK_RETRYABLE.has(failure.code);
}

/** How many automatic charges an invoice sees at most. */
export function attemptsAtMost(retryDays: readonly number[]): number {
  return retryDays.length + 1;
}
