import { IncomingMessage } from 'node:http';
import Stripe from 'stripe';

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;
type HttpResponse = Awaited<ReturnType<HttpClient['makeRequest']>>;

/** Maximum size of an answer. Those of the adapter's requests have some kilobytes, and a list of 100 objects some hundred. */
const MOST_BYTES = 10_000_000;

/** Places of the headers and the time limit among the arguments of `makeRequest`. */
const HEADERS = 4;
const TIMEOUT = 7;

/** Number of idempotency keys that are remembered because a request with them got no answer that says whether it was carried out. */
const MOST_KEYS = 10_000;

/**
 * Node's HTTP client with answers that the SDK can take. The SDK throws where nobody catches it when an answer is JSON but no object, takes an
 * error without its `error` object for success, and reads answers of any size for as long as bytes arrive. Here they are answers
 * that cannot be read, which leave the outcome of a request unknown.
 * A request that is sent again after no answer, and then refused for its key, may have been carried out the first time: Stripe looks at the
 * secret key first. That answer cannot be read, either.
 */
export function createSoundClient(): HttpClient {
  const client = Stripe.createNodeHttpClient();
  const unanswered = new Set<string>();
  const note = (key: string | null, isAnswered: boolean) => {
    if (key === null) return;
    unanswered.delete(key);
    if (!isAnswered) unanswered.add(key);
    const [oldest] = unanswered;
    if (unanswered.size > MOST_KEYS && oldest !== undefined) unanswered.delete(oldest);
  };
  return {
    getClientName: () => client.getClientName(),
    makeRequest: async (...request) => {
      const key = keyOf(request[HEADERS]);
      const wasSent = key !== null && unanswered.has(key);
      note(key, false);
      const response = await client.makeRequest(...request);
      const status = response.getStatusCode();
      if (wasSent && (status === 401 || status === 403))
        return { ...sound(response, request[TIMEOUT]), toJSON: uncertain };
      if (isDefinite(status)) note(key, true);
      return sound(response, request[TIMEOUT]);
    },
  };
}

/** Whether an answer says whether the request was carried out: not that it is in flight (409), nor that Stripe failed. */
const isDefinite = (status: number): boolean => status < 500 && status !== 409;

function keyOf(headers: object): string | null {
  const key: unknown = Object.entries(headers).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];
  return typeof key === 'string' ? key : null;
}

async function uncertain(): Promise<never> {
  throw new Error('Stripe does not take the key any more, and has not answered the same request before');
}

function sound(response: HttpResponse, milliseconds: number): HttpResponse {
  return {
    getStatusCode: () => response.getStatusCode(),
    getHeaders: () => response.getHeaders(),
    getRawResponse: () => response.getRawResponse(),
    toStream: (done) => response.toStream(done),
    toJSON: async () => {
      const stop = bounded(response.getRawResponse(), milliseconds);
      const json: unknown = await response.toJSON().finally(stop);
      if (!isAnswer(json, response.getStatusCode()))
        throw new Error('Stripe sent something that is no answer of its API');
      return json;
    },
  };
}

/** Ends an answer that grows too large or takes too long. Returns what ends the watch. */
function bounded(raw: unknown, milliseconds: number): () => void {
  if (!(raw instanceof IncomingMessage)) return () => undefined;
  let bytes = 0;
  const count = (chunk: string | Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) raw.destroy(new Error('The answer of Stripe is too large'));
  };
  const timer = setTimeout(() => raw.destroy(new Error('The answer of Stripe took too long')), milliseconds);
  raw.on('data', count);
  return () => {
    clearTimeout(timer);
    raw.off('data', count);
  };
}

/** Whether JSON is an object of Stripe's API, or one of its errors: https://docs.stripe.com/api/errors. */
function isAnswer(json: unknown, statusCode: number): boolean {
  if (typeof json !== 'object' || json === null) return false;
  const { object, error }: { object?: unknown; error?: unknown } = json;
  if (statusCode < 400) return typeof object === 'string' && error === undefined;
  return typeof error === 'object' && error !== null && 'type' in error && typeof error.type === 'string';
}
