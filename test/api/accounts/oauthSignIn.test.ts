import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashSecret } from '../../../commands/kernel/secrets.ts';
import type { TestApi } from '../../support/api.ts';
import {
  addMember,
  authorizationUrl,
  type Credentials,
  type Registered,
  signInNewPerson,
  startSignIn,
} from '../../support/oauth.ts';
import { createPerson } from '../../support/person.ts';

let api: TestApi;
let credentials: Credentials;
let application: Registered;
let now = Date.now();
beforeAll(async () => {
  ({ api, credentials, application } = await startSignIn({ systemNow: () => new Date(now) }));
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const authorization = () => authorizationUrl(api, application);
const signedIn = (url?: URL | string) => signInNewPerson(api, credentials, url);

test('a wrong password, an unknown address and a very long password get the same answer', async () => {
  const person = createPerson(api);
  const form = await person.open('/sign_in');
  const tries = [
    { email: credentials.email, password: 'wrong' },
    { email: 'nobody@acme.example', password: credentials.password },
    { email: credentials.email, password: `${credentials.password}${'x'.repeat(10_000)}` },
  ];
  for (const fields of tries) {
    const { status, text } = await person.send(form, '/sign_in', fields);
    expect(status).toBe(401);
    expect(text).toContain('Email and password do not match.');
  }
  expect([...person.cookies.keys()]).toEqual(['__Host-perennial_form']);
});

test('sign-in ignores the case of addresses', async () => {
  const { screen } = await signedIn();
  expect(screen.url.pathname).toBe('/oauth/applications');
  const person = createPerson(api);
  const again = await person.open('/sign_in');
  const fields = { ...credentials, email: ` ${credentials.email.toUpperCase()}` };
  expect((await person.send(again, '/sign_in', fields)).url.pathname).toBe('/accounts');
});

test('a signed-in person can continue as somebody else', async () => {
  const other = await addMember(api, (await api.open('Borealis')).live.account, 'bob@borealis.example');
  const { person, screen } = await signedIn(authorization());
  expect(screen.text).toContain('wants access to Acme');
  const out = await person.send(screen, '/sign_out');
  expect(out.url.pathname).toBe('/sign_in');
  const next = await person.send(out, '/sign_in', { ...other });
  expect(next.text).toContain('wants access to Borealis');
});

test('signing in as another member takes over nothing from the first', async () => {
  const other = await addMember(api, (await api.open('Cumulus')).live.account, 'cy@cumulus.example');
  const { person, screen } = await signedIn(authorization());
  expect((await person.send(screen, screen.url.pathname, { answer: 'allow' })).left).not.toBeNull();
  expect((await person.open(authorization())).left).not.toBeNull(); // Acme has granted access
  await person.send(await person.open('/sign_in'), '/sign_in', { ...other });
  expect((await person.open('/oauth/applications')).text).toContain('of Cumulus');
  expect((await person.open(authorization())).text).toContain('wants access to Cumulus');
});

test('access is given with a sign-in of the last ten minutes only, which leads back; refusing needs none', async () => {
  const member = await addMember(api, api.live.account, 'dee@acme.example');
  const { person, screen } = await signInNewPerson(api, member, authorization());
  now += 600_000;
  const asked = await person.send(screen, screen.url.pathname, { answer: 'allow' });
  expect([asked.url.pathname, asked.left]).toEqual(['/sign_in', null]);
  expect(await answersOf(member)).toEqual([]);
  const fresh = await person.send(asked, '/sign_in', { ...member });
  expect([fresh.url.pathname, fresh.text.includes('wants access to Acme')]).toEqual([screen.url.pathname, true]);
  expect((await person.send(fresh, fresh.url.pathname, { answer: 'allow' })).left?.searchParams.has('code')).toBe(true);
  const other = await signInNewPerson(api, member, authorization());
  now += 600_000;
  const { left } = await other.person.send(other.screen, other.screen.url.pathname, { answer: 'deny' });
  expect(left?.searchParams.get('error')).toBe('access_denied');
  expect(await answersOf(member)).toEqual(['allowApplication', 'refuseApplication']);
});

/** What a member answered to the application, in the audit log. */
async function answersOf({ email }: Credentials): Promise<string[]> {
  const sql = `select operation from audit_log where reason = 'Ledger Sync' and actor_name = ? and kind = 'change' order by id`;
  return (await api.em.fork().execute<{ operation: string }[]>(sql, [email])).map(({ operation }) => operation);
}

test('a session ends when its row is deleted, and when it is not used for 14 days', async () => {
  const { person } = await signedIn();
  now += 14 * 86_400_000 - 1000;
  expect((await person.open('/oauth/applications')).url.pathname).toBe('/oauth/applications'); // and the time begins anew
  now += 14 * 86_400_000;
  expect((await person.open('/oauth/applications')).url.pathname).toBe('/sign_in');
  const { person: another } = await signedIn();
  await api.em.fork().execute('delete from person_session');
  expect((await another.open('/oauth/applications')).url.pathname).toBe('/sign_in');
});

test('one sign-in opens both environments, whose addresses tell them apart', async () => {
  const { person } = await signedIn();
  expect((await person.open('/sandbox/oauth/applications')).text).toContain('Sandbox');
});

test('tries of passwords, and of addresses from one place, are throttled for a time', async () => {
  now += 3_600_000;
  const victim = await addMember(api, api.live.account, 'eve@acme.example');
  const person = createPerson(api);
  const form = await person.open('/sign_in');
  const attempt = (fields: Record<string, string>) => person.send(form, '/sign_in', fields);
  for (let count = 0; count < 10; count++) {
    expect((await attempt({ email: 'eve@acme.example', password: String(count) })).status).toBe(401);
  }
  const slowed = await attempt({ ...victim });
  expect(slowed.status).toBe(429);
  expect(Number(slowed.headers.get('Retry-After'))).toBeGreaterThan(590);
  expect((await attempt({ ...credentials })).url.pathname).toBe('/accounts');
  now += 600_000;
  expect((await attempt({ ...victim })).url.pathname).toBe('/accounts');
  await api.em.fork().execute('update throttle set count = 60');
  expect((await attempt({ ...credentials })).status).toBe(429);
});

/** Sets the number of tries of a throttle. */
async function tried(count: number, what: string): Promise<void> {
  const changed = await api.em
    .fork()
    .execute('update throttle set count = ? where key = ? returning 1', [count, hashSecret(`people:${what}`)]);
  expect(changed).toHaveLength(1);
}

test('ten tries of one email from one network end those from there', async () => {
  now += 3_600_000;
  const member = await addMember(api, api.live.account, 'flo@acme.example');
  const person = createPerson(api);
  await person.open('/sign_in');
  const form_token = person.cookies.get('__Host-perennial_form') ?? '';
  const attempt = (address: string, password: string) => {
    const fields = { email: member.email, password, form_token };
    return person.post('/sign_in', fields, { 'X-Forwarded-For': address });
  };
  expect((await attempt('203.0.113.1', 'wrong')).status).toBe(401);
  await tried(10, `sign_in_identity_at_address:203.0.113.1 ${member.email}`);
  expect((await attempt('203.0.113.1', member.password)).status).toBe(429);
  expect((await attempt('203.0.113.2', member.password)).url.pathname).toBe('/accounts');
  expect((await attempt('2001:db8::1', 'wrong')).status).toBe(401);
  await tried(10, `sign_in_identity_at_address:2001:db8:0:0::/64 ${member.email}`);
  expect((await attempt('2001:db8::2', member.password)).status).toBe(429);
});

test('the number of authorizations begun from one place is limited', async () => {
  now += 3_600_000;
  const person = createPerson(api);
  expect((await person.open(authorization())).status).toBe(200);
  await api.em
    .fork()
    .execute('update throttle set count = 300 where key = ?', [hashSecret('live:authorize_address:127.0.0.1')]);
  const slowed = await person.open(authorization());
  expect([slowed.status, slowed.headers.get('Retry-After')]).toEqual([429, '60']);
  now += 60_000;
  expect((await person.open(authorization())).status).toBe(200);
});
