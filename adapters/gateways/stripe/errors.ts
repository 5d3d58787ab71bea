import Stripe from 'stripe';
import { GatewayRefused } from '../../../billing/payments/declines.ts';
import { declineCodes, type Fault } from './declines.ts';

const {
  StripeAuthenticationError,
  StripeCardError,
  StripeIdempotencyError,
  StripeInvalidRequestError,
  StripePermissionError,
} = Stripe.errors;

/** Whether Stripe answered that it does not know an object. */
export const isMissing = (error: unknown): boolean =>
  error instanceof StripeInvalidRequestError && error.code === 'resource_missing' && error.statusCode === 404;

/** Whether Stripe refused a request because the object that a parameter names does not exist: https://docs.stripe.com/error-codes#resource-missing. */
export const isGone = (error: unknown, param: string): boolean =>
  error instanceof StripeInvalidRequestError && error.code === 'resource_missing' && error.param === param;

/** Whether Stripe answered that a request was wrong or declined, and did nothing. */
export const isRefused = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof StripeCardError || error instanceof StripeInvalidRequestError;

/** Whether the key of a request was used for another request before. */
export const isUsedKey = (error: unknown): boolean => error instanceof StripeIdempotencyError;

/** Whether Stripe does not take the secret key (401), or the key has no right to the request (403): https://docs.stripe.com/api/errors. */
export const isLocked = (error: unknown): error is Stripe.errors.StripeError =>
  error instanceof StripeAuthenticationError || error instanceof StripePermissionError;

/**
 * What an error of Stripe is about. `decline`: the bank, or the payer's card or account. `refusal`: the account at Stripe, its key, or the request.
 * `outage`: nothing is known of the request: no answer, a limit of requests, an error of Stripe itself.
 */
export type ErrorKind = 'decline' | 'refusal' | 'outage';

/** Codes of the amount. They are the payer's only in a decline. */
const OF_AMOUNT = new Set(['amount_too_large', 'amount_too_small', 'invalid_amount']);

const OF_PAYER = new Set(declineCodes.filter((code) => !OF_AMOUNT.has(code)));

/** The kind of an error. Stripe answers declines with 402, and wrong requests with 400 or 404: https://docs.stripe.com/api/errors. */
export function kindOf(error: unknown): ErrorKind {
  if (isLocked(error) || isUsedKey(error)) return 'refusal';
  if (error instanceof StripeCardError) return 'decline';
  return error instanceof StripeInvalidRequestError ? kindOfFault({ ...error, type: error.rawType }) : 'outage';
}

/**
 * The kind of a fault that an answer or an intent names. Stripe calls wrong requests `invalid_request_error`. Some of them have a code of the
 * payer's card or account: then they are declines.
 */
export function kindOfFault({ type, code, decline_code: declineCode, param }: Fault): Exclude<ErrorKind, 'outage'> {
  if (type !== 'invalid_request_error' || declineCode) return 'decline';
  if (code === 'resource_missing') return INSTRUMENTS.has(param ?? '') ? 'decline' : 'refusal';
  return code && OF_PAYER.has(code) ? 'decline' : 'refusal';
}

/** Parameters that name the payer's card or account. */
const INSTRUMENTS = new Set(['payment_method', 'confirmation_token']);

/** What the people of the account read: Stripe's own message, and the request by which Stripe's log and support know it. */
export function refusedBy(error: Fault & { requestId?: string | undefined }, isUnmade: boolean): GatewayRefused {
  const { code, message = 'Stripe gave no reason.', requestId } = error;
  const request = requestId ? ` (request ${requestId})` : '';
  const said = message.slice(0, LONGEST_SENTENCE);
  return new GatewayRefused({ code: code || 'gateway_refused', message: `${said}${request}`, isUnmade });
}

/** Longest message that leaves room for the request. */
const LONGEST_SENTENCE = 200;

/**
 * The error of an operation's own request, which Stripe did not carry out: a key that Stripe does not take, or that has no right to the request,
 * is thrown as a refusal. Throws all errors that leave the outcome unknown. A request that was sent before without an answer gets no 401 or
 * 403 here (`answers.ts`).
 */
export function refusalIn(error: unknown): Stripe.errors.StripeError {
  if (isLocked(error)) throw refusedBy(error, true);
  if (isRefused(error) || error instanceof StripeIdempotencyError) return error;
  throw error;
}

/** Throws an error that answers a request which prepares or looks. A key that Stripe does not take says nothing of the operation. */
export function lockedOr(error: unknown): never {
  throw isLocked(error) ? refusedBy(error, false) : error;
}

/** Throws an error of a preparation, which moves no money: what Stripe refuses for another reason than a decline is not made. */
export function unprepared(error: unknown): never {
  const isOurs = (isRefused(error) || isLocked(error)) && kindOf(error) !== 'decline';
  throw isOurs ? refusedBy(error, true) : error;
}
