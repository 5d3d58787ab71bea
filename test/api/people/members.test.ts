import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findInvitation } from '../../../commands/people/joining.ts';
import { basic, type Client, clientOf, refused, send, startApi, type TestApi } from '../../support/api.ts';
import { colleague } from '../../support/people.ts';

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(() => api.close());

const WEEK = 7 * 24 * 3600;
const tokenIn = (url: string): string => url.split('/invitations/')[1] ?? '';

async function mailTo(email: string) {
  const sql = `select subject, html, text, message from email where to_address = ? and template = 'invitation_email' order by id`;
  return api.em.fork().execute<{ subject: string; html: string; text: string; message: string }[]>(sql, [email]);
}

test('an invitation is mailed, its link returned once, and its role can change while it waits', async () => {
  const invited = await client.make('/members', { email: 'Grace@Example.com', name: 'Grace', role: 'employee' });
  const now = Math.floor(Date.now() / 1000);
  expect(invited).toMatchObject({
    object: 'member',
    email: 'grace@example.com',
    name: 'Grace',
    role: 'employee',
    owner_limited: false,
    status: 'invited',
  });
  expect(Math.abs(invited.invitation_ends_at - now - WEEK)).toBeLessThan(60);
  const { body: read } = await client.get(`/members/${invited.id}`);
  expect(read).not.toHaveProperty('invitation_url');
  const changed = await client.patch(`/members/${invited.id}`, { role: 'read_only', owner_limited: true });
  expect(changed.body).toMatchObject({ role: 'read_only', owner_limited: true, status: 'invited' });
  expect((await client.patch(`/members/${invited.id}`, read)).body).toMatchObject({ role: 'employee' });
});

test('only the mailed link proves the address, and no member can read it', async () => {
  const invited = await client.make('/members', { email: 'proof@example.com', role: 'employee' });
  const [mail] = await mailTo('proof@example.com');
  const [, mailed = ''] = /\/invitations\/([A-Za-z0-9]+)/.exec(mail?.text ?? '') ?? [];
  const copied = tokenIn(invited.invitation_url);
  expect(mailed).not.toBe('');
  expect(mail?.html).not.toContain(copied);
  const at = (days: number) => new Date(Date.now() + days * 24 * 3_600_000);
  const found = (token: string, days = 0) => findInvitation(api.em.fork(), token, at(days));
  expect(await found(copied)).toMatchObject({ isProof: false, member: { id: invited.id } });
  expect(await found(mailed)).toMatchObject({ isProof: true, member: { id: invited.id } });
  expect(await found(copied, 6.9)).not.toBeNull();
  expect(await found(copied, 7.1)).toBeNull();
  expect(await found(mailed, 7.1)).toBeNull();
  expect(await found('0'.repeat(64))).toBeNull();
  const again = await client.make(`/members/${invited.id}/invitations`);
  expect(await found(copied)).toBeNull();
  expect(await found(mailed)).toBeNull();
  expect(await found(tokenIn(again.invitation_url))).not.toBeNull();
  const shown = JSON.stringify((await client.get('/emails?sort=id desc')).body);
  expect(shown).toContain('proof@example.com');
  expect(shown).not.toContain('/invitations/');
  await client.delete(`/members/${invited.id}`);
  expect(await found(tokenIn(again.invitation_url))).toBeNull();
});

test.each([
  ['somebody who is a member', 'busy@example.com', 'already_taken'],
  ['a member in other letters', 'BUSY@Example.Com', 'already_taken'],
  ['no address', 'nobody', 'parameter_invalid'],
  ['letters that look alike before the @', 'b\u0443sy@example.com', 'parameter_invalid'],
  ['an address with a name', 'Ada <ada@example.com>', 'parameter_invalid'],
])('an invitation of %s is refused', async (_what, email, code) => {
  if ((await client.get('/members?filter[email]=busy@example.com')).body.length === 0)
    await colleague(api, client, { role: 'employee', email: 'busy@example.com' });
  const answer = await client.post('/members', { email, role: 'employee' });
  expect(answer).toMatchObject(refused({ code, param: 'email' }));
});

test('a domain with other letters is shown and compared in ASCII', async () => {
  const invited = await client.make('/members', { email: 'ada@\u0430pple.com', role: 'read_only' });
  expect(invited.email).toBe('ada@xn--pple-43d.com');
  const again = await client.post('/members', { email: 'ADA@XN--PPLE-43D.com', role: 'read_only' });
  expect(again).toMatchObject(refused({ code: 'already_taken', param: 'email' }));
});

test('bad input', async () => {
  const wrong = { email: 'wrong@example.com', role: 'employee' };
  expect(await client.post('/members', { ...wrong, role: 'king' })).toMatchObject(refused({ param: 'role' }));
  expect(await client.post('/members', { email: wrong.email })).toMatchObject(refused({ param: 'role' }));
  const other = await api.open('Other');
  const foreign = await colleague(api, other.sandbox, { role: 'employee' });
  const change = await client.patch(`/members/${foreign.id}`, { owner_limited: true });
  expect(change).toMatchObject(refused({ code: 'resource_missing' }, 404));
  const { id } = await colleague(api, client, { role: 'employee' });
  expect(await client.post(`/members/${id}/invitations`)).toMatchObject(refused({ code: 'state_conflict' }));
  expect(await client.patch(`/members/${id}`, { status: 'invited' })).toMatchObject(refused({ param: 'status' }));
  const waiting = await client.make('/members', { email: 'waits@example.com', role: 'employee' });
  const early = await client.patch(`/members/${waiting.id}`, { status: 'active' });
  expect(early).toMatchObject(refused({ code: 'state_conflict', param: 'status' }));
});

test('the key of a member ends with it, and follows its role', async () => {
  const { client: theirs, id } = await colleague(api, client, { role: 'account_manager' });
  expect((await theirs.post('/refunds', {})).status).toBe(400);
  await client.patch(`/members/${id}`, { role: 'read_only' });
  const answer = await theirs.post('/refunds', {});
  expect(answer).toMatchObject(refused({ code: 'permission_missing' }, 403));
  expect(answer.body.message).toContain('refunds.write');
  expect((await theirs.get('/customers')).status).toBe(200);
  expect((await client.delete(`/members/${id}`)).status).toBe(204);
  expect((await theirs.get('/customers')).status).toBe(401);
  expect((await client.get(`/members/${id}`)).body.status).toBe('deactivated');
  await client.patch(`/members/${id}`, { status: 'active' });
  expect((await theirs.get('/customers')).status).toBe(200);
});

test('a key that a member makes is its own; a key of the account makes keys of the account, and manages no people', async () => {
  await client.make('/roles', { id: 'developer', name: 'Developer', permissions: ['developers.write'] });
  const developer = await colleague(api, client, { role: 'developer' });
  const made = await developer.client.make('/api_keys', { name: 'Sync' });
  expect(made.member).toBe(developer.id);
  const theirs = clientOf(client.url, client.account, made.key);
  expect((await theirs.get('/customers')).status).toBe(403);
  expect((await theirs.get('/webhooks')).status).toBe(200);
  await client.delete(`/members/${developer.id}`);
  expect((await theirs.get('/webhooks')).status).toBe(401);
  await api.em.fork().execute(
    `update api_key set member_account_id = null, member_id = null where name = 'First key'
    and account_id = ?`,
    [api.live.account.id],
  );
  const ofAccount = await api.live.make('/api_keys', { name: 'Import' });
  expect(ofAccount.member).toBeNull();
  const imports = clientOf(api.live.url, api.live.account, ofAccount.key);
  expect((await imports.get('/customers')).status).toBe(200);
  for (const path of ['/members', '/roles']) expect((await imports.get(path)).body.message).toContain('people.read');
  expect((await imports.get('/me')).body).toMatchObject({
    member: null,
    email: null,
    account: { environment: 'live' },
  });
});

test('nobody grants more than it holds', async () => {
  const own = ['people.write', 'documents.read'];
  await client.make('/roles', { id: 'staff', name: 'Staff', permissions: own });
  const { client: staff, id } = await colleague(api, client, { role: 'staff' });
  const more = refused({ code: 'permission_missing' }, 403);
  expect(await staff.post('/members', { email: 'x1@example.com', role: 'employee' })).toMatchObject(more);
  expect(await staff.post('/roles', { name: 'More', permissions: ['refunds.write'] })).toMatchObject(more);
  expect(await staff.patch('/roles/staff', { permissions: [...own, 'refunds.read'] })).toMatchObject(more);
  expect(await staff.patch(`/members/${id}`, { role: 'administrator' })).toMatchObject(more);
  const boss = await client.make('/members', { email: 'boss@example.com', role: 'administrator' });
  expect(await staff.post(`/members/${boss.id}/invitations`)).toMatchObject(more);
  expect((await staff.post('/members', { email: 'x2@example.com', role: 'staff' })).status).toBe(201);
  const clerk = await colleague(api, client, { role: 'employee' });
  expect((await staff.patch(`/members/${clerk.id}`, { role: 'read_only' })).status).toBe(200);
  expect(await staff.patch(`/members/${clerk.id}`, { role: 'employee' })).toMatchObject(more);
});

test('the last active administrator stays', async () => {
  const { sandbox } = await api.open('Alone');
  const [alone] = (await sandbox.get('/members')).body;
  const last = refused({ code: 'state_conflict' });
  const second = await colleague(api, sandbox, { role: 'administrator', status: 'deactivated' });
  await sandbox.make('/members', { email: 'invited.admin@example.com', role: 'administrator' });
  expect(await sandbox.delete(`/members/${alone.id}`)).toMatchObject(last);
  expect(await sandbox.patch(`/members/${alone.id}`, { role: 'employee' })).toMatchObject(last);
  expect(await sandbox.patch(`/members/${alone.id}`, { owner_limited: true })).toMatchObject(last);
  await sandbox.patch(`/members/${second.id}`, { status: 'active' });
  expect((await sandbox.patch(`/members/${alone.id}`, { role: 'employee' })).status).toBe(200);
});

test('a deactivated member is invited again', async () => {
  const { id, email } = await colleague(api, client, { role: 'employee', status: 'deactivated' });
  const again = await client.make('/members', { email, role: 'read_only' });
  expect(again).toMatchObject({ id, status: 'invited', role: 'read_only' });
});

test('members are the same in both environments, and nobody else sees them', async () => {
  const ids = async (of: Client) => (await of.get('/members')).body.map(({ id }: { id: number }) => id);
  const { live, sandbox } = await api.open('Both');
  const { id } = await sandbox.make('/members', { email: 'both@example.com', role: 'employee' });
  expect(await ids(live)).toEqual(await ids(sandbox));
  expect(await ids(client)).not.toContain(id);
  const other = await client.get(`/members/${id}`);
  expect(other.status).toBe(404);
});

test('who am I', async () => {
  const { client: theirs, id, email } = await colleague(api, client, { role: 'employee', isLimited: true });
  const { body } = await theirs.get('/me');
  expect(body).toMatchObject({ email, owner_limited: true, member: { id, role: 'employee' } });
  expect(body.permissions).toContain('documents.write');
  expect(body.permissions).not.toContain('settings.read');
  expect(body.accounts).toEqual([body.account]);
  const { body: publishable } = await client.post('/api_keys', { name: 'Page', kind: 'publishable' });
  expect((await send(`${client.url}/me`, { method: 'GET', headers: basic(publishable.key) })).status).toBe(403);
});

test('what a field does needs the permission of what it does', async () => {
  const { client: clerk } = await colleague(api, client, { role: 'employee' });
  const { id: customer } = await clerk.make('/customers', { name: 'Ada' });
  const items = [{ name: 'Hour', unit_cost: 100 }];
  const { id } = await clerk.make('/invoices', { customer, items });
  const missing = (param: string) => refused({ code: 'permission_missing', param }, 403);
  expect(await clerk.patch(`/invoices/${id}`, { closed: true })).toMatchObject(missing('closed'));
  expect(await clerk.post('/invoices', { customer, items, closed: true })).toMatchObject(missing('closed'));
  expect((await clerk.patch(`/invoices/${id}`, { closed: false, notes: 'Open' })).status).toBe(200);
  expect((await clerk.post(`/invoices/${id}/write_off`, { amount: 1, reason: 'Fees' })).status).toBe(403);
  expect((await clerk.delete(`/invoices/${id}`)).status).toBe(403);
  const draft = await clerk.make('/invoices', { customer, items, draft: true });
  expect((await clerk.delete(`/invoices/${draft.id}`)).status).toBe(204);
  const payment = await clerk.make('/payments', { customer, amount: 40 });
  expect(await clerk.patch(`/payments/${payment.id}`, { amount: 0.01 })).toMatchObject(missing('amount'));
  expect((await clerk.patch(`/payments/${payment.id}`, { amount: 41 })).status).toBe(200);
});

test('an expansion needs the permission to read what it shows', async () => {
  await client.make('/roles', { id: 'payer', name: 'Payer', permissions: ['payments.write'] });
  const { client: payer } = await colleague(api, client, { role: 'payer' });
  expect((await payer.get('/payments')).status).toBe(200);
  const answer = await payer.get('/payments?expand=customer');
  expect(answer).toMatchObject(refused({ code: 'permission_missing', param: 'expand=customer' }, 403));
  expect(answer.body.message).toContain('customers.read');
  const nested = await payer.get('/payments?include=applied_to&expand=applied_to.invoice');
  expect(nested.body.message).toContain('documents.read');
});

test('at most 1,000 members are invited or active, also by giving an access back', async () => {
  const { sandbox } = await api.open('Crowd');
  const left = await colleague(api, sandbox, { role: 'employee', status: 'deactivated' });
  await api.em.fork().execute(
    `insert into member (account_id, email, role, status, created_at, updated_at)
     select ?, 'crowd' || n || '@example.com', 'employee', 'active', now(), now() from generate_series(2, 1000) n`,
    [sandbox.account.twinId],
  );
  const full = refused({ code: 'limit_exceeded' });
  expect(await sandbox.post('/members', { email: 'more@example.com', role: 'employee' })).toMatchObject(full);
  expect(await sandbox.patch(`/members/${left.id}`, { status: 'active' })).toMatchObject(full);
  expect((await sandbox.patch(`/members/${left.id}`, { name: 'Gone' })).status).toBe(200);
  const [other] = (await sandbox.get('/members?filter[email]=crowd2@example.com')).body;
  expect((await sandbox.delete(`/members/${other.id}`)).status).toBe(204);
  expect((await sandbox.patch(`/members/${left.id}`, { status: 'active' })).body.status).toBe('active');
});
