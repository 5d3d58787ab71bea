import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestApi } from '../../support/api.ts';
import type { Lies } from '../../support/authenticator.ts';
import { signInNewPerson, startSignIn } from '../../support/oauth.ts';
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
  storedId,
  subjectsTo,
} from '../../support/passkeys.ts';
import { createPerson } from '../../support/person.ts';
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

test.each<[string, Lies]>([
  ['another origin', { origin: 'https://billing.example.evil.example' }],
  ['another RP ID', { rpId: 'evil.example' }],
  ['a challenge nobody gave', { challenge: Buffer.from('made up').toString('base64url') }],
  ['nobody present', { isPresent: false }],
  ['a device that did not check who holds it', { isVerified: false }],
  ['the handle of another person', { userHandle: Buffer.alloc(32, 1).toString('base64url') }],
  ['no handle', { userHandle: '' }],
  ['the answer to another question', { type: 'webauthn.create' }],
])('a sign-in with %s is refused and logged', async (_what, lies) => {
  now += 60_000; // the log counts failures from one address in a minute in one entry
  const holder = await newHolder(api);
  await add(holder);
  const browser = createPerson(api);
  expect(isRefused(await signInBy(api, holder.device, { lies, browser }))).toBe(true);
  expect((await browser.open('/accounts')).url.pathname).toBe('/sign_in');
  const failure = { kind: 'failure', reason: 'passkey refused' };
  await until(async () => (await logged(api, holder.credentials.email)).some(({ kind }) => kind === 'failure'), {
    what: 'the failure',
  });
  expect(await logged(api, holder.credentials.email)).toContainEqual(failure);
});

test.each<[string, Lies]>([
  ['another origin', { origin: 'https://evil.example' }],
  ['another RP ID', { rpId: 'evil.example' }],
  ['a challenge nobody gave', { challenge: Buffer.from('made up').toString('base64url') }],
  ['nobody present', { isPresent: false }],
  ['an unknown attestation', { fmt: 'apple' }],
  ['the answer to another question', { type: 'webauthn.get' }],
])('a new passkey with %s is refused', async (_what, lies) => {
  const holder = await newHolder(api);
  const screen = await add(holder, {}, lies);
  expect([screen.status, screen.text.includes('passkey was not accepted')]).toEqual([400, true]);
  expect(isRefused(await signInBy(api, holder.device))).toBe(true);
});

test('a challenge counts once, for five minutes, and only in the browser and for the purpose that it was given for', async () => {
  const holder = await newHolder(api);
  const { person, device } = holder;
  await add(holder);
  const [mine, other] = [createPerson(api), createPerson(api)];
  const [screen, foreign] = [await mine.open('/sign_in'), await other.open('/sign_in')];
  const ask = () => asked(mine, '/sign_in/passkey_options');
  const first = device.use(await ask());
  expect(isRefused(await other.send(foreign, '/sign_in/passkey', { passkey: first }))).toBe(true);
  expect(isRefused(await mine.send(screen, '/sign_in/passkey', { passkey: first }))).toBe(true); // used up
  const again = device.use(await ask());
  expect((await mine.send(screen, '/sign_in/passkey', { passkey: again })).url.pathname).toBe('/accounts');
  expect(isRefused(await mine.send(screen, '/sign_in/passkey', { passkey: again }))).toBe(true);
  const late = device.use(await ask());
  now += 300_000;
  expect(isRefused(await mine.send(screen, '/sign_in/passkey', { passkey: late }))).toBe(true);
  const step = await afterPassword(api, holder);
  const { challenge } = await ask();
  const mixed = device.use(await asked(step.browser, '/sign_in/code/passkey_options'), { challenge });
  expect(isRefused(await step.browser.send(step.screen, '/sign_in/code/passkey', { passkey: mixed }))).toBe(true);
  const security = await person.open('/security');
  const passkey = device.create(await asked(person, '/security/passkey_options'));
  const second = await signInNewPerson(api, (await newHolder(api)).credentials, '/security');
  expect((await act(second.person, second.screen, 'add_passkey', { passkey })).status).toBe(400);
  expect((await act(person, security, 'add_passkey', { passkey })).status).toBe(400);
});

test('the same challenge sent twice at once signs in once', async () => {
  const holder = await newHolder(api);
  await add(holder);
  const browser = createPerson(api);
  const screen = await browser.open('/sign_in');
  const passkey = holder.device.use(await asked(browser, '/sign_in/passkey_options'));
  const tries = [1, 2, 3].map(() => browser.send(screen, '/sign_in/passkey', { passkey }));
  expect((await Promise.all(tries)).filter((one) => !isRefused(one))).toHaveLength(1);
});

test('a count of signatures that goes back is refused, logged as suspicious, and told', async () => {
  const holder = await newHolder(api);
  const { email } = holder.credentials;
  await add(holder, {}, { counter: 4 });
  for (const one of holder.device.held) one.counter = 4;
  expect((await signInBy(api, holder.device)).url.pathname).toBe('/security'); // 5
  expect(isRefused(await signInBy(api, holder.device, { lies: { counter: 5 } }))).toBe(true);
  expect(isRefused(await signInBy(api, holder.device, { lies: { counter: 0 } }))).toBe(true);
  const reason = 'suspicious passkey: its count of signatures went back';
  expect(await logged(api, email)).toContainEqual({ kind: 'failure', reason });
  expect(await subjectsTo(api, email)).toContain('A passkey was refused, because it may have been copied');
  expect((await signInBy(api, holder.device, { lies: { counter: 9 } })).url.pathname).toBe('/security');
});

test('the passkey of another person is no second factor, and a passkey has one holder', async () => {
  const [holder, thief] = [await newHolder(api), await newHolder(api)];
  await add(holder);
  await add(thief);
  const step = await afterPassword(api, holder);
  expect(isRefused(await confirm(step, thief.device))).toBe(true);
  expect((await confirm(step, holder.device)).url.pathname).toBe('/accounts');
  const copied = await asked(thief.person, '/security/passkey_options');
  const made = JSON.parse(thief.device.create(copied));
  await api.em
    .fork()
    .execute('update passkey set credential_id = ? where credential_id = ?', [made.id, holder.device.held[0]?.id]);
  const screen = await thief.person.open('/security');
  const answer = await act(thief.person, screen, 'add_passkey', { passkey: JSON.stringify(made) });
  expect([answer.status, answer.text.includes('added before')]).toEqual([400, true]);
});

test('five refused passkeys end the sign-in, like wrong codes', async () => {
  const holder = await newHolder(api);
  await add(holder);
  const step = await afterPassword(api, holder);
  for (let count = 0; count < 5; count++)
    expect(isRefused(await confirm(step, holder.device, { origin: 'https://evil.example' }))).toBe(true);
  expect((await confirm(step, holder.device)).status).toBe(400);
  now += 900_000;
});

test('nobody removes the passkey of another person', async () => {
  const [holder, other] = [await newHolder(api), await newHolder(api)];
  await add(holder);
  await add(other);
  const screen = await other.person.open('/security');
  const id = String(await storedId(api, holder.device));
  const answer = await act(other.person, screen, 'remove_passkey', { id });
  expect([answer.status, answer.text.includes('removed already')]).toEqual([400, true]);
  expect((await signInBy(api, holder.device)).url.pathname).toBe('/security');
});

test('what no browser sends is refused', async () => {
  const holder = await newHolder(api);
  const step = createPerson(api);
  const screen = await step.open('/sign_in');
  for (const passkey of ['', 'null', '{}', '[]', '{"id":"\\u0000"}', 'x'.repeat(60_000)])
    expect(isRefused(await step.send(screen, '/sign_in/passkey', { passkey }))).toBe(true);
  const security = await holder.person.open('/security');
  for (const passkey of ['', '1', '{"id":"a","rawId":"a","type":"public-key","response":{}}'])
    expect((await act(holder.person, security, 'add_passkey', { passkey })).status).toBe(400);
  const foreign = await step.post('/sign_in/passkey_options', {}, { Origin: 'https://evil.example' });
  expect(foreign.status).toBe(403);
});
