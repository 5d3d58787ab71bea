import { ApiError, ConnectionError } from './errors.ts';
import { isRetryable, pause, retryDelay } from './retries.ts';

/** How requests are sent. */
export interface Sending {
  /** Without a trailing slash. */
  baseUrl: string;
  /** Headers that say who asks. Called before each try. */
  identify: (isWrite: boolean) => Promise<Record<string, string>>;
  /** Whether the session cookie of the browser says who asks. */
  isSession: boolean;
  fetch: typeof fetch;
  /** Maximum number of retries. */
  retries: number;
  /** Timeout of one try. */
  timeoutMilliseconds: number;
  apiVersion?: string | undefined;
  idempotencyKey?: OwnKey | undefined;
  ifMatch?: string | undefined;
  language?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** An Idempotency-Key that the caller chose. It belongs to the first write that uses it, and to repetitions of the same write. */
export interface OwnKey {
  text: string;
  /** Identifies the write that the key belongs to. Null: none has used it yet. */
  write: string | null;
}

export interface Outgoing {
  method: string;
  /** Relative to the base URL. */
  path: string;
  /** Without the question mark. */
  query: string;
  /** JSON text, or a form with a file. Null: no body. */
  body: string | FormData | null;
  /** MIME type of the wanted bytes. Absent: JSON. */
  accept?: string;
}

export interface Incoming {
  status: number;
  headers: Headers;
  /** Empty if `bytes` are wanted and the response is a success. */
  text: string;
  /** The body, if bytes are wanted. */
  bytes: Blob | null;
}

/**
 * Sends a request and retries it if that may help. All tries of a write have the same Idempotency-Key, so it takes effect once. Throws
 * ApiError for a response that is not a success, ConnectionError when the last try got no response, and the signal's reason when it is
 * aborted.
 */
export async function send(sending: Sending, outgoing: Outgoing): Promise<Incoming> {
  const isWrite = outgoing.method !== 'GET';
  const key = isWrite ? keyOf(sending, outgoing) : null;
  for (let tries = 1; ; tries += 1) {
    const result = await sendOnce(sending, outgoing, key);
    if ('answer' in result) return result.answer;
    const delay = result.isRetryable && tries <= sending.retries ? retryDelay(tries, result.retryAfter) : null;
    if (delay === null) throw result.error;
    await pause(delay, sending.signal);
  }
}

function keyOf({ idempotencyKey: own }: Sending, { method, path, query, body }: Outgoing): string {
  const write = JSON.stringify([method, path, query, body instanceof FormData ? partsOf(body) : body]);
  if (own) own.write ??= write;
  return own?.write === write ? own.text : crypto.randomUUID();
}

/** Identifies a form without reading its files. */
function partsOf(form: FormData): unknown[] {
  return [...form].map(([name, part]) =>
    typeof part === 'string' ? [name, part] : [name, part.name, part.size, part.type, part.lastModified],
  );
}

type Result = { answer: Incoming } | { error: Error; isRetryable: boolean; retryAfter: string | null };

async function sendOnce(sending: Sending, outgoing: Outgoing, key: string | null): Promise<Result> {
  const headers = await headersOf(sending, outgoing, key);
  const { method, path } = outgoing;
  try {
    const answer = await exchange(sending, outgoing, headers);
    if (succeeded(answer)) return { answer };
    const error = new ApiError(answer.status, answer.headers, answer.text);
    return { error, isRetryable: isRetryable(answer.status), retryAfter: answer.headers.get('Retry-After') };
  } catch (cause) {
    sending.signal?.throwIfAborted();
    const error = new ConnectionError(`${method} ${path} got no response`, { cause });
    return { error, isRetryable: true, retryAfter: null };
  }
}

async function headersOf(sending: Sending, { body, accept }: Outgoing, key: string | null): Promise<Headers> {
  const isWrite = key !== null;
  return new Headers({
    Accept: accept ?? 'application/json',
    ...(await sending.identify(isWrite)),
    // `fetch` sets the type of a form, because it contains the boundary.
    ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}),
    ...(key === null ? {} : { 'Idempotency-Key': key }),
    ...(isWrite && sending.ifMatch !== undefined ? { 'If-Match': sending.ifMatch } : {}),
    ...(sending.apiVersion === undefined ? {} : { 'Api-Version': sending.apiVersion }),
    ...(sending.language === undefined ? {} : { 'Accept-Language': sending.language }),
  });
}

async function exchange(sending: Sending, outgoing: Outgoing, headers: Headers): Promise<Incoming> {
  const { baseUrl, signal } = sending;
  const { method, path, query, body, accept } = outgoing;
  const timeout = AbortSignal.timeout(sending.timeoutMilliseconds);
  const response = await sending.fetch(`${baseUrl}${path}${query === '' ? '' : `?${query}`}`, {
    method,
    headers,
    body,
    // The API never redirects, and the API key must not be sent to another host.
    redirect: 'manual',
    ...(sending.isSession ? { credentials: 'same-origin' } : {}),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  const { status, headers: received } = response;
  if (accept === undefined) return { status, headers: received, text: await response.text(), bytes: null };
  const bytes = await response.blob();
  return { status, headers: received, text: response.ok ? '' : await bytes.text(), bytes };
}

/** Whether the response is a success that comes from the API and not from a proxy in front of it. */
function succeeded({ status, headers, text, bytes }: Incoming): boolean {
  if (bytes !== null) return status >= 200 && status < 300 && headers.has('Request-Id');
  const isJson = (headers.get('Content-Type') ?? '').includes('json');
  return status >= 200 && status < 300 && (text === '' || isJson);
}
