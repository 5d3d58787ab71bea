import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Route } from '../../../api/framework/route.ts';
import { routeGroups } from '../../../api/resources/routes.ts';
import { createServer } from '../../../api/server.ts';
import { basic, refused, startApi, type TestApi } from '../../support/api.ts';
import { addMember, authorize, oauthClient, register } from '../../support/oauth.ts';
import { rawRequest } from '../../support/rawRequest.ts';

/** Requests that pages of other sites can make a browser send. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const json = { 'Content-Type': 'application/json' };
const post = (headers: Record<string, string>, text = '{"name":"Ann"}') =>
  rawRequest(api.origin, { method: 'POST', path: '/sandbox/api/customers', headers: { ...json, ...headers }, text });

test.each<[string, Record<string, string>]>([
  ['another site', { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'cross-site' }],
  ['a browser that tells no site', { Origin: 'https://shop.example' }],
  ['another site without an origin', { 'Sec-Fetch-Site': 'cross-site' }],
  ['a neighbour', { Origin: 'https://other.billing.example', 'Sec-Fetch-Site': 'same-site' }],
  ['another port', { Origin: 'https://billing.example:8443', 'Sec-Fetch-Site': 'same-site' }],
  ['another scheme', { Origin: 'http://billing.example' }],
  ['a frame without an origin', { Origin: 'null' }],
])('a request from %s may not use a key that the browser has stored', async (_, headers) => {
  const message = expect.stringContaining('Web pages of other sites cannot use an API key here');
  const before = (await api.sandbox.get('/customers?per_page=1')).headers.get('X-Total-Count');
  for (const scheme of ['Basic', 'basic', '  BASIC ']) {
    const Authorization = basic(api.sandbox.key).Authorization?.replace('Basic', scheme) ?? '';
    expect(await post({ Authorization, ...headers })).toMatchObject(refused({ message }, 403));
  }
  const read = { method: 'GET', path: '/sandbox/api/customers', headers: { ...basic(api.sandbox.key), ...headers } };
  expect((await rawRequest(api.origin, read)).status).toBe(403);
  expect((await api.sandbox.get('/customers?per_page=1')).headers.get('X-Total-Count')).toBe(before);
});

test.each(['access_token', 'revoke'])(
  "pages of other sites may not use an application's secret on /oauth/%s",
  async (endpoint) => {
    const ask = (headers: Record<string, string>) => {
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const path = `/sandbox/oauth/${endpoint}`;
      const credentials = basic('unknown:secret');
      const text = 'grant_type=refresh_token&refresh_token=x&token=x';
      return rawRequest(api.origin, { method: 'POST', path, headers: { ...form, ...credentials, ...headers }, text });
    };
    expect((await ask({ Origin: 'https://shop.example' })).status).toBe(403);
    expect((await ask({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await ask({})).status).toBe(401);
  },
);

test.each<[string, Record<string, string>]>([
  ['a program', {}],
  ['a page of its own', { Origin: 'https://billing.example', 'Sec-Fetch-Site': 'same-origin' }],
  ['a page of its own in an old browser', { Origin: 'https://billing.example' }],
  ['a page of its own behind another name', { Origin: 'http://10.0.0.7:3000', 'Sec-Fetch-Site': 'same-origin' }],
  ['somebody who typed the address', { 'Sec-Fetch-Site': 'none' }],
])('a request from %s may use a stored key', async (_, headers) => {
  expect((await post({ ...basic(api.sandbox.key), ...headers })).status).toBe(201);
});

test('a token works from any site, because browsers do not add it; requests without one are asked for a key', async () => {
  const foreign = { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'cross-site' };
  const credentials = await addMember(api, api.live.account, 'ann@acme.example');
  const application = oauthClient(api, await register(api, api.sandbox));
  const { access_token: token } = await authorize(api, application, { credentials });
  expect((await post({ Authorization: `Bearer ${token}`, ...foreign })).status).toBe(201);
  expect((await post(foreign)).status).toBe(401);
});

test("text that another site's page can send is not read as a body", async () => {
  const own = basic(api.sandbox.key);
  for (const type of [
    'text/plain',
    'text/plain;charset=utf-8',
    'text/html',
    'text/json',
    'TEXT/PLAIN; a=application/json',
  ]) {
    const answer = await post({ ...own, 'Content-Type': type });
    expect(answer).toMatchObject(refused({ message: expect.stringContaining('Content-Type must be') }));
  }
  expect((await post({ ...own, 'Content-Type': 'application/vnd.api+json; charset=utf-8' })).status).toBe(201);
});

test('routes for publishable keys accept them from any page, and no other route does', async () => {
  const route: Route = {
    method: 'POST',
    path: '/js/tokens',
    operationId: 'createToken',
    summary: 'Make a token',
    permission: 'payments.write',
    publishable: true,
    answer: { statusCode: 204 },
    handle: async () => ({ statusCode: 204, json: null }),
  };
  const groups = [...routeGroups, { name: 'Pages', description: 'For pages.', routes: [route] }];
  const server = createServer(api.deps, groups);
  const origin = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  const page = { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'cross-site' };
  const ask = (method: string, path: string, headers: Record<string, string>) =>
    rawRequest(origin, { method, path: `/sandbox/api${path}`, headers: { ...page, ...headers } });
  const preflight = { 'Access-Control-Request-Method': 'POST' };
  expect(await ask('OPTIONS', '/js/tokens', preflight)).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringContaining('Authorization'),
    },
  });
  const { key } = await api.sandbox.make('/api_keys', { name: 'Shop', kind: 'publishable' });
  for (const [sent, status] of [
    [basic(key), 204],
    [basic(api.sandbox.key), 403],
    [{}, 401],
  ] as const) {
    const answer = await ask('POST', '/js/tokens', sent);
    expect(answer).toMatchObject({ status, headers: { 'access-control-allow-origin': '*' } });
  }
  const fromServer = { method: 'POST', path: '/sandbox/api/js/tokens', headers: basic(api.sandbox.key) };
  expect((await rawRequest(origin, fromServer)).status).toBe(204);
  for (const [method, path, headers, status] of [
    ['OPTIONS', '/customers', preflight, 404],
    ['OPTIONS', '/js/tokens', { 'Access-Control-Request-Method': 'DELETE' }, 404],
    ['OPTIONS', '/JS/tokens', preflight, 404],
    ['POST', '/customers', basic(key), 403],
    ['GET', '/js/tokens', basic(key), 403],
  ] as const) {
    const answer = await ask(method, path, headers);
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  }
  await server.close();
});
