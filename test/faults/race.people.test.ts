import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../support/api.ts';
import { type Colleague, colleague } from '../support/people.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const ROUNDS = [1, 2, 3, 4, 5, 6];

/** A business with two administrators and nobody else. */
async function twoAdministrators(): Promise<{ sandbox: Client; first: Colleague; second: Colleague }> {
  const { sandbox } = await api.open('Two');
  const [opener] = (await sandbox.get('/members')).body;
  const first = await colleague(api, sandbox, { role: 'administrator' });
  const second = await colleague(api, sandbox, { role: 'administrator' });
  await first.client.delete(`/members/${opener.id}`);
  return { sandbox, first, second };
}

async function administrators({ account }: Client): Promise<number> {
  const sql = `select 1 from member where account_id = ? and role = 'administrator' and status = 'active' and not is_limited`;
  return (await api.em.fork().execute(sql, [account.twinId])).length;
}

test.each(ROUNDS)('two administrators demote each other at once: one stays (%i)', async () => {
  const { sandbox, first, second } = await twoAdministrators();
  const answers = await Promise.all([
    first.client.patch(`/members/${second.id}`, { role: 'employee' }),
    second.client.patch(`/members/${first.id}`, { role: 'employee' }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  expect(await administrators(sandbox)).toBe(1);
});

test.each(ROUNDS)('two administrators leave at once: one stays (%i)', async () => {
  const { sandbox, first, second } = await twoAdministrators();
  const answers = await Promise.all([first, second].map(({ client, id }) => client.delete(`/members/${id}`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400]);
  expect(await administrators(sandbox)).toBe(1);
});

test.each(ROUNDS)('a role is deleted while a member gets it: one of the two is refused (%i)', async (round) => {
  const { sandbox } = api;
  const role = `passing-${round}`;
  await sandbox.make('/roles', { id: role, name: role, permissions: ['catalog.read'] });
  const { id } = await colleague(api, sandbox, { role: 'read_only' });
  const [deleted, given] = await Promise.all([
    sandbox.delete(`/roles/${role}`),
    sandbox.patch(`/members/${id}`, { role }),
  ]);
  const outcome = [deleted.status, given.status];
  expect([
    [204, 400],
    [400, 200],
  ]).toContainEqual(outcome);
});

test.each(ROUNDS)('one address is invited twice at once: one invitation (%i)', async (round) => {
  const body = { email: `twice.${round}@example.com`, role: 'employee' };
  const answers = await Promise.all([1, 2, 3].map(() => api.sandbox.post('/members', body)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
});

test('whoever is demoted grants nothing more, even by a request that began before', async () => {
  const { first, second } = await twoAdministrators();
  const invite = (n: number) =>
    second.client.post('/members', { email: `late.${n}.${second.id}@example.com`, role: 'administrator' });
  const [demoted, ...invited] = await Promise.all([
    first.client.patch(`/members/${second.id}`, { role: 'employee' }),
    ...[1, 2, 3, 4].map(invite),
  ]);
  expect(demoted?.status).toBe(200);
  expect(await invite(9)).toMatchObject(refused({ code: 'permission_missing' }, 403));
  expect(invited.every(({ status }) => status === 201 || status === 403)).toBe(true);
});
