import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordRefused } from '../../../commands/bounces/refused.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Answer, type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';
import { deliveryReport, POSTMARK, postmarkRequest, reportRequest, sendEvent } from '../../support/bounces.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

let count = 0;

/** A business with both kinds of provider that need no signature, and a function that sends mail to a customer. */
async function hearing() {
  const { live: client } = await api.open('Hearing');
  const postmark = await client.make('/mail_providers', POSTMARK);
  const mailbox = await client.make('/mail_providers', { ...POSTMARK, provider: 'mailbox' });
  const report = async (of: Parameters<typeof deliveryReport>[0]) =>
    (await sendEvent(api, mailbox, reportRequest(deliveryReport(of)))).status;
  const tell = async (fields: object) => (await sendEvent(api, postmark, postmarkRequest({ ...fields }))).status;
  return { client, postmark, report, tell };
}

/** An email that was sent to a new customer, with its Message-ID. */
async function sentTo(client: Client) {
  count += 1;
  const address = `c${count}@example.com`;
  const customer = (await client.make('/customers', { name: 'Ann', email: address })).id;
  return { address, customer, ...(await sentAgain(client, customer)) };
}

async function sentAgain(client: Client, customer: number, body: object = {}) {
  const invoice = await client.make('/invoices', { customer, items: [{ unit_cost: 25 }] });
  const [email] = (await client.post(`/invoices/${invoice.id}/emails`, body)).body;
  await api.em.execute(`update email set state = 'sent', sent_at = now(), next_attempt_at = null where id = ?`, [
    email.id,
  ]);
  const [row] = await api.em.execute<{ message_id: string }[]>('select message_id from email where id = ?', [email.id]);
  return { email: email.id, messageId: row?.message_id ?? '' };
}

const stateOf = async (client: Client, id: string) => {
  const { state, reject_reason: reason } = (await client.get(`/emails/${id}`)).body;
  return [state, reason];
};
const tasksOf = async (client: Client, customer: number): Promise<Answer['body'][]> =>
  (await client.get('/tasks')).body.filter((task: Answer['body']) => task.customer === customer);

test('a hard bounce marks the mail, suppresses its address, makes one task, and is shown in the timeline; repeats change nothing', async () => {
  const { client, report, tell } = await hearing();
  const { address, customer, email, messageId } = await sentTo(client);
  expect(await report({ messageId, address: address.toUpperCase() })).toBe(200);
  const reason = 'Refused for good: 5.1.1: 550 5.1.1 no such user';
  expect(await stateOf(client, email)).toEqual(['bounced', reason]);
  const { body: suppressions } = await client.get(`/suppressions?filter[email]=${address}`);
  expect(missingFields('suppression', suppressions[0])).toEqual([]);
  expect(suppressions).toMatchObject([{ email: address, reason: 'hard_bounce', detail: reason }]);
  const name = `Correct the email address ${address}: a mail to it was refused for good`;
  expect(await tasksOf(client, customer)).toMatchObject([{ name, action: 'review', complete: false }]);
  const { body: timeline } = await client.get(`/customers/${customer}/timeline`);
  const what = `mail ${email} to ${address} bounced: ${reason}`;
  expect(timeline.map((entry: Answer['body']) => entry.what)).toContain(what);
  const Metadata = { 'message-id': messageId.slice(1, -1) };
  expect(await report({ messageId, address: address.toUpperCase() })).toBe(200); // repeated
  expect(await tell({ Metadata, Email: address, Type: 'SoftBounce' })).toBe(200); // late
  expect(await tell({ ID: 2, Metadata, Email: address })).toBe(200); // by another provider
  expect(await stateOf(client, email)).toEqual(['bounced', reason]);
  expect(await tasksOf(client, customer)).toHaveLength(1);
  const rows = await api.em.execute('select kind from mail_event where account_id = ? order by id', [
    client.account.id,
  ]);
  expect(rows).toEqual([{ kind: 'hard_bounce' }, { kind: 'soft_bounce' }, { kind: 'hard_bounce' }]);
  expect(await api.em.execute('select 1 from mail_event m where m::text like ?', [`%${address}%`])).toEqual([]);
});

test('a complaint stops mail to its address at once; the mail stays sent', async () => {
  const { client, tell } = await hearing();
  const { address, customer, email, messageId } = await sentTo(client);
  const complaint = { RecordType: 'SpamComplaint', Type: 'SpamComplaint', Email: address };
  expect(await tell({ ...complaint, Metadata: { 'message-id': messageId.slice(1, -1) } })).toBe(200);
  expect(await stateOf(client, email)).toEqual(['sent', 'Reported as spam: SpamComplaint']);
  expect((await client.get('/suppressions?filter[reason]=complaint')).body).toMatchObject([{ email: address }]);
  const name = `Correct the email address ${address}: its owner reported a mail as spam`;
  expect(await tasksOf(client, customer)).toMatchObject([{ name }]);
});

test('an address is suppressed when its fifth mail within 30 days is refused for now, not by one mail five times', async () => {
  const { client, report } = await hearing();
  const { address, customer, email, messageId } = await sentTo(client);
  for (const id of ['<1>', '<2>', '<3>', '<4>', '<5>', '<6>'])
    await report({ messageId, address, status: '4.2.2', id });
  expect(await stateOf(client, email)).toEqual(['sent', 'Refused for now: 4.2.2: 550 5.1.1 no such user']);
  const live = async () => (await client.get('/suppressions')).body.length;
  for (let n = 2; n <= 4; n += 1) await report({ ...(await sentAgain(client, customer)), address, status: '4.2.2' });
  expect(await live()).toBe(0);
  await api.em.execute(`update mail_event set occurred_at = now()`);
  await api.em.execute(`update mail_event set occurred_at = now() - interval '31 days' where email_id = ?`, [email]);
  await report({ ...(await sentAgain(client, customer)), address, status: '4.2.2', id: '<7>' });
  expect(await live()).toBe(0); // four within 30 days
  await api.em.execute(`update mail_event set occurred_at = now()`);
  await report({ ...(await sentAgain(client, customer)), address, status: '4.2.2', id: '<8>' });
  expect((await client.get('/suppressions')).body).toMatchObject([{ email: address, reason: 'soft_bounces' }]);
});

test('another address of the customer completes the task, and so does lifting the suppression', async () => {
  const { client, report } = await hearing();
  const first = await sentTo(client);
  const contact = await client.make(`/customers/${first.customer}/contacts`, { name: 'Bob', email: 'bob@example.com' });
  const second = await sentAgain(client, first.customer, { to: [{ name: 'Bob', email: 'bob@example.com' }] });
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
  const other = await sentTo(client);
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
  const { client, report } = await hearing();
  const one = await sentTo(client);
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

test('events count only within their account, for a recipient of the mail, with the right password, and up to 1 MiB', async () => {
  const [mine, other] = [await hearing(), await hearing()];
  const { address, email, messageId } = await sentTo(mine.client);
  expect(await other.report({ messageId, address })).toBe(200);
  expect(await mine.report({ messageId, address: 'stranger@example.com' })).toBe(200);
  expect(await mine.report({ messageId: '<unknown@perennial>', address })).toBe(200);
  const send = (request: Parameters<typeof sendEvent>[2]) => sendEvent(api, mine.postmark, request);
  const fields = { Email: address, Metadata: { 'message-id': messageId.slice(1, -1) } };
  expect((await send(postmarkRequest(fields, 'wrong-password-of-events'))).status).toBe(400);
  const long = await send(postmarkRequest({ ...fields, Content: 'x'.repeat(1024 * 1024) }));
  expect([long.status, long.body]).toEqual([400, expect.stringContaining('smaller than 1024 KiB')]);
  const { body, headers } = postmarkRequest(fields);
  expect((await send({ body, headers: { ...headers, 'Content-Type': 'image/png' } })).status).toBe(400);
  const unknown = { events_url: 'https://billing.example/mail_events/postmark_1_99999999999' };
  expect((await sendEvent(api, unknown, postmarkRequest(fields))).status).toBe(404);
  expect(await stateOf(mine.client, email)).toEqual(['sent', null]);
  expect((await mine.client.get('/suppressions')).body).toEqual([]);
  expect((await other.client.get('/suppressions')).body).toEqual([]);
});

test('a blind copy that bounces is suppressed; the mail stays sent', async () => {
  const { client, report } = await hearing();
  const { customer } = await sentTo(client);
  const copied = await sentAgain(client, customer, { bcc: 'books@example.com' });
  await report({ ...copied, address: 'books@example.com' });
  expect(await stateOf(client, copied.email)).toEqual(['sent', null]);
  expect((await client.get('/suppressions')).body).toMatchObject([{ email: 'books@example.com' }]);
});

test('an anonymized customer leaves no address; nothing is sent to it', async () => {
  const { client, report } = await hearing();
  const one = await sentTo(client);
  await report(one);
  const invoices = (await client.get(`/invoices?filter[customer]=${one.customer}`)).body;
  for (const { id } of invoices) await client.post(`/invoices/${id}/void`);
  expect((await client.post(`/customers/${one.customer}/anonymize`)).status).toBe(200);
  const { body } = await client.get('/suppressions');
  expect(body).toMatchObject([{ email: null, detail: null, reason: 'hard_bounce' }]);
  for (const table of ['suppression', 'mail_event', 'task', 'email'])
    expect(await api.em.execute(`select 1 from ${table} t where t::text like ?`, [`%${one.address}%`])).toEqual([]);
});

test('a mail that is refused while its customer is anonymized leaves only the digest of its address, and no task', async () => {
  const { client } = await hearing();
  const one = await sentTo(client);
  const invoices = (await client.get(`/invoices?filter[customer]=${one.customer}`)).body;
  for (const { id } of invoices) await client.post(`/invoices/${id}/void`);
  expect((await client.post(`/customers/${one.customer}/anonymize`)).status).toBe(200);
  const accountId = client.account.id;
  const mail = { accountId, id: Number(one.email), toAddress: one.address, customerId: one.customer };
  const reason = `550 5.1.1 ${one.address} is unknown`;
  const refused = [{ address: one.address, reason, isUnknown: true }];
  const refusal = { ...mail, result: { status: 'permanent' as const, reason, refused } };
  await withAccount(accountId, () =>
    inTransaction(api.deps.em, (em) => recordRefused(em, refusal, api.deps.systemNow())),
  );
  expect((await client.get('/suppressions')).body).toMatchObject([{ email: null, detail: null }]);
  expect(await tasksOf(client, one.customer)).toEqual([]);
});
