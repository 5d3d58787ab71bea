import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { colleague } from '../../support/people.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const names = async (client: Client): Promise<unknown[]> => {
  const { status, body } = await client.get('/owners?per_page=100');
  expect(status).toBe(200);
  return body.map(({ name }: { name: string | null }) => name);
};

test('an employee, who may not read members, sees the names of its colleagues and nothing else of them', async () => {
  const { sandbox } = api;
  const grace = await colleague(api, sandbox, { role: 'employee', email: 'grace@example.com' });
  const left = await colleague(api, sandbox, { role: 'account_manager', email: 'left@example.com' });
  const unnamed = await colleague(api, sandbox, { role: 'employee', email: 'unnamed@example.com' });
  await sandbox.patch(`/members/${grace.id}`, { name: 'Grace' });
  await sandbox.patch(`/members/${left.id}`, { name: 'Lee', status: 'deactivated' });
  expect(await grace.client.get('/members')).toMatchObject({ status: 403 });
  const { body } = await grace.client.get('/owners?per_page=100');
  expect(body).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: grace.id, object: 'owner', name: 'Grace', active: true }),
      expect.objectContaining({ id: left.id, object: 'owner', name: 'Lee', active: false }),
      expect.objectContaining({ id: unnamed.id, object: 'owner', name: null, active: true }),
    ]),
  );
  expect(Object.keys(body[0])).toEqual(['id', 'object', 'name', 'active', 'created_at', 'updated_at']);
  expect(JSON.stringify(body)).not.toContain('@');
});

test('who sees its own customers alone sees itself alone, and nobody sees members of another account', async () => {
  const theirs = (await api.open('Other business')).sandbox;
  const stranger = await colleague(api, theirs, { role: 'employee', email: 'stranger@example.com' });
  await theirs.patch(`/members/${stranger.id}`, { name: 'Stranger' });
  const limited = await colleague(api, api.sandbox, { role: 'employee', isLimited: true });
  await api.sandbox.patch(`/members/${limited.id}`, { name: 'Lim' });
  expect(await names(limited.client)).toEqual(['Lim']);
  expect(await names(stranger.client)).toContain('Stranger');
  expect(await names(stranger.client)).not.toContain('Grace');
  expect(await names(api.sandbox)).not.toContain('Stranger');
  expect(await names(api.live)).toContain('Grace');
});

test('who may not read customers may not read their owners', async () => {
  await api.live.make('/roles', { id: 'catalogue', name: 'Catalogue', permissions: ['catalog.read'] });
  const { client } = await colleague(api, api.sandbox, { role: 'catalogue' });
  expect(await client.get('/owners')).toMatchObject({ status: 403 });
});
