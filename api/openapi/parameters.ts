import { CURRENT_VERSION } from '../../commands/kernel/caller.ts';
import type { JsonSchema } from '../body/documented.ts';
import { LARGEST_ID, LARGEST_LONG_ID } from '../body/readers.ts';
import type { Method, ResponseDeclaration } from '../framework/apiRequest.ts';
import { readParameters } from '../framework/parameters.ts';
import type { Route } from '../framework/route.ts';
import type { Parameter, Ref } from './types.ts';

/** Shared parameters by component name. */
export const parameterComponents: Record<string, Parameter> = {
  Page: inQuery('page', 'Page number, from 1; lower numbers count as 1; a page after the last one is empty', {
    type: 'integer',
    default: 1,
    examples: [2],
  }),
  PerPage: inQuery('per_page', 'Objects per page, from 1 to 100; values outside are raised to 1 or lowered to 100', {
    type: 'integer',
    default: 100,
    examples: [25],
  }),
  Cursor: inQuery('cursor', 'Position in the list; opaque, taken from the links of the `Link` header', {
    type: 'string',
    examples: ['eyJvcmRlciI6ImlkIGRlc2MiLCJhZnRlciI6WyI3NyJdfQ'],
  }),
  ApiVersion: inHeader(
    'Api-Version',
    'API version; default: the version of the account. This document describes the current version',
    { type: 'string', enum: [CURRENT_VERSION] },
  ),
  IdempotencyKey: inHeader(
    'Idempotency-Key',
    'Unique key of this write, such as a UUID. Repeating the request with the same key returns the first answer and has no further effect',
    {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      examples: ['0b6a7c2e-3d0f-4c8e-9a55-1f2d3c4b5a69'],
    },
  ),
  IfMatch: inHeader(
    'If-Match',
    '`ETag` of the object as it was read, or several. If the object has changed since, nothing is changed, and the answer is 400 with the code `stale`, the object as it is in `current` and its tag in `etag`. `*`: any',
    { type: 'string', examples: ['"9f2c1a7e0b4d4f6f8a3b5c7d9e1f2a4b"'] },
  ),
};

function inQuery(name: string, description: string, schema: JsonSchema): Parameter {
  return { name, in: 'query', description, required: false, schema };
}

function inHeader(name: string, description: string, schema: JsonSchema): Parameter {
  return { name, in: 'header', description, required: false, schema };
}

/** Every parameter of an operation. */
export function parametersOf(route: Route, method: Method): (Parameter | Ref)[] {
  return [
    ...pathNames(route.path).map((name) => pathParameter(route, name)),
    ...Object.entries({ ...route.parameters, ...wanting(route.answer) }).map(([name, { schema, style }]) => {
      const { description = '', ...rest } = schema;
      const base = inQuery(name, typeof description === 'string' ? description : '', rest);
      return style ? { ...base, style, explode: true } : base;
    }),
    ...(isList(route.answer) ? [ref('Page'), ref('PerPage'), ref('Cursor')] : []),
    ...(method === 'GET' || route.storesNothing ? [] : [ref('IdempotencyKey')]),
    ...(method !== 'GET' && route.stored ? [ref('IfMatch')] : []),
    ref('ApiVersion'),
  ];
}

/** Parameters that every response with an object has: expansions and includes. */
function wanting(answer: ResponseDeclaration): NonNullable<Route['parameters']> {
  return 'kind' in answer ? readParameters(answer.kind) : {};
}

export function isList(answer: ResponseDeclaration): boolean {
  return 'isList' in answer && answer.isList === true;
}

/** `/invoices/:id/pay` as an OpenAPI path template. */
export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function pathNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

function pathParameter(route: Route, name: string): Parameter {
  const isCode = name === 'id' && route.idColumn === 'code';
  const isLong = name === 'id' && 'kind' in route.answer && route.answer.kind.hasLongIds === true;
  const schema = isCode
    ? { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$', examples: ['gold'] }
    : { type: 'integer', minimum: 1, maximum: isLong ? LARGEST_LONG_ID : LARGEST_ID, examples: [77] };
  return { name, in: 'path', required: true, description: `Id of the ${kindIn(route.path, name)}`, schema };
}

/** The kind of object that an id in a path belongs to: "payment source" for `:id` of `/payment_sources/:id`. */
function kindIn(path: string, name: string): string {
  const parts = path.split('/');
  const plural = parts[parts.indexOf(`:${name}`) - 1] ?? '';
  return plural
    .replace(/s$/, '')
    .replaceAll('_', ' ')
    .replace(/^api /, 'API ')
    .replace(/^oauth /, 'OAuth ');
}

function ref(name: string): Ref {
  return { $ref: `#/components/parameters/${name}` };
}
