/** Waits between the attempts of a delivery, in seconds: 75 hours in all. */
const WAITS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const JITTER = 0.1;
/** A receiver may ask for patience, in seconds, but not for good. */
const LONGEST_RETRY_AFTER = 86_400;
/** An endpoint that answers nothing but failures for so long is disabled. */
export const DISABLE_AFTER_MILLISECONDS = 5 * 86_400_000;

/** What a failed attempt means. 410: the endpoint is gone; else wait, or give up after the tenth. */
export type FailureVerdict = { kind: 'gone' } | { kind: 'retry'; waitMilliseconds: number } | { kind: 'failed' };

/** 2xx: the endpoint has the event. */
export function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

export interface FailedAttempt {
  /** Attempts made, this one included. */
  attempts: number;
  statusCode: number | null;
  retryAfterSeconds: number | null;
  /** A random number from 0 to 1: spreads the retries of an endpoint that came back. */
  chance: number;
}

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
