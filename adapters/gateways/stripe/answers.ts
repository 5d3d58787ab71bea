import { IncomingMessage } from 'node:http';
import Stripe from 'stripe';

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;
type HttpResponse = Awaited<ReturnType<HttpClient['makeRequest']>>;

/** Maximum size of an answer. Those of the adapter's requests have some kilobytes, and a list of 100 objects some hundred. */
const MOST_BYTES = 10_000_000;

/** Place of the time limit among the arguments of `makeRequest`. */
const TIMEOUT = 7;

/**
 * Node's HTTP client with answers that the SDK can take. The SDK throws where nobody catches it when an answer is JSON but no object, takes an
 * error without its `error` object for success, and reads answers of any size for as long as bytes arrive. Here they are answers
 * that cannot be read, which leave the outcome of a request unknown.
 */
export function createSoundClient(): HttpClient {
  const client = Stripe.createNodeHttpClient();
  return {
    getClientName: () => client.getClientName(),
    makeRequest: async (...request) => sound(await client.makeRequest(...request), request[TIMEOUT]),
  };
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
