import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generateSync } from 'otplib';
import type { TestApi } from '../../support/api.ts';
import { addMember, type Credentials, signInAt, signInNewPerson, startSignIn } from '../../support/oauth.ts';
import { createPerson, type Person, type Screen } from '../../support/person.ts';
import { until } from '../../support/wait.ts';

let api: TestApi;
let now = Date.parse('2027-03-01T10:00:00Z');
beforeAll(async () => {
  ({ api } = await startSignIn({ systemNow: () => new Date(now) }));
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

let people = 0;
/** A new member who signs in with its password. */
async function newMember(): Promise<{ credentials: Credentials; person: Person }> {
  const credentials = await addMember(api, api.live.account, `person${++people}@acme.example`);
  const { person } = await signInNewPerson(api, credentials, '/accounts');
  return { credentials, person };
}

const codeOf = (secret: string) => generateSync({ secret, epoch: now / 1000 });

/** Adds an authenticator app. Returns its secret and the recovery codes. */
async function addApp(person: Person): Promise<{ secret: string; codes: string[] }> {
  const offered = await act(person, await person.open('/security'), 'offer_totp');
  const [, secret = ''] = /<code>([A-Z2-7]{32})<\/code>/.exec(offered.text) ?? [];
  const added = await act(person, offered, 'add_totp', { code: codeOf(secret) });
  const codes = [...added.text.matchAll(/<li><code>([a-z0-9-]+)<\/code>/g)].map(([, code = '']) => code);
  now += 30_000; // the next code
  return { secret, codes };
}

/** Sends the form of the security page with this action. */
function act(person: Person, screen: Screen, action: string, fields: Record<string, string> = {}): Promise<Screen> {
  const [form = ''] =
    [...screen.text.matchAll(/<form method="post" action="\/security"[\s\S]*?<\/form>/g)]
      .map(([all]) => all)
      .filter((all) => all.includes(`name="action" value="${action}"`)) ?? [];
  if (form === '') throw new Error(`no form ${action}: ${screen.text}`);
  return person.send({ ...screen, text: form }, '/security', fields);
}

/** Signs in with the password in a new browser. Returns the page that asks for a code. */
async function askedForCode(credentials: Credentials): Promise<{ person: Person; screen: Screen }> {
  const { person, screen } = await signInNewPerson(api, credentials, '/accounts');
  expect(screen.url.pathname).toBe('/sign_in/code');
  return { person, screen };
}

test('an authenticator app is asked for after the password, and each of its codes counts once', async () => {
  const { credentials, person } = await newMember();
  const { secret, codes } = await addApp(person);
  expect(codes).toHaveLength(10);
  const first = await askedForCode(credentials);
  expect((await first.person.open('/accounts')).url.pathname).toBe('/sign_in'); // half a sign-in opens nothing
  const wrong = await first.person.send(first.screen, '/sign_in/code', { code: '000000' });
  expect([wrong.status, wrong.text.includes('not valid')]).toEqual([401, true]);
  const code = codeOf(secret);
  expect((await first.person.send(wrong, '/sign_in/code', { code })).url.pathname).toBe('/accounts');
  const second = await askedForCode(credentials);
  const again = await second.person.send(second.screen, '/sign_in/code', { code });
  expect(again.status).toBe(401);
  now += 30_000;
  expect((await second.person.send(again, '/sign_in/code', { code: codeOf(secret) })).url.pathname).toBe('/accounts');
});

test('a recovery code replaces the app once', async () => {
  const { credentials, person } = await newMember();
  const { codes } = await addApp(person);
  const [code = ''] = codes;
  const { person: browser, screen } = await askedForCode(credentials);
  const typed = code.toUpperCase().replaceAll('-', ' ');
  expect((await browser.send(screen, '/sign_in/code', { code: typed })).url.pathname).toBe('/accounts');
  const again = await askedForCode(credentials);
  expect((await again.person.send(again.screen, '/sign_in/code', { code })).status).toBe(401);
});

test('tries of a code at the same time are all counted', async () => {
  const { credentials, person } = await newMember();
  await addApp(person);
  const { person: browser, screen } = await askedForCode(credentials);
  const tries = await Promise.all(
    Array.from({ length: 9 }, () => browser.send(screen, '/sign_in/code', { code: '000000' })),
  );
  expect(tries.filter(({ status }) => status === 401)).toHaveLength(5);
  now += 900_000;
});

test('an account can demand a second factor', async () => {
  const { live } = await api.open('Guarded');
  const credentials = await addMember(api, live.account, 'guard@guarded.example');
  const { person } = await signInNewPerson(api, credentials, '/oauth/applications');
  expect((await person.open('/oauth/applications')).text).toContain('of Guarded');
  await api.em
    .fork()
    .execute(`update account set settings = settings || '{"require_second_factor": true}' where id = ?`, [
      live.account.id,
    ]);
  expect((await person.open('/oauth/applications')).text).toContain('demands a second factor');
  expect((await person.open('/accounts')).text).toContain('<a href="/security">Set one up</a>');
  const { secret } = await addApp(person);
  const home = await person.open('/accounts');
  const [, again = ''] = /<a href="([^"]+)">Sign in again with yours</.exec(home.text) ?? [];
  expect(home.text).not.toContain('Set one up');
  const screen = await signInAt(person, new URL(again, api.deps.publicUrl), credentials);
  const opened = await person.send(screen, '/sign_in/code', { code: codeOf(secret) });
  expect([opened.url.pathname, opened.text.includes('demands')]).toEqual(['/accounts', false]);
  expect((await person.open('/oauth/applications')).text).toContain('of Guarded');
});

/** The mails to an address, oldest first. */
async function mailsTo(address: string): Promise<{ template: string; text: string; account_id: number }[]> {
  const sql = 'select account_id, template, text from email where to_address = ? order by id';
  return api.em.fork().execute(sql, [address]);
}

/** The path of the link in the latest mail. */
async function mailedPath(address: string): Promise<string> {
  const mails = await mailsTo(address);
  const [, path = ''] = /https:\/\/billing\.example(\/\S+)/.exec(mails.at(-1)?.text ?? '') ?? [];
  return path;
}

test('a password is reset by a link that works once, ends all sessions, and does not skip the second factor', async () => {
  const { credentials, person } = await newMember();
  const { secret } = await addApp(person);
  const visitor = createPerson(api);
  const ask = async (email: string) => visitor.send(await visitor.open('/reset'), '/reset', { email });
  const known = await ask(credentials.email);
  await until(async () => (await mailsTo(credentials.email)).at(-1)?.template === 'password_reset_email', {
    what: 'the mail',
  });
  const path = await mailedPath(credentials.email);
  const weak = await visitor.send(await visitor.open(path), path, { password: 'password123' });
  expect([weak.status, weak.text.includes('attackers try first')]).toEqual([400, true]);
  const fields = { password: 'a longer secret of mine' };
  expect((await visitor.send(await visitor.open(path), path, fields)).text).toContain('Your new password counts');
  expect((await visitor.open(path)).status).toBe(404);
  expect((await person.open('/accounts')).url.pathname).toBe('/sign_in');
  const { person: browser, screen } = await askedForCode({ ...credentials, ...fields });
  expect((await browser.send(screen, '/sign_in/code', { code: codeOf(secret) })).url.pathname).toBe('/accounts');
  expect((await mailsTo(credentials.email)).map(({ template, account_id }) => [template, account_id])).toEqual([
    ['person_changed_email', 0], // a new browser
    ['person_changed_email', 0], // the app
    ['password_reset_email', 0],
    ['person_changed_email', 0], // the password
    ['person_changed_email', 0], // a new browser
  ]);
  const unknown = await ask('nobody@acme.example');
  expect(unknown.text.replaceAll('nobody@acme.example', credentials.email)).toBe(known.text);
  expect(await mailsTo('nobody@acme.example')).toEqual([]);
});

test('mails to set a password are counted by the address, however it is spelt', async () => {
  const { credentials } = await newMember();
  const visitor = createPerson(api);
  const spelt = [
    credentials.email,
    ` ${credentials.email.toUpperCase()}`,
    credentials.email.replace('.example', '。example'),
    credentials.email.replace('acme', 'ａｃｍｅ'),
    credentials.email.replace('.example', '．ＥＸＡＭＰＬＥ'),
    credentials.email.replace('acme', 'Ａcme'),
  ];
  const answers = [];
  for (const email of spelt)
    answers.push((await visitor.send(await visitor.open('/reset'), '/reset', { email })).status);
  expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
});

test('a link to set a password ends after an hour', async () => {
  const { credentials } = await newMember();
  const visitor = createPerson(api);
  await visitor.send(await visitor.open('/reset'), '/reset', { email: credentials.email });
  await until(async () => (await mailsTo(credentials.email)).at(-1)?.template === 'password_reset_email', {
    what: 'the mail',
  });
  const path = await mailedPath(credentials.email);
  now += 3_600_000 - 1;
  const screen = await visitor.open(path);
  expect(screen.status).toBe(200);
  now += 1;
  expect((await visitor.send(screen, path, { password: 'a longer secret of mine' })).status).toBe(404);
});

test('sessions are listed and ended, and a known browser is not told again', async () => {
  const { credentials, person } = await newMember();
  const other = createPerson(api);
  const sign = async (browser: Person) => browser.send(await browser.open('/sign_in'), '/sign_in', { ...credentials });
  await sign(other);
  await sign(other);
  expect((await mailsTo(credentials.email)).map(({ template }) => template)).toEqual(
    Array.from({ length: 2 }, () => 'person_changed_email'),
  );
  const listed = await person.open('/security');
  expect(listed.text.match(/Last seen/g)).toHaveLength(1);
  await act(person, listed, 'end_others');
  expect((await other.open('/accounts')).url.pathname).toBe('/sign_in');
  expect((await person.open('/accounts')).url.pathname).toBe('/accounts');
});

test('sign-ins, wrong passwords, wrong codes and changes of factors are in the audit log of the account', async () => {
  const { credentials, person } = await newMember();
  await addApp(person);
  await signInNewPerson(api, { ...credentials, password: 'wrong' }, '/accounts');
  const { person: browser, screen } = await askedForCode(credentials);
  await browser.send(screen, '/sign_in/code', { code: '000000' });
  const logged = async () =>
    api.em
      .fork()
      .execute<{ kind: string; operation: string; reason: string | null; account_id: number }[]>(
        'select kind, operation, reason, account_id from audit_log where actor_name = ? order by id',
        [credentials.email],
      );
  await until(async () => (await logged()).length >= 4, { what: 'the acts' });
  const own = { account_id: api.live.account.id };
  expect(await logged()).toEqual([
    { ...own, kind: 'sign_in', operation: 'signIn', reason: null },
    { ...own, kind: 'change', operation: 'changeSecurity', reason: 'An authenticator app was added' },
    { ...own, kind: 'failure', operation: 'signIn', reason: 'wrong password' },
    { ...own, kind: 'failure', operation: 'signIn', reason: 'wrong code' },
  ]);
});

test('failures of two people from one address within a minute are two entries', async () => {
  const both = [(await newMember()).credentials, (await newMember()).credentials];
  for (const one of both) await signInNewPerson(api, { ...one, password: 'wrong' }, '/accounts');
  const names = async () =>
    (
      await api.em
        .fork()
        .execute<{ actor_name: string }[]>(`select actor_name from audit_log where kind = 'failure' order by id`)
    ).map((row) => row.actor_name);
  await until(async () => (await names()).includes(both[1]?.email ?? ''), { what: 'the second failure' });
  expect((await names()).slice(-2)).toEqual(both.map(({ email }) => email));
});

test('made-up forms of the security page are refused', async () => {
  const { person } = await newMember();
  const screen = await person.open('/security');
  const form_token = person.cookies.get('__Host-perennial_form') ?? '';
  const post = (fields: Record<string, string>) => person.post('/security', { form_token, ...fields });
  expect(screen.status).toBe(200);
  expect((await post({ action: 'add_totp', offered: 'made-up', code: '123456' })).status).toBe(400);
  expect((await post({ action: 'constructor' })).status).toBe(400);
  expect((await post({ action: 'end_session', id: '1e400' })).status).toBe(200);
});

test('a change of factors needs a sign-in of the last ten minutes', async () => {
  const { person } = await newMember();
  const screen = await person.open('/security');
  now += 600_000;
  expect((await act(person, screen, 'offer_totp')).url.pathname).toBe('/sign_in');
});
