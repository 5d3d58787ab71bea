import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generateSync } from 'otplib';
import type { TestApi } from '../../support/api.ts';
import { signInNewPerson, startSignIn } from '../../support/oauth.ts';
import { act, add, type Holder, newHolder, subjectsTo } from '../../support/passkeys.ts';
import { createPerson, type Person } from '../../support/person.ts';
import { until } from '../../support/wait.ts';

/** What ends when a person changes how it signs in: its other sessions, and browsers that were known. */

let api: TestApi;
let now = Date.parse('2027-03-01T10:00:00Z');
beforeAll(async () => {
  ({ api } = await startSignIn({ systemNow: () => new Date(now) }));
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const PASSWORD = 'another long secret';

const security = (person: Person) => person.open('/security');
const signIn = async (browser: Person, credentials: Holder['credentials']) =>
  browser.send(await browser.open('/sign_in'), '/sign_in', { ...credentials });
const isSignedIn = async (person: Person) => (await person.open('/accounts')).url.pathname === '/accounts';

/** Adds an authenticator app. */
async function addApp({ person }: Holder) {
  const offered = await act(person, await security(person), 'offer_totp');
  const [, secret = ''] = /<code>([A-Z2-7]{32})<\/code>/.exec(offered.text) ?? [];
  const added = await act(person, offered, 'add_totp', { code: generateSync({ secret, epoch: now / 1000 }) });
  expect(added.status).toBe(200);
}

type Step = (holder: Holder) => Promise<unknown>;
const none: Step = async () => undefined;
const form =
  (action: string, fields = {}): Step =>
  async ({ person }) =>
    expect((await act(person, await security(person), action, fields)).status).toBe(200);

const fields = { password: PASSWORD };
const byForm: Step = (holder) => form('password', { current: holder.credentials.password, ...fields })(holder);

test.each<[string, Step, Step]>([
  ['the password is changed', none, byForm],
  ['the app is added', none, addApp],
  ['the app is removed', addApp, form('remove_totp')],
  ['a passkey is added', none, (holder) => add(holder)],
  ['a passkey is removed', (holder) => add(holder), form('remove_passkey')],
  ['recovery codes are made anew', (holder) => add(holder), form('recovery_codes')],
])('when %s, all other sessions end, and this one goes on', async (_what, before, change) => {
  const holder = await newHolder(api);
  const other = createPerson(api);
  await signIn(other, holder.credentials);
  const [cookie = ''] = [other.cookies.get('__Host-perennial_person')];
  await before(holder);
  // A session like those of a thief, which is there when the change is made.
  await api.em.fork().execute(
    `insert into person_session (person_id, hash, proofs, proven_at, last_seen_at, ip, created_at, expires_at)
     select id, encode(sha256(?::bytea), 'hex'), '{password}', ?, ?, '192.0.2.1', ?, ? from person where email = ?
     on conflict (hash) do nothing`,
    [cookie, new Date(now), new Date(now), new Date(now), new Date(now + 600_000), holder.credentials.email],
  );
  expect(await isSignedIn(other)).toBe(true);
  await change(holder);
  expect(await isSignedIn(other)).toBe(false);
  expect(await isSignedIn(holder.person)).toBe(true);
});

/** Sets a new password by the mailed link, in a browser. */
async function resetIn(browser: Person, { credentials: { email } }: Holder) {
  await browser.send(await browser.open('/reset'), '/reset', { email });
  const sql = `select text from email where to_address = ? and template = 'password_reset_email' order by id desc limit 1`;
  const find = async () => {
    const [mail] = await api.em.fork().execute<{ text: string }[]>(sql, [email]);
    return /https:\/\/billing\.example(\/\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  };
  await until(async () => (await find()) !== '', { what: 'the mail' });
  const path = await find();
  expect((await browser.send(await browser.open(path), path, { password: PASSWORD })).text).toContain('counts');
}

/** Resets the factors of the person, as an administrator. */
const resetFactors: Step = async ({ credentials }) => {
  const [member] = (await api.live.get(`/members?filter[email]=${credentials.email}`)).body;
  expect((await api.live.post(`/members/${member.id}/reset_factors`)).status).toBe(200);
};

test.each<[string, Step, string, boolean]>([
  ['the password is changed', byForm, PASSWORD, true],
  ['the password is set by mail', (holder) => resetIn(holder.person, holder), PASSWORD, true],
  ['all other sessions are ended', form('end_others'), '', true],
  ['an administrator resets the factors', resetFactors, '', false],
])('when %s, other browsers are no longer known', async (_what, change, password, staysKnown) => {
  const holder = await newHolder(api);
  const { email } = holder.credentials;
  const other = createPerson(api);
  await signIn(other, holder.credentials);
  const told = async () => (await subjectsTo(api, email)).filter((one) => one.includes('new browser')).length;
  expect(await told()).toBe(2);
  await signIn(other, holder.credentials);
  expect(await told()).toBe(2); // both are known
  await change(holder);
  const credentials = { email, password: password || holder.credentials.password };
  await signIn(other, credentials);
  expect(await told()).toBe(3);
  await signIn(holder.person, credentials);
  expect(await told()).toBe(staysKnown ? 3 : 4);
});

test('a browser that is no longer known is under the limit of strangers', async () => {
  const holder = await newHolder(api);
  const { email } = holder.credentials;
  const other = createPerson(api);
  await signIn(other, holder.credentials);
  await byForm(holder);
  await signInNewPerson(api, { email, password: 'wrong' }, '/accounts');
  await api.em.fork().execute('update throttle set count = 100 where ends_at > ?', [new Date(now + 86_000_000)]);
  const credentials = { email, password: PASSWORD };
  expect((await signIn(other, credentials)).status).toBe(429);
  expect((await signIn(holder.person, credentials)).url.pathname).toBe('/accounts');
  now += 86_400_000;
});

test('ending all others is in the audit log, and makes no unknown browser a known one', async () => {
  const holder = await newHolder(api);
  await signIn(createPerson(api), holder.credentials);
  const thief = createPerson(api);
  thief.cookies.set('__Host-perennial_person', holder.person.cookies.get('__Host-perennial_person') ?? '');
  await act(thief, await security(thief), 'end_others');
  expect(thief.cookies.has('__Host-perennial_device')).toBe(false);
  const sql = `select kind, operation from audit_log where actor_name = ? and kind = 'change'`;
  expect(await api.em.fork().execute(sql, [holder.credentials.email])).toEqual([
    { kind: 'change', operation: 'endOtherSessions' },
  ]);
});
