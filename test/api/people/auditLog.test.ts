import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { logAct } from '../../../commands/kernel/auditLog.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Client, refused, startApi, successBody, type TestApi } from '../../support/api.ts';
import { actsOf, memberOf } from '../../support/auditLog.ts';

let api: TestApi;
let member: number;
let other: { live: Client; sandbox: Client };
beforeAll(async () => {
  api = await startApi();
  member = await memberOf(api, api.sandbox);
  other = await api.open('Other');
});
afterAll(() => api.close());

test('a write is logged with its actor, origin and object', async () => {
  const { sandbox } = api;
  const made = await sandbox.post(
    '/customers',
    { name: 'Logged' },
    { 'X-Request-Id': 'seen-1', 'User-Agent': 'probe/1' },
  );
  const { id } = successBody(made);
  const [act] = await actsOf(sandbox, `?related_to=customer,${id}`);
  expect(act).toMatchObject({
    kind: 'change',
    operation: 'createCustomer',
    actor: { type: 'api_key', name: 'First key', member },
    object_type: 'customer',
    object_id: String(id),
    before: null,
    after: null,
    count: 1,
    ip: '127.0.0.1',
    user_agent: 'probe/1',
    request_id: 'seen-1',
  });
  await sandbox.delete(`/customers/${id}`);
  expect((await actsOf(sandbox, `?related_to=customer,${id}`)).map(({ operation }) => operation)).toEqual([
    'deleteCustomer',
    'createCustomer',
  ]);
});

test('a repeated request with its key is logged once, a refused or tried one never', async () => {
  const { sandbox } = api;
  const before = await actsOf(sandbox);
  for (let turn = 0; turn < 2; turn += 1)
    await sandbox.post('/customers', { name: 'Once' }, { 'Idempotency-Key': 'once' });
  expect(await sandbox.post('/customers', { name: 'Bad', payment_terms: 17.5, currency: 'nothing' })).toMatchObject({
    status: 400,
  });
  expect((await actsOf(sandbox)).length - before.length).toBe(1);
});

test('an act that is rolled back leaves no row', async () => {
  const { sandbox } = api;
  const accountId = sandbox.account.id;
  const act = { accountId, by: { actor: 'system' as const }, kind: 'change' as const, operation: 'rolledBack' };
  const failing = () =>
    inTransaction(api.deps.em, async (em) => {
      logAct(em, act, new Date());
      await em.write();
      throw new Error('rolled back');
    });
  await expect(withAccount(accountId, failing)).rejects.toThrow('rolled back');
  expect(await actsOf(sandbox, '?operation=rolledBack')).toEqual([]);
});

test('a change of settings has the values before and after, and no others', async () => {
  const { sandbox } = api;
  await sandbox.patch('/account', { footer: 'Old words' });
  await sandbox.patch('/account', { footer: 'New words', payment_terms: 'NET 9' });
  const [act] = await actsOf(sandbox, '?operation=updateAccount');
  expect(act?.before).toEqual({ footer: 'Old words', payment_terms: expect.anything() });
  expect(act?.after).toEqual({ footer: 'New words', payment_terms: 'NET 9' });
  const { id } = await sandbox.make('/webhooks', { url: 'https://example.com/hook' });
  await sandbox.patch(`/webhooks/${id}`, { events: ['invoice.paid'] });
  const [changed] = await actsOf(sandbox, `?related_to=webhook,${id}`);
  expect(changed).toMatchObject({ operation: 'updateWebhook', after: { events: ['invoice.paid'] } });
});

test('a secret that is shown is logged, without the secret', async () => {
  const { sandbox } = api;
  const { id, key } = await sandbox.make('/api_keys', { name: 'Shown' });
  const [act] = await actsOf(sandbox, `?kind=secret`);
  expect(act).toMatchObject({ operation: 'createApiKey', object_type: 'api_key', object_id: String(id), after: null });
  const rows = await api.em.fork().execute('select * from audit_log');
  expect(JSON.stringify(rows)).not.toContain(key);
});

test('refusals are logged in a transaction of their own, and repetitions counted', async () => {
  const { sandbox } = api;
  const { id, key } = await sandbox.make('/api_keys', { name: 'Reader', scope: 'read' });
  const reader = (path: string, method: string) =>
    fetch(`${api.origin}/sandbox/api${path}`, {
      method,
      headers: { Authorization: `Basic ${btoa(`${key}:`)}`, 'Content-Type': 'application/json' },
      body: '{"name":"Refused"}',
    });
  const answers = await Promise.all(Array.from({ length: 5 }, () => reader('/customers', 'POST')));
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  const acts = await actsOf(sandbox, `?api_key=${id}&kind=refusal`);
  expect(acts.reduce((sum, { count }) => sum + count, 0)).toBe(5);
  expect(acts.length).toBeLessThanOrEqual(2); // the minute may have ended between them
  expect(acts[0]).toMatchObject({ operation: 'createCustomer', reason: 'API key may only read' });
  await sandbox.delete(`/api_keys/${id}`);
  expect((await reader('/customers', 'POST')).status).toBe(401);
  expect(await actsOf(sandbox, `?api_key=${id}&kind=failure`)).toMatchObject([{ operation: 'authenticate', count: 1 }]);
});

test('a list is filtered by member, operation and time, and paged', async () => {
  const { sandbox } = api;
  const own = await actsOf(sandbox, `?member=${member}`);
  expect(own.length).toBeGreaterThan(3);
  expect(own.every(({ actor }) => actor.member === member)).toBe(true);
  expect(await actsOf(sandbox, '?member=4000000')).toEqual([]);
  const now = Math.floor(Date.now() / 1000);
  expect(await actsOf(sandbox, `?end_date=${now - 3600}`)).toEqual([]);
  expect((await actsOf(sandbox, `?start_date=${now - 3600}`)).length).toBeGreaterThan(3);
  const pages = [...(await actsOf(sandbox, '?per_page=2&page=1')), ...(await actsOf(sandbox, '?per_page=2&page=2'))];
  expect(pages.map(({ id }) => id)).toEqual((await actsOf(sandbox, '?per_page=4')).map(({ id }) => id));
  expect(await sandbox.get('/audit_log?kind=everything')).toMatchObject(refused({ param: 'kind' }));
});

test('another account sees none of it, and a key without a member may not read it', async () => {
  expect(await actsOf(other.sandbox, `?member=${member}`)).toEqual([]);
  const mine = new Set((await actsOf(api.sandbox)).map(({ id }) => id));
  expect((await actsOf(other.sandbox)).filter(({ id }) => mine.has(id))).toEqual([]);
  const { sandbox } = await api.open('Keys');
  await api.em
    .fork()
    .execute('update api_key set member_account_id = null, member_id = null where account_id = ?', [
      sandbox.account.id,
    ]);
  expect(await sandbox.get('/audit_log')).toMatchObject({ status: 403 });
});

test('an export has all entries as CSV, and is logged; formulas are marked as text', async () => {
  const { sandbox } = api;
  const formula = '=HYPERLINK("https://evil.example")';
  await sandbox.post('/customers', { name: 'Formula' }, { 'User-Agent': formula });
  const get = (path: string, accept: string) =>
    fetch(`${api.origin}/sandbox/api${path}`, {
      headers: { Authorization: `Basic ${btoa(`${sandbox.key}:`)}`, Accept: accept },
    });
  const answer = await get('/audit_log?operation=createCustomer', 'text/csv');
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const lines = (await answer.text()).trimEnd().split('\r\n');
  expect(lines[0]).toContain('id,created_at,kind,operation');
  expect(lines).toHaveLength(1 + (await actsOf(sandbox, '?operation=createCustomer')).length);
  expect(lines[1]).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
  expect(await (await get('/audit_log?operation=createCustomer&format=csv', '*/*')).text()).toBe(
    `${lines.join('\r\n')}\r\n`,
  );
  expect(await actsOf(sandbox, '?kind=export')).toHaveLength(2);
});

test('no login can change or delete a row', async () => {
  for (const user of ['app', 'system'] as const) {
    for (const table of ['audit_log', 'audit_link', 'audit_anchor']) {
      const [may] = await api.em.fork().execute<{ may: boolean }[]>(
        `select bool_or(has_table_privilege(rolname, ?, 'update') or has_table_privilege(rolname, ?, 'delete')
           or has_table_privilege(rolname, ?, 'truncate') or has_any_column_privilege(rolname, ?, 'update')) as may
         from pg_roles where rolname like ?`,
        [table, table, table, table, `perennial_${user}_%`],
      );
      expect(may).toEqual({ may: false });
    }
  }
});
