import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { FileStore, NewBytes } from '../../commands/ports/ports.ts';
import { checkedKey } from './key.ts';
import { EMPTY_PAYLOAD, type S3Credentials, type S3Request, signed } from './signature.ts';

export interface S3Options extends S3Credentials {
  /** Origin of the service, such as https://s3.eu-central-1.amazonaws.com or http://minio:9000. The bucket is the first part of the path. */
  endpoint: string;
  bucket: string;
  /** Timeout of one try, including the transfer of all bytes. Default: 60,000. */
  timeoutMilliseconds?: number;
}

/** Status codes that are retried. */
const RETRYABLE = new Set([429, 500, 502, 503, 504]);
/** Pauses before the first and the second retry. */
const PAUSES_MILLISECONDS = [200, 1000];

type Sent = Omit<S3Request, 'url'> & { key: string; body?: NewBytes };
type S3Response = Awaited<ReturnType<typeof request>>;

/**
 * Stores files in a bucket of S3 or of a service with a compatible API. `get` returns null for a missing file. All methods throw when the
 * service refuses a request, or when it still fails after two retries.
 */
export function createS3Store(options: S3Options): FileStore & { close(): Promise<void> } {
  const agent = new Agent({ connectTimeout: 5000, headersTimeout: 30_000, bodyTimeout: 30_000 });
  const ask = (sent: Sent) => retried(() => askOnce(sent));
  const askOnce = ({ method, key, headers, payload, body }: Sent): Promise<S3Response> => {
    const url = new URL(`/${options.bucket}/${checkedKey(key)}`, options.endpoint);
    return request(url, {
      method,
      headers: signed({ method, url, headers, payload }, options, new Date()),
      body: body ? body.open() : null,
      dispatcher: agent,
      signal: AbortSignal.timeout(options.timeoutMilliseconds ?? 60_000),
    });
  };
  return {
    async put(key, bytes) {
      const headers = { 'content-length': String(bytes.size), 'content-type': bytes.type };
      const answer = await ask({ method: 'PUT', key, headers, payload: bytes.sha256, body: bytes });
      await expectStatus(answer, [200]);
      await answer.body.dump();
    },
    async get(key) {
      const answer = await ask({ method: 'GET', key, headers: {}, payload: EMPTY_PAYLOAD });
      if (answer.statusCode !== 404) return bodyOf(await expectStatus(answer, [200]));
      await answer.body.dump();
      return null;
    },
    async delete(key) {
      const answer = await ask({ method: 'DELETE', key, headers: {}, payload: EMPTY_PAYLOAD });
      await expectStatus(answer, [200, 204, 404]);
      await answer.body.dump();
    },
    close: () => agent.close(),
  };
}

function bodyOf({ body }: S3Response): Readable {
  return body;
}

/** Retries transient failures. Repeating an upload is harmless: each upload has its own random key. */
async function retried(ask: () => Promise<S3Response>): Promise<S3Response> {
  for (const pause of PAUSES_MILLISECONDS) {
    const answer = await ask().catch(() => null);
    if (answer && !RETRYABLE.has(answer.statusCode)) return answer;
    await answer?.body.dump();
    await sleep(pause);
  }
  return ask();
}

/** Throws an error with the status and the service's error code, such as `NoSuchBucket`. It contains nothing else of the response. */
async function expectStatus(answer: S3Response, expected: readonly number[]): Promise<S3Response> {
  if (expected.includes(answer.statusCode)) return answer;
  const text = await answer.body.text();
  const [, code = 'without a reason'] = /<Code>(\w{1,64})<\/Code>/.exec(text.slice(0, 4096)) ?? [];
  throw new Error(`the file store answered ${answer.statusCode} ${code}`);
}
