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
  /** JSON text; null: no body. */
  json: string | null;
  /** The members of an array, in place of JSON text; written one by one. */
  members?: readonly Presented[];
  headers?: Record<string, string>;
  /** A PDF, in place of JSON. */
  pdf?: Pdf;
}

/** One endpoint, for the router and the reference. */
export interface Route {
  /** Several when aliases are allowed. */
  method: Method | readonly Method[];
  /** Relative to the base URL, with `:name` for parameters. */
  path: string;
  /** Name of the operation in typed clients: `voidInvoice`. It never changes. */
  operationId: string;
  summary: string;
  /** Column that `:id` in the path refers to. Default: `id`. */
  idColumn?: IdColumn;
  /** Query parameters by name. */
  parameters?: Readonly<Record<string, QueryParameter>>;
  /** Schema of the request's body; `example` is a valid body. */
  body?: z.ZodType;
  example?: Presented;
  /** Also answers `application/pdf` when the client prefers that to JSON. */
  hasPdf?: boolean;
  /** Also takes `multipart/form-data` with a part named `file`. */
  takesFile?: boolean;
  answer: Answer;
  /** Closed to access tokens: the objects made here would outlive the access that was granted. */
  keysOnly?: boolean;
  /** Open to publishable keys, and to pages of any origin. */
  publishable?: boolean;
  handle(request: ApiRequest): Promise<Reply>;
}

/** A query parameter: its own schema, or the schema of a parameter that every list has. */
export type QueryParameter = { schema: JsonSchema; style?: 'deepObject' };

/** Closes routes to access tokens. */
export function keysOnly(...routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, keysOnly: true }));
}

export function methodsOf({ method }: Pick<Route, 'method'>): readonly Method[] {
  return typeof method === 'string' ? [method] : method;
}

/** An endpoint with a body, which is parsed before its handler runs. If no field is required, the body of a POST may be missing. */
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

/** `null` and `""` count as no body. */
function isNothing(body: unknown): boolean {
  return body === null || body === '';
}

export function reply(statusCode: number, body: Presented | Presented[] | null): Reply {
  return { statusCode, json: body === null ? null : JSON.stringify(body) };
}

/** The object of a query. Throws Missing when there is none. */
export function found<Row>(row: Row | null, what: string, id: number | string): Row {
  if (row === null) throw new Missing(what, id);
  return row;
}

/** An id in the path. Throws Missing when no row can have it. */
export function pathId(request: ApiRequest, what: string, name = 'id'): number {
  return idIn(request.params[name], what, LARGEST_ID);
}

/** The key of a resource in the path, by its id column. */
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
