import { presentError } from '../../present/kernel/error.ts';
import * as fields from '../framework/shape.ts';
import { errorHeaders } from './headers.ts';
import type { Ref, Response } from './types.ts';

export const errorShape = fields.sometimes(
  fields.shape('Error', 'Why a request had no success', {
    type: fields.choice('Whose fault it was: of the request, or of this side', 'invalid_request', 'api'),
    message: fields.text('What is wrong, and what would be right', 'Name missing'),
  }),
  { param: fields.text('The field or parameter that is at fault: `items[0][unit_cost]`', 'name') },
);

const invalid = (message: string, param?: string) =>
  presentError({ type: 'invalid_request', message, ...(param ? { param } : {}) });

/** Every error status, with an example of its body. */
const failures = {
  400: {
    name: 'BadRequest',
    means: 'The request is not right: nothing was done',
    example: invalid('Name missing', 'name'),
  },
  401: {
    name: 'Unauthorized',
    means: 'The key is missing, wrong, expired or revoked',
    example: invalid('API key is not valid'),
  },
  403: {
    name: 'Forbidden',
    means: 'The key may not do this, or a page of another site sent it',
    example: invalid('API key may only read'),
  },
  404: { name: 'NotFound', means: 'There is no such object', example: invalid('Invoice was not found: 77') },
  429: {
    name: 'TooManyRequests',
    means: 'Too many requests, or the object is busy: try again after `Retry-After`',
    example: invalid('Too many requests; try again in 1 s'),
  },
  500: {
    name: 'ServerError',
    means: 'Something went wrong on this side; the `Request-Id` helps to find it',
    example: presentError({ type: 'api', message: 'Something went wrong on our side. Request-Id: 0b2f…' }),
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
      content: { 'application/json': { schema: fields.refTo(errorShape), examples: { [name]: { value: example } } } },
    },
  ]),
);
