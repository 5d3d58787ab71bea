import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { csrfOf } from '../../../commands/people/sessions.ts';
import type { TestApi } from '../../support/api.ts';
import { addMember, type Credentials, signInNewPerson, startSignIn } from '../../support/oauth.ts';
import { askAsPage, type Sent, sessionCookie } from '../../support/ownPage.ts';

let api: TestApi;
let credentials: Credentials;
let now = Date.parse('2027-03-01T10:00:00Z');
beforeAll(async () => {
  ({ api, credentials } = await startSignIn({ systemNow: () => new Date(now) }));
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const cookieOf = (of: Credentials) => sessionCookie(api, of);
const ask = (cookie: string, sent?: Sent) => askAsPage(api, cookie, sent);

const setRole = (email: string, role: string) =>
  api.em.fork().execute('update member set role = ? where email = ?', [role, email]);

test('a page of ours reads and writes with the session, and the event names the member', async () => {
  const cookie = await cookieOf(credentials);
  expect((await ask(cookie)).status).toBe(200);
  const made = await ask(cookie, { method: 'POST', body: { name: 'By session' } });
  expect(made.status).toBe(201);
  const [event] = await api.em
    .fork()
    .execute<{ user_id: number; email: string }[]>(
      `select e.user_id, m.email from event e join member m on m.id = e.user_id where subject_type = 'customer' and subject_id = ?`,
      [String(made.body.id)],
    );
  expect(event?.email).toBe(credentials.email);
});

test('the path names the environment and the header the account, so that two tabs do not mix', async () => {
  const other = await api.open('Second');
  await api.em.fork().execute(
    `insert into member (account_id, person_id, email, created_at, updated_at)
       select ?, id, email, now(), now() from person where email = ?`,
    [other.live.account.id, credentials.email],
  );
  const cookie = await cookieOf(credentials);
  const nameIn = async (sent: Sent) => (await ask(cookie, { path: '/api/account', ...sent })).body.name;
  expect([await nameIn({}), await nameIn({ account: other.live.account.id })]).toEqual(['Acme', 'Second']);
  const sandbox = await ask(cookie, { path: '/sandbox/api/account' });
  expect(sandbox.body).toMatchObject({ name: 'Acme', id: api.sandbox.account.id });
});

test.each([
  ['a read that another site began', {}, { 'Sec-Fetch-Site': 'cross-site' }],
  ['a read of an unknown origin', {}, { 'Sec-Fetch-Site': '' }],
  ['a read that somebody typed', {}, { 'Sec-Fetch-Site': 'none' }],
  ['a write from another site', { method: 'POST' }, { Origin: 'https://evil.example' }],
  ['a write without origin', { method: 'POST' }, { Origin: '' }],
  ['a write without the CSRF token', { method: 'POST' }, { 'X-CSRF-Token': '' }],
  [
    'a write with another CSRF token',
    { method: 'DELETE', path: '/api/customers/1' },
    { 'X-CSRF-Token': csrfOf('other') },
  ],
])('%s is refused', async (_what, sent, headers) => {
  const cookie = await cookieOf(credentials);
  const body = 'method' in sent && sent.method === 'POST' ? { body: { name: 'Foreign' } } : {};
  const { status, body: answer } = await ask(cookie, { ...sent, ...body, headers });
  expect([status, answer.code]).toEqual([403, 'permission_missing']);
});

test('an account of others, and no account, is refused', async () => {
  const other = await api.open('Foreign');
  const cookie = await cookieOf(credentials);
  expect((await ask(cookie, { account: other.live.account.id })).status).toBe(401);
  expect((await ask(cookie, { account: api.sandbox.account.id })).status).toBe(401);
  expect((await ask(cookie, { headers: { 'Perennial-Account': '' } })).status).toBe(400);
  expect((await ask('made-up')).status).toBe(401);
});

test('a page whose cookie is gone is refused without a challenge for an API key, for which browsers would ask the person', async () => {
  const headers = { 'Perennial-Account': String(api.live.account.id), 'Sec-Fetch-Site': 'same-origin' };
  const answer = await fetch(`${api.origin}/api/customers`, { headers });
  expect([answer.status, answer.headers.get('WWW-Authenticate')]).toEqual([401, 'Session']);
});

test('the role counts at each request, and a member who left can do nothing', async () => {
  const member = await addMember(api, api.live.account, 'role@acme.example');
  const cookie = await cookieOf(member);
  expect((await ask(cookie, { method: 'POST', body: { name: 'As administrator' } })).status).toBe(201);
  await setRole(member.email, 'read_only');
  const refusal = await ask(cookie, { method: 'POST', body: { name: 'As reader' } });
  expect(refusal).toMatchObject({ status: 403, body: { message: expect.stringContaining('customers.write') } });
  expect((await ask(cookie)).status).toBe(200);
  await setRole(member.email, 'gone');
  expect((await ask(cookie)).status).toBe(403);
  await api.em.fork().execute(`update member set status = 'deactivated' where email = ?`, [member.email]);
  expect((await ask(cookie)).status).toBe(401);
});

test('what shows a secret needs a sign-in of the last ten minutes', async () => {
  const cookie = await cookieOf(credentials);
  const key = { method: 'POST', path: '/api/api_keys', body: { name: 'Key' } };
  expect((await ask(cookie, key)).status).toBe(201);
  now += 600_000;
  const refusal = await ask(cookie, key);
  expect([refusal.status, refusal.body.code]).toEqual([403, 'sign_in_again']);
  expect((await ask(cookie, { method: 'POST', body: { name: 'No secret' } })).status).toBe(201);
  const account = (body: object) => ask(cookie, { method: 'PATCH', path: '/api/account', body });
  const bank = await account({ bank_details: [] });
  expect([bank.status, bank.body.code]).toEqual([403, 'sign_in_again']);
  expect((await account({ footer: 'Thank you' })).status).toBe(200);
});

test('an account that demands a second factor refuses sessions without one', async () => {
  const { live, sandbox } = await api.open('Strict');
  const member = await addMember(api, live.account, 'strict@strict.example');
  const cookie = await cookieOf(member);
  const asked = () => ask(cookie, { account: live.account.id });
  expect((await asked()).status).toBe(200);
  const refusal = { code: 'parameter_invalid', param: 'require_second_factor' };
  expect((await sandbox.patch('/account', { require_second_factor: true })).body).toMatchObject(refusal);
  await live.patch('/account', { require_second_factor: true });
  expect((await asked()).body.code).toBe('second_factor_required');
  const inSandbox = await ask(cookie, { account: live.account.id, path: '/sandbox/api/members' });
  expect(inSandbox.body.code).toBe('second_factor_required'); // the account pair has one setting
});

test('a session lives as long as it is used every two weeks', async () => {
  const cookie = await cookieOf(credentials);
  for (let weeks = 0; weeks < 3; weeks++) {
    now += 13 * 86_400_000;
    expect((await ask(cookie)).status).toBe(200);
  }
  now += 14 * 86_400_000;
  expect((await ask(cookie)).status).toBe(401);
});

test('the cookie lives as long as the session', async () => {
  const { person } = await signInNewPerson(api, credentials, '/accounts');
  now += 60_000;
  const { headers } = await person.open('/accounts');
  const renewed = headers.getSetCookie().find((line) => line.startsWith('__Host-perennial_person='));
  expect(renewed).toContain(person.cookies.get('__Host-perennial_person'));
  expect(Date.parse(/expires=([^;]+)/.exec(renewed ?? '')?.[1] ?? '')).toBeGreaterThan(Date.now() + 13 * 86_400_000);
});

test('wrong keys from an address do not stop the sessions that work there', async () => {
  const cookie = await cookieOf(credentials);
  expect((await ask(cookie)).status).toBe(200);
  const wrong = () => fetch(`${api.origin}/api/customers`, { headers: { Authorization: 'Basic d3Jvbmc6' } });
  while ((await wrong()).status !== 429);
  expect((await ask(cookie)).status).toBe(200);
  now += 60_000;
});

test('a request with a key is not one of the session', async () => {
  const cookie = await cookieOf(credentials);
  const response = await fetch(`${api.origin}/api/customers`, {
    headers: { cookie: `__Host-perennial_person=${cookie}`, Authorization: 'Basic made-up' },
  });
  expect(response.status).toBe(401);
});
