import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, type TestApi } from '../../support/api.ts';
import { addMember, startSignIn } from '../../support/oauth.ts';
import { add, afterPassword, type Holder, newHolder, signInBy, subjectsTo } from '../../support/passkeys.ts';
import { colleague } from '../../support/people.ts';

let api: TestApi;
beforeAll(async () => {
  ({ api } = await startSignIn());
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

async function memberOf(client: Client, { credentials }: Pick<Holder, 'credentials'>): Promise<number> {
  const { body } = await client.get(`/members?filter[email]=${credentials.email}`);
  return body[0].id;
}

const reset = (client: Client, id: number) => client.post(`/members/${id}/reset_factors`);

/** What a person has: passkeys, recovery codes, sessions. */
async function left({ credentials }: Holder): Promise<number[]> {
  const count = (table: string) => `(select count(*)::int from ${table} t where t.person_id = p.id)`;
  const sql = `select ${count('passkey')} as a, ${count('recovery_code')} as b, ${count('person_session')} as c
    from person p where p.email = ?`;
  const rows = await api.em.fork().execute<Record<string, number>[]>(sql, [credentials.email]);
  return rows.flatMap((row) => Object.values(row));
}

test('an administrator resets the factors of a member, who is signed out and told, as is the administrator', async () => {
  const holder = await newHolder(api);
  await add(holder);
  const step = await afterPassword(api, holder);
  const admin = await colleague(api, api.sandbox, { role: 'administrator' }); // live and sandbox are one account
  const id = await memberOf(api.sandbox, holder);
  expect(await left(holder)).toEqual([1, 10, 1]);
  expect(await reset(admin.client, id)).toMatchObject({
    status: 200,
    body: { object: 'member', id, status: 'active' },
  });
  expect(await left(holder)).toEqual([0, 0, 0]);
  expect((await holder.person.open('/accounts')).url.pathname).toBe('/sign_in');
  expect((await step.browser.open('/sign_in/code')).url.pathname).toBe('/sign_in');
  expect((await signInBy(api, holder.device)).status).toBe(401);
  expect(await subjectsTo(api, holder.credentials.email)).toContain('Your second factor was removed');
  expect(await subjectsTo(api, admin.email)).toEqual([`You removed the second factor of ${holder.credentials.email}`]);
  const logged = await api.em
    .fork()
    .execute(
      `select account_id, kind, actor, member_id, object_type, object_id from audit_log where operation = 'resetFactors'`,
    );
  const by = { actor: 'api_key', member_id: admin.id, object_type: 'member', object_id: String(id) };
  expect(logged).toEqual([{ account_id: api.live.account.id, kind: 'change', ...by }]);
});

test('nobody resets the factors of a person who has another account, whatever it is there', async () => {
  const holder = await newHolder(api);
  await add(holder);
  const other = await api.open('Elsewhere');
  await addMember(api, other.live.account, holder.credentials.email).catch(() => null); // keeps its password
  const [id, there] = [await memberOf(api.live, holder), await memberOf(other.live, holder)];
  const conflict = refused({ code: 'state_conflict' });
  for (const status of ['active', 'deactivated']) {
    await other.live.patch(`/members/${there}`, { status });
    const answer = await reset(api.live, id);
    expect(answer).toMatchObject(conflict);
    expect(answer.body.message).toContain('also belongs to another account');
  }
  expect((await reset(other.live, there)).status).toBe(400);
  expect(await left(holder)).toEqual([1, 10, 1]);
  expect((await signInBy(api, holder.device)).url.pathname).toBe('/security');
});

test('bad input: oneself, somebody who has not joined, a member of another account, and somebody who may do more', async () => {
  const conflict = refused({ code: 'state_conflict' });
  const admin = await colleague(api, api.live, { role: 'administrator' });
  expect(await reset(admin.client, admin.id)).toMatchObject(conflict);
  const waiting = await api.live.make('/members', { email: 'waits@example.com', role: 'employee' });
  expect(await reset(admin.client, waiting.id)).toMatchObject(conflict);
  const gone = await colleague(api, api.live, { role: 'employee', status: 'deactivated' });
  expect(await reset(admin.client, gone.id)).toMatchObject(conflict);
  const foreign = await colleague(api, (await api.open('Foreign')).live, { role: 'employee' });
  expect(await reset(admin.client, foreign.id)).toMatchObject(refused({ code: 'resource_missing' }, 404));
  await api.live.make('/roles', { id: 'staff', name: 'Staff', permissions: ['people.write'] });
  const staff = await colleague(api, api.live, { role: 'staff' });
  const answer = await reset(staff.client, admin.id);
  expect(answer).toMatchObject(refused({ code: 'permission_missing' }, 403));
});
