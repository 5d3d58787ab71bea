import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer } from '../../../api/server.ts';
import { ensureFirstAccount, type FirstAccount } from '../../../bin/seed.ts';
import { describeRunning } from '../../../bin/supervise/running.ts';
import { newStartLink } from '../../../commands/people/startLink.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { TEST_KEY } from '../../support/database.ts';
import { addMember, type Credentials } from '../../support/oauth.ts';
import { createPerson, type Person } from '../../support/person.ts';

let api: TestApi;
let now = Date.parse('2027-03-01T10:00:00Z');
const lines: unknown[] = [];
beforeAll(async () => {
  const info = (...args: unknown[]) => void lines.push(args);
  const log = { info, warn: info, error: info };
  api = await startApi({ systemNow: () => new Date(now), publicUrl: 'http://localhost:3000', log });
});
afterAll(() => api.close());

const PASSWORD = 'a long secret of mine';
const PLACEHOLDER = 'owner@perennial.localhost';
const rows = <Row extends object>(sql: string, ...values: unknown[]) => api.em.fork().execute<Row[]>(sql, values);

interface First {
  accountId: number;
  credentials: Credentials;
}

/** A business whose first administrator has the password that it got. */
async function open(name: string, email: string): Promise<First> {
  const { live } = await api.open(name);
  await rows(`update member set status = 'deactivated' where account_id = ?`, live.account.id);
  const credentials = await addMember(api, live.account, email);
  return { accountId: live.account.id, credentials };
}

/** The path of a new link; empty: none is made. */
async function linkOf({ accountId, credentials }: First): Promise<string> {
  const generated = credentials.password;
  const secret = await inTransaction(api.em, (em) => newStartLink(em, { accountId, generated }, new Date(now)));
  return secret === null ? '' : `/start/${secret}`;
}

const take = async (person: Person, path: string, fields: Record<string, string> = {}) =>
  person.send(await person.open(path), path, fields);

test('the first link sets name, address and password, and signs in; the next one only signs in', async () => {
  const first = await open('Fresh', PLACEHOLDER);
  const path = await linkOf(first);
  const person = createPerson(api);
  const screen = await person.open(path);
  expect([screen.status, screen.text.includes(`value="${PLACEHOLDER}"`)]).toEqual([200, true]);
  expect(screen.headers.get('Referrer-Policy')).toMatch(/no-referrer|same-origin/);
  expect(screen.headers.get('Cache-Control')).toContain('no-store');
  const weak = await person.send(screen, path, { name: 'Ada', email: 'ada@example.com', password: 'password123' });
  expect([weak.status, weak.text.includes('attackers try first')]).toEqual([400, true]);
  const opened = await person.send(weak, path, { name: 'Ada', email: 'Ada@Example.com', password: PASSWORD });
  expect([opened.url.pathname, opened.text.includes('Fresh')]).toEqual(['/accounts', true]);
  expect(
    await rows('select email, name from member where account_id = ? and status = ?', first.accountId, 'active'),
  ).toEqual([{ email: 'ada@example.com', name: 'Ada' }]);
  const signed = createPerson(api);
  const page = await signed.open('/sign_in');
  const signIn = await signed.send(page, '/sign_in', { email: 'ada@example.com', password: PASSWORD });
  expect(signIn.url.pathname).toBe('/accounts');
  const next = await linkOf(first);
  const again = createPerson(api);
  expect((await again.open(next)).text).not.toContain('type="password"');
  expect((await take(again, next)).url.pathname).toBe('/accounts');
  expect((await signed.open('/accounts')).url.pathname).toBe('/accounts'); // other sessions go on
  const acts = await rows<{ operation: string }>(
    'select operation from audit_log where account_id = ? order by id',
    first.accountId,
  );
  expect(acts.map(({ operation }) => operation)).toEqual([
    'useStartLink',
    'signIn',
    'signIn',
    'useStartLink',
    'signIn',
  ]);
});

test('a link counts once, for ten minutes, and ends with the next one', async () => {
  const first = await open('Once', 'once@example.com');
  const fields = { name: 'Once', email: 'once@example.com', password: PASSWORD };
  const replaced = await linkOf(first);
  const path = await linkOf(first);
  const [one, other] = [createPerson(api), createPerson(api)];
  expect((await one.open(replaced)).status).toBe(404);
  for (let count = 0; count < 3; count++) await one.open(path);
  expect((await one.post(path, fields)).status).toBe(403); // not from the page
  expect((await fetch(`${api.origin}${path}`, { method: 'HEAD' })).status).toBe(200);
  const [seen, seenToo] = [await one.open(path), await other.open(path)];
  const answers = await Promise.all([one.send(seen, path, fields), other.send(seenToo, path, fields)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  expect((await one.open(path)).status).toBe(404);
  const late = await linkOf(first);
  now += 600_000;
  expect((await one.open(late)).status).toBe(404);
  expect((await one.open('/start/made-up')).status).toBe(404);
});

test.each([
  ['Forwarded', 'for=192.0.2.1'],
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Forwarded-Proto', ''],
  ['Via', '1.1 proxy'],
  ['X-Real-IP', '127.0.0.1'],
  ['X-Forwarded', 'for=192.0.2.1'],
  ['X-Forwarded-Host', 'localhost'],
  ['X-Client-IP', '127.0.0.1'],
  ['X-Cluster-Client-IP', '127.0.0.1'],
  ['True-Client-IP', '127.0.0.1'],
  ['CF-Connecting-IP', '127.0.0.1'],
])('a request with the header %s is refused', async (name, value) => {
  const first = await open(`By ${name}`, `${name.toLowerCase()}@example.com`);
  const path = await linkOf(first);
  const person = createPerson(api);
  const screen = await person.open(path);
  const form_token = person.cookies.get('perennial_form') ?? '';
  const fields = { form_token, name: 'Thief', email: 'thief@example.com', password: PASSWORD };
  expect((await fetch(`${api.origin}${path}`, { headers: { [name]: value } })).status).toBe(403);
  expect((await person.post(path, fields, { [name]: value })).status).toBe(403);
  expect([screen.status, (await person.open(path)).status]).toEqual([200, 200]); // nothing is used up
});

/** The status of a GET whose Host header is another one. */
const statusFor = (path: string, host: string, origin = api.origin) =>
  new Promise<number | undefined>((resolve, reject) => {
    const sent = request(`${origin}${path}`, { headers: { host } }, ({ statusCode }) => resolve(statusCode));
    sent.on('error', reject).end();
  });

test('an address of elsewhere is refused', async () => {
  const path = await linkOf(await open('Host', 'host@example.com'));
  expect(await statusFor(path, 'billing.example')).toBe(403);
  expect(await statusFor(path, 'localhost.billing.example')).toBe(403);
  expect(await statusFor(path, 'localhost:3000')).toBe(200);
  const elsewhere = await startApi({ systemNow: () => new Date(now) });
  expect((await createPerson(elsewhere).open(path)).status).toBe(403);
  await elsewhere.close();
});

/** An address of this machine that is not a loopback one; undefined: it has no network. */
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

(outside ? test : test.skip)('a browser that does not come from a loopback address is refused', async () => {
  const path = await linkOf(await open('Outside', 'outside@example.com'));
  const server = createServer(api.deps);
  const port = await server.listen(0, '0.0.0.0');
  expect(await statusFor(path, 'localhost:3000', `http://${outside}:${port}`)).toBe(403);
  expect(await statusFor(path, 'localhost:3000', `http://127.0.0.1:${port}`)).toBe(200);
  await server.close();
});

test('nobody takes the address of somebody else', async () => {
  const taken = await open('Taken', 'taken@example.com');
  const path = await linkOf(await open('Wanting', 'wanting@example.com'));
  const person = createPerson(api);
  const refused = await take(person, path, { name: 'A', email: 'Taken@example.com', password: PASSWORD });
  expect([refused.status, refused.text.includes('Somebody else has the address')]).toEqual([400, true]);
  const lookalike = await person.send(refused, path, { name: 'A', email: 'tаken@example.com', password: PASSWORD });
  expect(lookalike.status).toBe(400);
  const elsewhere = await api.open('Inviting');
  await elsewhere.live.make('/members', { email: 'awaited@example.com', role: 'employee' });
  const awaited = await person.send(lookalike, path, { name: 'A', email: 'awaited@example.com', password: PASSWORD });
  expect([awaited.status, awaited.text.includes('Somebody else has the address')]).toEqual([400, true]);
  expect(await rows('select 1 from member where email = ?', taken.credentials.email)).toHaveLength(1);
});

test('no link replaces a second factor', async () => {
  const first = await open('Factor', 'factor@example.com');
  const path = await linkOf(first);
  await rows(`update person set sealed_totp_secret = 'sealed' where email = 'factor@example.com'`);
  expect((await createPerson(api).open(path)).status).toBe(404);
  expect(await linkOf(first)).toBe('');
});

/** What a start prints, line by line, without the addresses of other parts. */
function printed(member: FirstAccount): string[] {
  const url = 'http://localhost:3000';
  const urls = { api_url: `${url}/api`, sandbox_api_url: `${url}/sandbox/api`, docs_url: `${url}/docs` };
  const others = { mailbox_url: null, temporal_ui_url: null, temporal_address: '', database_url: '' };
  const running = { ...urls, ...others, live_key: member.liveKey, sandbox_key: member.sandboxKey };
  const lines = describeRunning(running, { dataFolder: '.data', member }).split('\n');
  return lines.filter((line) => /Sign-in|Email|Password|sign-in/.test(line)).map((line) => line.trim());
}

test('a start prints a link, at a public address the password, and none that no longer counts', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'perennial-start-'));
  const config = {
    dataFolder,
    databaseUrl: api.databaseUrl,
    encryptionKey: TEST_KEY,
    publicUrl: 'http://localhost:3000',
  };
  now = Date.now(); // a start has no other clock
  const first = await ensureFirstAccount(config);
  const path = new URL(first.startLink?.url ?? '').pathname;
  expect(printed(first)).toEqual([
    `Sign-in      http://localhost:3000${path}`,
    expect.stringMatching(/^The sign-in link works once, until \d\d:\d\d\.$/),
  ]);
  const reached = await ensureFirstAccount({ ...config, publicUrl: 'https://billing.example' });
  expect(reached).toMatchObject({ liveKey: first.liveKey, startLink: null, isPasswordKept: true });
  const rowsOf = (more: string[]) => ['Sign-in      http://localhost:3000/sign_in', ...more];
  expect(printed(reached)).toEqual(rowsOf([`Email        ${first.email}`, `Password     ${first.password}`]));
  const person = createPerson(api);
  const chosen = { name: 'Ada', email: 'chosen@example.com', password: PASSWORD };
  expect((await take(person, path, chosen)).text).toContain('My company');
  const next = await ensureFirstAccount(config);
  expect(next.isPasswordKept).toBe(false);
  expect((await take(createPerson(api), new URL(next.startLink?.url ?? '').pathname)).text).toContain('My company');
  await rows(`update person set sealed_totp_secret = 'sealed' where email = 'chosen@example.com'`);
  expect(printed(await ensureFirstAccount(config))).toEqual(rowsOf([]));
  await rm(dataFolder, { recursive: true });
});

test('a start that crashed while it opened the first business opens no second one', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'perennial-crash-'));
  const config = {
    dataFolder,
    databaseUrl: api.databaseUrl,
    encryptionKey: TEST_KEY,
    publicUrl: 'http://localhost:3000',
  };
  const file = join(dataFolder, 'keys.json');
  const accounts = async () => (await rows('select id from account')).length;
  const before = await accounts();
  // Before the commit: the keys that were written belong to nothing.
  const made = { liveKey: 'sk_live_none', sandboxKey: 'sk_test_none', email: PLACEHOLDER, password: 'never' };
  await writeFile(`${file}.new`, JSON.stringify(made));
  const { liveKey, password } = await ensureFirstAccount(config);
  expect([liveKey === made.liveKey, (await accounts()) - before]).toEqual([false, 2]);
  // After the commit, before the file got its name.
  await rename(file, `${file}.new`);
  expect(await ensureFirstAccount(config)).toMatchObject({ liveKey, password });
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ liveKey, password });
  expect((await accounts()) - before).toBe(2);
  // Without its file, the first member has a password already, which is not known: the new keys are kept all the same.
  await rm(file);
  const again = await ensureFirstAccount(config);
  expect(again).toMatchObject({ password: '', isPasswordKept: false });
  expect(again.liveKey).not.toBe(liveKey);
  expect((await ensureFirstAccount(config)).liveKey).toBe(again.liveKey);
  expect((await accounts()) - before).toBe(4);
  await rm(dataFolder, { recursive: true });
});

test('no log line has a link', () => {
  const text = JSON.stringify(lines);
  expect(text).toContain('/start/:token');
  expect(text).not.toMatch(/start\/[\w-]{32,}/);
});
