import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Presented } from '../../billing/json.ts';
import type { Permission } from '../../billing/people/permissions.ts';
import { cut } from '../../billing/refusal.ts';
import type { Pdf } from '../../commands/documents/pdfs.ts';
import type { XmlFile } from '../../commands/documents/sending.ts';
import { Missing } from '../../commands/kernel/missing.ts';
import type { Stored } from '../../db/queries/kernel/tags.ts';
import type { File } from '../../db/schema/file.ts';
import { documentationOf, type JsonSchema } from '../body/documented.ts';
import { LARGEST_ID, LARGEST_LONG_ID } from '../body/readers.ts';
import { parse } from '../body/request.ts';
import type { ApiRequest, Medium, Method, ResponseDeclaration } from './apiRequest.ts';
import type { IdColumn } from './kind.ts';
import type { Shape } from './shape.ts';

export interface Reply {
  statusCode: number;
  /** JSON text. Null: no body, or one of `members`, `parts`, `pdf` and `xml`. */
  json: string | null;
  /** The elements of a JSON array, instead of `json`. They are written one by one. */
  members?: readonly Presented[];
  /** JSON text in parts, instead of `json`. They are written one by one, and no version converts them. */
  parts?: AsyncGenerator<string, void>;
  /** Lines of CSV, instead of JSON, and the name of the file. They are read as the client takes them. */
  csv?: { name: string; lines: AsyncGenerator<string, void> };
  headers?: Record<string, string>;
  /** A PDF, instead of JSON. */
  pdf?: Pdf;
  /** An e-invoice, instead of JSON. */
  xml?: XmlFile;
  /** The bytes of a file, instead of JSON. Its `size` is null if it is written while it is sent. */
  file?: { about: Pick<File, 'name' | 'type' | 'size'>; bytes: Readable };
}

/** One endpoint, for the router and the reference. */
export interface Route {
  /** Several methods if the route has aliases. The first one names the operation. */
  method: Method | readonly Method[];
  /** Relative to the base URL, with `:name` for parameters. */
  path: string;
  /** A second path of the same operation. */
  alias?: string;
  /** Name of the operation in typed clients, such as `voidInvoice`. It never changes. */
  operationId: string;
  summary: string;
  /** What a caller must hold to use it. Null: every secret key and token may. */
  permission: Permission | null;
  /** Column that `:id` in the path refers to. Default: `id`. */
  idColumn?: IdColumn;
  /** Query parameters by name. */
  parameters?: Readonly<Record<string, QueryParameter>>;
  /** Schema of the request body. `example` is a valid body. */
  body?: z.ZodType;
  example?: Presented;
  /** Shape whose fields describe those of the request body with the same names. Default: that of the response. */
  bodyShape?: Shape;
  /** Forms of its response besides JSON. */
  media?: readonly Exclude<Medium, 'json'>[];
  /** Whether its response has no form as JSON. */
  hasNoJson?: boolean;
  /** Whether it also accepts `multipart/form-data` with a part named `file`. */
  takesFile?: boolean;
  /** Whether the other parts of such a form are fields of the body. Default: they are ignored. */
  takesFields?: boolean;
  answer: ResponseDeclaration;
  /** The row of the object in the path, from which its ETag is made. Throws Missing for a text that cannot be its id. */
  stored?: (request: ApiRequest) => Stored;
  /** The route that reads the object of a route that writes (`withReads`). */
  reader?: Route;
  /**
   * Access tokens are refused, because what the route changes would stay after the access of the token ended: secrets, members, roles. A
   * person who changes it must have signed in within the last ten minutes.
   */
  keysOnly?: boolean;
  /** It is about the person who is signed in: keys and access tokens are refused. */
  ofPerson?: boolean;
  /** What it shows or changes concerns all customers: it refuses members that see only their own. */
  ofAllCustomers?: boolean;
  /** Whether it stores nothing. An Idempotency-Key is then ignored. */
  storesNothing?: boolean;
  /** Publishable keys are accepted, and pages of any origin may call it. */
  publishable?: boolean;
  handle(request: ApiRequest): Promise<Reply>;
}

/** A query parameter in the OpenAPI document. `deepObject`: written as `name[key]=value`. */
export type QueryParameter = { schema: JsonSchema; style?: 'deepObject' };

/** Makes routes refuse access tokens. */
export function keysOnly(...routes: readonly Route[]): Route[] {
  return routes.map((route) => ({ ...route, keysOnly: true }));
}

/** Makes routes that write refuse members that see only their own customers. */
export function writtenForAll(...routes: readonly Route[]): Route[] {
  return routes.map((route) => (methodsOf(route).includes('GET') ? route : { ...route, ofAllCustomers: true }));
}

export function methodsOf({ method }: Pick<Route, 'method'>): readonly Method[] {
  return typeof method === 'string' ? [method] : method;
}

/** A route whose body is parsed before its handler runs. If no field is required, the body of a POST may be missing. */
export function withBody<Body>(
  route: Omit<Route, 'body' | 'example' | 'handle'> & {
    body: z.ZodType<Body>;
    example?: Presented;
    handle(request: ApiRequest, body: Body): Promise<Reply>;
  },
): Route {
  const hasRequired = documentationOf(route.body).schema.required !== undefined;
  const isPost = methodsOf(route).every((method) => method === 'POST');
  return {
    ...route,
    handle: async (request) => {
      const body = isPost && !hasRequired && isNothing(request.body) ? {} : request.body;
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

/** The row that a query returned. Throws Missing when it returned none. */
export function found<Row>(row: Row | null, what: string, id: number | string): Row {
  if (row === null) throw new Missing(what, id);
  return row;
}

/** Parses an id in the path. Throws Missing for a text that cannot be an id. */
export function pathId(request: ApiRequest, what: string, name = 'id'): number {
  return idIn(request.params[name], what, LARGEST_ID);
}

/** Parses the public id of a resource in the path. Throws Missing for a text that cannot be one. */
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

/** Parses the text id of an item, plan, coupon or tax rate in the path. Throws Missing for a text that cannot be one. */
export function pathCode(request: ApiRequest, what: string): string {
  const text = request.params.id ?? '';
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(text)) throw new Missing(what, cut(text));
  return text;
}
