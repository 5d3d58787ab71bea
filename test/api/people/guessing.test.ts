import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { generateSync } from 'otplib';
import { hashSecret } from '../../../commands/kernel/secrets.ts';
import type { TestApi } from '../../support/api.ts';
import { createAuthenticator } from '../../support/authenticator.ts';
import { addMember, type Credentials, signInNewPerson, startSignIn } from '../../support/oauth.ts';
import { act, add, subjectsTo } from '../../support/passkeys.ts';
import { createPerson, type Person, type Screen } from '../../support/person.ts';
import { until } from '../../support/wait.ts';

/** Guesses of codes and passkeys, and of passwords where the guesser looks like the person. */

let api: TestApi;
let now = Date.parse('2027-03-01T10:00:00Z');
beforeAll(async () => {
  ({ api } = await startSignIn({ systemNow: () => new Date(now) }));
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const QUARTER = 900_000;
const GUESSED = 'Your password was entered, and then ten wrong codes';

interface Guarded {
  credentials: Credentials;
  person: Person;
  secret: string;
}

let people = 0;
/** A member with an authenticator app. */
async function newGuarded(): Promise<Guarded> {
  const credentials = await addMember(api, api.live.account, `guarded${++people}@acme.example`);
  const { person } = await signInNewPerson(api, credentials, '/accounts');
  const offered = await act(person, await person.open('/security'), 'offer_totp');
  const [, secret = ''] = /<code>([A-Z2-7]{32})<\/code>/.exec(offered.text) ?? [];
  await act(person, offered, 'add_totp', { code: generateSync({ secret, epoch: now / 1000 }) });
  now += 30_000; // the next code
  return { credentials, person, secret };
}

/** The n-th address of the documentation network 198.51.100.0/24. */
const from = (n: number) => ({ 'X-Forwarded-For': `198.51.100.${n}` });

/** A browser that sends forms without opening their pages. */
function newBrowser(): { browser: Person; send(path: string, fields?: object, headers?: object): Promise<Screen> } {
  const browser = createPerson(api);
  browser.cookies.set('__Host-perennial_form', 'mine');
  return {
    browser,
    send: (path, fields = {}, headers = {}) =>
      browser.post(path, { form_token: 'mine', ...fields }, { ...headers } as Record<string, string>),
  };
}

/** Signs in with the password from an address, and tries codes. Returns the statuses. */
async function tryCodes({ credentials }: Guarded, codes: readonly string[], address = 1): Promise<number[]> {
  const { send } = newBrowser();
  expect((await send('/sign_in', { ...credentials }, from(address))).url.pathname).toBe('/sign_in/code');
  const statuses = [];
  for (const code of codes) {
    const { status, url } = await send('/sign_in/code', { code }, from(address));
    statuses.push(url.pathname === '/accounts' ? 303 : status);
  }
  return statuses;
}

const rightCode = ({ secret }: Guarded) => generateSync({ secret, epoch: now / 1000 });
const wrong = (count: number): string[] => Array.from({ length: count }, () => '000000');
const fill = (status: number, count: number): number[] => Array.from({ length: count }, () => status);
const warnings = async ({ credentials }: Guarded) =>
  (await subjectsTo(api, credentials.email)).filter((subject) => subject === GUESSED).length;

/** The failures of a person in the audit log. */
async function failures({ credentials: { email } }: Pick<Guarded, 'credentials'>): Promise<[string, string, number][]> {
  const sql = `select operation, reason, sum(count)::int as count from audit_log
    where kind = 'failure' and actor_name = ? group by operation, reason order by reason`;
  const rows = await api.em.fork().execute<{ operation: string; reason: string; count: number }[]>(sql, [email]);
  return rows.map(({ operation, reason, count }) => [operation, reason, count]);
}

test('five wrong codes end the sign-in; ten from anywhere end all tries for a while, and the person is told once', async () => {
  const target = await newGuarded();
  expect(await tryCodes(target, [...wrong(5), rightCode(target)])).toEqual([...fill(401, 5), 400]);
  expect(await tryCodes(target, wrong(4), 2)).toEqual(fill(401, 4));
  expect(await warnings(target)).toBe(0);
  expect(await tryCodes(target, wrong(1), 3)).toEqual([401]);
  expect(await warnings(target)).toBe(1);
  expect(await tryCodes(target, [rightCode(target), rightCode(target)], 4)).toEqual([429, 429]);
  expect(await warnings(target)).toBe(1);
  await until(async () => (await failures(target)).length === 2, { what: 'the failures' });
  expect(await failures(target)).toEqual([
    ['signIn', 'too many tries', 1],
    ['signIn', 'wrong code', 10],
  ]);
  now += QUARTER;
  expect(await tryCodes(target, [rightCode(target)])).toEqual([303]);
});

/** Sets how often something was tried. */
async function tried(count: number, what: string): Promise<void> {
  const sql = 'update throttle set count = ? where key = ? returning 1';
  expect(await api.em.fork().execute(sql, [count, hashSecret(`people:${what}`)])).toHaveLength(1);
}

test('fifty wrong codes in a day end all tries until the next day, and a right one starts the count again', async () => {
  const target = await newGuarded();
  const sql = 'select id from person where email = ?';
  const [row] = await api.em.fork().execute<{ id: number }[]>(sql, [target.credentials.email]);
  const day = `second_factor_day:${row?.id}`;
  expect(await tryCodes(target, wrong(1))).toEqual([401]);
  await tried(49, day);
  expect(await tryCodes(target, [rightCode(target)])).toEqual([303]);
  now += 30_000;
  expect(await tryCodes(target, wrong(1))).toEqual([401]);
  await tried(50, day);
  now += QUARTER;
  expect(await tryCodes(target, [rightCode(target)])).toEqual([429]);
  now += 86_400_000;
  expect(await tryCodes(target, [rightCode(target)])).toEqual([303]);
});

/** Asks as a second tenant until the work is done. Returns the statuses that it got. */
async function beside(work: () => Promise<void>): Promise<number[]> {
  const { sandbox } = await api.open('Beside');
  let isOver = false;
  const asking = async () => {
    const statuses = new Set<number>();
    while (!isOver) statuses.add((await sandbox.get('/account')).status);
    return [...statuses];
  };
  const working = work().finally(() => {
    isOver = true;
  });
  const [statuses] = await Promise.all([asking(), working]);
  return statuses;
}

test('recovery codes are guessed ten times from many addresses, while a second tenant goes on', async () => {
  const target = await newGuarded();
  const other = await newGuarded();
  const answers: number[] = [];
  const guesses = (n: number) => Array.from({ length: 3 }, (_, turn) => `guess-of-a-${n}-${turn}`.padEnd(24, 'x'));
  const statuses = await beside(async () => {
    for (let n = 0; n < 5; n++) answers.push(...(await tryCodes(target, guesses(n), 10 + n)));
  });
  expect(statuses).toEqual([200]);
  expect(answers).toEqual([...fill(401, 10), ...fill(429, 5)]);
  expect(await warnings(target)).toBe(1);
  expect(await tryCodes(other, [rightCode(other)], 20)).toEqual([303]); // nobody else is slowed down
});

test('mailed codes are guessed 25 times from many addresses, while a second tenant goes on', async () => {
  const { invitation_url } = await api.live.make('/members', { email: 'awaited@acme.example', role: 'employee' });
  const path = new URL(invitation_url).pathname;
  const asked: number[] = [];
  const guessed: string[] = [];
  const statuses = await beside(async () => {
    for (let n = 0; n < 7; n++) {
      const { send } = newBrowser();
      asked.push((await send(path, {}, from(30 + n))).status);
      for (let code = 0; code < 6; code++) {
        const fields = { code: `00000${code}x`, name: 'Thief', password: 'a long secret of mine' };
        const { text } = await send(path, fields, from(30 + n));
        guessed.push(/Too many wrong codes/.test(text) ? 'ended' : /not the code/.test(text) ? 'wrong' : text);
      }
    }
  });
  expect(statuses).toEqual([200]);
  expect(asked).toEqual([...fill(200, 5), 429, 429]);
  // Browsers without a mailed code guess nothing: no code counts for them.
  expect(guessed.filter((one) => one === 'ended')).toHaveLength(5);
  expect(guessed.filter((one) => one === 'wrong')).toHaveLength(7 * 6 - 5);
  const invited = 'select status from member where email = ?';
  expect(await api.em.fork().execute(invited, ['awaited@acme.example'])).toEqual([{ status: 'invited' }]);
});

test('twenty passwords are tried in a known browser, wherever it is', async () => {
  const credentials = await addMember(api, api.live.account, 'known@acme.example');
  const { person } = await signInNewPerson(api, credentials, '/accounts');
  const device = person.cookies.get('__Host-perennial_device') ?? '';
  const attempt = async (password: string, n: number) => {
    const { browser, send } = newBrowser();
    browser.cookies.set('__Host-perennial_device', device);
    const { status, url } = await send('/sign_in', { ...credentials, password }, from(50 + n));
    return url.pathname === '/accounts' ? 303 : status;
  };
  const statuses = [];
  for (let n = 0; n < 20; n++) statuses.push(await attempt('a guess', n));
  expect(statuses).toEqual(fill(401, 20));
  expect(await attempt(credentials.password, 21)).toBe(429);
  await until(async () => (await failures({ credentials })).length === 2, { what: 'the failures' });
  expect((await failures({ credentials }))[0]).toEqual(['signIn', 'too many tries', 1]);
  now += 600_000;
  expect(await attempt(credentials.password, 22)).toBe(303);
});

test('ten passwords of one email are tried from one address, in any browsers', async () => {
  const credentials = await addMember(api, api.live.account, 'placed@acme.example');
  const attempt = async (password: string, n: number) => {
    const { status, url } = await newBrowser().send('/sign_in', { ...credentials, password }, from(n));
    return url.pathname === '/accounts' ? 303 : status;
  };
  const statuses = [];
  for (let n = 0; n < 10; n++) statuses.push(await attempt('a guess', 90));
  expect(statuses).toEqual(fill(401, 10));
  expect(await attempt(credentials.password, 90)).toBe(429);
  expect(await attempt(credentials.password, 91)).toBe(303);
});

test('passkeys are asked for and used 120 times from one address', async () => {
  const credentials = await addMember(api, api.live.account, 'passkey@acme.example');
  const { person } = await signInNewPerson(api, credentials, '/accounts');
  await add({ credentials, person, device: createAuthenticator(api.deps.publicUrl) });
  const { send } = newBrowser();
  await send('/sign_in', { ...credentials }, from(100));
  const paths = ['/sign_in/passkey_options', '/sign_in/passkey', '/sign_in/code/passkey_options'];
  const statuses = new Map<string, number>();
  for (let n = 0; n < 123; n++) {
    const path = paths[n % paths.length] ?? '';
    const { status } = await send(path, {}, from(100));
    statuses.set(`${path} ${status}`, (statuses.get(`${path} ${status}`) ?? 0) + 1);
  }
  expect(Object.fromEntries(statuses)).toEqual({
    '/sign_in/passkey_options 200': 40,
    '/sign_in/passkey 401': 40,
    '/sign_in/code/passkey_options 200': 40,
    '/sign_in/passkey_options 429': 1,
    '/sign_in/passkey 429': 1,
    '/sign_in/code/passkey_options 429': 1,
  });
  expect((await send('/sign_in/passkey_options', {}, from(101))).status).toBe(200);
});

test('a wrong current password is in the audit log, and ten in fifteen minutes end its tries', async () => {
  const credentials = await addMember(api, api.live.account, 'current@acme.example');
  const { person } = await signInNewPerson(api, credentials, '/accounts');
  const screen = await person.open('/security');
  const attempt = async (current: string) =>
    (await act(person, screen, 'password', { current, password: 'another long secret' })).status;
  for (let n = 0; n < 10; n++) expect(await attempt('a guess')).toBe(400);
  expect(await attempt(credentials.password)).toBe(429);
  expect(await attempt(credentials.password)).toBe(429);
  await until(async () => (await failures({ credentials })).length === 2, { what: 'the failures' });
  expect(await failures({ credentials })).toEqual([
    ['changeSecurity', 'too many tries', 1],
    ['changeSecurity', 'wrong current password', 10],
  ]);
});
