import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { permissions } from '../../../billing/people/permissions.ts';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { colleague } from '../../support/people.ts';

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(() => api.close());

test('the four built-in roles come first, and cannot be changed', async () => {
  const { body } = await client.get('/roles');
  const ids = body.map(({ id }: { id: string }) => id);
  expect(ids.slice(0, 4)).toEqual(['administrator', 'account_manager', 'employee', 'read_only']);
  expect((await client.get('/roles/administrator')).body).toMatchObject({
    built_in: true,
    permissions: [...permissions],
  });
  const conflict = refused({ code: 'state_conflict' });
  expect(await client.patch('/roles/employee', { name: 'Clerk' })).toMatchObject(conflict);
  expect(await client.delete('/roles/employee')).toMatchObject(conflict);
  expect(await client.post('/roles', { id: 'employee', name: 'E', permissions: [] })).toMatchObject(
    refused({ code: 'already_taken', param: 'id' }),
  );
});

test('an own role is made, changed for its members at once, and deleted when nobody has it', async () => {
  const given = { id: 'bookkeeper', name: 'Bookkeeper', permissions: ['payments.write', 'customers.read'] };
  const made = await client.make('/roles', given);
  expect(made.permissions).toEqual(['customers.read', 'payments.read', 'payments.write']);
  const { client: theirs, id } = await colleague(api, client, { role: 'bookkeeper' });
  expect((await theirs.get('/invoices')).status).toBe(403);
  await client.patch('/roles/bookkeeper', { permissions: [...made.permissions, 'documents.read'] });
  expect((await theirs.get('/invoices')).status).toBe(200);
  expect(await client.delete('/roles/bookkeeper')).toMatchObject(refused({ code: 'in_use' }));
  await client.patch(`/members/${id}`, { role: 'read_only' });
  expect((await client.delete('/roles/bookkeeper')).status).toBe(204);
  expect((await client.get('/roles/bookkeeper')).status).toBe(404);
});

test('a role of a deactivated member can be deleted, and the member then needs another one', async () => {
  await client.make('/roles', { id: 'guest', name: 'Guest', permissions: ['catalog.read'] });
  const { id } = await colleague(api, client, { role: 'guest', status: 'deactivated' });
  expect((await client.delete('/roles/guest')).status).toBe(204);
  const back = await client.patch(`/members/${id}`, { status: 'active' });
  expect(back).toMatchObject(refused({ code: 'resource_missing', param: 'role' }));
  expect((await client.patch(`/members/${id}`, { status: 'active', role: 'read_only' })).status).toBe(200);
});

test.each([
  [{ name: 'Wrong', permissions: ['payments.delete'] }, 'permissions[0]'],
  [{ name: 'Wrong', permissions: ['payments.read', 'everything'] }, 'permissions[1]'],
  [{ name: 'Wrong' }, 'permissions'],
  [{ permissions: [] }, 'name'],
])('%p is refused', async (body, param) => {
  expect(await client.post('/roles', body)).toMatchObject(refused({ param }));
});

test('the roles of another business are not seen, and ids may repeat there', async () => {
  const other = (await api.open('Other')).sandbox;
  await other.make('/roles', { id: 'theirs', name: 'Theirs', permissions: ['catalog.read'] });
  expect((await client.get('/roles/theirs')).status).toBe(404);
  expect((await client.post('/members', { email: 'a@example.com', role: 'theirs' })).body.param).toBe('role');
  expect((await client.post('/roles', { id: 'theirs', name: 'Ours', permissions: [] })).status).toBe(201);
});
