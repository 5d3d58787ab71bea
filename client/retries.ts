const FIRST_MILLISECONDS = 250;
const MOST_MILLISECONDS = 8_000;
/** If `Retry-After` is longer, the call fails with that response instead of waiting. */
const LONGEST_RETRY_AFTER_MILLISECONDS = 60_000;

/** Statuses after which the same request, with the same Idempotency-Key, may succeed. */
const retryable = new Set([429, 500, 502, 503, 504]);

export function isRetryable(status: number): boolean {
  return retryable.has(status);
}

/**
 * Milliseconds to wait before the next try. Null if that would be too long. `tries`: number of tries so far. `retryAfter`: value of the
 * header. Without the header, the wait doubles each time up to a maximum, and is shortened by up to half at random, so that clients that
 * failed together do not retry together.
 */
export function retryDelay(tries: number, retryAfter: string | null, random = Math.random()): number | null {
  const asked = retryAfter === null ? null : millisecondsOf(retryAfter);
  if (asked !== null) return asked <= LONGEST_RETRY_AFTER_MILLISECONDS ? asked : null;
  const whole = Math.min(FIRST_MILLISECONDS * 2 ** (tries - 1), MOST_MILLISECONDS);
  return whole * (0.5 + random / 2);
}

/** Parses a Retry-After header, a number of seconds or an HTTP date. Null for anything else. */
function millisecondsOf(retryAfter: string): number | null {
  const text = retryAfter.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(at - Date.now(), 0);
}

/** Resolves after a time. Rejects with the signal's reason as soon as the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
