import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRateLimiter } from '../../../api/limits/rateLimiter.ts';
import { createServer } from '../../../api/server.ts';
import { openDatabase } from '../../../db/database.ts';
import { Account } from '../../../db/schema/account.ts';
import { currentTenant, withAccount } from '../../../db/tenant.ts';
import { type Answer, basic, type Client, refused, send, startApi, type TestApi } from '../../support/api.ts';
import { until } from '../../support/wait.ts';

/** Real time until a test freezes it. Then no bucket is refilled. */
let frozenAt: Date | null = null;
let api: TestApi;
/** A second server on the same database, as in another process. */
let other: { origin: string; queries: string[]; close(): Promise<void> };

beforeAll(async () => {
  const systemNow = () => frozenAt ?? new Date();
  api = await startApi({ systemNow });
  const queries: string[] = [];
  const onQuery = (text: string) => void queries.push(text);
  const orm = openDatabase({ urls: api.databaseUrls, poolSize: 4, onQuery });
  const server = createServer({ ...api.deps, em: orm.em });
  const origin = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  other = { origin, queries, close: () => server.close().then(() => orm.close(true)) };
});
afterAll(async () => {
  await other.close();
  await api.close();
});

async function limited(name: string, settings: { rate_limit?: number; rate_limit_burst?: number }): Promise<Client> {
  const { sandbox } = await api.open(name);
  await api.em.fork().nativeUpdate(Account, { id: sandbox.account.id }, { settings });
  return sandbox;
}

const ask = (client: Client, origin = api.origin) =>
  send(`${origin}/sandbox/api/account`, { method: 'GET', headers: basic(client.key) });
const limits = ({ headers }: Answer) =>
  ['Limit', 'Remaining', 'Reset'].map((name) => Number(headers.get(`RateLimit-${name}`)));
const countOf = (answers: Answer[], status: number) => answers.filter((answer) => answer.status === status).length;

test("every answer to a key, a refusal too, shows the state of the key's limit", async () => {
  frozenAt = new Date();
  const client = await limited('Limits', {});
  expect(limits(await ask(client))).toEqual([200, 199, 1]);
  const refusal = await client.post('/customers', { nonsense: 1 });
  expect([refusal.status, ...limits(refusal)]).toEqual([400, 200, 198, 1]);
  const keys = [
    { name: 'Page', kind: 'publishable' },
    { name: 'Reader', scope: 'read' },
  ];
  for (const asked of keys) {
    const { key } = await client.make('/api_keys', asked);
    const forbidden = await send(`${client.url}/customers`, { method: 'POST', headers: basic(key), body: {} });
    expect([forbidden.status, ...limits(forbidden)]).toEqual([403, 200, 199, 1]);
  }
  const nothing = await client.get('/nothing');
  expect([nothing.status, ...limits(nothing)]).toEqual([404, 200, 195, 1]);
  const missing = await send(`${api.sandbox.url}/account`, { method: 'GET' });
  expect([missing.status, missing.headers.get('RateLimit-Limit')]).toEqual([401, null]);
  frozenAt = null;
});

test('two servers together allow what one would, and say when to retry', async () => {
  frozenAt = new Date();
  const client = await limited('Two', { rate_limit: 20, rate_limit_burst: 60 });
  const origins = [api.origin, other.origin];
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => ask(client, origins[n % 2])));
  expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([60, 140]);
  const refusal = await ask(client);
  expect(refusal).toMatchObject(
    refused({ object: 'error', type: 'invalid_request', message: expect.stringContaining('20 per second') }, 429),
  );
  expect(refusal.headers.get('Retry-After')).toBe('1');
  expect(limits(refusal)).toEqual([60, 0, 3]);
  const bystander = await limited('Bystander', { rate_limit: 20, rate_limit_burst: 60 });
  expect((await ask(bystander)).status).toBe(200);
  frozenAt = new Date(frozenAt.getTime() + 500);
  let granted = 0;
  const ran = async () => {
    const later = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(client, origins[n % 2])));
    granted += countOf(later, 200);
    return granted >= 10;
  };
  await until(ran, { what: 'what has run in' });
  expect(granted).toBe(10);
  frozenAt = null;
});

test('all keys of an account share five times the limit of one key, so more keys do not raise it', async () => {
  frozenAt = new Date();
  const client = await limited('Keys', { rate_limit: 1, rate_limit_burst: 10 });
  const keys: string[] = [];
  for (let n = 0; n < 9; n++) keys.push((await client.make('/api_keys', { name: `${n}` })).key);
  const [rested = '', ...others] = keys;
  const origins = [api.origin, other.origin];
  const askAs = (key: string, origin = api.origin) => ask({ ...client, key }, origin);
  let granted = keys.length; // the requests that created the keys
  const used = async () => {
    const answers = await Promise.all(others.flatMap((key) => origins.map((origin) => askAs(key, origin))));
    granted += countOf(answers, 200);
    return granted >= 50;
  };
  await until(used, { what: 'the burst of the account used up' });
  expect(granted).toBe(50);
  const refusal = await askAs(rested);
  const message = expect.stringContaining('all keys and tokens of this account together may send 5 per second');
  expect(refusal).toMatchObject(refused({ message }, 429));
  expect([refusal.headers.get('Retry-After'), ...limits(refusal)]).toEqual(['1', 50, 0, 10]);
  const bystander = await limited('Beside', { rate_limit: 1, rate_limit_burst: 10 });
  expect(limits(await ask(bystander))).toEqual([10, 9, 1]);
  frozenAt = new Date(frozenAt.getTime() + 10_000);
  await until(async () => (await askAs(rested)).status === 200, { what: 'what has run in' });
  frozenAt = null;
});

test('a lease is renewed and returned as work of its own account, whoever triggers it', async () => {
  const renewedAs: unknown[] = [];
  const em = Object.assign(Object.create(api.em), {
    fork: () => {
      renewedAs.push(currentTenant());
      return api.em.fork();
    },
  });
  const limiter = createRateLimiter({ em, systemNow: () => new Date() });
  const limit = { perSecond: 40, burst: 40 };
  const clients = [await limited('First', {}), await limited('Second', {})];
  const ids = clients.map(({ account }) => account.id);
  for (const accountId of ids) {
    await withAccount(accountId, () => limiter.take({ accountId, credentialId: accountId }, limit));
  }
  expect(renewedAs).toEqual(ids);
  await until(async () => renewedAs.length >= 4, { what: 'both leases given back' });
  expect(renewedAs.slice(2, 4)).toEqual(ids);
  await limiter.close();
  expect([...new Set(renewedAs)]).toEqual(ids);
});

test('tokens that one server leased and did not use return to the others', async () => {
  frozenAt = new Date();
  const client = await limited('Back', { rate_limit: 40, rate_limit_burst: 10 });
  expect((await ask(client)).status).toBe(200);
  let granted = 0;
  const rest = async () => {
    granted += countOf([await ask(client, other.origin)], 200);
    return granted === 9;
  };
  await until(rest, { what: 'the rest of the burst at the other server' });
  expect((await ask(client, other.origin)).status).toBe(429);
  expect((await ask(client)).status).toBe(429);
  frozenAt = null;
});

test('few requests need a statement for the limit, and a refused one needs none', async () => {
  const client = await limited('Cheap', { rate_limit: 1, rate_limit_burst: 100 });
  const one = await limited('Dear', { rate_limit: 100_000, rate_limit_burst: 100_000 });
  const leases = () => other.queries.filter((text) => text.includes('rate_limit_bucket')).length;
  const start = leases();
  for (let n = 0; n < 100; n++) await ask(one, other.origin);
  expect(leases() - start).toBeLessThan(20);
  await Promise.all(Array.from({ length: 120 }, () => ask(client, other.origin)));
  const before = leases();
  await Promise.all(Array.from({ length: 40 }, () => ask(client, other.origin)));
  expect(leases() - before).toBeLessThan(5);
});
