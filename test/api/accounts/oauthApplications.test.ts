import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as oauth from 'openid-client';
import { deleteExpired } from '../../../db/queries/processes/expired.ts';
import { connect } from '../../../workers/connection.ts';
import { basic, type Client, refused, send, startApi, type TestApi } from '../../support/api.ts';
import {
  addMember,
  authorize,
  CALLBACK,
  type Credentials,
  oauthClient,
  register,
  signInAt,
} from '../../support/oauth.ts';
import { createPerson } from '../../support/person.ts';
import { until } from '../../support/wait.ts';

let api: TestApi;
let credentials: Credentials;
let rival: Client;
let now = Date.now();
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  credentials = await addMember(api, api.live.account, 'ann@acme.example');
  rival = (await api.open('Rival')).sandbox;
});
afterAll(() => api.close());

test('an application can be registered, read, changed, listed and deleted', async () => {
  const { sandbox } = api;
  const made = await sandbox.post('/oauth_applications', { name: 'Ledger', redirect_uris: [CALLBACK] });
  expect(made).toMatchObject({
    status: 201,
    body: { object: 'oauth_application', name: 'Ledger', redirect_uris: [CALLBACK], confidential: true },
  });
  const { client_secret, ...shown } = made.body;
  expect(client_secret).toMatch(/^cs_test_[0-9A-Za-z]{40}$/);
  expect(shown.client_id).toMatch(/^client_[0-9A-Za-z]{24}$/);
  const path = `/oauth_applications/${shown.id}`;
  expect((await sandbox.get(path)).body).toEqual(shown);
  expect((await sandbox.get('/oauth_applications')).body).toContainEqual(shown);
  const renamed = await sandbox.patch(path, { ...shown, name: 'Ledger 2' });
  expect(renamed.body).toEqual({ ...shown, name: 'Ledger 2', updated_at: expect.any(Number) });
  expect((await sandbox.patch(path, { name: 'Ledger 3' })).body.redirect_uris).toEqual([CALLBACK]);
  expect((await sandbox.delete(path)).status).toBe(204);
  expect((await sandbox.get(path)).status).toBe(404);
});

test('applications and grants of another account are not found', async () => {
  const registered = await register(api, api.sandbox);
  await authorize(api, oauthClient(api, registered), { credentials });
  const [grant] = (await api.sandbox.get('/oauth_grants')).body;
  const path = `/oauth_applications/${registered.id}`;
  for (const [method, url] of [
    ['GET', path] as const,
    ['PATCH', path] as const,
    ['DELETE', path] as const,
    ['POST', `${path}/rotate_secret`] as const,
    ['GET', `/oauth_grants/${grant.id}`] as const,
    ['DELETE', `/oauth_grants/${grant.id}`] as const,
  ]) {
    expect((await rival.request(method, url, method === 'PATCH' ? { name: 'Mine' } : undefined)).status).toBe(404);
  }
  expect((await rival.get('/oauth_applications')).body).toEqual([]);
  expect((await rival.get('/oauth_grants')).body).toEqual([]);
});

test.each([
  [{ redirect_uris: [CALLBACK] }, 'name'],
  [{ name: 'x' }, 'redirect_uris'],
  [{ name: 'x', redirect_uris: [] }, 'redirect_uris'],
  [{ name: 'x', redirect_uris: [CALLBACK, 'http://client.example/'] }, 'redirect_uris[1]'],
  [{ name: 'x', redirect_uris: ['https://client.example/#part'] }, 'redirect_uris[0]'],
  [{ name: 'x', redirect_uris: ['https://user:secret@client.example/'] }, 'redirect_uris[0]'],
  [{ name: 'x', redirect_uris: ['/callback'] }, 'redirect_uris[0]'],
  [{ name: 'x', redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris[0]'],
  [{ name: 'x', redirect_uris: ['com.example.app:/back'] }, 'redirect_uris[0]'],
  [{ name: 'x', redirect_uris: ['javascript:alert(1)'], confidential: false }, 'redirect_uris[0]'],
  [{ name: 'x', redirect_uris: ['https://client.example/a b'] }, 'redirect_uris[0]'],
  [{ name: 'x', redirect_uris: ['https://x;frame-ancestors/cb'] }, 'redirect_uris[0]'],
  [{ name: 'x', redirect_uris: ['https://*.client.example/cb'] }, 'redirect_uris[0]'],
  [{ name: 'x', redirect_uris: ["https://'self'/cb"] }, 'redirect_uris[0]'],
])('%j is refused, naming %s', async (body, param) => {
  expect(await api.sandbox.post('/oauth_applications', body)).toMatchObject(refused({ param }));
});

test.each([['com.example.app:/back'], ['http://127.0.0.1:8080/back'], ['https://client.example/']])(
  'a public application may be at %s, and has no secret',
  async (uri) => {
    const fields = { name: 'App', confidential: false, redirect_uris: [uri] };
    const { body } = await api.sandbox.post('/oauth_applications', fields);
    expect(body).toMatchObject({ confidential: false, client_secret: null });
    expect((await api.sandbox.post(`/oauth_applications/${body.id}/rotate_secret`)).status).toBe(400);
    const query = { response_type: 'code', client_id: body.client_id, redirect_uri: uri, scope: 'read' };
    const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
    const url = new URL(`/sandbox/oauth/authorize?${new URLSearchParams({ ...query, ...pkce })}`, api.deps.publicUrl);
    const person = createPerson(api);
    const screen = await signInAt(person, url, credentials);
    const { left } = await person.send(screen, screen.url.pathname, { answer: 'allow' });
    expect(left?.href.startsWith(uri)).toBe(true);
    // The URI must match exactly, although RFC 8252 would allow another port.
    const other = new URL(url);
    other.searchParams.set('redirect_uri', uri.replace('8080', '8081').replace(/back$|\/$/, 'else'));
    expect(await person.open(other)).toMatchObject({ status: 400, left: null });
    expect((await person.open(url)).text).toContain('wants access'); // a public client needs consent each time
  },
);

test('a new secret invalidates the old one at once', async () => {
  const registered = await register(api, api.sandbox);
  const tokens = await authorize(api, oauthClient(api, registered), { credentials });
  const { status, body } = await api.sandbox.post(`/oauth_applications/${registered.id}/rotate_secret`);
  expect({ status, secret: body.client_secret }).toEqual({ status: 200, secret: expect.stringMatching(/^cs_test_/) });
  const refresh = (secret: string | null) =>
    oauth.refreshTokenGrant(oauthClient(api, { ...registered, secret }), tokens.refresh_token ?? '');
  await expect(refresh(registered.secret)).rejects.toMatchObject({ error: 'invalid_client' });
  await expect(refresh(body.client_secret)).resolves.toHaveProperty('access_token');
});

test('grants are listed with their fields, and can be revoked at once', async () => {
  const registered = await register(api, rival, { name: 'Rival Sync' });
  const { access_token: token } = await authorize(api, oauthClient(api, registered), { credentials, scope: 'read' });
  const headers = { Authorization: `Bearer ${token}` };
  const [grant] = (await api.sandbox.get('/oauth_grants?sort=id desc')).body;
  expect(grant).toEqual({
    id: expect.any(Number),
    object: 'oauth_grant',
    client_id: registered.clientId,
    scope: 'read',
    application_name: 'Rival Sync',
    granted_by: credentials.email,
    last_used_at: null,
    created_at: expect.any(Number),
  });
  await rival.patch(`/oauth_applications/${registered.id}`, { name: 'Rival Sync 2' });
  const path = `/oauth_grants/${grant.id}`;
  expect((await api.sandbox.get(path)).body.application_name).toBe('Rival Sync 2');
  const ask = () => send(`${api.sandbox.url}/account`, { method: 'GET', headers });
  expect((await ask()).status).toBe(200);
  await until(async () => (await api.sandbox.get(path)).body.last_used_at !== null, { what: 'the last use' });
  expect((await api.sandbox.delete(path)).status).toBe(204);
  expect((await ask()).status).toBe(401);
  expect((await api.sandbox.get(path)).status).toBe(404);
});

test('deleting an application revokes every access that it was given', async () => {
  const registered = await register(api, rival);
  const { access_token: token } = await authorize(api, oauthClient(api, registered), { credentials });
  expect((await rival.delete(`/oauth_applications/${registered.id}`)).status).toBe(204);
  const headers = { Authorization: `Bearer ${token}` };
  expect((await send(`${api.sandbox.url}/account`, { method: 'GET', headers })).status).toBe(401);
});

test.each([['/api_keys'], ['/oauth_applications'], ['/oauth_grants'], ['/api_keys/1']])(
  'a token opens no %s: what it made would outlive it',
  async (path) => {
    const { access_token } = await authorize(api, oauthClient(api, await register(api, api.sandbox)), { credentials });
    const headers = { Authorization: `Bearer ${access_token}` };
    for (const method of ['GET', 'POST', 'DELETE']) {
      const key = await api.sandbox.request(method, path.replace(/\d+$/, '4711'));
      const isThere = !String(key.body?.message).startsWith('There is nothing');
      const answer = await send(`${api.sandbox.url}${path}`, { method, headers });
      const message = expect.stringContaining(isThere ? 'An access token cannot do this' : 'There is nothing');
      expect(answer).toMatchObject({ status: isThere ? 403 : 404, body: { message } });
    }
  },
);

test('a publishable key is accepted as one of its kind, and gives no access to the API', async () => {
  const { body } = await api.live.post('/api_keys', { name: 'Web page', kind: 'publishable' });
  expect(body).toMatchObject({
    kind: 'publishable',
    key: expect.stringMatching(/^pk_live_[0-9A-Za-z]{40}$/),
    scope: 'read',
  });
  const test = await api.sandbox.post('/api_keys', { name: 'Web page', kind: 'publishable' });
  expect(test.body.key).toMatch(/^pk_test_/);
  for (const [method, path] of [
    ['GET', '/account'],
    ['GET', '/customers'],
    ['POST', '/customers'],
  ] as const) {
    const answer = await send(`${api.live.url}${path}`, { method, headers: basic(body.key) });
    expect(answer).toMatchObject(refused({ message: expect.stringContaining('publishable key (pk_…)') }, 403));
  }
  const nothing = await send(`${api.live.url}/nothing`, { method: 'GET', headers: basic(body.key) });
  expect(nothing.status).toBe(404);
});

test('the last use of a key is written once a minute, after the answer', async () => {
  const { key, id } = await api.sandbox.make('/api_keys', { name: 'Watched' });
  const ask = () => send(`${api.sandbox.url}/account`, { method: 'GET', headers: basic(key) });
  const usedAt = async () => {
    const keys: { id: number; last_used_at: number | null }[] = (await api.sandbox.get('/api_keys')).body;
    return keys.find((one) => one.id === id)?.last_used_at ?? null;
  };
  const noted = () => api.queries.filter((line) => line.includes('update api_key set last_used_at')).length;
  expect(await usedAt()).toBeNull();
  await ask();
  const first = Math.floor(now / 1000);
  await until(async () => (await usedAt()) === first, { what: 'the first use' });
  const before = noted();
  now += 59_000;
  for (let count = 0; count < 5; count++) await ask();
  expect(noted()).toBe(before);
  now += 1_000;
  await ask();
  await until(async () => (await usedAt()) === first + 60, { what: 'the next use' });
});

test('expired rows are deleted in batches', async () => {
  const sql = await connect(api.databaseUrls.system);
  const tables = ['oauth_token', 'oauth_interaction', 'member_session', 'person_session', 'throttle'];
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ');
  const counted = async () => (await sql.query<Record<string, number>>(`select ${counts}`))[0] ?? {};
  const kept = await counted();
  expect(Math.min(...Object.values(kept))).toBeGreaterThan(0);
  await deleteExpired(sql, { now: new Date(now - 86_400_000), limit: 100 });
  expect(await counted()).toEqual(kept);
  const inFiftyYears = new Date(now + 50 * 365 * 86_400_000);
  expect(await deleteExpired(sql, { now: inFiftyYears, limit: 1 })).toBe(7);
  while ((await deleteExpired(sql, { now: inFiftyYears, limit: 10 })) > 0);
  expect(Object.values(await counted())).toEqual([0, 0, 0, 0, 0]);
  await sql.close();
});
