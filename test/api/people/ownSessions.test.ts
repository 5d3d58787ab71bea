import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { newPerson, pageRequest, sessionCookie } from '../../support/ownPage.ts';
import { colleague } from '../../support/people.ts';

let api: TestApi;
let now = Date.parse('2027-03-01T10:00:00Z');
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const rows = <Row extends object>(sql: string, ...values: unknown[]) => api.em.fork().execute<Row[]>(sql, values);
const unix = () => Math.floor(now / 1000);

test('a person sees its sessions, of all browsers and no others, and ends one', async () => {
  const { credentials, request } = await newPerson(api, api.live, 'ada@acme.example');
  await newPerson(api, api.live, 'other@acme.example');
  now += 60_000;
  const second = await sessionCookie(api, credentials);
  const { status, body } = await request('GET', '/sessions');
  expect(status).toBe(200);
  expect(body).toMatchObject([
    {
      object: 'session',
      current: false,
      device: 'A program',
      ip: '127.0.0.1',
      created_at: unix(),
      last_used_at: unix(),
    },
    { object: 'session', current: true, created_at: unix() - 60, expires_at: expect.any(Number) },
  ]);
  const elsewhere = pageRequest(api, api.live, second);
  expect((await elsewhere('GET', '/sessions')).status).toBe(200);
  expect((await request('DELETE', `/sessions/${body[0].id}`)).status).toBe(204);
  expect((await elsewhere('GET', '/sessions')).status).toBe(401);
  expect((await request('DELETE', `/sessions/${body[0].id}`)).status).toBe(404);
  const acts = await rows(
    'select kind, operation, object_type, object_id from audit_log where actor_name = ? and kind = ?',
    'ada@acme.example',
    'change',
  );
  expect(acts).toEqual([
    { kind: 'change', operation: 'endSession', object_type: 'session', object_id: String(body[0].id) },
  ]);
});

test('a person ends the session in which it works', async () => {
  const { request } = await newPerson(api, api.live, 'own@acme.example');
  const [{ id }] = (await request('GET', '/sessions')).body;
  expect((await request('DELETE', `/sessions/${id}`)).status).toBe(204);
  expect((await request('GET', '/sessions')).status).toBe(401);
});

test('sessions of others are missing, also those of colleagues', async () => {
  const { request } = await newPerson(api, api.live, 'grace@acme.example');
  const other = await newPerson(api, api.live, 'colleague@acme.example');
  const [{ id }] = (await other.request('GET', '/sessions')).body;
  for (const path of [`/sessions/${id}`, '/sessions/0', '/sessions/1e9', '/sessions/me'])
    expect((await request('DELETE', path)).status).toBe(404);
  expect((await other.request('GET', '/sessions')).status).toBe(200);
  const { status, body } = await request('GET', '/sessions?person=1');
  expect([status, body.param]).toEqual([400, 'person']);
});

test('keys and pages of other sites reach no session', async () => {
  const { request } = await newPerson(api, api.live, 'safe@acme.example');
  const [{ id }] = (await request('GET', '/sessions')).body;
  const administrator = (await colleague(api, api.live, { role: 'administrator' })).client;
  for (const [method, path] of [
    ['GET', '/sessions'],
    ['DELETE', `/sessions/${id}`],
    ['GET', '/account/security'],
  ] as const) {
    const refusal = await administrator.request(method, path);
    expect([refusal.status, refusal.body.code]).toEqual([403, 'permission_missing']);
    const foreign = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    expect((await request(method, path, undefined, foreign)).status).toBe(403);
  }
  const [row] = await rows(
    'select count(*)::int as count from audit_log where operation = ? and kind = ?',
    'endSession',
    'refusal',
  );
  expect(row).toEqual({ count: 1 });
  expect((await request('GET', '/sessions')).body).toHaveLength(1);
});

test('a person reads how it signs in, in both environments and with any role', async () => {
  const { request, cookie } = await newPerson(api, api.live, 'secure@acme.example');
  await rows(`update member set role = 'read_only', is_limited = true where email = 'secure@acme.example'`);
  const plain = {
    email: 'secure@acme.example',
    has_password: true,
    password_set_at: unix(),
    authenticator_app: false,
    passkeys: 0,
    recovery_codes: 0,
    sessions: 1,
  };
  expect((await request('GET', '/account/security')).body).toEqual(plain);
  expect((await pageRequest(api, api.sandbox, cookie)('GET', '/account/security')).body).toEqual(plain);
  await rows(
    `update person set sealed_totp_secret = 'sealed', password_set_at = null where email = 'secure@acme.example'`,
  );
  await rows(
    `insert into recovery_code (person_id, hash, used_at) select id, n::text, case when n = 1 then now() end
     from person, generate_series(1, 3) n where email = 'secure@acme.example'`,
  );
  const changed = { password_set_at: null, authenticator_app: true, recovery_codes: 2 };
  expect((await request('GET', '/account/security')).body).toEqual({ ...plain, ...changed });
});

test('a member was last seen when its session last used the account, written every five minutes', async () => {
  const first = await newPerson(api, api.live, 'seen@acme.example');
  const { live } = await api.open('Seen');
  await rows(
    `insert into member (account_id, person_id, email, role, status, created_at, updated_at)
     select ?, id, email, 'employee', 'active', now(), now() from person where email = 'seen@acme.example'`,
    live.account.id,
  );
  const second = pageRequest(api, live, first.cookie);
  const seen = async () =>
    (
      await rows<{ at: number | null }>(
        `select extract(epoch from last_seen_at)::int as at from member where email = 'seen@acme.example' order by account_id`,
      )
    ).map(({ at }) => at);
  const signedIn = unix();
  expect(await seen()).toEqual([signedIn, null]);
  await second('GET', '/customers');
  expect(await seen()).toEqual([signedIn, signedIn]);
  now += 299_000;
  await first.request('GET', '/customers');
  expect(await seen()).toEqual([signedIn, signedIn]);
  now += 1000;
  await first.request('GET', '/customers');
  expect(await seen()).toEqual([signedIn + 300, signedIn]);
});
