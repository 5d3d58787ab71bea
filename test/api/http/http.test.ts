import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { basic, type RequestHeaders, refused, send, startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const post = (body: string, headers: RequestHeaders, path = '/customers') =>
  send(`${api.sandbox.url}${path}`, { method: 'POST', body, headers: { ...basic(api.sandbox.key), ...headers } });
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

test('a request without a valid key is 401', async () => {
  const url = `${api.sandbox.url}/customers`;
  for (const headers of [{}, basic('sk_test_wrong'), { Authorization: 'Bearer x' }, { Authorization: 'Basic' }]) {
    const answer = await send(url, { method: 'GET', headers });
    expect(answer).toMatchObject(refused({ object: 'error', type: 'invalid_request' }, 401));
    expect(answer.headers.get('Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  }
  const wrong = await send(`${api.live.url}/customers`, { method: 'GET', headers: basic(api.sandbox.key) });
  expect(wrong).toMatchObject(refused({ message: expect.stringContaining('sandbox') }, 401));
});

test('unknown paths and wrong methods are 404', async () => {
  const { sandbox } = api;
  for (const answer of [
    await sandbox.get('/nothing'),
    await sandbox.get('/customers/4711'),
    await sandbox.get('/customers/abc'),
    await sandbox.get('/customers/99999999999999999999'),
    await sandbox.get('/items/%E0%A4%A'),
    await sandbox.request('PUT', '/customers', {}),
    await sandbox.delete('/customers'),
    await send(`${api.origin}/elsewhere`, { method: 'GET' }),
  ]) {
    expect(answer).toMatchObject(refused({ type: 'invalid_request', message: expect.any(String) }, 404));
  }
});

test('a version is a date, which the answer repeats', async () => {
  const known = await api.sandbox.request('GET', '/account', undefined, { 'Api-Version': '2026-11-01' });
  expect(known.headers.get('Api-Version')).toBe('2026-11-01');
  expect((await api.sandbox.get('/account')).headers.get('Api-Version')).toBe('2026-11-01');
  const unknown = await api.sandbox.request('GET', '/account', undefined, { 'Api-Version': '1999-01-01' });
  expect(unknown).toMatchObject(refused({ param: 'Api-Version' }));
});

test('a form has the same effect as JSON', async () => {
  const customer = await post('name=Form+%26+Co&autopay=1&metadata[plan]=gold&email=&autopay_delay_days=3', form);
  expect(customer).toMatchObject({
    status: 201,
    body: { name: 'Form & Co', autopay: true, email: null, metadata: { plan: 'gold' }, autopay_delay_days: 3 },
  });
  const lines =
    'items[0][name]=A&items[0][unit_cost]=0.10&items[1][name]=B&items[1][quantity]=2&items[1][unit_cost]=1e1';
  const invoice = await post(`customer=${customer.body.id}&${lines}`, form, '/invoices');
  expect(invoice).toMatchObject({ status: 201, body: { total: 20.1 } });
  const bad = await post(`customer=${customer.body.id}&items[0][unit_cost]=ten`, form, '/invoices');
  expect(bad).toMatchObject(refused({ param: 'items[0][unit_cost]' }));
  const webhook = await post(
    'url=http://127.0.0.1:9/&events[]=invoice.paid&events[]=invoice.created',
    form,
    '/webhooks',
  );
  expect(webhook.body.events).toEqual(['invoice.paid', 'invoice.created']);
});

test('a form can omit indexes: entries keep their order, and a refused line is named as it was sent', async () => {
  const { body: customer } = await post('name=Sparse', form);
  const issue = (lines: string) => post(`customer=${customer.id}&${lines}`, form, '/invoices');
  const made = await issue('items[7][name]=B&items[7][unit_cost]=2&items[3][name]=A&items[3][unit_cost]=1');
  expect(made.body.items.map(({ name }: { name: string }) => name)).toEqual(['A', 'B']);
  for (const [lines, param] of [
    ['items[3][unit_cost]=1&items[7][unit_cost]=ten', 'items[7][unit_cost]'], // refused by the schema
    ['items[3][unit_cost]=1&items[7][catalog_item]=none', 'items[7][catalog_item]'], // refused by the command
    ['items[2][unit_cost]=1&items[9][taxes][4]=none', 'items[9][taxes][4]'],
    ['items[0][unit_cost]=1&items[1][catalog_item]=none', 'items[1][catalog_item]'],
  ]) {
    expect(await issue(lines ?? '')).toMatchObject(refused({ param }));
  }
  expect((await issue('items[5]=x')).body).toMatchObject({ param: 'items[5]', message: 'items[5] must be an object' });
});

test('a form of a thousand lines is read completely, and one beyond the limits is refused', async () => {
  const { body: customer } = await api.sandbox.post('/customers', { name: 'Big' });
  const lines = (count: number) =>
    Array.from(
      { length: count },
      (_, n) => `items[${n}][name]=n${n}&items[${n}][quantity]=1&items[${n}][unit_cost]=0.01`,
    );
  const whole = await post([`customer=${customer.id}`, ...lines(1000)].join('&'), form, '/invoices');
  expect(whole).toMatchObject({ status: 201, body: { total: 10 } });
  for (const body of [
    [`customer=${customer.id}`, ...lines(2100)].join('&'),
    `customer=${customer.id}&a[b][c][d][e][f][g][h][i][j]=1`,
    Array(50_002).fill('a=1').join('&'),
  ]) {
    expect((await post(body, form, '/invoices')).status).toBe(400);
  }
});

test.each(['', 'null', '""', '5', '{}', 'true'])('an action accepts %j as a body without parameters', async (body) => {
  const { body: customer } = await api.sandbox.post('/customers', { name: 'Void' });
  const { body: invoice } = await api.sandbox.post('/invoices', { customer: customer.id, items: [{ unit_cost: 1 }] });
  const json = { 'Content-Type': 'application/json' };
  expect(await post(body, json, `/invoices/${invoice.id}/void`)).toMatchObject({
    status: 200,
    body: { status: 'voided' },
  });
});

test.each(['{', '{"name":}', '[]', `${'['.repeat(100_000)}`, '{"name":"\\ud800"}'])(
  'malformed JSON is refused: %.20s',
  async (body) => {
    expect((await post(body, { 'Content-Type': 'application/json' })).status).toBe(400);
  },
);

test('a body that is too large, or of another content type, is refused', async () => {
  const large = JSON.stringify({ name: 'a', notes: 'x'.repeat(4 * 1024 * 1024) });
  const answer = await post(large, { 'Content-Type': 'application/json' });
  expect(answer).toMatchObject(refused({ message: 'The request body must be smaller than 4 MiB' }));
  expect((await post('<a/>', { 'Content-Type': 'application/xml' })).status).toBe(400);
});

test('GET and DELETE with a JSON content type and no body are accepted', async () => {
  const json = { 'Content-Type': 'application/json' };
  await api.sandbox.post('/items', { id: 'aa', name: 'A' });
  expect((await api.sandbox.request('GET', '/items/aa', undefined, json)).status).toBe(200);
  expect((await api.sandbox.request('DELETE', '/items/aa', undefined, json)).status).toBe(204);
});

test('health and the list of endpoints need no key', async () => {
  expect(await send(`${api.origin}/health`, { method: 'GET' })).toMatchObject({ status: 200, body: { status: 'ok' } });
  const docs = await send(`${api.origin}/docs`, { method: 'GET' });
  expect(docs.status).toBe(200);
  expect(docs.body).toContain('id="createPaymentSource"');
});

test('invalid HTTP is answered too', async () => {
  const { port } = new URL(api.origin);
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('HELLO\r\n\r\n'));
    socket.on('data', (data) => resolve(data.toString()));
  });
  expect(answer).toContain('400 Bad Request');
  expect(answer).toContain('"type":"invalid_request"');
});

test.each([
  ['name=A&__proto__=5', '__proto__'],
  ['name=A&metadata[__proto__]=5', 'metadata[__proto__]'],
  ['name=A&metadata[a]b=1', 'metadata[a]b'],
  ['name=A&metadata[a=1', 'metadata[a'],
  ['name=A&metadata%5Ba]%62=1', 'metadata[a]b'],
  ['name=%FF%FE', 'name'],
  ['name=100%', 'name'],
])('an ambiguous form is refused: %s', async (body, param) => {
  expect(await post(body, form)).toMatchObject(refused({ param }));
});

test('form values are read literally, with any special characters', async () => {
  const text = 'a]=b & [c]=+%';
  const made = await post(`name=a]=b&notes=${encodeURIComponent(text)}&&metadata[x%20y]=%5D%3D`, form);
  expect(made).toMatchObject({ status: 201, body: { name: 'a]=b', notes: text, metadata: { 'x y': ']=' } } });
});

test('a body that is not UTF-8 is refused', async () => {
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    const body = type.endsWith('json') ? '{"name":"A"}' : 'name=A';
    expect((await post(body, { 'Content-Type': `${type}; charset=UTF-8` })).status).toBe(201);
    const other = await post(body, { 'Content-Type': `${type}; charset=iso-8859-1` });
    expect(other).toMatchObject(refused({ message: 'The charset of the request must be utf-8' }));
  }
});

test('no request failed with a server error', () => {
  expect(api.faults).toEqual([]);
});

test('a bare scalar is an empty body for actions and refused by operations with fields; a nameless form field is refused', async () => {
  const customer = await api.sandbox.post('/customers', { name: 'Ann' });
  const path = `/customers/${customer.body.id}`;
  const json = { 'Content-Type': 'application/json' };
  expect(await api.sandbox.patch(path, '"AAA"', json)).toMatchObject(
    refused({ message: 'The request must be an object' }),
  );
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  for (const body of ['=null', 'name=Bob&=x', 'name=Bob&[]=x']) {
    expect(await api.sandbox.patch(path, body, form)).toMatchObject({ status: 400 });
  }
  expect((await api.sandbox.get(path)).body.name).toBe('Ann');
});
