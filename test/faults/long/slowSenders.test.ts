import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from '../../../client/index.ts';
import { basic } from '../../support/api.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, type Role, startRole } from '../../support/roles.ts';
import { from, type SlowSender, slowSender } from '../../support/slowSender.ts';

/** Strangers from many addresses, whose bodies never arrive or whose keys are invalid, do not slow down another tenant. */

const REQUESTS_PER_SECOND = 60;
const SECONDS = 20;
/** At most so many times the median of the same run without the attack. */
const MOST_TIMES = 3;

interface Figures {
  /** Milliseconds. */
  median: number;
  answers: number;
}

let product: Product;
let api: Role;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  api = await startRole(product, 'api');
});
afterAll(async () => {
  await killRoles();
  await product.close();
});

/** Sends one request after the other. Returns the median of their times, in milliseconds. */
async function medianTime(seconds: number): Promise<Figures> {
  const client = createClient({ baseUrl: `${new URL(api.url).origin}/api`, apiKey: product.liveKey, retries: 0 });
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const begun = performance.now();
    await client.get('/customers');
    times.push(performance.now() - begun);
    await pause(50);
  }
  return { median: times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0, answers: times.length };
}

/** Measures while requests of others begin, one after the other. */
async function medianBesides(begin: (place: number) => SlowSender): Promise<Figures & { sent: number }> {
  const senders: SlowSender[] = [];
  const timer = setInterval(() => void senders.push(begin(senders.length)), 1000 / REQUESTS_PER_SECOND);
  try {
    return { ...(await medianTime(SECONDS)), sent: senders.length };
  } finally {
    clearInterval(timer);
    for (const sender of senders) sender.end();
  }
}

/** Compares the tenant's times with those of the same run without the others. */
async function expectUnharmed(begin: (place: number) => SlowSender): Promise<void> {
  await medianTime(5); // loads the code
  const before = await medianTime(SECONDS);
  const besides = await medianBesides(begin);
  const figures = { before, besides };
  if (besides.median > MOST_TIMES * before.median) throw new Error(JSON.stringify(figures));
  expect(besides.sent).toBeGreaterThan((REQUESTS_PER_SECOND * SECONDS) / 2);
  expect(besides.answers).toBeGreaterThan(before.answers / MOST_TIMES);
  // biome-ignore lint/suspicious/noConsole: the figures of the run
  console.info(JSON.stringify(figures));
}

test('60 unfinished bodies a second leave another tenant at most three times its median', async () => {
  const customer = (await product.client.post('/customers', { name: 'Payer' })).id;
  const invoice = await product.client.post('/invoices', { customer, items: [{ unit_cost: 5 }] });
  const paths = [
    `/gateway_events/test_${product.accountId}`,
    new URL(String(invoice.payment_url)).pathname,
    '/sign_in',
  ];
  await expectUnharmed((place) => {
    const path = paths[place % paths.length] ?? '';
    const type = path.startsWith('/gateway_events') ? 'application/json' : 'application/x-www-form-urlencoded';
    return slowSender(new URL(api.url).origin, { path, headers: { 'Content-Type': type, ...from(place) } });
  });
});

test('60 chunked bodies a second that never end leave another tenant at most three times its median', async () => {
  const paths = [`/gateway_events/test_${product.accountId}`, '/sign_in'];
  await expectUnharmed((place) => {
    const path = paths[place % paths.length] ?? '';
    const type = path.startsWith('/gateway_events') ? 'application/json' : 'application/x-www-form-urlencoded';
    const headers = { 'Content-Type': type, 'Transfer-Encoding': 'chunked', ...from(place) };
    return slowSender(new URL(api.url).origin, { path, headers });
  });
});

test('60 requests a second with invalid keys, each from another address, leave another tenant at most three times its median', async () => {
  const request = { method: 'GET', path: '/api/customers', length: 0 };
  await expectUnharmed((place) =>
    slowSender(new URL(api.url).origin, { ...request, headers: { ...basic(`nobody ${place}`), ...from(place) } }),
  );
});
