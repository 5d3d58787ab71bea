import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { addressOf } from '../../client/address.ts';
import { type Client, ConnectionError, createClient } from '../../client/index.ts';
import { nextQuery } from '../../client/pages.ts';
import { retryDelay } from '../../client/retries.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { type Receiver, type ScriptedAnswer, startReceiver } from '../support/receiver.ts';

let server: Receiver;
let client: Client;
beforeAll(async () => {
  server = await startReceiver();
});
beforeEach(() => {
  client = createClient({ baseUrl: `${server.url}api/`, apiKey: 'sk_test_1', timeoutMilliseconds: 5_000 });
});
afterAll(() => server.stop());

const json = { 'Content-Type': 'application/json' };
const customer: ScriptedAnswer = { status: 201, headers: json, body: '{"id":7}' };
const soon = (status: number): ScriptedAnswer => ({ status, headers: { ...json, 'Retry-After': '0' }, body: '{}' });

/** Runs a call against scripted answers. Returns its result or error, and the requests that it sent. */
async function against(script: ScriptedAnswer[], call: () => Promise<unknown>) {
  const before = server.requests.length;
  server.answer(...script);
  const result: unknown = await call().catch((error: unknown) => error);
  return { result, requests: server.requests.slice(before) };
}

const create = (given = client) => given.post('/customers', { name: 'Ann' });

test('a write is retried with the same idempotency key and body until it succeeds', async () => {
  const { result, requests } = await against([soon(429), soon(503), 'cut', customer], create);
  expect(result).toEqual({ id: 7 });
  expect(requests.map(({ method, path, body }) => [method, path, body])).toEqual(
    Array(4).fill(['POST', '/api/customers', '{"name":"Ann"}']),
  );
  const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
  expect(keys.size).toBe(1);
  expect([...keys][0]).toMatch(/^[0-9a-f-]{36}$/);
  const other = await against([customer], create);
  expect(keys).not.toContain(other.requests[0]?.headers['idempotency-key']);
  const own = await against([customer], () => create(client.with({ idempotencyKey: 'order-7' })));
  expect(own.requests[0]?.headers).toMatchObject({ 'idempotency-key': 'order-7' });
});

test("the caller's idempotency key belongs to one write, also when that write is called again", async () => {
  const { requests } = await against([customer, customer, customer, customer], async () => {
    const order = client.with({ idempotencyKey: 'order-8' });
    await create(order);
    await order.post('/customers', { name: 'Bea' });
    await create(order.with({ retries: 0 }));
    return create(client.with({ idempotencyKey: 'order-9' }));
  });
  const keys = requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual(['order-8', expect.stringMatching(/^[0-9a-f-]{36}$/), 'order-8', 'order-9']);
});

test('a read has no idempotency key; the credentials of both kinds and the version are sent', async () => {
  const token = ['first', 'second'];
  const bearer = createClient({ baseUrl: `${server.url}api`, accessToken: async () => token.shift() ?? '' });
  const read = () => bearer.with({ apiVersion: '2026-11-01' }).get('/customers');
  const { requests } = await against([soon(500), { status: 200, headers: json, body: '[]' }], read);
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer second']);
  expect(requests[0]?.headers).toMatchObject({ 'api-version': '2026-11-01' });
  expect(requests[0]?.headers).not.toHaveProperty('idempotency-key');
  const basic = await against([customer], create);
  expect(basic.requests[0]?.headers).toMatchObject({ authorization: `Basic ${btoa('sk_test_1:')}` });
});

test('the client gives up after its retries, on a long Retry-After, and at once on answers that a retry cannot change', async () => {
  const twice = client.with({ retries: 1 });
  const failed = await against([soon(500), soon(500)], () => create(twice));
  expect([failed.result, failed.requests.length]).toEqual([expect.objectContaining({ status: 500, type: 'api' }), 2]);
  const later: ScriptedAnswer = { status: 429, headers: { 'Retry-After': '3600' } };
  expect(await against([later], create)).toMatchObject({ result: { status: 429 }, requests: { length: 1 } });
  const elsewhere: ScriptedAnswer = { status: 302, headers: { Location: server.url } };
  expect(await against([elsewhere], create)).toMatchObject({ result: { status: 302 }, requests: { length: 1 } });
  const page: ScriptedAnswer = { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<p>Sign in</p>' };
  expect(await against([page], create)).toMatchObject({
    result: { status: 200, type: 'api' },
    requests: { length: 1 },
  });
  const silent = await against(['hang'], () => create(client.with({ retries: 0, timeoutMilliseconds: 50 })));
  expect(silent.result).toBeInstanceOf(ConnectionError);
  expect(silent.result).toMatchObject({ cause: { name: 'TimeoutError' } });
});

test('the caller can abort a call during a try and between two', async () => {
  const reason = new Error('enough');
  const later: ScriptedAnswer = { status: 503, headers: { 'Retry-After': '30' } };
  for (const [answer, retries] of [
    ['hang', 0],
    [later, 1],
  ] satisfies [ScriptedAnswer, number][]) {
    const ending = new AbortController();
    const call = async () => {
      const sent = create(client.with({ signal: ending.signal, retries }));
      const count = server.requests.length + 1;
      await server.waitFor((request) => server.requests.indexOf(request) + 1 === count, 'the request');
      ending.abort(reason);
      return sent;
    };
    expect(await against([answer], call)).toMatchObject({ result: reason, requests: { length: 1 } });
  }
});

test('a write whose answer is lost has its effect once', async () => {
  const api: TestApi = await startApi();
  let lost = 0;
  const losing: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    if (lost > 0) return response;
    lost += 1;
    await response.text();
    throw new TypeError('the connection broke');
  };
  const theirs = createClient({ baseUrl: api.sandbox.url, apiKey: api.sandbox.key, fetch: losing });
  const made = await create(theirs);
  expect(await theirs.get('/customers')).toEqual([made]);
  expect(lost).toBe(1);
  await api.close();
});

test('delays double up to eight seconds; Retry-After is respected, in seconds or as a date', () => {
  expect([1, 2, 3, 6, 9].map((tries) => retryDelay(tries, null, 1))).toEqual([250, 500, 1000, 8000, 8000]);
  expect(retryDelay(3, null, 0)).toBe(500);
  expect(['0', '2', '60', '61'].map((text) => retryDelay(1, text, 1))).toEqual([0, 2000, 60_000, null]);
  expect(retryDelay(1, 'Fri, 20 Nov 2020 08:00:00 GMT', 1)).toBe(0);
  expect(retryDelay(1, 'Thu, 01 Jan 2170 00:00:00 GMT', 1)).toBeNull();
  expect(retryDelay(1, 'soon', 1)).toBe(250);
});

test('parameters fill the path and the query, and cannot change the path', () => {
  const parameters = { id: 'a b', expand: ['customer', 'plan'], filter: { name: 'x&y' }, page: 2, sort: undefined };
  const query = new URLSearchParams({ expand: 'customer,plan', 'filter[name]': 'x&y', page: '2' });
  expect(addressOf('/plans/{id}', parameters)).toEqual({ path: '/plans/a%20b', query: String(query) });
  expect(addressOf('/plans/{id}', { id: '../keys?x#y' }).path).toBe('/plans/..%2Fkeys%3Fx%23y');
  for (const id of ['', '.', '..', undefined]) expect(() => addressOf('/plans/{id}', { id })).toThrow(TypeError);
});

test('the next page is read from the Link header', () => {
  const link =
    '<https://a.example/api/x?page=1>; rel="first", <https://a.example/api/x?page=3&cursor=a%2C>; rel="next"';
  expect(nextQuery(new Headers({ Link: link }))).toBe('page=3&cursor=a%2C');
  expect(nextQuery(new Headers({ Link: '<https://a.example/api/x?page=9>; rel="last"' }))).toBeNull();
  expect(nextQuery(new Headers())).toBeNull();
});
