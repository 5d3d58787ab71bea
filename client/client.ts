import { addressOf } from './address.ts';
import type {
  Answer,
  Body,
  BodyArguments,
  DryRunAnswer,
  DryRunParams,
  DryRunPath,
  Element,
  ListPath,
  Method,
  ParamsArgument,
  PathWith,
} from './operations.ts';
import { type Page, pagesFrom } from './pages.ts';
import { type OwnKey, type Sending, send } from './send.ts';

/** A text, or a function that is called before each try, so that it can renew the text. */
type Renewed = string | (() => string | Promise<string>);

/** The session of a person in its browser, for pages of the site itself: its cookie says who asks. */
export interface Session {
  /** Id of the live account. The base URL says which environment is meant. */
  account: number;
  /** Sent with each write. */
  csrfToken: Renewed;
}

/** An API key, an OAuth access token, or a session. */
export type Auth = { apiKey: string } | { accessToken: Renewed } | { session: Session };

export interface RequestOptions {
  /** Idempotency-Key of the next write, and of repetitions of the same write. All other writes get generated keys. */
  idempotencyKey?: string | undefined;
  /** ETag of the object as it was read, for writes: they are refused with the code `stale` if it has changed since. */
  ifMatch?: string | undefined;
  /** Version of the API. Default: the account's version. */
  apiVersion?: string | undefined;
  /** Language of the sentences in answers, as in `Accept-Language`. Default: English, or the browser's. */
  language?: string | undefined;
  /** Maximum number of retries when there is no response, or one with status 429, 500, 502, 503 or 504. Default: 3. */
  retries?: number | undefined;
  /** Timeout of one try, milliseconds. Default: 30,000. */
  timeoutMilliseconds?: number | undefined;
  /** Aborts calls, including their retries. They reject with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export type ClientOptions = Auth &
  RequestOptions & {
    /** Base URL of live or sandbox: `https://billing.example/api`, `https://billing.example/sandbox/api`. */
    baseUrl: string;
    /** Replaces the platform's `fetch`. */
    fetch?: typeof fetch;
  };

/** A response with what its headers say. */
export interface Full<Data> {
  data: Data;
  /** Tag of the object, for `ifMatch`. Null: it has none. */
  etag: string | null;
  /** Number of elements on all pages of a list. Null: it is no list. */
  total: number | null;
  headers: Headers;
}

/** Forms of responses other than JSON. `application/octet-stream`: a stored file, whatever its type. */
export type ByteType =
  | 'application/pdf'
  | 'application/xml'
  | 'text/csv'
  | 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  | 'application/octet-stream';

/** Bytes of a file, with its MIME type, and its name if it has one. */
export interface Bytes {
  bytes: Blob;
  type: string;
  name: string | null;
}

/**
 * Typed calls of the API. Parameters of path and query are passed together: `get('/invoices/{id}', { id: 7, expand: 'customer' })`. Bodies
 * and results are JSON objects as in the reference; a response without a body is null. A call rejects with ApiError when it is refused, with
 * ConnectionError when the last try got no response, with TypeError for a bad path parameter, and with the signal's reason when it is aborted.
 * With `dry_run` among the parameters, nothing is stored, and the result shows what would follow.
 */
export interface Client {
  get<P extends PathWith<'get'>>(path: P, ...params: ParamsArgument<'get', P>): Promise<Answer<'get', P>>;
  post<P extends DryRunPath<'post'>>(
    path: P,
    body: Body<'post', P>,
    params: DryRunParams<'post', P>,
  ): Promise<DryRunAnswer<'post', P>>;
  post<P extends PathWith<'post'>>(path: P, ...given: BodyArguments<'post', P>): Promise<Answer<'post', P>>;
  put<P extends PathWith<'put'>>(path: P, ...given: BodyArguments<'put', P>): Promise<Answer<'put', P>>;
  patch<P extends DryRunPath<'patch'>>(
    path: P,
    body: Body<'patch', P>,
    params: DryRunParams<'patch', P>,
  ): Promise<DryRunAnswer<'patch', P>>;
  patch<P extends PathWith<'patch'>>(path: P, ...given: BodyArguments<'patch', P>): Promise<Answer<'patch', P>>;
  delete<P extends DryRunPath<'delete'>>(
    path: P,
    params: DryRunParams<'delete', P>,
  ): Promise<DryRunAnswer<'delete', P>>;
  delete<P extends PathWith<'delete'>>(path: P, ...params: ParamsArgument<'delete', P>): Promise<Answer<'delete', P>>;
  /** Does what the method of this name does. Returns the result with its ETag, its total and its headers. */
  full<M extends 'get' | 'delete', P extends PathWith<M>>(
    method: M,
    path: P,
    ...params: ParamsArgument<M, P>
  ): Promise<Full<Answer<M, P>>>;
  full<M extends 'post' | 'put' | 'patch', P extends PathWith<M>>(
    method: M,
    path: P,
    ...given: BodyArguments<M, P>
  ): Promise<Full<Answer<M, P>>>;
  /** Reads a file: the PDF or e-invoice of a document, a list or report as CSV, the bytes of a stored file. */
  bytes<P extends PathWith<'get'>>(path: P, type: ByteType, ...params: ParamsArgument<'get', P>): Promise<Bytes>;
  /** Yields all elements of a list. Fetches pages as they are needed. */
  list<P extends ListPath>(path: P, ...params: ParamsArgument<'get', P>): AsyncGenerator<Element<P>, void>;
  /** Yields a list page by page. */
  pages<P extends ListPath>(path: P, ...params: ParamsArgument<'get', P>): AsyncGenerator<Page<Element<P>>, void>;
  /** Returns a copy with the given options: `client.with({ idempotencyKey: 'order-7' }).post(…)`. */
  with(options: RequestOptions): Client;
}

/** Creates a client. Sends nothing yet. Throws a TypeError when the base URL is not valid, or when there is no key, no token and no session. */
export function createClient(options: ClientOptions): Client {
  const fixed = {
    baseUrl: new URL(options.baseUrl).href.replace(/\/+$/, ''),
    identify: identifying(options),
    isSession: 'session' in options,
    // In a browser, fetch cannot be called as a method of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  };
  return clientOf(withOptions({ ...fixed, retries: 3, timeoutMilliseconds: 30_000 }, options));
}

function withOptions(sending: Sending, options: RequestOptions): Sending {
  return {
    ...sending,
    retries: options.retries ?? sending.retries,
    timeoutMilliseconds: options.timeoutMilliseconds ?? sending.timeoutMilliseconds,
    apiVersion: options.apiVersion ?? sending.apiVersion,
    language: options.language ?? sending.language,
    idempotencyKey: ownKey(options) ?? sending.idempotencyKey,
    ifMatch: options.ifMatch ?? sending.ifMatch,
    signal: options.signal ?? sending.signal,
  };
}

function ownKey({ idempotencyKey: text }: RequestOptions): OwnKey | undefined {
  return text === undefined ? undefined : { text, write: null };
}

function bodyOf(given: unknown): string | FormData | null {
  if (given === undefined || given === null) return null;
  return given instanceof FormData ? given : JSON.stringify(given);
}

function clientOf(sending: Sending): Client {
  type Given = { params: unknown; body?: unknown };
  const full = async <Result>(method: string, template: string, given: Given): Promise<Full<Result>> => {
    const body = bodyOf(given.body);
    const { text, headers } = await send(sending, { method, ...addressOf(template, given.params), body });
    const total = headers.get('X-Total-Count');
    const data: Result = JSON.parse(text === '' ? 'null' : text);
    return { data, etag: headers.get('ETag'), total: total === null ? null : Number(total), headers };
  };
  const call = async <Result>(method: string, template: string, given: Given): Promise<Result> =>
    (await full<Result>(method, template, given)).data;
  const bytes = async (template: string, accept: ByteType, params: unknown): Promise<Bytes> => {
    const sent = { method: 'GET', ...addressOf(template, params), body: null, accept };
    const { bytes: blob, headers } = await send(sending, sent);
    return { bytes: blob ?? new Blob([]), type: headers.get('Content-Type') ?? accept, name: fileName(headers) };
  };
  async function* pages<Item>(template: string, params: unknown): AsyncGenerator<Page<Item>, void> {
    const { path, query } = addressOf(template, params);
    yield* pagesFrom<Item>((asked) => send(sending, { method: 'GET', path, query: asked, body: null }), query);
  }
  async function* list<Item>(template: string, params: unknown): AsyncGenerator<Item, void> {
    for await (const page of pages<Item>(template, params)) yield* page.items;
  }
  return {
    get: (path, ...[params]) => call('GET', path, { params }),
    put: (path, ...[body, params]) => call('PUT', path, { body, params }),
    // The other methods have two kinds of results, because of dry runs. `never` fits both.
    delete: (path: string, params?: unknown) => call<never>('DELETE', path, { params }),
    post: (path: string, body?: unknown, params?: unknown) => call<never>('POST', path, { body, params }),
    patch: (path: string, body?: unknown, params?: unknown) => call<never>('PATCH', path, { body, params }),
    full: (method: Method, path: string, ...given: unknown[]) => {
      const [body, params] = method === 'get' || method === 'delete' ? [undefined, given[0]] : given;
      return full<never>(method.toUpperCase(), path, { body, params });
    },
    bytes: (path, type, ...[params]) => bytes(path, type, params),
    list: (path, ...[params]) => list(path, params),
    pages: (path, ...[params]) => pages(path, params),
    with: (options) => clientOf(withOptions(sending, options)),
  };
}

/** The name in a Content-Disposition header; null: it has none. */
function fileName(headers: Headers): string | null {
  const text = headers.get('Content-Disposition') ?? '';
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(text) ?? [];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const [, quoted, plain] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(text) ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? plain ?? null;
}

const textOf = async (text: Renewed): Promise<string> => (typeof text === 'string' ? text : text());

/** The headers that say who asks. */
function identifying(auth: Auth): Sending['identify'] {
  if ('session' in auth && auth.session) {
    const { account, csrfToken } = auth.session;
    const own = { 'Perennial-Account': String(account) };
    return async (isWrite) => (isWrite ? { ...own, 'X-CSRF-Token': await textOf(csrfToken) } : own);
  }
  if ('accessToken' in auth && auth.accessToken) {
    const { accessToken } = auth;
    return async () => ({ Authorization: `Bearer ${await textOf(accessToken)}` });
  }
  // The types do not keep a program from passing a variable of its environment that is not set.
  if (!('apiKey' in auth) || typeof auth.apiKey !== 'string' || auth.apiKey.trim() === '')
    throw new TypeError('The client needs an apiKey, an accessToken or a session: it is missing or empty');
  const basic = `Basic ${btoa(`${auth.apiKey}:`)}`;
  return async () => ({ Authorization: basic });
}
