/** Waits between the ten attempts of a delivery, in seconds: 75.6 hours in all. */
const WAITS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const JITTER = 0.1;
/** Upper limit for a receiver's Retry-After, seconds. */
const LONGEST_RETRY_AFTER = 86_400;
/** An endpoint that has only failed for this long is disabled. */
export const DISABLE_AFTER_MILLISECONDS = 5 * 86_400_000;

/**
 * Result of a failed attempt. `gone`: the endpoint answered 410, so it is disabled, and the delivery waits for it. `retry`: try again after the
 * wait. `failed`: the tenth attempt failed, which ends the delivery.
 */
export type FailureVerdict = { kind: 'gone' } | { kind: 'retry'; waitMilliseconds: number } | { kind: 'failed' };

/** True for 2xx: the endpoint has received the event. */
export function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

export interface FailedAttempt {
  /** Number of attempts, this one included. */
  attempts: number;
  statusCode: number | null;
  /** Value of the Retry-After header; null: none. */
  retryAfterSeconds: number | null;
  /** A random number from 0 to 1 for the jitter, which spreads the retries of an endpoint that has recovered. */
  chance: number;
}

/** Decides what follows a failed attempt of a delivery. `recordFailed` (commands/webhooks/deliveries.ts) records it. */
export function judgeFailure(attempt: FailedAttempt): FailureVerdict {
  const { statusCode } = attempt;
  if (statusCode === 410) return { kind: 'gone' };
  const seconds = WAITS[attempt.attempts - 1];
  if (seconds === undefined) return { kind: 'failed' };
  const spread = seconds * (1 + JITTER * (2 * attempt.chance - 1));
  return {
    kind: 'retry',
    waitMilliseconds: Math.round(
      Math.max(spread, Math.min(attempt.retryAfterSeconds ?? 0, LONGEST_RETRY_AFTER)) * 1000,
    ),
  };
}
