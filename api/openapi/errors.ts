import { type ErrorCode, errorCodes } from '../../billing/errorCodes.ts';
import { declineCodes } from '../../billing/payments/declines.ts';
import { presentError } from '../../present/kernel/error.ts';
import * as shown from '../framework/shape.ts';
import { errorHeaders } from './headers.ts';
import type { Ref, Response } from './types.ts';

/** The list of codes, as the reference prints it. */
const codesInWords = Object.entries(errorCodes)
  .map(([code, { means, remedy }]) => `- \`${code}\`: ${means} ${remedy}`)
  .join('\n');

const declinesInWords = Object.entries(declineCodes)
  .map(([code, means]) => `- \`${code}\`: ${means}`)
  .join('\n');

export const errorShape = shown.sometimes(
  shown.shape('Error', 'Reason why a request failed', {
    type: shown.choice('`invalid_request`: the request is wrong; `api`: the server failed', 'invalid_request', 'api'),
    code: shown.choice(
      `Code of the error, for programs to branch on. Their meanings, and what to do:\n${codesInWords}`,
      ...Object.keys(errorCodes),
    ),
    message: shown.text('Error message for developers: the error, and how to correct it', 'Name missing'),
  }),
  {
    param: shown.text('Name of the wrong field or parameter, such as `items[0][unit_cost]`', 'name'),
    decline_code: shown.choice(
      `Only of declines: why the gateway or the bank declined, the same for all gateways:\n${declinesInWords}`,
      ...Object.keys(declineCodes),
    ),
    charge: shown.nullable(shown.id('Only of declines: id of the failed charge; null: no charge was stored')),
    etag: shown.text('Only of `stale`: the tag of the object as it is', '"9f2c1a7e0b4d4f6f8a3b5c7d9e1f2a4b"'),
    current: shown.nullable(
      shown.record('Only of `stale`: the object as it is, as `GET` shows it; null: nothing reads it by itself'),
    ),
    retryable: shown.flag('Only of declines: whether the same payment source may succeed later', true),
  },
);

const invalid = (code: ErrorCode, message: string, param?: string) =>
  presentError({ type: 'invalid_request', code, message, ...(param ? { param } : {}) });

/** Every error status, with an example of its body. */
const failures = {
  400: {
    name: 'BadRequest',
    means: 'The request is wrong; nothing was changed',
    example: invalid('parameter_missing', 'Name missing', 'name'),
  },
  401: {
    name: 'Unauthorized',
    means: 'The key is missing, wrong, expired or revoked',
    example: invalid('authentication_required', 'API key is not valid'),
  },
  403: {
    name: 'Forbidden',
    means: 'The key lacks the right to do this, or a page of another site sent the request',
    example: invalid('permission_missing', 'API key may only read'),
  },
  404: {
    name: 'NotFound',
    means: 'The object does not exist',
    example: invalid('resource_missing', 'Invoice was not found: 77'),
  },
  429: {
    name: 'TooManyRequests',
    means:
      'Too many requests, or the object is busy: try again after `Retry-After`. Without that header the payment gateway may have moved money: look at what is stored first',
    example: invalid('rate_limited', 'Too many requests; try again in 1 s'),
  },
  500: {
    name: 'ServerError',
    means:
      'Internal error; report the `Request-Id`. With `outcome_unknown`, the change may have been stored: look before you send it again',
    example: presentError({
      type: 'api',
      code: 'internal_error',
      message: 'Something went wrong on our side. Request-Id: 0b2f…',
    }),
  },
  503: {
    name: 'ServiceUnavailable',
    means:
      'The database, or the store of a file, cannot be reached, does not answer or is full: send the request again after `Retry-After`, with the same `Idempotency-Key` if it had one',
    example: presentError({
      type: 'api',
      code: 'service_unavailable',
      message: 'The database cannot serve requests at the moment; nothing was changed. Try again',
    }),
  },
} as const;

/** Error responses of every operation. */
export const errorResponses: Record<string, Ref> = Object.fromEntries(
  Object.entries(failures).map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
);

export const errorComponents: Record<string, Response> = Object.fromEntries(
  Object.entries(failures).map(([status, { name, means, example }]) => [
    name,
    {
      description: means,
      headers: errorHeaders(status),
      content: { 'application/json': { schema: shown.refTo(errorShape), examples: { [name]: { value: example } } } },
    },
  ]),
);
