import { ApiError, ConnectionError } from './errors.ts';
import { mayPass, pause, retryDelay } from './retries.ts';

/** How requests are sent. Durations are of one try. */
export interface Sending {
  /** Without a slash at the end. */
  baseUrl: string;
  authorization: () => Promise<string>;
  fetch: typeof fetch;
  /** Further tries after the first. */
  retries: number;
  timeoutMilliseconds: number;
  apiVersion?: string | undefined;
  idempotencyKey?: OwnKey | undefined;
  signal?: AbortSignal | undefined;
}

/** A key that the program has chosen: that of the first write it is used for, and of the same one sent again. */
export interface OwnKey {
  text: string;
  /** The write, once there was one. */
  write: string | null;
}

export interface Outgoing {
  method: string;
  /** Relative to the base URL. */
  path: string;
  /** Without the question mark. */
  query: string;
  /** JSON, or a form with a file; null for none. */
  body: string | FormData | null;
}

export interface Incoming {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Sends a request until it is answered for good. All tries of a write carry one Idempotency-Key, so it has its effect once.
 * Throws ApiError for a refusal, ConnectionError when the last try had no answer, and the signal's reason once that is aborted.
 */
export async function send(sending: Sending, outgoing: Outgoing): Promise<Incoming> {
  const isWrite = outgoing.method !== 'GET';
  const key = isWrite ? keyOf(sending, outgoing) : null;
  for (let tries = 1; ; tries += 1) {
    const result = await sendOnce(sending, outgoing, key);
    if ('answer' in result) return result.answer;
    const delay = result.mayPass && tries <= sending.retries ? retryDelay(tries, result.retryAfter) : null;
    if (delay === null) throw result.error;
    await pause(delay, sending.signal);
  }
}

function keyOf({ idempotencyKey: own }: Sending, { method, path, query, body }: Outgoing): string {
  const write = JSON.stringify([method, path, query, body instanceof FormData ? partsOf(body) : body]);
  if (own) own.write ??= write;
  return own?.write === write ? own.text : crypto.randomUUID();
}

/** What tells one form from another without reading its files. */
function partsOf(form: FormData): unknown[] {
  return [...form].map(([name, part]) =>
    typeof part === 'string' ? [name, part] : [name, part.name, part.size, part.type, part.lastModified],
  );
}

type Result = { answer: Incoming } | { error: Error; mayPass: boolean; retryAfter: string | null };

async function sendOnce(sending: Sending, outgoing: Outgoing, key: string | null): Promise<Result> {
  const headers = await headersOf(sending, outgoing, key);
  const { method, path } = outgoing;
  try {
    const answer = await exchange(sending, outgoing, headers);
    if (succeeded(answer)) return { answer };
    const error = new ApiError(answer.status, answer.headers, answer.text);
    return { error, mayPass: mayPass(answer.status), retryAfter: answer.headers.get('Retry-After') };
  } catch (cause) {
    sending.signal?.throwIfAborted();
    const error = new ConnectionError(`${method} ${path} was not answered`, { cause });
    return { error, mayPass: true, retryAfter: null };
  }
}

async function headersOf(sending: Sending, { body }: Outgoing, key: string | null): Promise<Headers> {
  return new Headers({
    Accept: 'application/json',
    Authorization: await sending.authorization(),
    // A form says its own type, with its boundary.
    ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}),
    ...(key === null ? {} : { 'Idempotency-Key': key }),
    ...(sending.apiVersion === undefined ? {} : { 'Api-Version': sending.apiVersion }),
  });
}

async function exchange(sending: Sending, outgoing: Outgoing, headers: Headers): Promise<Incoming> {
  const { baseUrl, signal } = sending;
  const { method, path, query, body } = outgoing;
  const timeout = AbortSignal.timeout(sending.timeoutMilliseconds);
  const response = await sending.fetch(`${baseUrl}${path}${query === '' ? '' : `?${query}`}`, {
    method,
    headers,
    body,
    // The API never redirects, and a key goes nowhere else.
    redirect: 'manual',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Whether it is the API that answered, as it answers what succeeds. */
function succeeded({ status, headers, text }: Incoming): boolean {
  const isJson = (headers.get('Content-Type') ?? '').includes('json');
  return status >= 200 && status < 300 && (text === '' || isJson);
}
