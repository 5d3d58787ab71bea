import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as oauth from 'openid-client';
import { type Client, refused, send, startApi, type TestApi } from '../../support/api.ts';
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

let api: TestApi;
let credentials: Credentials;
let now = Date.now();
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  credentials = await addMember(api, api.live.account, 'ann@acme.example');
});
afterAll(() => api.close());

function call({ url }: Client, token: string | undefined, method = 'GET', path = '/customers') {
  const headers = { Authorization: `Bearer ${token}` };
  return send(`${url}${path}`, { method, headers, ...(method === 'POST' ? { body: { name: 'Zoe' } } : {}) });
}

const refusal = refused({ object: 'error', type: 'invalid_request', message: 'Access token is not valid' }, 401);

test.each([
  ['the body', false],
  ['HTTP Basic', true],
])(
  'a confidential application with its secret in %s gets a code and tokens, calls the API and refreshes',
  async (_where, basic) => {
    const config = oauthClient(api, await register(api, api.sandbox), { basic });
    const tokens = await authorize(api, config, { credentials });
    expect(Object.keys(tokens).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'token_type']);
    expect(tokens.expires_in).toBe(3600);
    expect((await call(api.sandbox, tokens.access_token, 'POST')).status).toBe(201);
    const refreshed = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(refreshed.refresh_token).toBe(tokens.refresh_token);
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    expect((await call(api.sandbox, refreshed.access_token)).status).toBe(200);
    expect(api.faults).toEqual([]);
  },
);

test('the token endpoint answers four fields, on the wire too, and forbids caching', async () => {
  const registered = await register(api, api.sandbox);
  const config = oauthClient(api, registered);
  const { refresh_token } = await authorize(api, config, { credentials, scope: 'read' });
  const response = await fetch(`${api.origin}/sandbox/oauth/access_token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refresh_token ?? '',
      client_id: registered.clientId,
      client_secret: registered.secret ?? '',
    }),
  });
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  expect(await response.json()).toEqual({
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token,
    access_token: expect.any(String),
  });
});

test('the database contains no token, code or secret in plain text', async () => {
  const registered = await register(api, api.sandbox);
  const config = oauthClient(api, registered);
  const tokens = await authorize(api, config, { credentials });
  const waiting = createPerson(api);
  await signInAt(waiting, oauth.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'read' }), credentials);
  const cookies = [...waiting.cookies.values()];
  expect(cookies.length).toBe(5); // session, browser, form, interaction, resume
  const tables = ['oauth_application', 'oauth_grant', 'oauth_token', 'oauth_interaction', 'person_session', 'person'];
  const rows = await Promise.all(tables.map((table) => api.em.fork().execute(`select * from ${table}`)));
  expect(rows.map((found) => found.length > 0)).toEqual([true, true, true, true, true, true]);
  const kept = JSON.stringify(rows);
  const { access_token, refresh_token } = tokens;
  for (const secret of [access_token, refresh_token, registered.secret, credentials.password, ...cookies]) {
    expect(kept).not.toContain(secret);
  }
});

test('a token of scope read can only read', async () => {
  const config = oauthClient(api, await register(api, api.sandbox));
  const { access_token: token, refresh_token } = await authorize(api, config, { credentials, scope: 'read' });
  expect((await call(api.sandbox, token)).status).toBe(200);
  const write = await call(api.sandbox, token, 'POST');
  expect(write).toMatchObject(refused({ message: 'Access token may only read' }, 403));
  expect(write.headers.get('WWW-Authenticate')).toBe('Bearer error="insufficient_scope", scope="read_write"');
  await expect(oauth.refreshTokenGrant(config, refresh_token ?? '', { scope: 'read_write' })).rejects.toMatchObject({
    error: 'invalid_scope',
  });
});

test('a token narrowed to read by a refresh can only read', async () => {
  const config = oauthClient(api, await register(api, api.sandbox));
  const { refresh_token } = await authorize(api, config, { credentials, scope: 'read read_write' });
  const narrow = await oauth.refreshTokenGrant(config, refresh_token ?? '', { scope: 'read' });
  expect((await call(api.sandbox, narrow.access_token, 'POST')).status).toBe(403);
});

test('a token used in the other environment is refused with that reason', async () => {
  const config = oauthClient(api, await register(api, api.live), { prefix: '' });
  const { access_token: token } = await authorize(api, config, { credentials });
  expect((await call(api.live, token, 'GET', '/account')).body).toMatchObject({ environment: 'live', name: 'Acme' });
  const message = 'This is an access token of the live environment, used against the sandbox base URL';
  const other = await call(api.sandbox, token);
  expect(other).toMatchObject(refused({ message }, 401));
  expect(other.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
});

test('a token acts for the business of the member who granted access, not for that of the application', async () => {
  const other = await api.open('Borealis');
  const bob = await addMember(api, other.live.account, 'bob@borealis.example');
  const config = oauthClient(api, await register(api, api.sandbox));
  const { access_token: token } = await authorize(api, config, { credentials: bob });
  expect((await call(api.sandbox, token, 'GET', '/account')).body).toMatchObject({ name: 'Borealis' });
});

test.each(['access_token', 'refresh_token'] as const)('revoking the %s ends the access at once', async (which) => {
  const registered = await register(api, api.sandbox);
  const config = oauthClient(api, registered);
  const tokens = await authorize(api, config, { credentials });
  await oauth.tokenRevocation(config, tokens[which] ?? '');
  const after = await call(api.sandbox, tokens.access_token);
  expect(after).toMatchObject(refusal);
  expect(after.headers.get('WWW-Authenticate')).toBe('Bearer error="invalid_token"');
  await expect(oauth.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    status: 400,
    error: 'invalid_grant',
  });
  const { body: grants } = await api.sandbox.get('/oauth_grants');
  expect(grants.map((grant: { client_id: string }) => grant.client_id)).not.toContain(registered.clientId);
});

test('an application cannot revoke the token of another one', async () => {
  const tokens = await authorize(api, oauthClient(api, await register(api, api.sandbox)), { credentials });
  await oauth.tokenRevocation(oauthClient(api, await register(api, api.sandbox)), tokens.access_token);
  expect((await call(api.sandbox, tokens.access_token)).status).toBe(200);
});

test('an access token ends after an hour, and the refresh token gives another', async () => {
  const config = oauthClient(api, await register(api, api.sandbox));
  const tokens = await authorize(api, config, { credentials });
  now += 3_599_000;
  expect((await call(api.sandbox, tokens.access_token)).status).toBe(200);
  now += 1_000;
  expect(await call(api.sandbox, tokens.access_token)).toMatchObject(refusal);
  const { access_token: token } = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect((await call(api.sandbox, token)).status).toBe(200);
});

test('the refresh token of a public application is replaced; the old one works for 60 s, and then ends all access', async () => {
  const config = oauthClient(api, await register(api, api.sandbox, { confidential: false }));
  const first = await authorize(api, config, { credentials });
  const second = await oauth.refreshTokenGrant(config, first.refresh_token ?? '');
  expect(second.refresh_token).not.toBe(first.refresh_token);
  now += 59_000;
  const again = await oauth.refreshTokenGrant(config, first.refresh_token ?? '');
  expect((await call(api.sandbox, again.access_token)).status).toBe(200);
  now += 1_000;
  await expect(oauth.refreshTokenGrant(config, first.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  expect(await call(api.sandbox, again.access_token)).toMatchObject(refusal);
  await expect(oauth.refreshTokenGrant(config, second.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});

test('tokens of one grant share their Idempotency-Keys with each other, but not with API keys', async () => {
  const config = oauthClient(api, await register(api, api.sandbox));
  const tokens = await authorize(api, config, { credentials });
  const { access_token: next } = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '');
  const keyed = (Authorization: string) =>
    send(`${api.sandbox.url}/customers`, {
      method: 'POST',
      body: { name: 'Once' },
      headers: { Authorization, 'Idempotency-Key': 'once' },
    });
  const made = await keyed(`Bearer ${tokens.access_token}`);
  const replayed = await keyed(`Bearer ${next}`);
  expect(replayed.body).toEqual(made.body);
  expect(replayed.headers.get('Idempotent-Replayed')).toBe('true');
  const byKey = await api.sandbox.post('/customers', { name: 'Once' }, { 'Idempotency-Key': 'once' });
  expect(byKey.body.id).not.toBe(made.body.id);
});

test('a call with a token is authenticated by one statement', async () => {
  const config = oauthClient(api, await register(api, api.sandbox));
  const { access_token: token } = await authorize(api, config, { credentials });
  await call(api.sandbox, token, 'GET', '/items');
  const statements = await api.statements(() => call(api.sandbox, token, 'GET', '/items'));
  const others = statements.filter((sql) => !/\bitem\b/.test(sql));
  expect(others).toEqual([expect.stringContaining('from lookup.holder_of_token')]);
});

test('a refresh token is valid for years', async () => {
  const config = oauthClient(api, await register(api, api.sandbox));
  const { refresh_token } = await authorize(api, config, { credentials });
  now += 5 * 365 * 86_400_000;
  const { access_token: token } = await oauth.refreshTokenGrant(config, refresh_token ?? '');
  expect((await call(api.sandbox, token)).status).toBe(200);
});
