import Stripe from 'stripe';

const { StripeCardError, StripeIdempotencyError, StripeInvalidRequestError } = Stripe.errors;

/** Whether Stripe answered that it does not know an object. */
export const isMissing = (error: unknown): boolean =>
  error instanceof StripeInvalidRequestError && error.code === 'resource_missing' && error.statusCode === 404;

/**
 * Whether Stripe answered that a request was wrong or declined, and did nothing. All other errors leave the outcome unknown: no answer, a
 * limit of requests, an error of Stripe itself, a key without the rights.
 */
export const isRefused = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof StripeCardError || error instanceof StripeInvalidRequestError;

/** Whether the key of a request was used for another request before. */
export const isUsedKey = (error: unknown): boolean => error instanceof StripeIdempotencyError;

/** The error of a request that Stripe did not carry out. Throws all others. */
export function refusalIn(error: unknown): Stripe.errors.StripeError {
  if (isRefused(error) || error instanceof StripeIdempotencyError) return error;
  throw error;
}
