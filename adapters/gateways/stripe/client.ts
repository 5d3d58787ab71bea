import Stripe from 'stripe';
import { createSoundClient } from './answers.ts';

/** The version of Stripe's API whose requests and answers the adapter knows. It changes together with the SDK. */
const API_VERSION = '2026-10-28.endive';

/** Limits of one request, which together stay below the 20 seconds that an operation has. */
const TIMEOUT_MILLISECONDS = 5000;
const MOST_RETRIES = 2;

export interface StripeAccess {
  secretKey: string;
  /** A server that replaces api.stripe.com. For tests. */
  server?: { host: string; port: number; protocol: 'http' | 'https' };
  /** Limit of one try of a request. */
  timeoutMilliseconds?: number;
}

/** Makes one request. Throws once the caller's time is over; a request that has been sent may still take effect then. */
export type Call = <T>(request: (stripe: Stripe) => Promise<T>) => Promise<T>;

/** Opens Stripe's SDK. It sends a request at most three times, always with the same idempotency key, and no telemetry. */
export function openStripe({ secretKey, server, timeoutMilliseconds }: StripeAccess): Stripe {
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    maxNetworkRetries: MOST_RETRIES,
    timeout: timeoutMilliseconds ?? TIMEOUT_MILLISECONDS,
    telemetry: false,
    httpClient: createSoundClient(),
    ...server,
  });
}

/** The requests of a caller whose time ends with `signal`. */
export function callsOf(stripe: Stripe, signal: AbortSignal): Call {
  return async (request) => {
    signal.throwIfAborted();
    const over = Promise.withResolvers<never>();
    const end = () => over.reject(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    try {
      return await Promise.race([request(stripe), over.promise]);
    } finally {
      signal.removeEventListener('abort', end);
    }
  };
}
