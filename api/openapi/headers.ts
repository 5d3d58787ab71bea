import type { Presented } from '../../billing/json.ts';
import { CURRENT_VERSION } from '../../commands/kernel/caller.ts';
import type { JsonSchema } from '../body/documented.ts';
import type { Ref } from './types.ts';

const header = (description: string, schema: JsonSchema): Presented => ({ description, required: true, schema });
const count: JsonSchema = { type: 'integer', minimum: 0 };

/** Headers of responses, by name. */
const all = {
  'Request-Id': header('Id of the request, as in the logs: its `X-Request-Id`, if it has one', { type: 'string' }),
  'X-Request-Id': header('The same as `Request-Id`', { type: 'string' }),
  traceparent: {
    description: 'Place of the request in its trace (W3C Trace Context), if it is traced',
    required: false,
    schema: { type: 'string' },
  },
  'Api-Version': header('API version of the response', { type: 'string', examples: [CURRENT_VERSION] }),
  'RateLimit-Limit': header('Requests that may be sent at once after a pause', count),
  'RateLimit-Remaining': header('Requests that may still be sent now', count),
  'RateLimit-Reset': header('Seconds until `RateLimit-Limit` requests may be sent again', count),
  ETag: {
    description:
      'Tag of the object, for `If-Match`; the same in all versions and with all expansions. Absent where the object is of no kind that has one, and after a call of a gateway',
    required: false,
    schema: { type: 'string' },
  },
  Link: {
    description:
      'Links to pages of the list: `self`, `first`, `last`, and `previous` and `next` if they exist; CSV has no pages',
    required: false,
    schema: { type: 'string' },
  },
  'X-Total-Count': { description: 'Number of objects on all pages; absent from CSV', required: false, schema: count },
  'Idempotent-Replayed': {
    description: 'Present if this is the stored answer of an earlier request with the same `Idempotency-Key`',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
  'Retry-After': header('Seconds to wait before sending the request again', count),
  'WWW-Authenticate': header('Authentication scheme to use', { type: 'string' }),
};

type Name = keyof typeof all;

export const headerComponents: Presented = all;

const identity: Name[] = ['Request-Id', 'X-Request-Id', 'traceparent'];
const limits: Name[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

function refs(names: readonly Name[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

interface Success {
  isList: boolean;
  isWrite: boolean;
  /** Whether it may have the ETag of an object. */
  isTagged: boolean;
}

export function successHeaders({ isList, isWrite, isTagged }: Success): Record<string, Ref> {
  const names: Name[] = [...identity, 'Api-Version', ...limits];
  if (isTagged) names.push('ETag');
  if (isList) names.push('Link', 'X-Total-Count');
  if (isWrite) names.push('Idempotent-Replayed');
  return refs(names);
}

export function errorHeaders(status: string): Record<string, Ref> {
  if (status === '401') return refs([...identity, 'WWW-Authenticate']);
  if (status === '500') return refs(identity);
  // Too many requests of an address or an account are refused before the key's own limit is known.
  if (status === '429' || status === '503') return refs([...identity, 'Retry-After']);
  return refs([...identity, 'Api-Version', ...limits]);
}
