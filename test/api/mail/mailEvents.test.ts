import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deleteExpired } from '../../../db/queries/processes/expired.ts';
import { connect } from '../../../workers/connection.ts';
import { type Answer, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';
import { postmarkRequest, sendEvent } from '../../support/bounces.ts';
import { hearing, mailStateOf, sentAgain, sentTo, tasksOf } from '../../support/heardMails.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('a hard bounce marks the mail, suppresses its address, makes one task, and is shown in the timeline; repeats change nothing', async () => {
  const { client, report, tell } = await hearing(api);
  const { address, customer, email, messageId } = await sentTo(api, client);
  expect(await report({ messageId, address: address.toUpperCase() })).toBe(200);
  const reason = 'Refused for good: 5.1.1: 550 5.1.1 no such user';
  expect(await mailStateOf(client, email)).toEqual(['bounced', reason]);
  const { body: suppressions } = await client.get(`/suppressions?filter[email]=${address}`);
  expect(missingFields('suppression', suppressions[0])).toEqual([]);
  expect(suppressions).toMatchObject([{ email: address, reason: 'hard_bounce', detail: reason }]);
  const name = `Correct the email address ${address}: a mail to it was refused for good`;
  expect(await tasksOf(client, customer)).toMatchObject([{ name, action: 'review', complete: false }]);
  const { body: timeline } = await client.get(`/customers/${customer}/timeline`);
  const what = `invoice to ${address} bounced: ${reason}`;
  expect(timeline.map((entry: Answer['body']) => entry.what)).toContain(what);
  const Metadata = { 'message-id': messageId.slice(1, -1) };
  expect(await report({ messageId, address: address.toUpperCase() })).toBe(200); // repeated
  expect(await tell({ Metadata, Email: address, Type: 'SoftBounce' })).toBe(200); // late
  expect(await tell({ ID: 2, Metadata, Email: address })).toBe(200); // by another provider
  expect(await mailStateOf(client, email)).toEqual(['bounced', reason]);
  expect(await tasksOf(client, customer)).toHaveLength(1);
  const rows = await api.em.execute('select kind from mail_event where account_id = ? order by id', [
    client.account.id,
  ]);
  expect(rows).toEqual([{ kind: 'hard_bounce' }, { kind: 'soft_bounce' }, { kind: 'hard_bounce' }]);
  expect(await api.em.execute('select 1 from mail_event m where m::text like ?', [`%${address}%`])).toEqual([]);
});

test('a complaint stops mail to its address at once; the mail stays sent', async () => {
  const { client, tell } = await hearing(api);
  const { address, customer, email, messageId } = await sentTo(api, client);
  const complaint = { RecordType: 'SpamComplaint', Type: 'SpamComplaint', Email: address };
  expect(await tell({ ...complaint, Metadata: { 'message-id': messageId.slice(1, -1) } })).toBe(200);
  expect(await mailStateOf(client, email)).toEqual(['sent', 'Reported as spam: SpamComplaint']);
  expect((await client.get('/suppressions?filter[reason]=complaint')).body).toMatchObject([{ email: address }]);
  const name = `Correct the email address ${address}: its owner reported a mail as spam`;
  expect(await tasksOf(client, customer)).toMatchObject([{ name }]);
});

test('an address is suppressed when its fifth mail within 30 days is refused for now, not by one mail five times', async () => {
  const { client, report } = await hearing(api);
  const { address, customer, email, messageId } = await sentTo(api, client);
  for (const id of ['<1>', '<2>', '<3>', '<4>', '<5>', '<6>'])
    await report({ messageId, address, status: '4.4.7', id });
  expect(await mailStateOf(client, email)).toEqual(['sent', 'Refused for now: 4.4.7: 550 5.1.1 no such user']);
  const live = async () => (await client.get('/suppressions')).body.length;
  for (let n = 2; n <= 4; n += 1)
    await report({ ...(await sentAgain(api, client, customer)), address, status: '4.4.7' });
  expect(await live()).toBe(0);
  await api.em.execute(`update mail_event set occurred_at = now()`);
  await api.em.execute(`update mail_event set occurred_at = now() - interval '31 days' where email_id = ?`, [email]);
  await report({ ...(await sentAgain(api, client, customer)), address, status: '4.4.7', id: '<7>' });
  expect(await live()).toBe(0); // four within 30 days
  await api.em.execute(`update mail_event set occurred_at = now()`);
  await report({ ...(await sentAgain(api, client, customer)), address, status: '4.4.7', id: '<8>' });
  expect((await client.get('/suppressions')).body).toMatchObject([{ email: address, reason: 'soft_bounces' }]);
});

test.each(['5.7.1', '5.7.26', '5.3.4', '5.2.3', '5.2.2', '5.1.8'])(
  'status %s of a report marks the mail alone, and its address still gets mail',
  async (status) => {
    const { client, report } = await hearing(api);
    const { address, customer, email, messageId } = await sentTo(api, client);
    await report({ messageId, address, status });
    const reason = `Refused for good: ${status}: 550 5.1.1 no such user`;
    expect(await mailStateOf(client, email)).toEqual(['bounced', reason]);
    expect((await client.get('/suppressions')).body).toEqual([]);
    expect(await tasksOf(client, customer)).toEqual([]);
  },
);

test('the exact status in the words of a report counts, not the general one beside it', async () => {
  const { client, report } = await hearing(api);
  const one = await sentTo(api, client);
  await report({ ...one, status: '5.0.0' });
  const reason = 'Refused for good: 5.0.0: 550 5.1.1 no such user';
  expect((await client.get('/suppressions')).body).toMatchObject([{ email: one.address, detail: reason }]);
});

test('Postmark tells of policies and of unknown addresses: only the latter get no mail any more', async () => {
  const { client, tell } = await hearing(api);
  const { customer, ...one } = await sentTo(api, client);
  const Metadata = { 'message-id': one.messageId.slice(1, -1) };
  for (const [ID, status] of ['5.7.1', '5.7.26', '5.3.4', '5.2.3', '5.2.2', '5.1.8'].entries())
    expect(await tell({ ID, Metadata, Email: one.address, Details: `smtp;550 ${status} refused` })).toBe(200);
  expect((await mailStateOf(client, one.email))[0]).toBe('bounced');
  expect((await client.get('/suppressions')).body).toEqual([]);
  expect(await tell({ ID: 7, Metadata, Email: one.address, Details: 'smtp;550 5.1.1 unknown' })).toBe(200);
  expect((await client.get('/suppressions')).body).toMatchObject([{ email: one.address, reason: 'hard_bounce' }]);
});

test('what is stored of an event says what happened and whether it counts; events of earlier versions are not counted', async () => {
  const { client, report } = await hearing(api);
  const { customer, ...one } = await sentTo(api, client);
  const statuses = ['5.7.1', '4.2.2', '4.4.7', '5.1.1'];
  for (const status of statuses) await report({ ...one, status });
  const stored = await api.em.execute('select kind, counts from mail_event where account_id = ? order by id', [
    client.account.id,
  ]);
  expect(stored).toEqual([
    { kind: 'hard_bounce', counts: false },
    { kind: 'soft_bounce', counts: false },
    { kind: 'soft_bounce', counts: true },
    { kind: 'hard_bounce', counts: true },
  ]);
  const other = await sentTo(api, client);
  await report({ ...other, status: '4.4.7' });
  for (let n = 2; n <= 4; n += 1)
    await report({ ...(await sentAgain(api, client, other.customer)), address: other.address, status: '4.4.7' });
  await api.em.execute(`update mail_event set occurred_at = now(), counts = null where account_id = ?`, [
    client.account.id,
  ]);
  await report({ ...(await sentAgain(api, client, other.customer)), address: other.address, status: '4.4.7' });
  expect((await client.get(`/suppressions?filter[email]=${other.address}`)).body).toEqual([]);
  await api.em.execute(`update mail_event set occurred_at = now(), counts = true where account_id = ?`, [
    client.account.id,
  ]);
  await report({ ...(await sentAgain(api, client, other.customer)), address: other.address, status: '4.4.7' });
  expect((await client.get(`/suppressions?filter[email]=${other.address}`)).body).toMatchObject([
    { reason: 'soft_bounces' },
  ]);
});

test('full mailboxes are not counted, however many mails they refuse', async () => {
  const { client, report } = await hearing(api);
  const { address, customer, email, messageId } = await sentTo(api, client);
  await report({ messageId, address, status: '4.2.2' });
  for (let n = 2; n <= 6; n += 1)
    await report({ ...(await sentAgain(api, client, customer)), address, status: '4.2.2' });
  expect(await mailStateOf(client, email)).toEqual(['sent', 'Refused for now: 4.2.2: 550 5.1.1 no such user']);
  await api.em.execute(`update mail_event set occurred_at = now()`);
  await report({ ...(await sentAgain(api, client, customer)), address, status: '4.4.7' });
  expect((await client.get('/suppressions')).body).toEqual([]); // one that counts, after six that do not
});

test('events count only within their account, for a recipient of the mail, with the right password, and up to 1 MiB', async () => {
  const [mine, other] = [await hearing(api), await hearing(api)];
  const { address, email, messageId } = await sentTo(api, mine.client);
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
  expect(await mailStateOf(mine.client, email)).toEqual(['sent', null]);
  expect((await mine.client.get('/suppressions')).body).toEqual([]);
  expect((await other.client.get('/suppressions')).body).toEqual([]);
});

test('a blind copy that bounces is suppressed; the mail stays sent', async () => {
  const { client, report } = await hearing(api);
  const { customer } = await sentTo(api, client);
  const copied = await sentAgain(api, client, customer, { bcc: 'books@example.com' });
  await report({ ...copied, address: 'books@example.com' });
  expect(await mailStateOf(client, copied.email)).toEqual(['sent', null]);
  expect((await client.get('/suppressions')).body).toMatchObject([{ email: 'books@example.com' }]);
});

test('wrong passwords of one provider do not stop the events of other accounts from the same network', async () => {
  const [mine, other] = [await hearing(api), await hearing(api)];
  const { address, email, messageId } = await sentTo(api, mine.client);
  const forged = postmarkRequest({ Email: address }, 'wrong-password-of-events');
  const refusals = await Promise.all([...Array(310)].map(() => sendEvent(api, other.postmark, forged)));
  expect(refusals.map(({ status }) => status)).toContain(429); // after 300 in a minute
  expect(await other.tell({ Email: address })).toBe(429);
  expect(await mine.report({ messageId, address })).toBe(200);
  expect((await mailStateOf(mine.client, email))[0]).toBe('bounced');
});

test('events about mails are deleted after 90 days, and not before', async () => {
  const { client, report } = await hearing(api);
  const { customer, ...first } = await sentTo(api, client);
  await report(first);
  const second = await sentAgain(api, client, customer);
  await report({ ...second, address: first.address });
  const now = new Date();
  const at = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const received = (email: string, days: number) =>
    api.em.execute('update mail_event set received_at = ? where email_id = ?', [at(days), email]);
  await received(first.email, 90);
  await received(second.email, 89);
  const sql = await connect(api.databaseUrls.system);
  await deleteExpired(sql, { now, limit: 100 });
  await sql.close();
  const left = await api.em.execute('select email_id from mail_event where account_id = ?', [client.account.id]);
  expect(left).toEqual([{ email_id: Number(second.email) }]);
});
