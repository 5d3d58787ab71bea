import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hashSecret } from '../../../commands/kernel/secrets.ts';
import { checkInvitationCode } from '../../../commands/people/joining.ts';
import { Member } from '../../../db/schema/member.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { addMember } from '../../support/oauth.ts';
import { createPerson, type Person, type Screen } from '../../support/person.ts';

let api: TestApi;
let client: Client;
let now = Date.parse('2027-03-01T10:00:00Z');
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now) });
  client = api.live;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const PASSWORD = 'a long secret of mine';

/** Invites somebody. Returns the paths of the mailed and of the copied link. */
async function invite(email: string): Promise<{ mailed: string; copied: string }> {
  const { invitation_url } = await client.make('/members', { email, role: 'employee' });
  const [, mailed = ''] = /(\/invitations\/\w+)/.exec(await lastMail(email)) ?? [];
  return { mailed, copied: new URL(invitation_url).pathname };
}

async function lastMail(email: string): Promise<string> {
  const sql = 'select text from email where to_address = ? order by created_at desc, id desc limit 1';
  const [mail] = await api.em.fork().execute<{ text: string }[]>(sql, [email]);
  return mail?.text ?? '';
}

const join = (person: Person, screen: Screen, path: string, fields = {}) =>
  person.send(screen, path, { name: 'Grace', password: PASSWORD, ...fields });

const statusOf = async (email: string) =>
  (await api.em.fork().execute('select status, name from member where email = ?', [email]))[0];

test('somebody new joins by the mailed link, once, and is signed in', async () => {
  const { mailed } = await invite('grace@acme.example');
  const person = createPerson(api);
  const screen = await person.open(mailed);
  expect(screen.text).toContain('Join Acme');
  expect(await statusOf('grace@acme.example')).toMatchObject({ status: 'invited' }); // opening accepts nothing
  const weak = await join(person, screen, mailed, { password: 'short' });
  expect([weak.status, weak.text.includes('at least 10 characters')]).toEqual([400, true]);
  const joined = await join(person, weak, mailed);
  expect([joined.url.pathname, joined.text.includes('Employee')]).toEqual(['/accounts', true]);
  expect(await statusOf('grace@acme.example')).toEqual({ status: 'active', name: 'Grace' });
  expect((await createPerson(api).open(mailed)).status).toBe(404);
});

test('a copied link mails a code first, which counts for this browser and address', async () => {
  const { copied } = await invite('copy@acme.example');
  const person = createPerson(api);
  const asked = await person.send(await person.open(copied), copied);
  const [code = ''] = /\b\d{6}\b/.exec(await lastMail('copy@acme.example')) ?? [];
  const wrong = await join(person, asked, copied, { code: code === '000000' ? '000001' : '000000' });
  expect([wrong.status, wrong.text.includes('not the code')]).toEqual([400, true]);
  const other = createPerson(api);
  const stranger = await other.open(copied);
  expect((await join(other, stranger, copied, { code })).status).toBe(400); // another browser
  expect(await statusOf('copy@acme.example')).toMatchObject({ status: 'invited' });
  const sql = 'select data from person_secret where purpose = ? order by id desc limit 1';
  const [row] = await api.em.fork().execute<{ data: { codeHash: string } }[]>(sql, ['email_code']);
  const guessed = [code, `copy@acme.example:${code}`].map(hashSecret);
  expect(guessed).not.toContain(row?.data.codeHash); // the row alone does not tell the code
  const cookie = person.cookies.get('__Host-perennial_step') ?? '';
  expect((await join(person, wrong, copied, { code })).url.pathname).toBe('/accounts');
  const again = { ...(await proofOf('copy@acme.example')), secret: cookie, code };
  await expect(checkInvitationCode(api.em.fork(), again, new Date(now))).rejects.toThrow('not the code'); // it was used up
});

const proofOf = async (email: string) => ({ member: await api.em.fork().findOneOrFail(Member, { email }) });

test('codes are mailed five times an hour, and one browser tries five codes', async () => {
  const { copied } = await invite('tries@acme.example');
  const person = createPerson(api);
  const asked = await person.send(await person.open(copied), copied);
  const [code = ''] = /\b\d{6}\b/.exec(await lastMail('tries@acme.example')) ?? [];
  for (let count = 0; count < 5; count++) await join(person, asked, copied, { code: 'wrong' });
  expect((await join(person, asked, copied, { code })).text).toContain('Too many wrong codes');
  for (let count = 0; count < 4; count++) await person.send(await person.open(copied), copied);
  expect((await person.send(await person.open(copied), copied)).status).toBe(429);
});

test('somebody who signs in here already joins as the invited address only', async () => {
  const other = await api.open('Borealis');
  const credentials = await addMember(api, other.live.account, 'known@acme.example');
  const { copied } = await invite('known@acme.example');
  const person = createPerson(api);
  const screen = await person.open(copied);
  expect(screen.text).toContain('Sign in to join');
  const stranger = await addMember(api, other.live.account, 'stranger@acme.example');
  const signIn = async (who: typeof stranger) =>
    person.send(await person.open(`/sign_in?return_to=${copied}`), '/sign_in', { ...who });
  expect((await signIn(stranger)).text).toContain('Sign in to join');
  const ready = await signIn(credentials);
  expect((await person.send(ready, copied)).text).toContain('Borealis');
  expect(await statusOf('known@acme.example')).toMatchObject({ status: 'active' });
});

test('an invitation ends after seven days, and of two acceptances at once one counts', async () => {
  const { mailed } = await invite('late@acme.example');
  const people = [createPerson(api), createPerson(api)];
  const opened = await Promise.all(people.map(async (person) => ({ person, screen: await person.open(mailed) })));
  const answers = await Promise.all(opened.map(({ person, screen }) => join(person, screen, mailed)));
  expect(answers.filter(({ url }) => url.pathname === '/accounts')).toHaveLength(1);
  const { mailed: ending } = await invite('ending@acme.example');
  now += 7 * 86_400_000;
  expect((await createPerson(api).open(ending)).status).toBe(404);
});
