import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog } from '../../../bin/log.ts';
import { dueHeads } from '../../../db/queries/webhooks/deliveries.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { appendOnce } from '../../support/eventLog.ts';

const lines: string[] = [];
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ log: createLog('info', { write: (line) => void lines.push(line) }) });
});
afterAll(() => api.close());

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;

test('the id and the trace that a client sends are answered, and named by log, event, outbox and deliveries', async () => {
  const { sandbox, em } = api;
  const { body: webhook } = await sandbox.post('/webhooks', {
    url: 'http://127.0.0.1:9/hooks',
    events: ['customer.created'],
  });
  const headers = { 'X-Request-Id': 'shop-42/7', traceparent };
  const answer = await sandbox.post('/customers', { name: 'Traced', autopay: false }, headers);
  for (const name of ['Request-Id', 'X-Request-Id']) expect(answer.headers.get(name)).toBe('shop-42/7');
  expect(answer.headers.get('traceparent')).toBe(traceparent);
  const logged = lines.map((line) => JSON.parse(line)).find(({ request }) => request === 'shop-42/7');
  expect(logged).toMatchObject({ msg: 'request', status: 201, trace: TRACE });

  const { body: events } = await sandbox.get('/events?type=customer.created');
  expect(events[0]).toMatchObject({ request_id: 'shop-42/7' });
  await appendOnce(api.databaseUrl);
  const pump = { accountId: sandbox.account.id, id: webhook.id, limit: 9 };
  const heads = await Promise.all([0, 1, 2, 3].map((shard) => dueHeads(em.fork(), { ...pump, shard }, new Date())));
  expect(heads.flat()).toMatchObject([{ requestId: 'shop-42/7', traceparent }]);
});

test('work that a request leaves to processes is enqueued in its trace', async () => {
  const { body: customer } = await api.sandbox.post('/customers', { name: 'Reminded' });
  const invoice = { customer: customer.id, items: [{ quantity: 1, unit_cost: 5 }], payment_terms: 'NET 30' };
  await api.sandbox.post('/invoices', invoice, { traceparent });
  const rows = await api.em.fork().execute(`select topic from outbox where traceparent = ?`, [traceparent]);
  expect(rows).toContainEqual({ topic: 'invoice' });
});

test.each([
  ['x'.repeat(129), `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  ['an id', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['<script>', `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`],
  ['', `ff-${TRACE}-00f067aa0ba902b7-01`],
  ['a"b', `${traceparent}, ${traceparent}`],
  ['a,b', `${traceparent}-${'x'.repeat(6000)}`],
])('the id %j and the trace %j are ignored', async (id, trace) => {
  const { headers } = await api.sandbox.request('GET', '/customers', undefined, {
    'X-Request-Id': id,
    traceparent: trace,
  });
  expect(headers.get('Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('X-Request-Id')).toBe(headers.get('Request-Id'));
  expect(headers.get('traceparent')).toBeNull();
});
