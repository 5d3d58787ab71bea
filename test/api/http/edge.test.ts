import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer } from '../../../api/server.ts';
import { configTable } from '../../../bin/config.ts';
import { openDatabase } from '../../../db/database.ts';
import { openDatabaseAsOwner } from '../../../db/migrate.ts';
import { migrationNames } from '../../../db/migrations/names.ts';
import { basic, refused, send, startApi, type TestApi } from '../../support/api.ts';
import { rawRequest } from '../../support/rawRequest.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const get = (path: string) => send(`${api.origin}${path}`, { method: 'GET' });

test('answers of the API forbid caching, sniffing and framing', async () => {
  for (const answer of [await api.sandbox.get('/account'), await api.sandbox.get('/nothing'), await get('/health')]) {
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
    });
  }
  const plain = createServer({ ...api.deps, publicUrl: 'http://127.0.0.1' });
  const port = await plain.listen(0, '127.0.0.1');
  const answer = await send(`http://127.0.0.1:${port}/health`, { method: 'GET' });
  expect(answer.headers.get('strict-transport-security')).toBeNull();
  await plain.close();
});

test('the reference documents the timeout of a delivery', async () => {
  const wait = Number(configTable.find(({ name }) => name === 'WEBHOOK_TIMEOUT')?.default);
  expect(String((await get('/docs')).body)).toContain(`answer 2xx within ${wait / 1000} seconds`);
});

test('the reference and the OpenAPI document answer 304 to clients that have them', async () => {
  for (const path of ['/docs', '/api/openapi.json']) {
    const { headers } = await get(path);
    const again = await raw('GET', path, { 'If-None-Match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  }
});

test('a page may load nothing but its own inline content', async () => {
  const { headers } = await get('/docs');
  const policy = headers.get('content-security-policy') ?? '';
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
    expect(policy).toContain(part);
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
});

test('no path answers a page of another origin', async () => {
  const { sandbox } = api;
  const preflight = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' };
  for (const path of ['/sandbox/api/customers', '/api/customers', '/health', '/elsewhere', '*']) {
    const answer = await raw('OPTIONS', path, preflight);
    expect(answer).toMatchObject(refused({ object: 'error', type: 'invalid_request' }, 404));
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
  const asked = await sandbox.request('GET', '/account', undefined, { Origin: 'https://shop.example' });
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([403, null]);
});

test('HEAD is GET without its body; other methods are 404, with or without a key', async () => {
  const { sandbox } = api;
  for (const path of ['/account', '/customers', '/customers/4711']) {
    const [head, full] = [await raw('HEAD', `/sandbox/api${path}`, basic(sandbox.key)), await sandbox.get(path)];
    expect([head.status, head.body]).toEqual([full.status, null]);
    for (const name of ['content-type', 'content-length', 'link', 'x-total-count']) {
      expect([name, Reflect.get(head.headers, name) ?? null]).toEqual([name, full.headers.get(name)]);
    }
  }
  expect((await raw('HEAD', '/sandbox/api/account', {})).status).toBe(401);
  for (const method of ['TRACE', 'PROPFIND', 'LOCK']) {
    expect(await raw(method, '/sandbox/api/account', {})).toMatchObject(refused({ object: 'error' }, 404));
    expect((await raw(method, '/sandbox/api/account', basic(sandbox.key))).status).toBe(404);
  }
});

test('any request below the base URLs is answered with one of nine statuses', async () => {
  const { sandbox } = api;
  const customer = (await sandbox.make('/customers', { name: 'Edge' })).id;
  const invoice = (await sandbox.make('/invoices', { customer, items: [{ unit_cost: 1 }] })).id;
  const { key: reader } = await sandbox.make('/api_keys', { name: 'Reader', scope: 'read' });
  const [known, pdf] = [basic(sandbox.key), { Accept: 'application/pdf' }];
  const { headers } = await sandbox.request('GET', `/invoices/${invoice}`, undefined, pdf);
  const json = { ...known, 'Content-Type': 'application/json' };
  const requests: [what: string, status: number, request: Parameters<typeof raw>][] = [
    ['it has not changed', 200, ['GET', '/account', { ...known, 'If-None-Match': '*' }]],
    [
      'the PDF has not',
      200,
      ['HEAD', `/invoices/${invoice}`, { ...known, ...pdf, 'If-None-Match': headers.get('ETag') ?? '' }],
    ],
    ['a part of it', 200, ['GET', '/account', { ...known, Range: 'bytes=0-1' }]],
    ['as a picture', 200, ['GET', '/account', { ...known, Accept: 'image/png' }]],
    ['another protocol', 200, ['GET', '/account', { ...known, Connection: 'Upgrade', Upgrade: 'websocket' }]],
    ['made', 201, ['POST', '/customers', { ...json, Expect: '100-continue' }, '{"name":"Expected"}']],
    ['gone', 204, ['DELETE', '/items/edge', known]],
    ['it was changed', 400, ['PATCH', `/customers/${customer}`, { ...json, 'If-Match': '"x"' }, '{"notes":"n"}']],
    ['XML', 400, ['POST', '/customers', { ...known, 'Content-Type': 'application/xml' }, '<name/>']],
    ['an encoding that nobody knows', 400, ['POST', '/customers', { ...json, 'Content-Encoding': 'snappy' }, '{}']],
    ['gzip that is none', 400, ['POST', '/customers', { ...json, 'Content-Encoding': 'gzip' }, '{}']],
    ['too much', 400, ['POST', '/customers', json, `{"name":"${'x'.repeat(4 * 1024 * 1024)}"}`]],
    [
      'another charset',
      400,
      ['POST', '/customers', { ...json, 'Content-Type': 'application/json; charset=latin1' }, '{}'],
    ],
    [
      'a form without its end',
      400,
      ['POST', '/files', { ...known, 'Content-Type': 'multipart/form-data; boundary=x' }, '--x\r\n'],
    ],
    ['a form without a boundary', 400, ['POST', '/files', { ...known, 'Content-Type': 'multipart/form-data' }, 'x']],
    ['no key', 401, ['GET', '/account', {}]],
    ['a scheme that nobody knows', 401, ['GET', '/account', { Authorization: 'Digest x' }]],
    ['without the right', 403, ['POST', '/customers', { ...json, ...basic(reader) }, '{"name":"No"}']],
    ['a method that it has not', 404, ['PUT', `/customers/${customer}`, json, '{}']],
    ['nothing to delete', 404, ['DELETE', '/customers', known]],
    ['the base itself', 404, ['GET', '', known]],
    ['a path that is no UTF-8', 404, ['GET', '/customers/%E0%A4%A', known]],
    ['a path with null', 400, ['GET', '/customers/%00', known]],
    ['dots', 404, ['GET', '/customers/../account', known]],
  ];
  await sandbox.post('/items', { id: 'edge', name: 'Edge' });
  for (const [what, status, [method, path, sent, text]] of requests) {
    const answer = await raw(method, `/sandbox/api${path}`, sent, text);
    expect([what, answer.status]).toEqual([what, status]);
    if (status >= 400)
      expect({ what, body: answer.body }).toMatchObject({ what, body: { code: expect.stringMatching(/^[a-z_]+$/) } });
  }
});

test('a body that decompresses beyond the limit is refused, and its connection stays usable', async () => {
  const bomb = gzipSync(Buffer.alloc(512 * 1024 * 1024, ' '));
  const headers = { ...basic(api.sandbox.key), 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  const url = `${api.sandbox.url}/customers`;
  for (let n = 0; n < 2; n++) {
    const answer = await fetch(url, { method: 'POST', headers, body: bomb });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('smaller than 4 MiB')]);
    expect((await fetch(url, { headers: basic(api.sandbox.key) })).status).toBe(200);
  }
});

test('the server is ready when the database is reachable and migrated, and alive in any case', async () => {
  expect(await get('/ready')).toMatchObject({ status: 200, body: { status: 'ready' } });
  const owner = await openDatabaseAsOwner(api.databaseUrl);
  await owner.em.execute('update mikro_orm_migrations set name = ? where name = ?', ['other', migrationNames[0]]);
  const behind = createServer(api.deps);
  const origin = `http://127.0.0.1:${await behind.listen(0, '127.0.0.1')}`;
  const ready = () => send(`${origin}/ready`, { method: 'GET' });
  expect(await ready()).toMatchObject({
    status: 503,
    body: { status: 'unavailable', reason: expect.stringContaining('migrated') },
  });
  await owner.em.execute('update mikro_orm_migrations set name = ? where name = ?', [migrationNames[0], 'other']);
  await owner.close(true);
  expect((await ready()).status).toBe(200);
  const [closing, alive] = [behind.close(200), send(`${origin}/health`, { method: 'GET' })];
  expect(await ready()).toMatchObject({ status: 503, body: { reason: 'shutting down' } });
  expect((await alive).status).toBe(200);
  await closing;
});

test('without its database the server is alive and not ready', async () => {
  const nobody = 'postgres://nobody@127.0.0.1:1/nothing';
  const nowhere = openDatabase({ urls: { app: nobody, system: nobody }, poolSize: 1 });
  const alone = createServer({ ...api.deps, em: nowhere.em });
  const origin = `http://127.0.0.1:${await alone.listen(0, '127.0.0.1')}`;
  expect((await send(`${origin}/health`, { method: 'GET' })).status).toBe(200);
  expect(await send(`${origin}/ready`, { method: 'GET' })).toMatchObject({
    status: 503,
    body: { reason: 'database is not reachable' },
  });
  await alone.close();
  await nowhere.close(true);
});

test('no request failed with a server error', () => {
  expect(api.faults).toEqual([]);
});

/** Sends a request with any method. `fetch` refuses some. */
function raw(method: string, path: string, headers: Record<string, string>, text?: string) {
  return rawRequest(api.origin, { method, path, headers, text });
}
