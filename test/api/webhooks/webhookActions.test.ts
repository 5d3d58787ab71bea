import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { secretsOf } from '../../../commands/webhooks/secrets.ts';
import { deleteExpired } from '../../../db/queries/processes/expired.ts';
import { dueHeads } from '../../../db/queries/webhooks/deliveries.ts';
import { Webhook as Endpoint } from '../../../db/schema/webhook.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { appendOnce } from '../../support/eventLog.ts';
import { type Receiver, startReceiver, verifiedPayload } from '../../support/receiver.ts';
import { until } from '../../support/wait.ts';

let api: TestApi;
let receiver: Receiver;
let now = new Date();
beforeAll(async () => {
  api = await startApi({ systemNow: () => now });
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());
afterAll(() => api.close());

const endpoint = (more: object = {}) => api.sandbox.make('/webhooks', { url: receiver.url, ...more });
const rows = (sql: string, values: unknown[] = []) => api.em.fork().execute(sql, values);

test('a test event is sent at once and signed, and its attempt answered and listed', async () => {
  const { id, secret } = await endpoint({ enabled: false });
  receiver.answer({ status: 418, body: 'short and stout' });
  const sent = await api.sandbox.post(`/webhooks/${id}/test`, undefined, { 'Idempotency-Key': 'test-once' });
  const attempt = { object: 'webhook_attempt', webhook: id, event: null, attempt: 1, status_code: 418 };
  expect(sent).toMatchObject({ status: 200, body: { ...attempt, answer: 'short and stout', next_attempt_at: null } });
  const [request] = receiver.requests;
  if (!request) throw new Error('nothing came');
  expect(verifiedPayload(request, secret)).toMatchObject({
    type: 'webhook.test',
    data: { object: { object: 'webhook', id } },
  });
  expect((await api.sandbox.get(`/webhook_attempts?webhook=${id}`)).body).toEqual([sent.body]);
  const again = await api.sandbox.post(`/webhooks/${id}/test`, undefined, { 'Idempotency-Key': 'test-once' });
  expect(again.body).toEqual(sent.body);
  expect(receiver.requests).toHaveLength(1);
  expect((await api.sandbox.post(`/webhook_attempts/${sent.body.id}/retries`)).status).toBe(400);
  await receiver.stop();
  const unheard = await api.sandbox.post(`/webhooks/${id}/test`);
  expect(unheard).toMatchObject({ status: 200, body: { status_code: null, error: expect.any(String) } });
  expect((await api.sandbox.get(`/webhooks/${id}`)).body.failing_since).toBeNull();
});

test('simultaneous identical tests are one event and have one answer', async () => {
  const { id } = await endpoint();
  receiver.answer({ status: 202, delayMilliseconds: 300 });
  const send = () => api.sandbox.post(`/webhooks/${id}/test`, undefined, { 'Idempotency-Key': 'test-twins' });
  const twins = await Promise.all([send(), send(), send()]);
  expect(receiver.requests).toHaveLength(1);
  expect(twins.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const twin of twins) expect(twin.body).toEqual(twins[0]?.body);
  expect(twins.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true')).toHaveLength(2);
  expect((await api.sandbox.get(`/webhook_attempts?webhook=${id}`)).body).toHaveLength(1);
});

test('a test that was cut off is sent by its repetition a minute later, and not before', async () => {
  const { id } = await endpoint();
  const send = (key: string) => api.sandbox.post(`/webhooks/${id}/test`, undefined, { 'Idempotency-Key': key });
  await send('test-whole');
  const cut = `update idempotency set key = 'test-cut', status_code = null, body = null, created_at = ? where key = 'test-whole'`;
  await rows(cut, [now]);
  now = new Date(now.getTime() + 59_999);
  const claims = () => api.queries.filter((query) => query.includes('insert into idempotency')).length;
  const before = claims();
  const again = send('test-cut');
  await until(() => claims() >= before + 3, { what: 'a twin that looks again and again' });
  expect(receiver.requests).toHaveLength(1);
  now = new Date(now.getTime() + 1);
  expect(await again).toMatchObject({ status: 200, body: { webhook: id, status_code: 200 } });
  expect(receiver.requests).toHaveLength(2);
});

test('a new secret is shown once; the old one also signs for 24 hours and is then deleted', async () => {
  const { id, secret: old } = await endpoint();
  const rotated = await api.sandbox.post(`/webhooks/${id}/rotate_secret`, undefined, { 'Idempotency-Key': 'rotate' });
  expect(rotated).toMatchObject({ status: 200, body: { id, secret: expect.stringMatching(/^whsec_/) } });
  const fresh = rotated.body.secret;
  expect(fresh).not.toBe(old);
  expect((await api.sandbox.get(`/webhooks/${id}`)).body).not.toHaveProperty('secret');
  expect(JSON.stringify(await rows(`select * from idempotency where key = 'rotate'`))).not.toContain(fresh.slice(6));
  const signatures = async () => {
    await api.sandbox.post(`/webhooks/${id}/test`);
    return receiver.requests.at(-1)?.headers['webhook-signature']?.split(' ') ?? [];
  };
  expect(await signatures()).toHaveLength(2);
  const request = receiver.requests.at(-1);
  if (!request) throw new Error('nothing came');
  for (const secret of [fresh, old]) expect(verifiedPayload(request, secret)).toMatchObject({ type: 'webhook.test' });

  const began = now;
  now = new Date(began.getTime() + 86_400_000 - 1000);
  expect(await signatures()).toHaveLength(2);
  now = new Date(began.getTime() + 86_400_000);
  const [only, ...others] = await signatures();
  expect(others).toEqual([]);
  const { headers, body } = receiver.requests.at(-1) ?? { headers: {}, body: '' };
  const { 'webhook-id': name = '', 'webhook-timestamp': at = '' } = headers as Record<string, string>;
  expect(new Webhook(fresh).sign(name, new Date(Number(at) * 1000), body)).toBe(only);
  const query = async <Row>(sql: string, values: readonly unknown[] = []) =>
    (await rows(sql.replaceAll(/\$\d/g, '?'), [...values])) as Row[];
  await deleteExpired({ query }, { now, limit: 100 });
  const kept = await api.em.fork().findOneOrFail(Endpoint, { id });
  expect(kept).toMatchObject({ sealedOldSecret: null, oldSecretEndsAt: null });
  expect(secretsOf(kept, api.deps.cipher, began)).toEqual([fresh]);
});

/** Due events of an endpoint, in log order. Each is recorded as delivered. */
async function delivered(webhookId: number): Promise<{ type: string; name: unknown; previous: number | null }[]> {
  const accountId = api.sandbox.account.id;
  const taken = [];
  for (;;) {
    const heads = await Promise.all(
      [0, 1, 2, 3].map((shard) => dueHeads(api.em.fork(), { accountId, id: webhookId, shard, limit: 100 }, now)),
    );
    const [head] = heads.flat().sort((a, b) => Number(a.position) - Number(b.position));
    if (!head) return taken;
    taken.push({ type: head.type, name: head.object.name, previous: head.previousSequence });
    await rows(`update webhook_delivery set state = 'delivered', ended_at = now() where id = ?`, [head.id]);
    await rows(
      `update webhook_lane l set due_at = null where webhook_id = ? and not exists (select from webhook_delivery d
         where d.webhook_id = l.webhook_id and d.subject_id = l.subject_id and d.subject_type = l.subject_type and d.state = 'waiting')`,
      [webhookId],
    );
  }
}

test('events are queued again in the order of the log, by time, type and object, also old ones', async () => {
  const { sandbox } = api;
  const ada = (await sandbox.make('/customers', { name: 'Ada' })).id;
  await sandbox.patch(`/customers/${ada}`, { name: 'Ada 2' });
  await appendOnce(api.databaseUrl);
  const { id } = await endpoint({ events: ['customer.created', 'customer.updated'] });
  now = new Date(now.getTime() + 60_000);
  const later = Math.floor(now.getTime() / 1000);
  const bob = (await sandbox.make('/customers', { name: 'Bob' })).id;
  await sandbox.patch(`/customers/${ada}`, { name: 'Ada 3' });
  await sandbox.post('/invoices', { customer: bob, items: [{ name: 'unwanted', unit_cost: 1 }] });
  await appendOnce(api.databaseUrl);
  const created = { type: 'customer.created', previous: null };
  const updated = { type: 'customer.updated' };
  expect(await delivered(id)).toEqual([
    { ...created, name: 'Bob' },
    { ...updated, name: 'Ada 3', previous: null },
  ]);
  const replay = (body: object) => sandbox.post(`/webhooks/${id}/replay`, body);
  const pokes = api.pokes();
  const ofAda = await replay({ related_to: `customer,${ada}` });
  expect(ofAda).toMatchObject({ status: 200, body: { object: 'webhook_replay', webhook: id, events: 3 } });
  expect(api.pokes()).toBe(pokes + 1);
  expect(
    await rows(`select count(*)::int as count from outbox where topic = 'webhook' and subject_id = ?`, [id]),
  ).not.toEqual([{ count: 0 }]);
  expect(await delivered(id)).toEqual([
    { ...created, name: 'Ada' },
    { ...updated, name: 'Ada 2', previous: 1 },
    { ...updated, name: 'Ada 3', previous: null }, // the same event as before
  ]);
  const second = (await replay({ start_date: later })).body;
  expect(second).toEqual({ id: expect.any(Number), object: 'webhook_replay', webhook: id, events: 2 });
  expect(second.id).not.toBe(ofAda.body.id);
  expect(await delivered(id)).toMatchObject([{ name: 'Bob' }, { name: 'Ada 3' }]);
  expect((await replay({ type: 'customer.created', related_to: `customer,${bob}` })).body.events).toBe(1);
  expect(await delivered(id)).toMatchObject([{ name: 'Bob' }]);
  expect((await replay({ end_date: 1 })).body.events).toBe(0);
  expect(await delivered(id)).toEqual([]);
  for (const [param, value] of Object.entries({ related_to: 'x', type: 'customer.creatd', start_date: 'soon' })) {
    expect(await replay({ [param]: value })).toMatchObject(refused({ param }));
  }
  await sandbox.patch(`/webhooks/${id}`, { enabled: false });
  expect((await replay({})).status).toBe(400);
});

test('too many events are refused, and none is queued; the maximum, of one object, is queued in time', async () => {
  const { id } = await endpoint({ events: ['note.created'] });
  await rows(
    `insert into event (account_id, type, subject_type, subject_id, sequence, object, user_id, occurred_at, created_at)
     select ?, 'note.created', 'note', '1', n, '{}', -1, now(), now() from generate_series(1, 10001) n`,
    [api.sandbox.account.id],
  );
  await rows(
    `insert into event_log (account_id, event_id) select account_id, id from event where type = 'note.created' order by id`,
  );
  await rows(`delete from outbox where topic = 'event'`);
  // The test server forces generic plans, and its autovacuum runs once a minute. Without statistics the replay takes 57 s.
  await rows('analyze event, event_log');
  expect(await api.sandbox.post(`/webhooks/${id}/replay`, {})).toMatchObject({ status: 400 });
  expect(await delivered(id)).toEqual([]);
  await rows(`delete from event_log where event_id = (select max(id) from event where type = 'note.created')`);
  const replayed = await api.sandbox.post(`/webhooks/${id}/replay`, {});
  expect(replayed).toMatchObject({ status: 200, body: { events: 10_000 } });
  const chained = await rows(
    `select count(*)::int as count from webhook_delivery where webhook_id = ? and previous_sequence is not distinct from nullif(sequence - 1, 0)`,
    [id],
  );
  expect(chained).toEqual([{ count: 10_000 }]);
});

test('events of a large account are read in slices', async () => {
  const { sandbox } = await api.open('Large');
  const { id } = await sandbox.make('/webhooks', { url: receiver.url, events: ['task.created'] });
  await rows(
    `insert into event (account_id, type, subject_type, subject_id, sequence, object, user_id, occurred_at, created_at)
     select ?, case when n in (1, 44000) then 'task.created' else 'note.created' end, 'note', n::text, 1, '{}', -1,
       timestamptz '2027-03-01', now() from generate_series(1, 45000) n`,
    [sandbox.account.id],
  );
  await rows(
    `insert into event_log (account_id, event_id) select account_id, id from event where account_id = ? order by id`,
    [sandbox.account.id],
  );
  await rows(`delete from outbox where topic = 'event'`);
  const start_date = Date.UTC(2027, 2, 1) / 1000;
  const slicesOf = async (body: object) => {
    let count = 0;
    const sent = await api.statements(async () => {
      const answer = await sandbox.post(`/webhooks/${id}/replay`, body);
      count = answer.body.events;
    });
    return [count, sent.filter((statement) => /limit 20000/.test(statement)).length];
  };
  expect(await slicesOf({})).toEqual([2, 3]); // 20,000 + 20,000 + 5,000
  expect(await slicesOf({ start_date })).toEqual([2, 3]); // all at the same time
  expect(await slicesOf({ type: 'task.created' })).toEqual([2, 1]);
  expect(await slicesOf({ related_to: 'note,44000' })).toEqual([1, 1]);
  expect(await slicesOf({ end_date: start_date - 1 })).toEqual([0, 1]);
});
