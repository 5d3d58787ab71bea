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
  ParamsArgument,
  PathWith,
} from './operations.ts';
import { type Page, pagesFrom } from './pages.ts';
import { type OwnKey, type Sending, send } from './send.ts';

/** A person who is signed in in this browser, at the origin of the API. */
export interface Session {
  /** Id of the live account. The environment is that of the base URL. */
  account: number;
  /** `csrf_token` of `/me`, called before each write. Null: not known yet, so that only reads succeed. */
  csrfToken: () => string | null;
}

/** An API key, an OAuth access token, or a session. A function for the token is called before each try, so that it can refresh it. */
export type Auth =
  | { apiKey: string }
  | { accessToken: string | (() => string | Promise<string>) }
  | { session: Session };

export interface RequestOptions {
  /** Idempotency-Key of the next write, and of repetitions of the same write. All other writes get generated keys. */
  idempotencyKey?: string | undefined;
  /** Version of the API. Default: the account's version. */
  apiVersion?: string | undefined;
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
  /** Yields all elements of a list. Fetches pages as they are needed. */
  list<P extends ListPath>(path: P, ...params: ParamsArgument<'get', P>): AsyncGenerator<Element<P>, void>;
  /** Yields a list page by page. */
  pages<P extends ListPath>(path: P, ...params: ParamsArgument<'get', P>): AsyncGenerator<Page<Element<P>>, void>;
  /** Returns a copy with the given options: `client.with({ idempotencyKey: 'order-7' }).post(…)`. */
  with(options: RequestOptions): Client;
}

/** Creates a client. Sends nothing yet. Throws a TypeError when the base URL is not valid, or when there is no key and no token. */
export function createClient(options: ClientOptions): Client {
  const fixed = {
    baseUrl: new URL(options.baseUrl).href.replace(/\/+$/, ''),
    authorization: authorizationOf(options),
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
    idempotencyKey: ownKey(options) ?? sending.idempotencyKey,
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
  const call = async <Result>(method: string, template: string, given: Given): Promise<Result> => {
    const body = bodyOf(given.body);
    const { text } = await send(sending, { method, ...addressOf(template, given.params), body });
    return JSON.parse(text === '' ? 'null' : text);
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
    list: (path, ...[params]) => list(path, params),
    pages: (path, ...[params]) => pages(path, params),
    with: (options) => clientOf(withOptions(sending, options)),
  };
}

/** The headers that say who sends a request. */
function authorizationOf(auth: Auth): () => Promise<Record<string, string>> {
  if ('session' in auth) {
    const { account, csrfToken } = auth.session;
    return async () => {
      const token = csrfToken();
      return { 'Perennial-Account': String(account), ...(token === null ? {} : { 'X-CSRF-Token': token }) };
    };
  }
  if ('accessToken' in auth && auth.accessToken) {
    const { accessToken } = auth;
    return async () => ({
      Authorization: `Bearer ${typeof accessToken === 'string' ? accessToken : await accessToken()}`,
    });
  }
  // The types do not keep a program from passing a variable of its environment that is not set.
  if (!('apiKey' in auth) || typeof auth.apiKey !== 'string' || auth.apiKey.trim() === '')
    throw new TypeError('The client needs an apiKey or an accessToken: it is missing or empty');
  const basic = { Authorization: `Basic ${btoa(`${auth.apiKey}:`)}` };
  return async () => basic;
}
