import type { DeclineKind } from '../payments/declines.ts';
import type { PaymentSourceType } from '../payments/paymentMethods.ts';
import { addDays, capAtLatest, cappedRetry } from '../time/calendar.ts';

export interface FirstAttempt {
  /** Document date, epoch milliseconds. */
  dateAt: number;
  /** Time of issue, epoch milliseconds. */
  issuedAt: number;
  delayDays: number;
  minimumDelaySeconds: number;
  zone: string;
}

/**
 * Time of an invoice's first automatic charge, epoch milliseconds: `delayDays` after the document date or the issue, whichever is later,
 * and at least `minimumDelaySeconds` after the issue.
 */
export function firstAttemptAt(rule: FirstAttempt): number {
  const delayed = addDays(Math.max(rule.dateAt, rule.issuedAt), rule.delayDays, rule.zone);
  return capAtLatest(Math.max(delayed, rule.issuedAt + rule.minimumDelaySeconds * 1000));
}

export interface Failure {
  /** Number of succeeded and declined attempts, including this one. */
  attemptCount: number;
  kind: DeclineKind;
  /** The gateway's decline code. */
  code: string;
  sourceType: PaymentSourceType;
  /** Days from each failed attempt to the next one. */
  retryDays: readonly number[];
  /** Epoch milliseconds. */
  failedAt: number;
  zone: string;
}

/** A bank debit is retried at most twice, and only after a failure for insufficient or uncollected funds. */
const MAX_BANK_RETRIES = 2;
const BANK_RETRYABLE = new Set(['insufficient_funds', 'uncollected_funds']);

/**
 * Time at which a failed automatic charge is retried, epoch milliseconds; null: it is not retried. The n-th failed attempt is followed by
 * the n-th delay of `retryDays`.
 */
export function retryAttemptAt(failure: Failure): number | null {
  if (failure.kind !== 'soft') return null;
  if (failure.sourceType === 'bank_account' && !mayRetryBankDebit(failure)) return null;
  const days = failure.retryDays[failure.attemptCount - 1];
  return days === undefined ? null : cappedRetry(failure.failedAt, addDays(failure.failedAt, days, failure.zone));
}

function mayRetryBankDebit(failure: Failure): boolean {
  return failure.attemptCount <= MAX_BANK_RETRIES && BANK_RETRYABLE.has(failure.code);
}

/** Maximum number of automatic charges of an invoice: the first one and its retries. */
export function maxAttempts(retryDays: readonly number[]): number {
  return retryDays.length + 1;
}
