import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect } from '../../../workers/connection.ts';
import { basic, type Client, refused, send, startApi, type TestApi } from '../../support/api.ts';
import { until } from '../../support/wait.ts';

const MADE_AT = Date.UTC(2027, 2, 1) / 1000;
let now = MADE_AT;
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
});
afterAll(() => api.close());

/** Runs all at once: a lock makes them wait before they store a key, until all of them have arrived. */
async function atOnce<T>(works: (() => Promise<T>)[]): Promise<T[]> {
  const other = await connect(api.databaseUrl);
  const waiting = `select pid from pg_locks where not granted
    and database = (select oid from pg_database where datname = current_database())`;
  try {
    await other.query('begin');
    await other.query('lock table api_key in share row exclusive mode');
    const all = Promise.all(works.map((work) => work()));
    await until(async () => (await other.query(waiting)).length >= works.length, { what: 'all wait' });
    await other.query('rollback');
    return await all;
  } finally {
    await other.close();
  }
}

const ask = (client: Client, key: string) => send(`${client.url}/account`, { method: 'GET', headers: basic(key) });

test('a key begins with its kind and its environment', async () => {
  const kinds = [
    [api.sandbox, 'secret', /^sk_test_[0-9A-Za-z]{40}$/],
    [api.live, 'secret', /^sk_live_[0-9A-Za-z]{40}$/],
    [api.sandbox, 'publishable', /^pk_test_[0-9A-Za-z]{40}$/],
    [api.live, 'publishable', /^pk_live_[0-9A-Za-z]{40}$/],
  ] as const;
  for (const [client, kind, pattern] of kinds) {
    const { body } = await client.post('/api_keys', { name: 'k', kind });
    expect(body).toMatchObject({ kind, key: expect.stringMatching(pattern), last4: body.key.slice(-4) });
  }
});

test('keys are stored hashed, also in the answers kept for replays', async () => {
  const make = () => api.sandbox.post('/api_keys', { name: 'Hidden' }, { 'Idempotency-Key': 'hidden' });
  const { key } = (await make()).body;
  expect((await make()).body.key).toBe(key);
  const tables = ['api_key', 'idempotency', 'event', 'outbox'];
  const rows = await Promise.all(tables.map((table) => api.em.fork().execute(`select * from ${table}`)));
  expect(rows[0]?.length).toBeGreaterThan(0);
  expect(rows[1]).toHaveLength(1);
  const kept = JSON.stringify(rows);
  for (const secret of [key, api.sandbox.key, api.live.key]) expect(kept).not.toContain(secret);
});

test('a key expires at its time, to the second', async () => {
  const { body } = await api.sandbox.post('/api_keys', { name: 'Short', expires_at: now + 60 });
  expect(body.expires_at).toBe(now + 60);
  now += 59;
  expect((await ask(api.sandbox, body.key)).status).toBe(200);
  for (const later of [1, 100]) {
    now += later;
    expect(await ask(api.sandbox, body.key)).toMatchObject(refused({ type: 'invalid_request' }, 401));
  }
});

test('creating a key that has already expired is refused', async () => {
  for (const expires_at of [1, now - 1, now]) {
    const answer = await api.sandbox.post('/api_keys', { name: 'Late', expires_at });
    expect(answer).toMatchObject(refused({ param: 'expires_at' }));
  }
  expect((await api.sandbox.post('/api_keys', { name: 'Brief', expires_at: now + 1 })).status).toBe(201);
});

test('an account has at most 100 usable keys, even when several are created at once', async () => {
  const { sandbox } = await api.open('Many');
  const make = (more: object = {}) => sandbox.post('/api_keys', { name: 'One of many', ...more });
  await make({ expires_at: now + 60 });
  for (let n = 2; n < 99; n++) expect((await make()).status).toBe(201);
  const answers = await atOnce([make, make]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
  const message = 'An account has at most 100 API keys; revoke one first';
  expect(await make({ kind: 'publishable' })).toMatchObject(refused({ message }));
  const last = answers.find(({ status }) => status === 201)?.body.id;
  await sandbox.delete(`/api_keys/${last}`);
  expect([(await make()).status, (await make()).status]).toEqual([201, 400]);
  now += 60; // one key has expired
  expect([(await make()).status, (await make()).status]).toEqual([201, 400]);
});

test('a revoked key is refused immediately in every process, and is no longer listed', async () => {
  const { key, id } = await api.sandbox.make('/api_keys', { name: 'Gone' });
  const listed = async () => (await api.sandbox.get('/api_keys')).body.map((one: { id: number }) => one.id);
  expect((await ask(api.sandbox, key)).status).toBe(200);
  expect(await listed()).toContain(id);
  expect(await api.sandbox.delete(`/api_keys/${id}`)).toMatchObject({ status: 204, body: null });
  expect((await ask(api.sandbox, key)).status).toBe(401);
  expect(await listed()).not.toContain(id);
  expect((await api.sandbox.delete(`/api_keys/${id}`)).status).toBe(404); // it no longer exists
  expect((await api.sandbox.delete('/api_keys/4711')).status).toBe(404);
});

test('a key is accepted as the user name of HTTP Basic, and nothing else is a key', async () => {
  const header = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  const get = (headers: Record<string, string>) => send(`${api.sandbox.url}/account`, { method: 'GET', headers });
  const { key } = api.sandbox;
  expect((await get(header(`${key}:`))).status).toBe(200);
  for (const wrong of [`:${key}`, `${key.slice(0, -1)}:`, `${key}x:`, ` ${key}:`, ':'])
    expect([wrong, (await get(header(wrong))).status]).toEqual([wrong, 401]);
});

test('an address that sends 300 invalid keys a minute is blocked, except with keys that it used before', async () => {
  const { sandbox } = await api.open('Neighbour');
  const fresh = (await sandbox.make('/api_keys', { name: 'Not used yet' })).key;
  const from = (address: string, key: string, client = sandbox) =>
    send(`${client.url}/account`, { method: 'GET', headers: { ...basic(key), 'X-Forwarded-For': address } });
  const invalid = 'sk_test_invalid';
  for (let n = 0; n < 150; n++) expect((await from('192.0.2.1', invalid)).status).toBe(401);
  for (let n = 0; n < 150; n++) expect((await from('192.0.2.1', sandbox.key, api.live)).status).toBe(401); // a key of the other environment
  expect((await from('192.0.2.1', invalid)).status).toBe(429);
  const seen = api.queries.length;
  const refusal = await from('192.0.2.1', invalid);
  expect(refusal).toMatchObject(refused({ message: expect.stringContaining('from your address') }, 429));
  expect(Number(refusal.headers.get('Retry-After'))).toBe(60);
  expect(api.queries.length).toBe(seen);
  const others = [from('192.0.2.1', sandbox.key), from('192.0.2.1', fresh), from('192.0.2.2', fresh)];
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 429, 200]);
  expect((await from('192.0.2.1', fresh)).status).toBe(200);
  now += 60;
  expect((await from('192.0.2.1', invalid)).status).toBe(401);
});
