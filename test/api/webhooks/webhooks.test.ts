import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordDelivered, recordFailed } from '../../../commands/webhooks/deliveries.ts';
import { dueHeads, type Head } from '../../../db/queries/webhooks/deliveries.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { connect } from '../../../workers/connection.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { appendOnce } from '../../support/eventLog.ts';
import { idsFrom, sweepAt } from '../../support/sweeps.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const url = 'http://127.0.0.1:9/hooks';
const DAY = 86_400_000;
const DUE = Date.UTC(2027, 2, 1);

test('an endpoint can be registered, read, changed, listed and deleted; its secret is shown once', async () => {
  const { sandbox } = api;
  const asked = { url, events: ['invoice.created', 'invoice.paid'], description: 'Books' };
  const created = await sandbox.post('/webhooks', asked);
  expect(created).toMatchObject({
    status: 201,
    body: { object: 'webhook', ...asked, enabled: true, api_version: '2026-11-01' },
  });
  expect(created.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const { secret, ...rest } = created.body;
  const path = `/webhooks/${created.body.id}`;
  expect((await sandbox.get(path)).body).toEqual(rest);
  const changed = await sandbox.patch(path, { events: '*', enabled: false, description: null });
  expect(changed).toMatchObject({ status: 200, body: { events: '*', enabled: false, description: null, url } });
  expect((await sandbox.get('/webhooks')).body).toEqual([changed.body]);
  expect((await sandbox.delete(path)).status).toBe(204);
  expect((await sandbox.get(path)).status).toBe(404);
});

test('a secret in a stored answer is encrypted, and is replayed', async () => {
  const send = () => api.sandbox.post('/webhooks', { url }, { 'Idempotency-Key': 'hook' });
  const { body } = await send();
  const rows = await api.em.fork().execute(`select body from idempotency where key = 'hook'`);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.body).not.toContain('whsec_');
  expect((await send()).body).toEqual(body);
  const [stored] = await api.em.fork().execute('select * from webhook where id = ?', [body.id]);
  expect(JSON.stringify(stored)).not.toContain(body.secret);
  expect(JSON.stringify(stored)).not.toContain(body.secret.slice('whsec_'.length));
  await api.sandbox.delete(`/webhooks/${body.id}`);
});

test.each([
  [{}, 'url'],
  [{ url: 'hooks' }, 'url'],
  [{ url: 'ftp://example.com' }, 'url'],
  [{ url: 'https://me:secret@example.com' }, 'url'],
  [{ url: 'https://169.254.169.254/latest' }, 'url'],
  [{ url: `https://example.com/${'x'.repeat(2048)}` }, 'url'],
  [{ url, events: ['invoice.creatd'] }, 'events[0]'],
  [{ url, events: 'invoice.created' }, 'events'],
  [{ url, api_version: '2020-01-01' }, 'api_version'],
  [{ url, secret_key: 'x' }, 'secret_key'],
])('%j is refused, naming %s', async (body, param) => {
  expect(await api.sandbox.post('/webhooks', body)).toMatchObject(refused({ param }));
});

test('a live endpoint has to be https', async () => {
  const answer = await api.live.post('/webhooks', { url: 'http://example.com/hooks' });
  expect(answer).toMatchObject(refused({ param: 'url' }));
});

/** Records an answer to the oldest due delivery, as the pump does. */
async function deliver(webhookId: number, statusCode: number): Promise<Head | undefined> {
  const { em, sandbox } = api;
  const accountId = sandbox.account.id;
  const shards = await Promise.all(
    [0, 1, 2, 3].map((shard) => dueHeads(em.fork(), { accountId, id: webhookId, shard, limit: 1 }, new Date())),
  );
  const [head] = shards.flat();
  const answer = { statusCode, error: null, answer: 'no', latencyMilliseconds: 3, retryAfterSeconds: null };
  const record = statusCode === 200 ? recordDelivered : recordFailed;
  if (head)
    await inTransaction(em, (tx) => record(tx, { accountId, webhookId, head, answer, chance: 0.5 }, new Date()));
  return head;
}

test('attempts are listed, and can be repeated at once', async () => {
  const { sandbox } = api;
  const { body: webhook } = await sandbox.post('/webhooks', { url, events: ['customer.created'] });
  await sandbox.post('/customers', { name: 'Delivered' });
  await appendOnce(api.databaseUrl);
  const first = await deliver(webhook.id, 500);
  expect(first?.type).toBe('customer.created');
  expect(await deliver(webhook.id, 500)).toBeUndefined(); // due in five seconds

  const { body: attempts } = await sandbox.get(`/webhook_attempts?webhook=${webhook.id}`);
  expect(attempts).toMatchObject([
    { object: 'webhook_attempt', webhook: webhook.id, attempt: 1, status_code: 500, answer: 'no' },
  ]);
  expect((await sandbox.get('/webhook_attempts?filter[webhook]=4711')).body).toEqual([]);
  const pokes = api.pokes();
  expect(await sandbox.post(`/webhook_attempts/${attempts[0].id}/retries`)).toMatchObject({
    status: 200,
    body: attempts[0],
  });
  expect(api.pokes()).toBe(pokes + 1);
  expect((await deliver(webhook.id, 200))?.eventId).toBe(first?.eventId);
  const { body: both } = await sandbox.get(`/webhook_attempts?webhook=${webhook.id}`);
  expect(both.map((attempt: { status_code: number }) => attempt.status_code)).toEqual([200, 500]);
  await sandbox.patch(`/webhooks/${webhook.id}`, { enabled: false });
  expect((await sandbox.post(`/webhook_attempts/${attempts[0].id}/retries`)).status).toBe(400);
});

test('deliveries and attempts are kept as long as configured; waiting ones stay', async () => {
  const { id } = await api.sandbox.make('/webhooks', { url, events: '*' });
  const account = api.sandbox.account.id;
  const sql = await connect(api.databaseUrl);
  // Delivery n was attempted twice on day n. The fourth one still waits.
  await sql.query(
    `with made as (
       insert into webhook_delivery (account_id, webhook_id, event_id, position, subject_type, subject_id, sequence, state, created_at, ended_at)
       select $1::int, $2::int, n, n, 'invoice', n, 1, case n when 4 then 'waiting' else 'delivered' end, day, case n when 4 then null else day end
       from generate_series(1, 40) n, lateral (select $3::timestamptz + n * interval '1 day' as day) d returning id, event_id, created_at
     )
     insert into webhook_attempt (account_id, webhook_id, delivery_id, event_id, attempt, answer, latency_milliseconds, created_at)
     select $1::int, $2::int, id, event_id, attempt, '', 1, created_at from made, generate_series(1, 2) attempt`,
    [account, id, new Date(DUE)],
  );
  const now = DUE + 40 * DAY;
  const kept = async (table: string) => {
    const rows = await sql.query<{ id: number }>(
      `select distinct event_id as id from ${table} where webhook_id = $1 order by 1`,
      [id],
    );
    return rows.map((row) => row.id);
  };
  await sweepAt(api, now);
  const [all, left] = [idsFrom(1, 40), idsFrom(10, 40)];
  expect([await kept('webhook_delivery'), await kept('webhook_attempt')]).toEqual([all, all]);
  await sweepAt(api, now, { deliveryHistory: 30 * DAY });
  expect([await kept('webhook_delivery'), await kept('webhook_attempt')]).toEqual([[4, ...left], left]);
  await sql.close();
});
