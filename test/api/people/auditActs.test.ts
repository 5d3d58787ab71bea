import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { members } from '../../../bin/members.ts';
import { csrfOf } from '../../../commands/people/sessions.ts';
import { withAccount } from '../../../db/tenant.ts';
import { basic, type Client, type TestApi } from '../../support/api.ts';
import { actsOf } from '../../support/auditLog.ts';
import { TEST_KEY } from '../../support/database.ts';
import { addMember, type Credentials, signInNewPerson, startSignIn } from '../../support/oauth.ts';
import { askAsPage, type Sent, sessionCookie } from '../../support/ownPage.ts';
import { approveOn, cardTokens, formOn, payOn, planFor, sendForm, visitPage } from '../../support/payPage.ts';
import { colleague } from '../../support/people.ts';
import { remindersPath } from '../../support/reminders.ts';
import { inputsOf, sourceVisitor } from '../../support/sourcePage.ts';
import { upload } from '../../support/upload.ts';

/** Which acts are in the audit log of which account. */

let api: TestApi;
let credentials: Credentials;
let now = Date.now();
beforeAll(async () => {
  ({ api, credentials } = await startSignIn({ systemNow: () => new Date(now) }));
});
afterEach(() => expect(api.faults).toEqual([]));
afterAll(() => api.close());

const newest = async (client: Client, query = '') => (await actsOf(client, query))[0];
const ask = (cookie: string, sent: Sent) => askAsPage(api, cookie, sent);

/** Rows of the log of an account, as its own connections or those of its twin see them. */
function rowsSeen(from: Client, of: Client): Promise<{ count: number }[]> {
  const sql = 'select count(*)::int as count from audit_log where account_id = ?';
  return withAccount(from.account.id, () => api.deps.em.fork().execute(sql, [of.account.id]));
}

const PLANT = `insert into audit_log (account_id, created_at, kind, actor, operation) values (?, now(), 'change', 'system', 'planted')`;
const plant = (from: Client, to: number) => withAccount(from.account.id, () => api.deps.em.fork().execute(PLANT, [to]));

test('members and roles that the sandbox changes are in the log of the live account, with the values', async () => {
  const { live, sandbox } = api;
  const { id } = await sandbox.make('/members', { email: 'twin@example.com', role: 'employee' });
  await sandbox.patch(`/members/${id}`, { role: 'read_only' });
  const role = await sandbox.make('/roles', { name: 'Twins', permissions: ['customers.read'] });
  await sandbox.delete(`/roles/${role.id}`);
  await sandbox.delete(`/members/${id}`);
  const acts = await actsOf(live, '?per_page=5');
  expect(acts.map(({ operation }) => operation)).toEqual([
    'deleteMember',
    'deleteRole',
    'createRole',
    'updateMember',
    'inviteMember',
  ]);
  expect(acts[3]).toMatchObject({
    object_type: 'member',
    object_id: String(id),
    before: { role: 'employee' },
    after: { role: 'read_only' },
    actor: { type: 'api_key' },
  });
  expect(await actsOf(sandbox, `?related_to=member,${id}`)).toEqual([]);
  await sandbox.make('/customers', { name: 'Own' });
  expect(await newest(sandbox)).toMatchObject({ operation: 'createCustomer' });
  expect((await newest(live))?.operation).toBe('deleteMember');
});

test('a member changed by a page in the sandbox, by the operator, and a refused change are in the live log, too', async () => {
  const { live, sandbox } = api;
  const cookie = await sessionCookie(api, credentials);
  const invited = { email: 'paged@example.com', role: 'employee' };
  const made = await ask(cookie, { method: 'POST', path: '/sandbox/api/members', body: invited });
  expect(made.status).toBe(201);
  expect(await newest(live)).toMatchObject({ operation: 'inviteMember', actor: { type: 'member' }, kind: 'secret' });
  const config = { databaseUrl: api.databaseUrl, encryptionKey: TEST_KEY, publicUrl: 'https://billing.example' };
  const args = [String(sandbox.account.id), 'role', invited.email, 'read_only'];
  expect(await members(() => config, args, { log: () => undefined, error: () => undefined })).toBe(0);
  expect(await newest(live)).toMatchObject({ operation: 'updateMember', actor: { type: 'operator' } });
  const { client, id } = await colleague(api, sandbox, { role: 'read_only' });
  expect((await client.post('/members', invited)).status).toBe(403);
  expect(await newest(live, `?member=${id}`)).toMatchObject({ kind: 'refusal', operation: 'inviteMember' });
});

test('a sandbox adds to the log of its live account and sees none of it; other accounts, and the live one, add nothing elsewhere', async () => {
  const { live, sandbox } = api;
  const other = await api.open('Elsewhere');
  await sandbox.make('/members', { email: 'seen@example.com', role: 'employee' });
  expect(await rowsSeen(sandbox, live)).toEqual([{ count: 0 }]);
  expect((await rowsSeen(live, live))[0]?.count).toBeGreaterThan(0);
  await expect(plant(sandbox, other.live.account.id)).rejects.toThrow('row-level security');
  await expect(plant(live, sandbox.account.id)).rejects.toThrow('row-level security');
  await expect(plant(other.sandbox, live.account.id)).rejects.toThrow('row-level security');
});

test.each([
  ['a read that another site began', {}, { 'Sec-Fetch-Site': 'cross-site' }, 'can read'],
  ['a write from another site', { method: 'POST' }, { Origin: 'https://evil.example' }, 'can write'],
  ['a write without the CSRF token', { method: 'POST' }, { 'X-CSRF-Token': '' }, 'X-CSRF-Token'],
])('%s is in the log of the account that it names, by a visitor', async (_what, sent, headers, reason) => {
  const { live } = await api.open('Named');
  const cookie = await sessionCookie(api, await addMember(api, live.account, `named${live.account.id}@example.com`));
  const here = { ...sent, account: live.account.id, headers };
  for (let turn = 0; turn < 2; turn++) expect((await ask(cookie, here)).status).toBe(403);
  const acts = await actsOf(live, '?kind=refusal');
  expect(acts[0]).toMatchObject({ operation: 'authenticate', actor: { type: 'visitor' }, ip: '127.0.0.1' });
  expect(acts[0]?.reason).toContain(reason);
  expect(acts.reduce((sum, { count }) => sum + count, 0)).toBe(2);
});

test('one that names no account is in the logs of all accounts of the person, and one with a made-up cookie in none', async () => {
  const [one, two] = [await api.open('First home'), await api.open('Second home')];
  const member = await addMember(api, one.live.account, 'homes@example.com');
  const sql = `insert into member (account_id, person_id, email, created_at, updated_at)
    select ?, id, email, now(), now() from person where email = ?`;
  await api.em.fork().execute(sql, [two.live.account.id, member.email]);
  const cookie = await sessionCookie(api, member);
  const headers = { 'Sec-Fetch-Site': 'cross-site', 'Perennial-Account': '' };
  expect((await ask(cookie, { headers })).status).toBe(403);
  expect((await ask('made-up', { headers })).status).toBe(403);
  for (const { live } of [one, two])
    expect(await actsOf(live, '?kind=refusal')).toMatchObject([{ operation: 'authenticate', count: 1 }]);
  expect((await actsOf(api.live, '?kind=refusal&operation=authenticate')).length).toBe(0);
});

test('a form that is not ours, and a page that the role does not open, are in the log', async () => {
  const { live } = await api.open('Paged');
  const of = await addMember(api, live.account, 'paged.member@example.com');
  const { person, screen } = await signInNewPerson(api, of, '/security');
  expect(screen.status).toBe(200);
  expect((await person.post('/security', { form_token: 'made-up', action: 'end' })).status).toBe(403);
  await person.post('/security', {}, { Origin: 'https://evil.example' });
  await api.em.fork().execute(`update member set role = 'employee' where email = ?`, [of.email]);
  expect((await person.open('/oauth/applications')).status).toBe(403);
  expect((await person.post('/oauth/applications', { name: 'Foreign' })).status).toBe(403);
  const acts = await actsOf(live, '?kind=refusal');
  const seen = acts.map(({ operation, actor, reason }) => [operation, actor.type, reason]);
  expect(seen).toContainEqual(['usePage', 'member', expect.stringContaining('developers.read')]);
  expect(seen).toContainEqual(['authenticate', 'visitor', 'The form came from elsewhere']);
  expect(seen).toContainEqual(['authenticate', 'visitor', 'The form has expired']);
});

test('a session without the second factor that the account demands, and one whose sign-in is old, are in the log', async () => {
  const { live } = await api.open('Strict');
  const cookie = await sessionCookie(api, await addMember(api, live.account, 'strict@example.com'));
  const key = { account: live.account.id, method: 'POST', path: '/api/api_keys', body: { name: 'Key' } };
  now += 600_000;
  expect((await ask(cookie, key)).body.code).toBe('sign_in_again');
  const bank = { ...key, method: 'PATCH', path: '/api/account', body: { bank_details: [] } };
  expect((await ask(cookie, bank)).body.code).toBe('sign_in_again');
  await live.patch('/account', { require_second_factor: true });
  expect((await ask(cookie, { ...key, path: '/sandbox/api/api_keys' })).body.code).toBe('second_factor_required');
  expect((await ask(cookie, key)).body.code).toBe('second_factor_required');
  const acts = await actsOf(live, '?kind=refusal');
  expect(acts.map(({ operation, actor }) => [operation, actor.type])).toEqual([
    ['authenticate', 'member'],
    ['updateAccount', 'member'],
    ['createApiKey', 'member'],
  ]);
  expect(acts[1]?.reason).toContain('sign in again');
});

test('a write that the policy of limited members refuses is in the log, counted', async () => {
  const { client, id } = await colleague(api, api.sandbox, { role: 'administrator', isLimited: true });
  const cadence = { name: 'All', steps: [{ schedule: 'past_due:3', action: 'email' }] };
  const fee = { name: 'Late', fee: 5 };
  const answers = [];
  for (const [path, body] of [
    ['/chasing_cadences', cadence],
    ['/late_fee_schedules', fee],
  ] as const)
    for (let turn = 0; turn < 2; turn++) answers.push(await client.post(path, body));
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  const acts = await actsOf(api.sandbox, `?member=${id}&kind=refusal`);
  expect(acts.reduce((sum, { count }) => sum + count, 0)).toBe(4);
  expect(acts.every(({ reason }) => /customers/.test(reason ?? ''))).toBe(true);
});

test('what a customer does on its pages is in the log, by its id and from its address', async () => {
  const { sandbox } = api;
  const { id: customer } = await sandbox.make('/customers', { name: 'Ada', email: 'ada@example.com' });
  const invoice = await sandbox.make('/invoices', { customer, items: [{ unit_cost: 900 }] });
  const estimate = await sandbox.make('/estimates', { customer, items: [{ unit_cost: 9 }] });
  await approveOn(api, estimate.url);
  const reminders = await remindersPath(api, invoice);
  for (const answer of ['stop', 'stop', 'resume']) await sendForm(api, reminders, { reminders: answer });
  const { approval_url } = await planFor(sandbox, invoice, { require_approval: true });
  const plan = inputsOf(await visitPage(api, approval_url));
  await sendForm(api, approval_url, { ...plan, initials: 'AL', consent: 'yes' });
  const paid = await sandbox.make('/invoices', { customer, items: [{ unit_cost: 7 }] });
  const { service_token: _none, ...form } = formOn(await visitPage(api, paid.payment_url));
  for (let turn = 0; turn < 2; turn++) await payOn(api, paid.payment_url, { card: cardTokens.good, fields: form });
  const visitor = await sourceVisitor(api, sandbox);
  await visitor.add(await visitor.pathOf(customer), 'tok_5454545454545454');
  const acts = (await actsOf(sandbox)).filter(({ actor }) => actor.type === 'customer');
  expect(acts.map(({ operation, object_type, object_id }) => [operation, object_type, object_id]).toReversed()).toEqual(
    [
      ['approveEstimateOnPage', 'estimate', String(estimate.id)],
      ['stopRemindersOnPage', 'customer', String(customer)],
      ['resumeRemindersOnPage', 'customer', String(customer)],
      ['approvePaymentPlanOnPage', 'invoice', String(invoice.id)],
      ['payOnPage', 'invoice', String(paid.id)],
      ['addSourceOnPage', 'customer', String(customer)],
    ],
  );
  for (const { actor, ip } of acts) {
    expect(actor).toEqual({ type: 'customer', id: customer, name: null, member: null });
    expect(ip).toMatch(/^\d+\./);
  }
});

test('a PDF, an e-invoice, a file and a list as CSV are exports, one entry each; what customers open, HEAD and JSON are none', async () => {
  const { sandbox } = await api.open('Exports');
  const { id: customer } = await sandbox.make('/customers', { name: 'Ada', country: 'DE' });
  const invoice = await sandbox.make('/invoices', { customer, items: [{ unit_cost: 9 }] });
  const parts = [{ name: 'file', filename: 'a.html', type: 'text/html', content: '<script>alert(1)</script>' }];
  const file = (await upload(sandbox, parts)).body;
  const load = async (path: string, accept: string, method = 'GET') => {
    const response = await fetch(`${sandbox.url}${path}`, { method, headers: { ...basic(sandbox.key), accept } });
    return {
      status: response.status,
      type: response.headers.get('Content-Type'),
      text: await response.text(),
      response,
    };
  };
  expect((await load(`/invoices/${invoice.id}`, 'application/pdf')).type).toBe('application/pdf');
  expect((await load(`/invoices/${invoice.id}`, 'application/pdf', 'HEAD')).status).toBe(200);
  const bytes = await load(`/files/${file.id}`, 'application/octet-stream');
  expect(bytes).toMatchObject({ status: 200, type: 'text/html', text: '<script>alert(1)</script>' });
  expect(bytes.response.headers.get('Content-Disposition')).toMatch(/^attachment/);
  expect(bytes.response.headers.get('Content-Security-Policy')).toMatch(/^sandbox;/);
  expect((await load('/audit_log', 'text/csv')).type).toContain('text/csv');
  expect((await load(`/files/${file.id}`, 'application/json')).type).toContain('application/json');
  await fetch(invoice.url.replace(api.deps.publicUrl, api.origin));
  await fetch(`${invoice.url.replace(api.deps.publicUrl, api.origin)}/pdf`);
  await fetch(file.url.replace(api.deps.publicUrl, api.origin));
  const acts = await actsOf(sandbox, '?kind=export');
  expect(acts.map(({ operation, object_type, object_id }) => [operation, object_type, object_id])).toEqual([
    ['listAuditLog', null, null],
    ['readFile', 'file', String(file.id)],
    ['readInvoice', 'invoice', String(invoice.id)],
  ]);
});

test('a page learns its CSRF token from GET /me, a key has none', async () => {
  const cookie = await sessionCookie(api, credentials);
  const { body } = await ask(cookie, { path: '/api/me' });
  expect(body.csrf_token).toBe(csrfOf(cookie));
  const headers = { 'X-CSRF-Token': String(body.csrf_token) };
  expect((await ask(cookie, { method: 'POST', headers, body: { name: 'By token' } })).status).toBe(201);
  expect((await api.live.get('/me')).body.csrf_token).toBeNull();
});
