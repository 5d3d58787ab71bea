import type { z } from 'zod';
import type { Presented } from '../../billing/json.ts';
import { cut } from '../../billing/refusal.ts';
import type { Pdf } from '../../commands/documents/pdfs.ts';
import { Missing } from '../../commands/kernel/missing.ts';
import { documentationOf, type JsonSchema } from '../body/documented.ts';
import { LARGEST_ID, LARGEST_LONG_ID } from '../body/readers.ts';
import { parse } from '../body/request.ts';
import type { Answer, ApiRequest, Method } from './apiRequest.ts';
import type { IdColumn } from './kind.ts';

export interface Reply {
  statusCode: number;
  /** JSON text; null for an answer without a body. */
  json: string | null;
  /** In place of JSON text: what an array has, which is written member by member. */
  members?: readonly Presented[];
  headers?: Record<string, string>;
  /** In place of JSON. */
  pdf?: Pdf;
}

/** One endpoint, as the router and the reference see it. */
export interface Route {
  /** Several where more than one name for the same is allowed. */
  method: Method | readonly Method[];
  /** Below the base URL, `:name` for its parameters. */
  path: string;
  /** What typed clients call it: `voidInvoice`. It never changes. */
  operationId: string;
  summary: string;
  /** Which column `:id` in the path is; `id` unless said otherwise. */
  idColumn?: IdColumn;
  /** Parameters of the query, by name. */
  parameters?: Readonly<Record<string, QueryParameter>>;
  /** Schema of the request's body, and a body that would do. */
  body?: z.ZodType;
  example?: Presented;
  /** It also answers `application/pdf`, to who accepts that rather than JSON. */
  hasPdf?: boolean;
  /** It also takes `multipart/form-data` with a part named `file`. */
  takesFile?: boolean;
  answer: Answer;
  /** Closed to access tokens: what is made here would outlive the access that was granted. */
  keysOnly?: boolean;
  /** Open to publishable keys, and to pages of any origin. */
  publishable?: boolean;
  handle(request: ApiRequest): Promise<Reply>;
}

/** Of the query: a field of its own, or what a parameter of every list is called. */
export type QueryParameter = { schema: JsonSchema; style?: 'deepObject' };

/** The same routes, closed to access tokens. */
export function keysOnly(...routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, keysOnly: true }));
}

export function methodsOf({ method }: Pick<Route, 'method'>): readonly Method[] {
  return typeof method === 'string' ? [method] : method;
}

/** An endpoint that takes a body: parsed before its handler runs. Where a POST needs no field, nothing is a body too. */
export function withBody<Body>(
  route: Omit<Route, 'body' | 'example' | 'handle'> & {
    body: z.ZodType<Body>;
    example?: Presented;
    handle(request: ApiRequest, body: Body): Promise<Reply>;
  },
): Route {
  const hasNeeds = documentationOf(route.body).schema.required !== undefined;
  const isMade = methodsOf(route).every((method) => method === 'POST');
  return {
    ...route,
    handle: async (request) => {
      const body = isMade && !hasNeeds && isNothing(request.body) ? {} : request.body;
      return route.handle({ ...request, body }, parse(route.body, body));
    },
  };
}

/** `null` and `""` are no body. */
function isNothing(body: unknown): boolean {
  return body === null || body === '';
}

export function reply(statusCode: number, body: Presented | Presented[] | null): Reply {
  return { statusCode, json: body === null ? null : JSON.stringify(body) };
}

/** The object that a find was to find. Throws Missing. */
export function found<Row>(row: Row | null, what: string, id: number | string): Row {
  if (row === null) throw new Missing(what, id);
  return row;
}

/** An id in the path; one that no row can have is missing. */
export function pathId(request: ApiRequest, what: string, name = 'id'): number {
  return idIn(request.params[name], what, LARGEST_ID);
}

/** The id of one of a resource in the path, as that resource has ids. */
export function pathKey(
  request: ApiRequest,
  { name, idColumn, hasLongIds }: { name: string; idColumn: IdColumn; hasLongIds?: boolean },
): number | string {
  if (idColumn === 'code') return pathCode(request, name);
  return hasLongIds ? idIn(request.params.id, name, LARGEST_LONG_ID) : pathId(request, name);
}

function idIn(text = '', what: string, largest: number): number {
  const id = Number(text);
  if (!/^\d{1,16}$/.test(text) || id > largest) throw new Missing(what, cut(text));
  return id;
}

/** Id of an item or a plan in the path. */
export function pathCode(request: ApiRequest, what: string): string {
  const text = request.params.id ?? '';
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(text)) throw new Missing(what, cut(text));
  return text;
}
