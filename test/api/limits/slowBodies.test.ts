import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { ApiDeps } from '../../../api/framework/deps.ts';
import { MOST_OF_ADDRESS, MOST_WITHOUT_CREDENTIALS } from '../../../api/limits/unfinished.ts';
import { basic, type Client, startApi, type TestApi } from '../../support/api.ts';
import { apiDocument, operationsOf } from '../../support/openapi.ts';
import { planFor } from '../../support/payPage.ts';
import { remindersPath } from '../../support/reminders.ts';
import { from, type SlowRequest, type SlowSender, slowSender } from '../../support/slowSender.ts';
import { sourceVisitor } from '../../support/sourcePage.ts';
import { TWILIO_PROVIDER } from '../../support/texts.ts';
import { until } from '../../support/wait.ts';
import { requestIn, startWorld, type World } from '../../support/world.ts';

/** A slow sender holds no place, and the bodies that do not arrive are bounded, on every route that takes a body. */

/** After this time a request gives its place back in any case. The tests never let it pass, so that a place that is held stays held. */
const GIVEN_BACK = 500;

let api: TestApi;
let client: Client;
let world: World;
let other: Client;
let counts: { atWork(): number; unfinished(): number };
let senders: SlowSender[] = [];

const metrics: NonNullable<ApiDeps['metrics']> = {
  requestBegins: () => undefined,
  requestEnds: () => undefined,
  watchRequests: (watched) => {
    counts = watched;
  },
};

beforeAll(async () => {
  ({ api, client, world } = await startWorld({ metrics }));
  other = (await api.open('Other')).sandbox;
  const real = globalThis.setTimeout;
  const held = jest.spyOn(globalThis, 'setTimeout');
  held.mockImplementation((work, milliseconds, ...rest) =>
    real(work, milliseconds === GIVEN_BACK ? 2 ** 31 - 1 : milliseconds, ...rest),
  );
});
afterEach(async () => {
  for (const sender of senders) sender.end();
  senders = [];
  await until(() => counts.unfinished() === 0 && counts.atWork() === 0, { what: 'the end of the senders' });
});
afterAll(async () => {
  jest.restoreAllMocks();
  expect(api.faults).toEqual([]);
  await api.close();
});

const begin = (request: SlowRequest) => {
  const sender = slowSender(api.origin, { ...request, headers: { ...from(senders.length), ...request.headers } });
  senders.push(sender);
  return sender;
};
const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** All wait for their bodies, and another tenant is answered. */
async function expectNoneAtWork(most = senders.length): Promise<void> {
  await until(() => counts.unfinished() === most && counts.atWork() === 0, {
    what: `${most} unfinished bodies that hold no place`,
  });
  expect((await other.get('/customers')).status).toBe(200);
}

/** The pages that take a body, with the type that they take. */
async function pages(): Promise<SlowRequest[]> {
  const { account } = client;
  const customer = Number(world.customers);
  const invoice = await client.make('/invoices', { customer, items: [{ name: 'Roof', unit_cost: 300 }] });
  const estimate = await client.make('/estimates', { customer, items: [{ name: 'Roof', unit_cost: 300 }] });
  const planned = await client.make('/invoices', { customer, items: [{ name: 'Roof', unit_cost: 300 }] });
  const plan = await planFor(client, planned, { require_approval: true });
  const source = await (await sourceVisitor(api, client)).pathOf(customer);
  const pathOf = (url: string) => new URL(url).pathname;
  const [mail] = (await client.get('/mail_providers')).body;
  const { live } = await api.open('Texts');
  const texts = await live.make('/message_providers', TWILIO_PROVIDER);
  const paths = {
    forms: [
      pathOf(invoice.payment_url),
      `${pathOf(estimate.url)}/answer`,
      await remindersPath(api, { id: invoice.id, customer }),
      pathOf(plan.approval_url),
      source,
      '/sign_in',
      '/sign_out',
      '/oauth/access_token',
      '/oauth/revoke',
      `/sms_events/twilio_${live.account.id}_${texts.id}`,
    ],
    json: [
      `/gateway_events/test_${account.id}`,
      `/mail_events/postmark_${account.id}_${mail.id}`,
      `${pathOf(invoice.payment_url)}/tokens`,
      `${source}/tokens`,
    ],
  };
  return [
    ...paths.forms.map((path) => ({ path, headers: form })),
    ...paths.json.map((path) => ({ path, headers: json })),
  ];
}

test('no page that takes a body gives a place to one that does not arrive', async () => {
  for (const page of await pages()) begin(page);
  await expectNoneAtWork();
  const answered = senders.filter((sender) => sender.told() !== '').map((sender) => sender.told());
  expect(answered).toEqual([]);
});

test('no operation gives a place to a body that does not arrive', async () => {
  const withBody = operationsOf(apiDocument).filter(({ method }) => method !== 'GET' && method !== 'DELETE');
  expect(withBody.length).toBeGreaterThan(100);
  const base = new URL(client.url).pathname;
  for (const one of withBody)
    begin({
      method: one.method,
      path: `${base}${requestIn(world, one).path}`,
      headers: { ...basic(client.key), ...json },
    });
  await expectNoneAtWork();
  expect(senders.filter((sender) => sender.told() !== '')).toHaveLength(0);
});

test('bodies that are compressed, in chunks, or files, hold no place either, and are answered once they arrive', async () => {
  const path = `${new URL(client.url).pathname}/notes`;
  const note = gzipSync(JSON.stringify({ customer: world.customers, notes: 'Late' })).toString('latin1');
  const gzip = { ...basic(client.key), ...json, 'Content-Encoding': 'gzip' };
  const compressed = begin({ path, headers: gzip, length: note.length });
  const chunked = begin({ path, headers: { ...basic(client.key), ...json, 'Transfer-Encoding': 'chunked' } });
  begin({
    path: path.replace('notes', 'files'),
    headers: { ...basic(client.key), 'Content-Type': 'multipart/form-data; boundary=b' },
  });
  chunked.send('5\r\n{"not');
  const plain = begin({ path: `/gateway_events/test_${client.account.id}`, headers: json });
  await until(() => counts.atWork() === 0, { what: 'no request at work' });
  expect((await other.get('/customers')).status).toBe(200);
  plain.send('x'.repeat(40));
  await until(() => plain.told().startsWith('HTTP/1.1 400'), { what: 'the answer to the event' });
  expect(compressed.told()).toBe('');
});

test('at the bound of an address its oldest unfinished body ends; newcomers and other addresses go on', async () => {
  const sign = { path: '/sign_in', headers: { ...form, ...from(0) } };
  const elsewhere = begin({ ...sign, headers: { ...form, ...from(1) } });
  await until(() => counts.unfinished() === 1, { what: 'the first body' });
  const first = begin(sign);
  await until(() => counts.unfinished() === 2, { what: 'the second body' });
  for (let n = 0; n < MOST_OF_ADDRESS; n++) begin(sign);
  await until(() => first.isClosed(), { what: 'the end of the oldest' });
  expect(first.told()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"body_invalid"/);
  await until(() => counts.unfinished() === 1 + MOST_OF_ADDRESS, { what: 'the bodies of both addresses' });
  expect(elsewhere.isClosed()).toBe(false);
  expect(senders.filter((sender) => sender.isClosed())).toHaveLength(1);
});

test('at the bound of all, the oldest without a credential ends; one with a valid credential does not', async () => {
  const withKey = begin({ path: `${new URL(client.url).pathname}/notes`, headers: { ...basic(client.key), ...json } });
  await until(() => counts.unfinished() === 1 && counts.atWork() === 0, { what: 'the body of the account' });
  for (let n = 0; n <= MOST_WITHOUT_CREDENTIALS; n++) begin({ path: '/sign_in', headers: form });
  await until(() => senders.some((sender) => sender.isClosed()), { what: 'the end of the oldest' });
  await until(() => counts.unfinished() === 1 + MOST_WITHOUT_CREDENTIALS, { what: 'all bodies' });
  expect(withKey.isClosed()).toBe(false);
  expect((await other.get('/customers')).status).toBe(200);
});

test('a server that closes waits neither for bodies that do not arrive nor for clients that do not read', async () => {
  const closing = await startApi();
  const { port, host } = new URL(closing.origin);
  const slow = slowSender(closing.origin, { path: '/sign_in', headers: form });
  const deaf = slowSender(closing.origin, { path: '/health', method: 'GET', headers: {}, length: 0 });
  deaf.pause();
  deaf.send(`GET /docs HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`.repeat(100));
  await closing.close();
  await until(() => slow.isClosed(), { what: 'the end of the slow sender' });
  deaf.end();
});
