import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pagesOfPeople } from '../../../api/pages/people/people.ts';
import type { TestApi } from '../../support/api.ts';
import { addMember, type Credentials, startSignIn } from '../../support/oauth.ts';
import { createPerson, type Person } from '../../support/person.ts';
import { until } from '../../support/wait.ts';

/** Attacks on the sign-in. Sources: OWASP ASVS 5.0 chapters 6 and 7, OWASP cheat sheet "Blocking brute force attacks" (device cookies). */

let api: TestApi;
let now = Date.parse('2027-03-01T10:00:00Z');
beforeAll(async () => {
  ({ api } = await startSignIn({ systemNow: () => new Date(now), isSignUpOpen: true }));
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

let people = 0;
const newMember = () => addMember(api, api.live.account, `target${++people}@acme.example`);

/** An address of the n-th network of 64 bits. The documentation prefix is 2001:db8::/32. */
const addressIn = (network: number, host = 1) => `2001:db8:0:${network.toString(16)}::${host.toString(16)}`;

/** Sends the form of the sign-in from an address, in a browser with these cookies. Returns the status: 303 after a sign-in. */
async function attempt({ email, password }: Credentials, from: string, cookies: readonly string[] = []) {
  const form = new URLSearchParams({ email, password, form_token: 'mine' });
  const response = await fetch(`${api.origin}/sign_in`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: { 'X-Forwarded-For': from, cookie: ['__Host-perennial_form=mine', ...cookies].join('; ') },
  });
  await response.text();
  return response.status;
}

async function attempts(count: number, one: (n: number) => Promise<number>): Promise<Record<number, number>> {
  const found: Record<number, number> = {};
  for (let n = 0; n < count; n++) {
    const status = await one(n);
    found[status] = (found[status] ?? 0) + 1;
  }
  return found;
}

const signIn = async (person: Person, credentials: Credentials) =>
  person.send(await person.open('/sign_in'), '/sign_in', { ...credentials });

async function mailedPath(address: string): Promise<string> {
  const sql = `select text from email where to_address = ? and template = 'password_reset_email' order by id desc limit 1`;
  const path = async () => {
    const [mail] = await api.em.fork().execute<{ text: string }[]>(sql, [address]);
    return /https:\/\/billing\.example(\/\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  };
  await until(async () => (await path()) !== '', { what: 'the mail' });
  return path();
}

test('guesses from all addresses of one IPv6 network count together', async () => {
  const guesses = await attempts(70, (n) =>
    attempt({ email: `somebody${n}@acme.example`, password: 'a guess' }, addressIn(1, n + 1)),
  );
  expect(guesses).toEqual({ 401: 60, 429: 10 });
  expect(await attempt({ email: 'somebody@acme.example', password: 'a guess' }, addressIn(2))).toBe(401);
});

test('after 100 guesses from many networks, only browsers that the person knows may try', async () => {
  const target = await newMember();
  const own = createPerson(api);
  expect((await signIn(own, target)).url.pathname).toBe('/accounts');
  const guess = { email: target.email, password: 'a guess' };
  // Spellings of one address count together.
  const spelt = [
    target.email,
    target.email.toUpperCase(),
    ` ${target.email} `,
    target.email.replace('.example', '。example'),
  ];
  const guesses = await attempts(120, (n) =>
    attempt({ ...guess, email: spelt[n % spelt.length] ?? '' }, addressIn(100 + n)),
  );
  expect(guesses).toEqual({ 401: 100, 429: 20 });
  expect(await attempt(target, addressIn(300))).toBe(429); // the right password says nothing either
  expect((await signIn(own, target)).url.pathname).toBe('/accounts');
  // A cookie of somebody else's browser does not help.
  const stranger = createPerson(api);
  await signIn(stranger, await newMember());
  const device = `__Host-perennial_device=${stranger.cookies.get('__Host-perennial_device')}`;
  expect(await attempt(target, addressIn(301), [device])).toBe(429);
  // A new browser becomes known by the mailed link.
  const fresh = createPerson(api);
  expect((await signIn(fresh, target)).text).toContain('set a new password');
  await fresh.send(await fresh.open('/reset'), '/reset', { email: target.email });
  const path = await mailedPath(target.email);
  const password = 'another long secret';
  await fresh.send(await fresh.open(path), path, { password });
  expect((await signIn(fresh, { ...target, password })).url.pathname).toBe('/accounts');
});

test('guesses at an address that nobody has are answered like those at a known one', async () => {
  const known = await newMember();
  const [first, second] = [400, 600];
  const guess = async (email: string, from: number) =>
    attempts(105, (n) => attempt({ email, password: 'a guess' }, addressIn(from + n)));
  expect(await guess(known.email, first)).toEqual(await guess('nobody-here@acme.example', second));
});

test('a sign-in costs the same statements whether or not the address is known, without those of the log', async () => {
  const known = await newMember();
  const isQuiet = async () => (await api.statements(() => pause(300))).length === 0; // the log is written beside the answer
  const costs = async (email: string, from: string) => {
    await until(isQuiet, { what: 'a quiet database' });
    const statements = await api.statements(async () => {
      await attempt({ email, password: 'a guess' }, from);
      await until(isQuiet, { what: 'the log' });
    });
    const texts = statements.map((text) => text.replace(/\[took .*$/s, '').replaceAll(/'[^']*'|\d+/g, '?'));
    return texts.filter((text) => !/count_act|audit_log|email from member/.test(text)).toSorted();
  };
  const [one, other] = [await costs(known.email, addressIn(700)), await costs('no@acme.example', addressIn(701))];
  expect(one).toEqual(other);
  expect(other.length).toBeGreaterThan(4);
});

test('many sign-ins at once are answered or refused, and a second tenant goes on', async () => {
  const target = await newMember();
  const { sandbox } = await api.open('Beside');
  let isOver = false;
  const beside = async () => {
    const statuses = new Set<number>();
    while (!isOver) statuses.add((await sandbox.get('/account')).status);
    return [...statuses];
  };
  const [statuses] = await Promise.all([
    beside(),
    Promise.all(
      Array.from({ length: 300 }, (_, n) => attempt({ ...target, password: 'a guess' }, addressIn(1000 + n))),
    ).then((answers) => {
      isOver = true;
      // 429: too many tries, or too much at once; 503: the queue of passwords is full.
      expect(answers.filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
    }),
  ]);
  expect(statuses).toEqual([200]);
});

test('links of resets and invitations are guessed 60 times from an address', async () => {
  const open = async (path: string, from: string) => {
    const response = await fetch(`${api.origin}${path}`, { headers: { 'X-Forwarded-For': from } });
    await response.text();
    return response.status;
  };
  const guesses = await attempts(64, (n) => open(`/${n % 2 ? 'reset' : 'invitations'}/guess${n}`, addressIn(1500, n)));
  expect(guesses).toEqual({ 404: 60, 429: 4 });
  expect(await open('/reset/guess', addressIn(1501))).toBe(404);
});

test('a planted session cookie is not taken over, and a sign-in ends the session before it', async () => {
  const credentials = await newMember();
  const person = createPerson(api);
  person.cookies.set('__Host-perennial_person', 'planted-by-somebody-else-000000000000000000');
  await signIn(person, credentials);
  const first = person.cookies.get('__Host-perennial_person');
  expect(first).toMatch(/^\w{43}$/);
  await signIn(person, credentials);
  expect(person.cookies.get('__Host-perennial_person')).not.toBe(first);
  const thief = createPerson(api);
  thief.cookies.set('__Host-perennial_person', first ?? '');
  expect((await thief.open('/accounts')).url.pathname).toBe('/sign_in');
});

test('a session ends 90 days after the sign-in, however often it is used', async () => {
  const person = createPerson(api);
  await signIn(person, await newMember());
  const DAY = 86_400_000;
  for (let days = 0; days < 80; days += 10) {
    now += 10 * DAY;
    expect((await person.open('/accounts')).url.pathname).toBe('/accounts');
  }
  now += 10 * DAY;
  expect((await person.open('/accounts')).url.pathname).toBe('/sign_in');
});

const posted = pagesOfPeople.filter((page) => page.startsWith('POST ')).map((page) => page.slice(5));
const shown = pagesOfPeople.filter((page) => page.startsWith('GET ')).map((page) => page.slice(4));

test.each(posted)('the form of /%s is taken only from a page of ours', async (page) => {
  const person = createPerson(api);
  await signIn(person, await newMember());
  const path = `/${page.replace('*', 'some-secret')}`;
  const form_token = person.cookies.get('__Host-perennial_form') ?? '';
  expect((await person.post(path, {})).status).toBe(403);
  expect((await person.post(path, { form_token: 'made-up' })).status).toBe(403);
  expect((await person.post(path, { form_token }, { Origin: 'https://evil.example' })).status).toBe(403);
  expect((await person.post(path, { form_token }, { Origin: 'null' })).status).toBe(403);
  expect((await person.open('/accounts')).url.pathname).toBe('/accounts'); // it did not even sign out
});

test.each(shown)('/%s cannot be framed or cached, and tells no other site its address', async (page) => {
  const person = createPerson(api);
  await signIn(person, await newMember());
  const { headers } = await person.open(`/${page.replace('*', 'some-secret')}`);
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/);
});

test('cookies are out of reach of scripts, other sites and other hosts', async () => {
  const { email, password } = await newMember();
  const form = new URLSearchParams({ email, password, form_token: 'mine' });
  const headers = { cookie: '__Host-perennial_form=mine' };
  const answer = await fetch(`${api.origin}/sign_in`, { method: 'POST', body: form, headers, redirect: 'manual' });
  const cookies = answer.headers.getSetCookie();
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['__Host-perennial_person', '__Host-perennial_device']);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; path=\/;.*samesite=lax; secure; httponly/i);
    expect(cookie).not.toMatch(/domain=/i);
  }
});

test.each([
  'https://evil.example/accounts',
  '//evil.example/accounts',
  '/\\evil.example/accounts',
  '/\t/evil.example/accounts',
  '\\\\evil.example\\accounts',
  '/accounts/../..//evil.example',
  'javascript:alert(1)',
  '/accounts\r\nSet-Cookie: a=b',
  '/constructor',
  '@evil.example/accounts',
])('a sign-in never leads to %p', async (return_to) => {
  const person = createPerson(api);
  const screen = await person.open(`/sign_in?${new URLSearchParams({ return_to })}`);
  const { url, left, headers } = await person.send(screen, '/sign_in', { ...(await newMember()) });
  expect([left, url.origin]).toEqual([null, 'https://billing.example']);
  expect(url.pathname).toMatch(/^\/accounts/);
  expect(headers.getSetCookie().join()).not.toContain('a=b');
});

test.each([
  ['perennial', 'little more than the name of the product'],
  ['perennial2027!', 'the same with a year'],
  ['target.acme', 'parts of the address'],
  ['Passwordpassword', 'the word itself'],
  ['12345678901', 'one of the most used ones'],
])('the password %s is refused: %s', async (password) => {
  const { email } = await newMember();
  const person = createPerson(api);
  await person.send(await person.open('/reset'), '/reset', { email });
  const path = await mailedPath(email);
  expect((await person.send(await person.open(path), path, { password })).status).toBe(400);
});
