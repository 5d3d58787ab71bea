import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basic, type Client, refused, send, type TestApi } from '../../support/api.ts';
import { bodySchemaOf, sampleOf } from '../../support/bodies.ts';
import { addMember, CALLBACK, type Credentials, type Registered, register, signInAt } from '../../support/oauth.ts';
import { apiDocument, operationsOf } from '../../support/openapi.ts';
import { createPerson } from '../../support/person.ts';
import { requestIn, startWorld, type World } from '../../support/world.ts';

/** A NUL character anywhere in a request is refused with 400 and never causes a 500. badInput.test.ts tests each field of bodies. */

let api: TestApi;
let client: Client;
let world: World;
let credentials: Credentials;
let application: Registered;
beforeAll(async () => {
  ({ api, client, world } = await startWorld());
  credentials = await addMember(api, api.live.account, 'nul@acme.example');
  application = await register(api, client);
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const operations = operationsOf(apiDocument);

test('every operation refuses NUL in its path, its query and ignored fields of its body', async () => {
  for (const one of operations) {
    const { path, body } = requestIn(world, one);
    const refuses = async (url: string, param: string | null, sent: unknown = body) => {
      const { status, body: answer } = await client.request(one.method, url, sent);
      expect([one.id, url, status, answer?.param ?? null]).toEqual([one.id, url, 400, param]);
      expect(answer.message).toMatch(/null characters/);
    };
    if (one.path.includes('{')) await refuses(one.path.replace(/\{\w+\}/g, '%00'), null, body);
    await refuses(`${path}?expand=%00`, 'expand');
    await refuses(`${path}?a=1&%00=b`, '\0');
    const schema = bodySchemaOf(apiDocument, one.operation);
    if (!schema) continue;
    const known = Object(body ?? sampleOf(schema));
    await refuses(path, 'object', { ...known, object: 'a\0' });
    await refuses(path, 'created_at[0][x]', { ...known, created_at: [{ x: '\0' }] });
  }
});

test('the refusal has the headers of every answer of the API', async () => {
  const { status, headers } = await fetch(`${client.url}/customers?expand=%00`, { headers: basic(client.key) });
  expect(status).toBe(400);
  for (const name of ['Api-Version', 'RateLimit-Limit', 'Request-Id']) expect(headers.has(name)).toBe(true);
});

test('forms, cursors, files and keys refuse NUL', async () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect(await client.post('/customers', 'name=a%00', form)).toMatchObject(refused({ param: 'name' }));
  expect((await client.post('/customers', 'name=a&metadata[%00]=b', form)).status).toBe(400);
  expect((await client.post('/customers', '{"name": "a\0"}', { 'Content-Type': 'application/json' })).status).toBe(400);
  const keyset = { order: 'name asc,id asc', after: ['\0', '1'] };
  const cursor = Buffer.from(JSON.stringify(keyset)).toString('base64url');
  const page = await client.get(`/customers?sort=name&cursor=${cursor}`);
  expect(page).toMatchObject(refused({ param: 'cursor' }));
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename*=UTF-8\'\'a%00.pdf\r\n\r\nx\r\n--x--\r\n';
  const multipart = { 'Content-Type': 'multipart/form-data; boundary=x' };
  expect(await client.post('/files', part, multipart)).toMatchObject(refused({ param: 'file' }));
  const account = { method: 'GET', headers: basic('sk_test_\0') };
  expect((await send(`${client.url}/account`, account)).status).toBe(400);
  expect((await send(`${api.origin}/documents/1/invoice/1/%00`, { method: 'GET' })).status).toBe(400);
});

test('an authorization refuses NUL in each of its parameters', async () => {
  const usual = { response_type: 'code', client_id: application.clientId, redirect_uri: CALLBACK, scope: 'read' };
  const more = { state: 's', code_challenge: 'c', prompt: 'login', unknown: 'u' };
  for (const name of Object.keys({ ...usual, ...more })) {
    const query = new URLSearchParams({ ...usual, [name]: 'a\0' });
    const answer = await fetch(`${api.origin}/sandbox/oauth/authorize?${query}`, { redirect: 'manual' });
    expect([name, answer.status]).toEqual([name, 400]);
    expect(await answer.text()).toContain('null characters');
  }
});

test('the endpoints of applications refuse NUL in each of their fields, ignored ones too', async () => {
  const secret = application.secret ?? '';
  const usual = { grant_type: 'authorization_code', redirect_uri: CALLBACK, client_id: application.clientId };
  const fields = {
    ...usual,
    client_secret: secret,
    code: 'c',
    refresh_token: 'r',
    token: 't',
    scope: 's',
    unknown: 'u',
  };
  for (const path of ['access_token', 'revoke']) {
    const url = `${api.origin}/sandbox/oauth/${path}`;
    const refuses = async (what: string, url: string, init: RequestInit) => {
      const answer = await fetch(url, { method: 'POST', ...init });
      expect([path, what, answer.status]).toEqual([path, what, 400]);
      expect(await answer.json()).toMatchObject({ error: 'invalid_request' });
    };
    for (const name of Object.keys(fields)) {
      await refuses(name, url, { body: new URLSearchParams({ ...fields, [name]: 'a\0b' }) });
    }
    await refuses('name', url, { body: new URLSearchParams({ ...fields, 'a\0': 'b' }) });
    await refuses('query', `${url}?a=%00`, { body: new URLSearchParams(fields) });
    for (const pair of ['a\0:b', 'a:%00', `${application.clientId}:\0`]) {
      await refuses(pair, url, {
        headers: { Authorization: `Basic ${btoa(pair)}` },
        body: new URLSearchParams(fields),
      });
    }
  }
});

test('sign-in, consent and the page of applications refuse NUL in each of their fields', async () => {
  const person = createPerson(api);
  const url = new URL(
    `${api.deps.publicUrl}/sandbox/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: application.clientId,
      redirect_uri: CALLBACK,
      scope: 'read',
    })}`,
  );
  const signIn = await person.open(url);
  for (const name of ['email', 'password', 'return_to', 'unknown', 'form_token']) {
    const answer = await person.send(signIn, '/sign_in', { ...credentials, [name]: 'a\0' });
    expect([name, answer.status]).toEqual([name, 400]);
  }
  const consent = await signInAt(person, url, credentials);
  expect((await person.send(consent, consent.url.pathname, { answer: 'allow\0' })).status).toBe(400);
  const applications = await person.open(`${api.deps.publicUrl}/sandbox/oauth/applications`);
  const registered = { name: 'Sync', redirect_uris: 'https://a.example/', type: 'public' };
  for (const name of Object.keys(registered)) {
    const answer = await person.send(applications, '/applications', { ...registered, [name]: 'https://a.example/\0' });
    expect([name, answer.status]).toEqual([name, 400]);
  }
  expect((await person.open(`${api.deps.publicUrl}/sign_in?return_to=%00`)).status).toBe(400);
});

test('an answer to an estimate with NUL is refused with a message', async () => {
  const estimate = (await client.get(`/estimates/${world.estimates}`)).body;
  const url = `${estimate.url.replace(api.deps.publicUrl, api.origin)}/answer`;
  for (const fields of [{ initials: 'A\0' }, { seen: '\0' }, { answer: 'approve\0' }, { unknown: '\0' }]) {
    const body = new URLSearchParams({ initials: 'AL', answer: 'approve', seen: 'x', ...fields });
    expect((await fetch(url, { method: 'POST', body })).status).toBe(400);
  }
});
