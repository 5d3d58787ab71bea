import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, basic, type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { until } from '../../support/wait.ts';

let api: TestApi;
let many: Client;
beforeAll(async () => {
  api = await startApi();
  many = (await api.open('Many')).sandbox;
});
afterAll(() => api.close());

const from = (address: string) => ({ 'X-Forwarded-For': address });

test('500 requests of one account can wait, from any addresses; the next is refused, and another account is served', async () => {
  const { id } = (await many.post('/customers', { name: 'Locked' })).body;
  const answers: Answer[] = [];
  const sent: Promise<unknown>[] = [];
  const ask = async () => {
    const address = from(`192.0.2.${sent.length % 250}`);
    answers.push(await many.request('PATCH', `/customers/${id}`, { name: 'Changed' }, address));
  };
  const isRefused = ({ body }: Answer) => body.message?.startsWith('Too many requests at the same time');
  await api.em.fork().transactional(async (em) => {
    await em.execute('select 1 from customer where id = ? for update', [id]);
    await until(
      async () => {
        // Enough for a refusal. More would exhaust the connections of a slow machine.
        for (let n = 0; n < 100 && sent.length < 700; n++) sent.push(ask());
        return answers.some(isRefused);
      },
      { what: 'a refusal', every: 300 },
    );
    expect((await api.sandbox.get('/customers')).status).toBe(200);
  });
  await Promise.all(sent);
  const refusal = answers.find(isRefused);
  expect(refusal).toMatchObject(
    refused(
      {
        object: 'error',
        type: 'invalid_request',
        message: 'Too many requests at the same time; send fewer at once',
      },
      429,
    ),
  );
  expect(refusal?.headers.get('Retry-After')).toBe('1');
  expect(refusal?.headers.get('Request-Id')).toEqual(expect.any(String));
});

test('a single request is answered among the first while another account floods the API', async () => {
  const flood = 300;
  const headers = { Host: 'localhost', ...basic(many.key), ...from('192.0.2.251') };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const { host, hostname, port } = new URL(api.origin);
  const path = `${many.url.split(host)[1]}/coupons`;
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let told = '';
  socket.setEncoding('latin1').on('data', (part: string) => (told += part));
  const statuses = () => [...told.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  const before = api.queries.length;
  const admitted = () => api.queries.slice(before).filter((text) => text.includes('credential_of_key')).length;
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`.repeat(flood)); // one chunk, so that all of them arrive before the other account's request
  const { status } = await api.sandbox.request('GET', '/coupons', undefined, from('192.0.2.252'));
  expect(status).toBe(200);
  expect(admitted()).toBeLessThan(flood / 2);
  await until(() => statuses().length === flood, { what: 'the answers to the flood' });
  expect(statuses().filter((one) => one !== '200' && one !== '429')).toEqual([]); // 429 means a wait of 10 s
  socket.destroy();
});

test('a paced body is refused when the API shuts down', async () => {
  const ending = await startApi();
  const other = (await ending.open('Other')).sandbox;
  const real = performance.now;
  const now = real.call(performance);
  performance.now = () => now; // the time stands still: the other account counts as active, and used capacity is not refilled
  try {
    for (const client of [other, ending.sandbox]) await client.get('/account');
    const path = `${ending.sandbox.url.slice(ending.origin.length)}/customers`;
    const declared = { 'Content-Type': 'application/json', 'Content-Length': String(36 * 1024 * 1024) };
    const tooLarge = { method: 'POST', path, headers: { ...basic(ending.sandbox.key), ...declared } };
    expect((await rawRequest(ending.origin, tooLarge)).status).toBe(400); // it still uses up its 9 s at 4 MiB per second
    const waiting = ending.sandbox.post('/customers', { name: 'x'.repeat(100_000) });
    await fetch(`${ending.origin}/health`); // sent after it
    await ending.close();
    const { status, headers } = await waiting;
    expect([status, headers.get('Retry-After')]).toEqual([429, '1']);
  } finally {
    performance.now = real;
  }
});
