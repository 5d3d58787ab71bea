import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createWebhookSender } from '../../adapters/webhooks/sender.ts';
import { freePort } from '../../bin/local/ports.ts';
import { listen, portOf } from '../support/listen.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/wait.ts';

let receiver: Receiver;
let other: Receiver;
const sender = createWebhookSender({ allowedHosts: ['127.0.0.1', 'Localhost'] });

beforeAll(async () => {
  receiver = await startReceiver();
  other = await startReceiver();
});

afterAll(async () => {
  await sender.close();
  await receiver.stop();
  await other.stop();
});

function to(url: string, timeoutMilliseconds = 5_000) {
  return {
    url,
    headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
    body: '{"é":1}',
    timeoutMilliseconds,
  };
}

test('the sender posts the exact text and headers and returns the answer', async () => {
  receiver.answer({ status: 200, body: 'thanks' });
  const answer = await sender.send(to(`${receiver.url}hooks/1?a=b%20c`));
  expect(answer).toEqual({
    statusCode: 200,
    error: null,
    answer: 'thanks',
    retryAfterSeconds: null,
    latencyMilliseconds: expect.any(Number),
  });
  const request = receiver.requests.at(-1);
  expect(request).toMatchObject({ method: 'POST', path: '/hooks/1?a=b%20c', body: '{"é":1}' });
  expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'evt_1' });
});

test('a webhook is sent to an allowed host name', async () => {
  const answer = await sender.send(to(receiver.url.replace('127.0.0.1', 'localhost')));
  expect(answer).toMatchObject({ statusCode: 200, error: null });
});

test('a failure status is returned with its Retry-After, in seconds or as a date', async () => {
  const inNinetySeconds = new Date(Date.now() + 90_000).toUTCString();
  receiver.answer(
    { status: 500, body: 'broken' },
    { status: 429, headers: { 'retry-after': '120' } },
    { status: 503, headers: { 'retry-after': inNinetySeconds } },
    { status: 503, headers: { 'retry-after': 'later' } },
  );
  expect(await sender.send(to(receiver.url))).toMatchObject({
    statusCode: 500,
    answer: 'broken',
    retryAfterSeconds: null,
  });
  expect(await sender.send(to(receiver.url))).toMatchObject({ statusCode: 429, retryAfterSeconds: 120 });
  const { retryAfterSeconds } = await sender.send(to(receiver.url));
  expect(retryAfterSeconds).toBeGreaterThan(60);
  expect(retryAfterSeconds).toBeLessThanOrEqual(90);
  expect(await sender.send(to(receiver.url))).toMatchObject({ statusCode: 503, retryAfterSeconds: null });
});

test('a redirect is not followed', async () => {
  receiver.answer({ status: 302, headers: { location: `${other.url}stolen` } });
  expect(await sender.send(to(receiver.url))).toMatchObject({ statusCode: 302, error: null });
  expect(other.requests).toHaveLength(0);
});

test('a receiver that hangs or closes the connection counts as no answer, and does not delay another one', async () => {
  const hanging = await startReceiver();
  hanging.answerBy(() => 'hang');
  const waiting = Array.from({ length: 30 }, () => sender.send(to(hanging.url, 3000)));
  let stillWaiting = true;
  const ended = Promise.all(waiting).finally(() => {
    stillWaiting = false;
  });
  expect(await sender.send(to(other.url))).toMatchObject({ statusCode: 200 });
  expect(stillWaiting).toBe(true);
  for (const answer of await ended) {
    expect(answer).toMatchObject({ statusCode: null, error: 'No complete answer within 3 s' });
  }
  expect(hanging.requests).toHaveLength(30);
  await hanging.stop();
  const refused = await sender.send(to(`http://127.0.0.1:${await freePort()}/`));
  expect(refused).toMatchObject({ statusCode: null, error: expect.stringContaining('ECONNREFUSED') });
  other.answer('cut');
  expect(await sender.send(to(other.url))).toMatchObject({ statusCode: null, error: expect.any(String) });
});

test('hanging requests do not delay other requests to the same origin', async () => {
  const shared = await startReceiver();
  shared.answerBy(({ path }) => (path === '/hang' ? 'hang' : { status: 200 }));
  const hanging = Array.from({ length: 400 }, () => sender.send(to(`${shared.url}hang`, 60_000)));
  await until(() => shared.requests.length === 400, { what: 'all hanging requests' });
  expect(await sender.send(to(shared.url))).toMatchObject({ statusCode: 200, error: null });
  await shared.stop();
  await Promise.all(hanging);
});

test('an endless answer is cut at 4 KiB, between characters and without U+0000', async () => {
  const beginning = `\u0000${'é'.repeat(4096)}`;
  const endless = createServer((request, response) => {
    request.resume();
    response.write(beginning);
    const more = () => {
      while (response.write(beginning) && !response.destroyed);
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  });
  await listen(endless, 0);
  const answer = await sender.send(to(`http://127.0.0.1:${portOf(endless)}/`));
  expect(answer).toMatchObject({ statusCode: 200, error: null, answer: `\uFFFD${'é'.repeat(2047)}` });
  endless.closeAllConnections();
  await new Promise((resolve) => endless.close(resolve));
});

test('an answer whose body does not end in time counts as no answer', async () => {
  const slow = await listen(
    createServer((request, response) => {
      request.resume();
      response.writeHead(200).write('almost');
    }),
    0,
  );
  const answer = await sender.send(to(`http://127.0.0.1:${portOf(slow)}/`, 200));
  expect(answer).toMatchObject({ statusCode: null, error: 'No complete answer within 0.2 s' });
  slow.closeAllConnections();
  await new Promise((resolve) => slow.close(resolve));
});

test('connections are reused', async () => {
  const connections = new Set<unknown>();
  const counting = await listen(
    createServer((request, response) => {
      connections.add(request.socket);
      request.resume().on('end', () => response.end('ok'));
    }),
    0,
  );
  for (let n = 0; n < 10; n += 1) await sender.send(to(`http://127.0.0.1:${portOf(counting)}/`));
  expect(connections.size).toBeLessThanOrEqual(2);
  counting.closeAllConnections();
  await new Promise((resolve) => counting.close(resolve));
});
