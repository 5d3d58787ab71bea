import type { Answered } from '../../support/product.ts';

/** A request to an API, with its key. */
export interface Sent {
  url: string;
  key: string;
  method?: string;
  path: string;
  body?: unknown;
  idempotencyKey?: string;
}

export interface Heard {
  status: number;
  body: Answered;
  /** Whether it is the stored answer of an earlier request. */
  replayed: boolean;
}

/** Sends a request and returns the answer, whatever its status. Throws when the connection breaks. */
export async function send({ url, key, method = 'POST', path, body, idempotencyKey }: Sent): Promise<Heard> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      'content-type': 'application/json',
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    },
    body: method === 'GET' ? null : JSON.stringify(body ?? {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? null : JSON.parse(text),
    replayed: response.headers.get('Idempotent-Replayed') === 'true',
  };
}
