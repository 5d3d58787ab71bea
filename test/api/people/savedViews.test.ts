import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApiKey } from '../../../commands/accounts/apiKeys.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, clientOf, refused, startApi, type TestApi } from '../../support/api.ts';
import { colleague } from '../../support/people.ts';

let api: TestApi;
/** Acts by a key of the account. */
let client: Client;
beforeAll(async () => {
  api = await startApi();
  const { account, url } = api.sandbox;
  const made = { account, name: 'Ours', scope: 'read_write', expiresAt: null, memberId: null } as const;
  const { key } = await inTransaction(api.em, (em) => createApiKey(em, made, new Date()));
  client = clientOf(url, account, key);
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const path = '/saved_views';
const overdue = () => ({
  name: 'Overdue',
  list: 'invoices',
  query: { 'filter[status]': 'past_due', sort: 'due_date asc', search: 'acme', 'metadata[region]': '' },
  columns: [{ name: 'number' }, { name: 'metadata.region', width: 90 }],
});
const named = async (of: Client, query = '') => {
  const { body } = await of.get(`${path}${query}`);
  return body.map(({ name }: { name: string }) => name);
};

test('a view of a list is kept with its parameters and columns, changed and deleted', async () => {
  const made = await client.make(path, overdue());
  expect(made).toMatchObject({
    object: 'saved_view',
    ...overdue(),
    columns: [
      { name: 'number', width: null },
      { name: 'metadata.region', width: 90 },
    ],
    shared: true,
    member: null,
  });
  const own = `${path}/${made.id}`;
  expect((await client.patch(own, made)).body).toEqual(made);
  const nested = { query: { filter: { status: 'draft' }, sort: null } };
  expect((await client.patch(own, { ...nested, columns: null })).body).toMatchObject({
    query: { 'filter[status]': 'draft' },
    columns: [],
    name: 'Overdue',
  });
  expect(await client.patch(own, { list: 'customers' })).toMatchObject(refused({ param: 'list' }));
  expect((await client.delete(own)).status).toBe(204);
  expect((await client.get(own)).status).toBe(404);
});

test('what the list would refuse is refused at its place', async () => {
  for (const [change, param] of [
    [{ query: { 'filter[colour]': 'red' } }, 'query[filter[colour]]'],
    [{ query: { 'filter[status]': 'red' } }, 'query[filter[status]]'],
    [{ query: { sort: 'colour' } }, 'query[sort]'],
    [{ query: { page: 2 } }, 'query[page]'],
    [{ query: { colour: 'red' } }, 'query[colour]'],
    [{ query: { search: '.' } }, 'query[search]'],
    [{ query: ['red'] }, 'query'],
    [{ columns: [{ name: 'number' }, { name: 'colour' }] }, 'columns[1][name]'],
    [{ columns: [{ name: 'number', width: 1 }] }, 'columns[0][width]'],
    [{ shared: false }, 'shared'],
    [{ list: 'webhooks' }, 'list'],
    [{ name: '' }, 'name'],
  ] as const)
    expect([change, await client.post(path, { ...overdue(), ...change })]).toMatchObject([change, refused({ param })]);
});

test('a private view is seen by its member alone; a shared one is changed by its member and who may change settings', async () => {
  const ada = await colleague(api, client, { role: 'employee' });
  const bob = await colleague(api, client, { role: 'read_only', isLimited: true });
  const admin = await colleague(api, client, { role: 'administrator' });
  const hers = await ada.client.make(path, { ...overdue(), name: 'Hers' });
  const his = await bob.client.make(path, { name: 'His', list: 'customers', shared: true });
  expect(hers).toMatchObject({ shared: false, member: ada.id });
  expect(his).toMatchObject({ shared: true, member: bob.id, query: {}, columns: [] });
  expect(await named(ada.client)).toEqual(['Hers', 'His']);
  for (const other of [bob.client, admin.client, client]) {
    expect(await named(other)).toEqual(['His']);
    expect((await other.get(`${path}/${hers.id}`)).status).toBe(404);
    expect((await other.patch(`${path}/${hers.id}`, { name: 'Mine' })).status).toBe(404);
    expect((await other.delete(`${path}/${hers.id}`)).status).toBe(404);
  }
  expect(await named(ada.client, '?filter[list]=invoices')).toEqual(['Hers']);
  expect(await ada.client.patch(`${path}/${his.id}`, { name: 'Mine' })).toMatchObject(refused({}, 403));
  expect((await ada.client.patch(`${path}/${hers.id}`, { shared: true })).body.shared).toBe(true);
  expect(await bob.client.delete(`${path}/${hers.id}`)).toMatchObject(refused({}, 403));
  expect((await admin.client.patch(`${path}/${hers.id}`, { name: 'Ours' })).body.name).toBe('Ours');
  expect(await admin.client.patch(`${path}/${hers.id}`, { shared: false })).toMatchObject(refused({ param: 'shared' }));
  expect(await named(bob.client)).toEqual(['Ours', 'His']);
  expect(await named(api.live)).toEqual([]);
});

test('a member keeps a hundred views of a list', async () => {
  const { client: own } = await colleague(api, client, { role: 'employee' });
  await Promise.all(Array.from({ length: 100 }, () => own.make(path, overdue())));
  expect(await own.post(path, overdue())).toMatchObject(refused({ code: 'limit_exceeded' }));
  expect((await own.post(path, { ...overdue(), list: 'estimates', query: {}, columns: [] })).status).toBe(201);
});
