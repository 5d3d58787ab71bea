import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { failSuppressed, recordRefused } from '../../../commands/bounces/suppressing.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { hearing, sentAgain, sentTo, tasksOf } from '../../support/heardMails.ts';
import { LOCK_WAITS, until } from '../../support/wait.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('another address of the customer completes the task, and so does lifting the suppression', async () => {
  const { client, report } = await hearing(api);
  const first = await sentTo(api, client);
  const contact = await client.make(`/customers/${first.customer}/contacts`, { name: 'Bob', email: 'bob@example.com' });
  const second = await sentAgain(api, client, first.customer, { to: [{ name: 'Bob', email: 'bob@example.com' }] });
  await report(first);
  await report({ ...second, address: 'bob@example.com' });
  const open = async () => (await tasksOf(client, first.customer)).filter((task) => !task.complete).length;
  expect(await open()).toBe(2);
  await client.patch(`/customers/${first.customer}`, { email: first.address.toUpperCase() });
  expect(await open()).toBe(2);
  await client.patch(`/customers/${first.customer}`, { email: 'corrected@example.com' });
  expect(await open()).toBe(1);
  await client.patch(`/customers/${first.customer}/contacts/${contact.id}`, { email: 'bobby@example.com' });
  expect(await open()).toBe(0);
  const corrected = { outcome: 'the customer has another address' };
  expect(await tasksOf(client, first.customer)).toMatchObject([corrected, corrected]);
  const other = await sentTo(api, client);
  await report(other);
  expect((await tasksOf(client, other.customer))[0].complete).toBe(false);
  const [{ id }] = (await client.get(`/suppressions?filter[email]=${other.address}`)).body;
  expect((await client.delete(`/suppressions/${id}`)).status).toBe(204);
  const outcome = 'mail is sent to the address again';
  expect(await tasksOf(client, other.customer)).toMatchObject([{ complete: true, outcome }]);
  expect(await client.delete(`/suppressions/${id}`)).toMatchObject(refused({}, 404));
  expect((await client.get(`/suppressions/${id}`)).status).toBe(404);
});

test('an event from before an address was allowed again changes nothing; a later one suppresses it again', async () => {
  const { client, report } = await hearing(api);
  const one = await sentTo(api, client);
  await report(one);
  const [{ id }] = (await client.get('/suppressions')).body;
  await client.delete(`/suppressions/${id}`);
  await api.em.execute(`update suppression set lifted_at = '2027-03-01T11:00:00Z' where id = ?`, [id]);
  expect(await report({ ...one, id: '<late>' })).toBe(200); // it happened at 10:00
  expect((await client.get('/suppressions')).body).toEqual([]);
  await api.em.execute(`update suppression set lifted_at = '2027-03-01T09:00:00Z' where id = ?`, [id]);
  await report({ ...one, id: '<again>' });
  expect((await client.get('/suppressions')).body).toMatchObject([{ id, email: one.address }]);
});

test('an anonymized customer leaves no address; nothing is sent to it', async () => {
  const { client, report } = await hearing(api);
  const one = await sentTo(api, client);
  await report(one);
  const invoices = (await client.get(`/invoices?filter[customer]=${one.customer}`)).body;
  for (const { id } of invoices) await client.post(`/invoices/${id}/void`);
  expect((await client.post(`/customers/${one.customer}/anonymize`)).status).toBe(200);
  const { body } = await client.get('/suppressions');
  expect(body).toMatchObject([{ email: null, detail: null, reason: 'hard_bounce' }]);
  for (const table of ['suppression', 'mail_event', 'task', 'email'])
    expect(await api.em.execute(`select 1 from ${table} t where t::text like ?`, [`%${one.address}%`])).toEqual([]);
});

test('a mail that is refused while its customer is anonymized leaves only the hash of its address, and no task', async () => {
  const { client } = await hearing(api);
  const one = await sentTo(api, client);
  const invoices = (await client.get(`/invoices?filter[customer]=${one.customer}`)).body;
  for (const { id } of invoices) await client.post(`/invoices/${id}/void`);
  expect((await client.post(`/customers/${one.customer}/anonymize`)).status).toBe(200);
  const accountId = client.account.id;
  const mail = { accountId, id: Number(one.email), customerId: one.customer };
  const reason = `550 5.1.1 ${one.address} is unknown`;
  const refused = [{ address: one.address, reason, isUnknown: true }];
  const refusal = { ...mail, before: 0, result: { status: 'permanent' as const, reason, refused } };
  await withAccount(accountId, () =>
    inTransaction(api.deps.em, (em) => recordRefused(em, refusal, api.deps.systemNow())),
  );
  expect((await client.get('/suppressions')).body).toMatchObject([{ email: null, detail: null }]);
  expect(await tasksOf(client, one.customer)).toEqual([]);
});

test('a suppressed address of the team is a problem and is mailed to the others, until it leaves the team or is allowed again', async () => {
  const { client, report } = await hearing(api);
  const [dead, alive] = ['dead@acme.example', 'alive@acme.example'];
  await client.patch('/account', { alert_recipients: [dead.toUpperCase(), alive] });
  const customer = (await client.make('/customers', { name: 'Ann', email: 'ann@example.com' })).id;
  const bounced = async () => {
    const mail = await sentAgain(api, client, customer, { to: [{ name: 'Team', email: dead }] });
    await report({ ...mail, address: dead });
  };
  await bounced();
  const problems = async () => (await client.get('/problems')).body;
  const [suppression] = (await client.get('/suppressions')).body;
  const because = 'a mail to it was refused for good';
  const message = `An address of alert_recipients gets no mail any more: ${because}. Suppression ${suppression.id} shows it`;
  expect(await problems()).toMatchObject([{ subject: { object: 'suppression', id: suppression.id }, message }]);
  const told = () =>
    api.em.execute<{ to: string; text: string }[]>(
      `select to_address as to, text from email where account_id = ? and template = 'problem_email' and to_address = ?`,
      [client.account.id, alive],
    );
  expect(await told()).toMatchObject([{ text: expect.stringContaining(message) }]);
  await bounced();
  expect(await told()).toHaveLength(1);
  await client.patch('/account', { alert_recipients: [alive] });
  expect(await problems()).toEqual([]);
  await client.patch('/account', { alert_recipients: [dead, alive] });
  await bounced();
  expect(await problems()).toHaveLength(1);
  await client.delete(`/suppressions/${suppression.id}`);
  expect(await problems()).toEqual([]);
});

/** A business whose team has a suppressed address, which is also the address of its only mail. */
async function suppressedTeam(settings: object = {}) {
  const { client, report } = await hearing(api);
  const one = await sentTo(api, client);
  await client.patch('/account', { alert_recipients: [one.address, 'alive@acme.example'], ...settings });
  await report(one);
  return { client, one };
}

test('the problem of a suppressed address stays open when other addresses leave the team, also after its customer was anonymized', async () => {
  const { client, one } = await suppressedTeam();
  const problems = async () => (await client.get('/problems')).body;
  for (const { id } of (await client.get(`/invoices?filter[customer]=${one.customer}`)).body)
    await client.post(`/invoices/${id}/void`);
  expect((await client.post(`/customers/${one.customer}/anonymize`)).status).toBe(200);
  await client.patch('/account', { alert_recipients: [one.address] });
  expect(await problems()).toHaveLength(1);
  await client.patch('/account', { alert_recipients: ['alive@acme.example'] });
  expect(await problems()).toEqual([]);
});

test('two mails to a suppressed address of the team that fail at the same time are one problem', async () => {
  const { client, report } = await hearing(api);
  const one = await sentTo(api, client);
  await report(one);
  await client.patch('/account', { alert_recipients: [one.address], alert_problems: false });
  const accountId = client.account.id;
  const ids = (
    await api.em.execute<{ id: number }[]>(
      `insert into email select (jsonb_populate_record(e, jsonb_build_object('id', e.id + 1000000 + n, 'cause', 'copy ' || n,
         'state', 'queued', 'open_token', null))).* from email e, generate_series(1, 2) n where e.account_id = ? and e.id = ? returning id`,
      [accountId, Number(one.email)],
    )
  ).map(({ id }) => id);
  const [row] = await api.em.execute<{ id: number; addressHash: string }[]>(
    'select id, digest as "addressHash" from suppression where account_id = ?',
    [accountId],
  );
  if (!row) throw new Error('the address is not suppressed');
  const suppressed = { ...row, reason: 'hard_bounce' as const };
  const fail = (id: number, andThen = async () => {}) =>
    inTransaction(api.em, async (em) => {
      await failSuppressed(em, { accountId, id, toAddress: one.address, customerId: null, suppressed }, new Date());
      await em.write();
      await andThen();
    });
  const [first = 0, second = 0] = ids;
  const others: Promise<unknown>[] = [];
  await fail(first, async () => {
    others.push(fail(second));
    await until(async () => (await api.em.fork().execute(LOCK_WAITS)).length > 0, {
      what: 'the second mail to wait for the first',
    });
  });
  await Promise.all(others);
  const tries = await api.em.execute('select tries from problem where account_id = ? and closed_at is null', [
    accountId,
  ]);
  expect(tries).toEqual([{ tries: 2 }]);
});
