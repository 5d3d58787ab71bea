import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { addMember, CALLBACK, type Credentials, type Registered, register, signInAt } from '../../support/oauth.ts';
import { createPerson, type Person, type Screen } from '../../support/person.ts';
import { LOCK_WAITS, until } from '../../support/wait.ts';

let api: TestApi;
let credentials: Credentials;
let application: Registered;
let ann: Person;
let now = Date.now();
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  credentials = await addMember(api, api.live.account, 'ann@acme.example');
  application = await register(api, api.sandbox);
  ann = createPerson(api);
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

type Parameters = Record<string, string | undefined>;

/** Query parameters without the empty ones. */
function filled(fields: Parameters): URLSearchParams {
  const given = Object.entries(fields).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []));
  return new URLSearchParams(given);
}

function authorization(parameters: Parameters = {}): URL {
  const usual = { response_type: 'code', client_id: application.clientId, redirect_uri: CALLBACK, scope: 'read' };
  return new URL(`${api.deps.publicUrl}/sandbox/oauth/authorize?${filled({ ...usual, ...parameters })}`);
}

function answer(screen: Screen, choice: 'allow' | 'deny'): Promise<Screen> {
  return ann.send(screen, screen.url.pathname, { answer: choice });
}

/** An authorization code, granted by a person who is signed in. */
async function newCode(parameters: Parameters = {}): Promise<string> {
  const url = authorization(parameters);
  const first = await ann.open(url);
  const screen = first.url.pathname.endsWith('/sign_in') ? await signInAt(ann, url, credentials) : first;
  const { left } = screen.left ? screen : await answer(screen, 'allow');
  return left?.searchParams.get('code') ?? '';
}

/** Sends a request to the token endpoint. A field with undefined is left out. */
async function token(fields: Parameters, path = '/sandbox/oauth/access_token') {
  const usual = {
    grant_type: 'authorization_code',
    redirect_uri: CALLBACK,
    client_id: application.clientId,
    client_secret: application.secret ?? '',
  };
  const response = await fetch(`${api.origin}${path}`, {
    method: 'POST',
    body: filled({ ...usual, ...fields }),
    headers: { Accept: 'text/html' },
  });
  const body = (await response.json()) as Record<string, string>;
  return { status: response.status, body, headers: response.headers };
}

test.each([
  ['another redirect URI', { redirect_uri: 'https://evil.example/callback' }, 'redirect_uri'],
  ['a longer redirect URI', { redirect_uri: `${CALLBACK}/` }, 'redirect_uri'],
  ['a redirect URI with a query', { redirect_uri: `${CALLBACK}?a=b` }, 'redirect_uri'],
  ['no redirect URI', { redirect_uri: '' }, 'redirect_uri'],
  ['an unknown application', { client_id: 'client_unknown' }, 'client'],
  ['no application', { client_id: '' }, 'client_id'],
])('an authorization with %s shows an error page and does not redirect', async (_what, parameters, named) => {
  const { left, status, text } = await ann.open(authorization(parameters));
  expect({ left, status }).toEqual({ left: null, status: 400 });
  expect(/<p class="alert" role="alert">(.*)<\/p>/.exec(text)?.[1]?.toLowerCase()).toContain(named);
});

test('an application of the live environment is unknown in the sandbox', async () => {
  const { clientId } = await register(api, api.live);
  expect(await ann.open(authorization({ client_id: clientId }))).toMatchObject({ left: null, status: 400 });
});

test.each([
  ['an unknown scope', { scope: 'admin' }, 'invalid_scope'],
  ['a known and an unknown scope', { scope: 'read_write admin' }, 'invalid_scope'],
  ['OpenID', { scope: 'openid read' }, 'invalid_scope'],
  ['no scope', { scope: '' }, 'invalid_scope'],
  ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ['prompt=none without a sign-in', { prompt: 'none' }, 'login_required'],
  ['plain PKCE', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
])(
  'an authorization with %s redirects to the application with the error and its state',
  async (_what, parameters, error) => {
    const { left, text } = await createPerson(api).open(authorization({ ...parameters, state: 'mine' }));
    if (!left) throw new Error(text);
    expect(left.origin).toBe('https://client.example');
    const told = new URLSearchParams(left.search || left.hash.slice(1)); // in the fragment for `response_type=token`
    expect(Object.fromEntries(told)).toMatchObject({ error, state: 'mine' });
  },
);

test('a public application must use PKCE', async () => {
  const { clientId } = await register(api, api.sandbox, { confidential: false });
  const { left } = await ann.open(authorization({ client_id: clientId }));
  expect(left?.searchParams.get('error')).toBe('invalid_request');
});

test('a person who denies access is redirected with that error', async () => {
  const { clientId } = await register(api, api.sandbox);
  await newCode();
  const { left } = await answer(await ann.open(authorization({ client_id: clientId, state: 's' })), 'deny');
  expect(Object.fromEntries(left?.searchParams ?? [])).toMatchObject({ error: 'access_denied', state: 's' });
});

test('a code works once, and a second use revokes the tokens of the first', async () => {
  const code = await newCode();
  const first = await token({ code });
  expect(first.status).toBe(200);
  expect(await token({ code })).toMatchObject(refused({ error: 'invalid_grant' }));
  const refresh = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token };
  expect(await token(refresh)).toMatchObject(refused({ error: 'invalid_grant' }));
});

test('only one of two simultaneous uses of a code gets tokens', async () => {
  const code = await newCode();
  const answers = await Promise.all([token({ code }), token({ code }), token({ code })]);
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  expect(answers.filter(({ body }) => body.error === 'invalid_grant').length).toBeGreaterThanOrEqual(2);
});

test('tokens that are stored while their grant ends are refused', async () => {
  const { body } = await token({ code: await newCode() });
  const client = new pg.Client({ connectionString: api.databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('delete from oauth_grant');
  const refreshed = token({ grant_type: 'refresh_token', refresh_token: body.refresh_token });
  await until(async () => (await client.query(LOCK_WAITS)).rows.length, { what: 'the request to wait for the grant' });
  await client.query('commit');
  await client.end();
  expect(await refreshed).toMatchObject(refused({ error: 'invalid_grant' }));
});

test('a code expires after 60 s', async () => {
  const [early, late] = [await newCode(), await newCode()];
  now += 59_000;
  expect((await token({ code: early })).status).toBe(200);
  now += 1_000;
  expect(await token({ code: late })).toMatchObject(refused({ error: 'invalid_grant' }));
});

test.each([
  ['a wrong secret', { client_secret: 'cs_test_wrong' }, 401, 'invalid_client'],
  ['no secret', { client_secret: '' }, 401, 'invalid_client'],
  ['an unknown application', { client_id: 'client_unknown' }, 401, 'invalid_client'],
  ['another redirect URI', { redirect_uri: 'https://else.example/' }, 400, 'invalid_grant'],
  ['a code that there is not', { code: 'made-up' }, 400, 'invalid_grant'],
  ['no code', { code: '' }, 400, 'invalid_request'],
  ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ['no grant type', { grant_type: '' }, 400, 'invalid_request'],
])('the token endpoint refuses %s as RFC 6749 has it, in JSON', async (_what, fields, status, error) => {
  const code = await newCode();
  const refusal = await token({ code, ...fields });
  expect(refusal).toMatchObject({ status, body: { error, error_description: expect.any(String) } });
  expect(refusal.headers.get('Cache-Control')).toBe('no-store');
  if (status === 401) expect((await token({ code })).status).toBe(200);
});

test('a wrong secret in HTTP Basic is challenged', async () => {
  const response = await fetch(`${api.origin}/sandbox/oauth/access_token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${application.clientId}:wrong`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' }),
  });
  expect(response.status).toBe(401);
  expect(response.headers.get('WWW-Authenticate')).toMatch(/^Basic /);
});

test("an application cannot use another one's code", async () => {
  const other = await register(api, api.sandbox);
  const stolen = { code: await newCode(), client_id: other.clientId, client_secret: other.secret ?? '' };
  expect(await token(stolen)).toMatchObject(refused({ error: 'invalid_grant' }));
});

test.each([['wrong'.repeat(10)], [undefined]])('a code with PKCE wants its verifier, not %s', async (verifier) => {
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  const code = await newCode({ code_challenge: challenge, code_challenge_method: 'S256' });
  const refusal = await token({ code, code_verifier: verifier });
  expect(refusal).toMatchObject(refused({ error: 'invalid_grant' }));
});

test('wrong secrets are throttled, while the right one is still accepted', async () => {
  const { clientId, secret } = await register(api, api.sandbox);
  const wrong = { client_id: clientId, client_secret: 'wrong', grant_type: 'refresh_token', refresh_token: 'x' };
  for (let count = 0; count < 20; count++) expect((await token(wrong)).status).toBe(401);
  const slowed = await token(wrong);
  expect(slowed).toMatchObject(refused({ error: 'temporarily_unavailable' }, 429));
  expect(Number(slowed.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await token({ ...wrong, client_secret: secret ?? '' })).body).toMatchObject({ error: 'invalid_grant' });
});

test.each([
  ['GET', '/oauth/access_token'],
  ['POST', '/oauth/authorize'],
  ['GET', '/oauth/none/jwks'],
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/.well-known/oauth-authorization-server'],
  ['POST', '/oauth/none/end/confirm'],
  ['OPTIONS', '/oauth/access_token'],
  ['GET', '/oauth/'],
  ['POST', '/oauth/applications/1/else'],
])('%s %s is 404', async (method, path) => {
  for (const prefix of ['', '/sandbox']) {
    const response = await fetch(`${api.origin}${prefix}${path}`, { method });
    expect(response.status).toBe(404);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
  }
});

test('a form that is too large is refused', async () => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = `password=${'p'.repeat(200_000)}`;
  const response = await fetch(`${api.origin}/sign_in`, { method: 'POST', headers, body });
  expect(response.status).toBe(400);
});
