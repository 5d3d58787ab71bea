import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiError, type Client, type Customer, createClient } from '../../client/index.ts';
import { startApi, type TestApi } from '../support/api.ts';

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = createClient({ baseUrl: api.sandbox.url, apiKey: api.sandbox.key });
});
afterAll(() => api.close());

test('objects are created, read, changed and deleted', async () => {
  const created = await client.post('/items', { name: 'Hour', unit_cost: 80.5, metadata: { team: 'north' } });
  const { id } = created;
  expect(created).toMatchObject({ object: 'item', name: 'Hour', unit_cost: 80.5, metadata: { team: 'north' } });
  expect(await client.get('/items/{id}', { id })).toEqual(created);
  expect(await client.patch('/items/{id}', { name: 'One hour' }, { id })).toMatchObject({ id, name: 'One hour' });
  expect(await client.delete('/items/{id}', { id })).toBeNull();
  await expect(client.get('/items/{id}', { id })).rejects.toMatchObject({ status: 404 });
});

test('a file is uploaded and attached', async () => {
  const form = new FormData();
  form.append('file', new File(['Terms of 2027'], 'terms.txt', { type: 'text/plain' }));
  const again = client.with({ idempotencyKey: 'upload-terms' });
  const file = await again.post('/files', form);
  expect(file).toMatchObject({ object: 'file', name: 'terms.txt', size: 13, type: 'text/plain' });
  expect(await again.post('/files', form)).toEqual(file);
  const { id: customer } = await client.post('/customers', { name: 'Bob' });
  const { id } = await client.post('/invoices', { customer, attachments: [file.id] });
  expect(await client.get('/invoices/{invoice_id}/attachments', { invoice_id: id })).toMatchObject([{ file }]);
});

test('relations are expanded on request; an action needs no body', async () => {
  const { id: customer } = await client.post('/customers', { name: 'Bob' });
  const items = [{ name: 'Consulting', quantity: 2, unit_cost: 40.25 }];
  const { id } = await client.post('/invoices', { customer, items });
  expect(await client.get('/invoices/{id}', { id })).toMatchObject({ customer, total: 80.5 });
  const { customer: expanded } = await client.get('/invoices/{id}', { id, expand: ['customer'] });
  expect(typeof expanded === 'number' ? expanded : expanded.name).toBe('Bob');
  expect(await client.post('/invoices/{id}/void', null, { id })).toMatchObject({ status: 'voided' });
});

test('a refusal has the details of the error and is not retried', async () => {
  const key = 'refused-once';
  const sent = client.with({ idempotencyKey: key }).post('/invoices', { customer: 999_999 });
  const error: unknown = await sent.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 400,
    type: 'invalid_request',
    code: 'resource_missing',
    param: 'customer',
    declineCode: null,
  });
  expect(error).toMatchObject({ message: 'Customer was not found: 999999', requestId: expect.stringMatching(/./) });
  const stranger = createClient({ baseUrl: api.sandbox.url, apiKey: 'sk_test_unknown' });
  await expect(stranger.get('/customers')).rejects.toMatchObject({
    status: 401,
    code: 'authentication_required',
    param: null,
  });
  await expect(client.with({ apiVersion: '1999-01-01' }).get('/customers')).rejects.toMatchObject({
    param: 'Api-Version',
  });
});

test('a list is read page by page, only as far as it is used', async () => {
  const { sandbox } = await api.open('Large');
  let requests = 0;
  const counting: typeof fetch = (...request) => {
    requests += 1;
    return fetch(...request);
  };
  const theirs = createClient({ baseUrl: sandbox.url, apiKey: sandbox.key, fetch: counting });
  const numbers = Array.from({ length: 250 }, (_, n) => n);
  for (let n = 0; n < 250; n += 10) {
    await Promise.all(numbers.slice(n, n + 10).map((each) => theirs.post('/customers', { name: `Customer ${each}` })));
  }
  requests = 0;
  const names: string[] = [];
  for await (const customer of theirs.list('/customers', { sort: 'name desc' })) names.push(customer.name);
  expect([new Set(names).size, names.length, names[0], names.at(-1), requests]).toEqual([
    250,
    250,
    'Customer 99',
    'Customer 0',
    3, // pages of 100
  ]);
  for await (const { name } of theirs.list('/customers', { sort: 'name' })) if (name === 'Customer 1') break;
  expect(requests).toBe(4);

  const sizes: [number, number][] = [];
  for await (const { items, total } of theirs.pages('/customers', { per_page: 99 })) sizes.push([items.length, total]);
  expect(sizes).toEqual([99, 99, 52].map((size) => [size, 250])); // 99 + 99 + 52 = 250
  const found: Customer[] = await theirs.get('/customers', { filter: { name: 'Customer 7' } });
  expect(found.map(({ name }) => name)).toEqual(['Customer 7']);
});

test('calls that do not match the reference do not compile', () => {
  const never = async () => {
    // @ts-expect-error no such path
    await client.get('/customer');
    // @ts-expect-error the path needs its id
    await client.get('/invoices/{id}');
    // @ts-expect-error an id is a number
    await client.get('/invoices/{id}', { id: 'INV-1' });
    // @ts-expect-error no such parameter
    await client.get('/customers', { per_pages: 10 });
    // @ts-expect-error a name is required
    await client.post('/customers', { email: 'ann@example.com' });
    // @ts-expect-error no such field
    await client.post('/customers', { name: 'Ann', mail: 'ann@example.com' });
    // @ts-expect-error a list answers an array
    (await client.get('/customers')).name.trim();
    // @ts-expect-error one object is not a list
    client.list('/customers/{id}', { id: 1 });
    // @ts-expect-error the path has no DELETE
    await client.delete('/items');
  };
  expect(never).toBeInstanceOf(Function);
});

test('a client without a key says so before it sends anything', () => {
  const baseUrl = 'http://localhost/api';
  for (const apiKey of ['', ' ', undefined as unknown as string])
    expect(() => createClient({ baseUrl, apiKey })).toThrow(/apiKey.*missing/);
  expect(() => createClient({ baseUrl, accessToken: '' })).toThrow(/accessToken.*missing/);
  expect(() => createClient({ baseUrl } as Parameters<typeof createClient>[0])).toThrow(TypeError);
});
