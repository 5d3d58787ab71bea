import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { addMember, signInAt } from '../../support/oauth.ts';
import { createPerson, type Person, type Screen } from '../../support/person.ts';
import { until } from '../../support/wait.ts';

let api: TestApi;
let now = Date.parse('2027-03-01T10:00:00Z');
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now), isSignUpOpen: true });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const PASSWORD = 'a long secret of mine';
const rows = <Row extends object>(sql: string, ...values: unknown[]) => api.em.fork().execute<Row[]>(sql, values);

/** The mails to an address, oldest first. */
const mailsTo = (address: string) =>
  rows<{ template: string; text: string; account_id: number }>(
    'select account_id, template, text from email where to_address = ? order by created_at, id',
    address,
  );

const ask = async (person: Person, fields: { email: string; business: string }): Promise<Screen> =>
  person.send(await person.open('/sign_up'), '/sign_up', fields);

/** Asks for an account. Returns the path of the mailed link. */
async function asked(email: string, business = 'Ada & Co'): Promise<string> {
  const before = (await mailsTo(email)).length;
  const screen = await ask(createPerson(api), { email, business });
  expect([screen.status, screen.text.includes('Look into your mail')]).toEqual([200, true]);
  await until(async () => (await mailsTo(email)).length > before, { what: 'the mail' });
  const [, path = ''] =
    /https:\/\/billing\.example(\/sign_up\/\w+)/.exec((await mailsTo(email)).at(-1)?.text ?? '') ?? [];
  return path;
}

const accountsNamed = async (name: string) => (await rows('select 1 from account where name = ?', name)).length;

test('somebody new opens an account pair, is its administrator, and is signed in', async () => {
  const path = await asked('Ada@Example.com'.toLowerCase());
  const person = createPerson(api);
  const screen = await person.open(path);
  expect([screen.status, screen.text.includes('Open the account of Ada &amp; Co')]).toEqual([200, true]);
  expect(await accountsNamed('Ada & Co')).toBe(0); // opening the link opens no account
  const weak = await person.send(screen, path, { name: 'Ada', password: 'password123' });
  expect([weak.status, weak.text.includes('attackers try first')]).toEqual([400, true]);
  const opened = await person.send(weak, path, { name: 'Ada', password: PASSWORD });
  expect([opened.url.pathname, opened.text.includes('Ada &amp; Co')]).toEqual(['/accounts', true]);
  const found = await rows<{ environment: string; role: string; status: string; id: number }>(
    `select a.id, a.environment, m.role, m.status, m.name from account a join member m on m.account_id in (a.id, a.twin_id)
     where m.email = 'ada@example.com' order by a.id`,
  );
  const member = { role: 'administrator', status: 'active', name: 'Ada' };
  expect(found).toMatchObject([
    { environment: 'live', ...member },
    { environment: 'sandbox', ...member },
  ]);
  const keys = await rows('select 1 from api_key where account_id in (?, ?)', ...found.map(({ id }) => id));
  expect(keys).toEqual([]); // nobody would have seen them
  const logged = await rows(
    'select kind, operation, actor_name from audit_log where account_id = ? order by id',
    found[0]?.id,
  );
  expect(logged).toEqual([
    { kind: 'change', operation: 'openAccount', actor_name: 'ada@example.com' },
    { kind: 'sign_in', operation: 'signIn', actor_name: 'ada@example.com' },
  ]);
  const mails = await mailsTo('ada@example.com');
  expect(mails[0]).toMatchObject({ template: 'sign_up_email', account_id: 0 });
  expect(mails[0]?.text).not.toContain('Ada & Co'); // nobody mails own words to others
});

test('a link opens one account: used, twice at once, late, or made up', async () => {
  const path = await asked('twice@example.com', 'Twice');
  const [one, other] = [createPerson(api), createPerson(api)];
  const screens = await Promise.all([one.open(path), other.open(path)]);
  const fields = { name: 'Twice', password: PASSWORD };
  const answers = await Promise.all(
    [one, other].map((person, index) => person.send(screens[index] ?? screens[0], path, fields)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  expect(await accountsNamed('Twice')).toBe(2); // live and sandbox
  expect((await one.open(path)).status).toBe(404);
  expect((await one.open('/sign_up/made-up')).status).toBe(404);
  const late = await asked('late@example.com', 'Late');
  now += 3_600_000;
  expect((await one.open(late)).status).toBe(404);
  expect(await accountsNamed('Late')).toBe(0);
});

test('two links of one new address: the second needs the sign-in of the first', async () => {
  const paths = [await asked('both@example.com', 'First'), await asked('both@example.com', 'Second')];
  const persons = paths.map(() => createPerson(api));
  const fields = { name: 'Both', password: PASSWORD };
  const answers = await Promise.all(
    persons.map(async (person, index) =>
      person.send(await person.open(paths[index] ?? ''), paths[index] ?? '', fields),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect(await rows(`select 1 from person where email = 'both@example.com'`)).toHaveLength(1);
});

test('a person who signs in already opens a further account only when signed in with that address', async () => {
  const credentials = await addMember(api, api.live.account, 'known@acme.example');
  const path = await asked('known@acme.example', 'Second business');
  const person = createPerson(api);
  const screen = await person.open(path);
  expect(screen.text).toContain('Sign in to open it');
  const form_token = person.cookies.get('__Host-perennial_form') ?? '';
  const taken = await person.post(path, { form_token, name: 'Thief', password: PASSWORD });
  expect([taken.status, await accountsNamed('Second business')]).toEqual([400, 0]);
  const stranger = createPerson(api);
  const others = await addMember(api, api.live.account, 'other@acme.example');
  await signInAt(stranger, new URL('/accounts', api.deps.publicUrl), others);
  const foreign = await stranger.post(path, { form_token: stranger.cookies.get('__Host-perennial_form') ?? '' });
  expect([foreign.status, await accountsNamed('Second business')]).toEqual([400, 0]);
  const link = new URL(`/sign_in?return_to=${encodeURIComponent(path)}`, api.deps.publicUrl);
  const confirm = await signInAt(person, link, credentials);
  expect((await person.send(confirm, path)).text).toContain('Second business');
  expect(await rows('select 1 from person where email = ?', 'known@acme.example')).toHaveLength(1);
});

test('the answer does not tell whether an address is known', async () => {
  const [known, unknown] = await Promise.all(
    ['known@acme.example', 'nobody@acme.example'].map((email) => ask(createPerson(api), { email, business: 'Quiet' })),
  );
  expect(unknown?.text.replaceAll('nobody@', 'known@')).toBe(known?.text);
});

test.each([
  ['no address', { email: 'ada', business: 'Ada' }, 'must be an email address'],
  ['a letter that looks like another', { email: 'аda@example.com', business: 'Ada' }, 'ASCII letters'],
  ['a huge name', { email: 'ada@example.com', business: 'A'.repeat(256) }, 'at most 255'],
  ['an invisible name', { email: 'ada@example.com', business: '\u200b \u2060' }, 'missing'],
  ['a long address', { email: `${'a'.repeat(250)}@example.com`, business: 'Ada' }, 'must be an email address'],
])('%s is refused', async (_what, fields, message) => {
  const screen = await ask(createPerson(api), fields);
  expect([screen.status, screen.text.includes(message)]).toEqual([400, true]);
});

test('a domain that looks like another is shown as it is', async () => {
  expect((await ask(createPerson(api), { email: 'ada@exаmple.com', business: 'Ada' })).text).toContain('ada@xn--');
});

test('mails to one address are bounded, however it is written', async () => {
  const email = 'bounded@example.com';
  for (let count = 0; count < 5; count++) await asked(email);
  const screen = await ask(createPerson(api), { email: ' Bounded@Example.com ', business: 'Ada' });
  expect([screen.status, screen.headers.get('Retry-After')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  now += 3_600_000;
});

test('where only operators open accounts, nothing is mailed and no link works', async () => {
  const path = await asked('closed@example.com', 'Closed');
  const mails = (await mailsTo('closed@example.com')).length;
  const closed = await startApi({ systemNow: () => new Date(now) });
  const person = createPerson(closed);
  const pages = [await person.open('/sign_up'), await person.open(path)];
  await person.open('/sign_in');
  const form_token = person.cookies.get('__Host-perennial_form') ?? '';
  pages.push(await person.post('/sign_up', { form_token, email: 'closed@example.com', business: 'Closed' }));
  expect(pages.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect((await person.open('/sign_in')).text).not.toContain('/sign_up');
  await closed.close();
  expect(await mailsTo('closed@example.com')).toHaveLength(mails);
});
