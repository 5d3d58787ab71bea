import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generateSync } from 'otplib';
import type { TestApi } from '../../support/api.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { addMember, authorizationUrl, type Registered, signInNewPerson, startSignIn } from '../../support/oauth.ts';
import { askAsPage } from '../../support/ownPage.ts';
import {
  act,
  add,
  afterPassword,
  asked,
  confirm,
  isRefused,
  logged,
  newHolder,
  signInBy,
  subjectsTo,
} from '../../support/passkeys.ts';
import { createPerson, type Screen } from '../../support/person.ts';

let api: TestApi;
let application: Registered;
let now = Date.parse('2027-03-01T10:00:00Z');
beforeAll(async () => {
  ({ api, application } = await startSignIn({ systemNow: () => new Date(now) }));
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const codesIn = ({ text }: Screen): string[] =>
  [...text.matchAll(/<li><code>([a-z0-9-]+)<\/code>/g)].map(([, code = '']) => code);

async function proofsOf(email: string): Promise<string[][]> {
  const sql = `select s.proofs from person_session s join person p on p.id = s.person_id where p.email = ? order by s.id`;
  return (await api.em.fork().execute<{ proofs: string[] }[]>(sql, [email])).map(({ proofs }) => proofs);
}

test('a passkey is added, told, logged, and signs in alone', async () => {
  const holder = await newHolder(api);
  const { email } = holder.credentials;
  const added = await add(holder, { name: 'My phone' });
  expect(codesIn(added)).toHaveLength(10);
  expect(added.text).toContain('My phone');
  const screen = await signInBy(api, holder.device);
  expect(screen.url.pathname).toBe('/security');
  expect(screen.text).toContain('last used 2027-03-01');
  expect(await proofsOf(email)).toEqual([['password'], ['verified_passkey']]);
  expect(await subjectsTo(api, email)).toContain('A passkey was added');
  expect(await logged(api, email)).toEqual([
    { kind: 'sign_in', reason: null },
    { kind: 'change', reason: 'A passkey was added' },
    { kind: 'sign_in', reason: null },
  ]);
});

test('a passkey is the second factor after the password, also from a device that does not check who holds it', async () => {
  const holder = await newHolder(api, { isVerifying: false });
  const [code = ''] = codesIn(await add(holder));
  expect(isRefused(await signInBy(api, holder.device))).toBe(true); // alone, it proves one factor only
  const step = await afterPassword(api, holder);
  expect((await step.browser.open('/accounts')).url.pathname).toBe('/sign_in');
  expect((await confirm(step, holder.device)).url.pathname).toBe('/accounts');
  expect(await proofsOf(holder.credentials.email)).toEqual([['password'], ['password', 'passkey']]);
  const other = await afterPassword(api, holder);
  expect(other.screen.text).toContain('Recovery code');
  expect((await other.browser.send(other.screen, '/sign_in/code', { code })).url.pathname).toBe('/accounts');
});

test('an account that demands a second factor opens to a passkey, and no longer when the last one is removed', async () => {
  const { live } = await api.open('Guarded');
  const credentials = await addMember(api, live.account, 'guard@guarded.example');
  const { person } = await signInNewPerson(api, credentials, '/accounts');
  const device = createAuthenticator(api.deps.publicUrl);
  const demand = `update account set settings = settings || '{"require_second_factor": true}' where id = ?`;
  await api.em.fork().execute(demand, [live.account.id]);
  await add({ credentials, person, device });
  expect((await person.open('/oauth/applications')).text).toContain('demands a second factor');
  const reads = async (by: typeof person) => {
    const cookie = by.cookies.get('__Host-perennial_person') ?? '';
    const { status, body } = await askAsPage(api, cookie, { account: live.account.id });
    return [status, body.code];
  };
  expect(await reads(person)).toEqual([403, 'second_factor_required']);
  const browser = createPerson(api);
  const signedIn = await signInBy(api, device, { browser });
  expect((await browser.open('/oauth/applications')).text).toContain('of Guarded');
  expect(await reads(browser)).toEqual([200, undefined]);
  expect(signedIn.text).toContain('Guarded demands a second factor and no longer opens');
  expect((await act(browser, signedIn, 'remove_passkey')).text).not.toContain('recovery codes are left');
  const { person: later } = await signInNewPerson(api, credentials, '/accounts');
  expect((await later.open('/oauth/applications')).text).toContain('demands a second factor');
  expect(isRefused(await signInBy(api, device))).toBe(true);
});

test('a passkey leads on to the application that asked for access', async () => {
  const holder = await newHolder(api);
  await add(holder);
  const browser = createPerson(api);
  const screen = await browser.open(authorizationUrl(api, application));
  const passkey = holder.device.use(await asked(browser, '/sign_in/passkey_options'));
  const consent = await browser.send(screen, '/sign_in/passkey', { passkey });
  expect(consent.url.pathname).toMatch(/^\/oauth\/consent\//);
});

test('a device that never counts signs in again and again', async () => {
  const holder = await newHolder(api);
  await add(holder);
  await add(holder, {}, { fmt: 'packed' }); // some attest by the new key itself, unasked
  for (const counter of [0, 0])
    expect((await signInBy(api, holder.device, { lies: { counter } })).url.pathname).toBe('/security');
});

test('adding and removing need a fresh sign-in, which a passkey renews', async () => {
  const holder = await newHolder(api);
  await add(holder);
  const screen = await holder.person.open('/security');
  now += 600_000;
  const options = await asked(holder.person, '/security/passkey_options');
  expect(options).toEqual({ sign_in: '/sign_in?return_to=%2Fsecurity' });
  expect((await act(holder.person, screen, 'remove_passkey')).url.pathname).toBe('/sign_in');
  const fresh = await signInBy(api, holder.device, { browser: holder.person });
  const removed = await act(holder.person, fresh, 'remove_passkey');
  expect(removed.text).toContain('The passkey no longer signs you in');
  expect(await subjectsTo(api, holder.credentials.email)).toContain('A passkey was removed');
  expect(isRefused(await signInBy(api, holder.device))).toBe(true);
  const { screen: next } = await signInNewPerson(api, holder.credentials, '/accounts');
  expect(next.url.pathname).toBe('/accounts'); // the password alone signs in again
});

test('recovery codes come with the first factor, stay with the second one, and go with the last', async () => {
  const holder = await newHolder(api);
  const { person } = holder;
  const codes = codesIn(await add(holder, { name: 'One' }));
  expect(codesIn(await add(holder, { name: 'Two' }))).toEqual([]);
  const offered = await act(person, await person.open('/security'), 'offer_totp');
  const [, secret = ''] = /<code>([A-Z2-7]{32})<\/code>/.exec(offered.text) ?? [];
  const withApp = await act(person, offered, 'add_totp', { code: generateSync({ secret, epoch: now / 1000 }) });
  expect(codesIn(withApp)).toEqual([]);
  expect(withApp.text).toContain('10 recovery codes are left');
  const step = await afterPassword(api, holder);
  await step.browser.send(step.screen, '/sign_in/code', { code: codes[0] ?? '' });
  const left = await step.browser.open('/security');
  expect(left.text).toContain('9 recovery codes are left');
  const renewed = await act(step.browser, left, 'recovery_codes');
  expect(codesIn(renewed)).toHaveLength(10);
  const old = await afterPassword(api, holder);
  expect((await old.browser.send(old.screen, '/sign_in/code', { code: codes[1] ?? '' })).status).toBe(401);
  await act(step.browser, await act(step.browser, renewed, 'remove_passkey'), 'remove_passkey');
  const last = await act(step.browser, await step.browser.open('/security'), 'remove_totp');
  expect(last.text).not.toContain('recovery codes are left');
  const [count] = await api.em
    .fork()
    .execute<{ count: string }[]>(
      'select count(*) from recovery_code r join person p on p.id = r.person_id where p.email = ?',
      [holder.credentials.email],
    );
  expect(Number(count?.count)).toBe(0);
});

test('the pages run our script alone', async () => {
  const { headers, text } = await createPerson(api).open('/sign_in');
  const [, src = ''] = /<script defer src="([^"]+)"/.exec(text) ?? [];
  expect(headers.get('Content-Security-Policy')).toContain(`script-src ${src};`);
  const script = await fetch(`${api.origin}${new URL(src).pathname}`);
  expect([script.status, script.headers.get('Content-Type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(script.headers.get('Access-Control-Allow-Origin')).toBeNull();
  const body = await script.text();
  expect(() => new Function(body)).not.toThrow();
  expect(Buffer.byteLength(body)).toBeLessThan(20_000);
});
