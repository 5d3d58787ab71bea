import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { members } from '../../../bin/members.ts';
import { accounts } from '../../../bin/openBusiness.ts';
import { Passkey, Person, PersonSession, RecoveryCode } from '../../../db/schema/person.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { TEST_KEY } from '../../support/database.ts';
import { colleague } from '../../support/people.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** Runs a command of the operator. Returns its exit code and what it printed. */
async function printed(command: typeof members, args: readonly string[]): Promise<[number, string]> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const config = { databaseUrl: api.databaseUrl, encryptionKey: TEST_KEY, publicUrl: 'https://billing.example' };
  const code = await command(() => config, args, { log: print, error: print });
  return [code, lines.join('\n')];
}

/** Runs `perennial members` for the sandbox. */
const run = (...args: string[]) => printed(members, [String(api.sandbox.account.id), ...args]);

/** What the operator did, in the audit log of an account. */
const actsIn = (accountId: number) =>
  api.em
    .fork()
    .execute<{ operation: string; object_type: string; object_id: string }[]>(
      `select operation, object_type, object_id from audit_log where account_id = ? and actor = 'operator' order by id`,
      [accountId],
    );

test('the operator invites, gives roles, deactivates and lists members', async () => {
  const [code, line] = await run('invite', 'Operator.Made@example.com', 'employee', '--own-customers');
  expect([code, line]).toEqual([0, expect.stringContaining('https://billing.example/invitations/')]);
  const [invited] = (await api.sandbox.get('/members?filter[email]=operator.made@example.com')).body;
  expect(invited).toMatchObject({ status: 'invited', owner_limited: true, invited_by: null });
  expect(await run('role', 'operator.made@example.com', 'read_only')).toEqual([
    0,
    expect.stringContaining('read_only'),
  ]);
  expect((await run())[1]).toMatch(/operator\.made@example\.com +read_only +invited +own customers only/);
  expect((await run('deactivate', 'operator.made@example.com'))[0]).toBe(0);
  expect((await api.sandbox.get(`/members/${invited.id}`)).body.status).toBe('deactivated');
  expect(await run('activate', 'operator.made@example.com')).toEqual([1, expect.stringContaining('never accepted')]);
  const { email, id } = await colleague(api, api.sandbox, { role: 'employee', status: 'deactivated' });
  expect((await run('activate', email))[0]).toBe(0);
  expect((await api.sandbox.get(`/members/${id}`)).body.status).toBe('active');
  const values = await api.em
    .fork()
    .execute<{ before: object; after: object }[]>(
      `select before, after from audit_log where account_id = ? and actor = 'operator' order by id`,
      [api.live.account.id],
    );
  expect(values).toMatchObject([
    { before: {}, after: { email: 'operator.made@example.com', role: 'employee', owner_limited: true } },
    { before: { role: 'employee' }, after: { role: 'read_only' } },
    { before: { status: 'invited' }, after: { status: 'deactivated' } },
    { before: { status: 'deactivated' }, after: { status: 'active' } },
  ]);
  const about = { object_type: 'member', object_id: String(invited.id) };
  expect(await actsIn(api.live.account.id)).toEqual([
    { operation: 'inviteMember', ...about },
    { operation: 'updateMember', ...about },
    { operation: 'updateMember', ...about },
    { operation: 'updateMember', object_type: 'member', object_id: String(id) },
  ]);
});

test('the operator opens a business, for somebody new or known, and lists all', async () => {
  const [code, text] = await printed(accounts, ['create', 'Operated', 'Boss@Operated.example']);
  expect([code, text]).toEqual([0, expect.stringMatching(/Sign-in +Boss@Operated\.example +password \w{20}/)]);
  const [, live = ''] = /api +account (\d+) +key sk_live_/.exec(text) ?? [];
  const opened = { operation: 'openAccount', object_type: 'account', object_id: live };
  expect(await actsIn(Number(live))).toEqual([opened]);
  const again = await printed(accounts, ['create', 'Operated too', 'boss@operated.example']);
  expect(again).toEqual([0, expect.stringContaining('with the password that it has here already')]);
  const [, list] = await printed(accounts, []);
  expect(list).toMatch(new RegExp(`^ +${live} +\\d+ +Operated +1 member +boss@operated\\.example$`, 'm'));
  expect(await printed(accounts, ['list'])).toEqual([0, list]);
  expect(await printed(accounts, ['create', 'Operated', 'nobody'])).toEqual([1, expect.stringContaining('email')]);
  expect(await printed(accounts, ['create', '\u200b', 'a@b.example'])).toEqual([1, expect.stringContaining('visible')]);
  for (const args of [['create', 'Nobody'], ['open'], ['list', 'all'], ['create', 'a', 'b@c.example', 'd']])
    expect(await printed(accounts, args)).toEqual([1, expect.stringContaining('Usage')]);
  expect(await printed(accounts, ['--help'])).toEqual([0, expect.stringContaining('Usage')]);
});

test('what the API refuses, the command refuses', async () => {
  const [only] = (await api.sandbox.get('/members')).body;
  expect(await run('deactivate', only.email)).toEqual([1, expect.stringContaining('last active administrator')]);
  expect(await run('role', only.email, 'king')).toEqual([1, expect.stringContaining('king')]);
  expect(await run('role', 'nobody@example.com', 'employee')).toEqual([1, expect.stringContaining('nobody')]);
  expect(await run('invite', only.email, 'employee')).toEqual([1, expect.stringContaining('member already')]);
  expect(await run('promote', only.email)).toEqual([1, expect.stringContaining('Usage')]);
});

test('the operator resets the factors of a member, who is signed out', async () => {
  const { email } = await colleague(api, api.sandbox, { role: 'employee' });
  const other = await colleague(api, api.sandbox, { role: 'employee' });
  const second = await api.open('Second account of the member');
  await colleague(api, second.sandbox, { role: 'employee', email });
  const now = new Date();
  const later = new Date(now.getTime() + 1e9);
  await inTransaction(api.em, async (em) => {
    for (const one of [email, other.email]) {
      const person = await em.findOneOrFail(Person, { email: one });
      em.assign(person, { sealedTotpSecret: 'sealed', totpStep: 3 });
      em.create(RecoveryCode, { person, hash: 'a'.repeat(64) });
      const key = { publicKey: 'k', counter: 0, transports: [], name: 'Phone', createdAt: now };
      em.create(Passkey, { person, credentialId: one, ...key });
      const seen = { proofs: [], provenAt: now, lastSeenAt: now, ip: '192.0.2.1', createdAt: now, expiresAt: later };
      em.create(PersonSession, { person, hash: `${person.id}`.padStart(64, '0'), ...seen });
    }
  });
  expect((await run('reset-factor', email.toUpperCase()))[0]).toBe(0);
  const left = await api.em.fork().execute(
    `select p.email, p.totp_step from person p join passkey k on k.person_id = p.id join recovery_code r on r.person_id = p.id
     join person_session s on s.person_id = p.id`,
  );
  expect(left).toEqual([{ email: other.email, totp_step: 3 }]);
  expect((await actsIn(second.live.account.id)).map(({ operation }) => operation)).toEqual(['resetFactors']);
  const reset = await api.em.fork().findOneOrFail(Person, { email });
  expect(reset.sealedTotpSecret).toBeNull();
});
