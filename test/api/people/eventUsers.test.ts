import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dueHeads } from '../../../db/queries/webhooks/deliveries.ts';
import { withAccount } from '../../../db/tenant.ts';
import { presentDelivery } from '../../../present/webhooks/webhook.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { colleague } from '../../support/people.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('an event that a member caused in a browser names it, in the API and to endpoints', async () => {
  const { sandbox } = api;
  const { id, email } = await colleague(api, sandbox, { role: 'employee' });
  await sandbox.patch(`/members/${id}`, { name: 'Ada Lovelace' });
  await sandbox.make('/customers', { name: 'By a key' });
  await sandbox.make('/customers', { name: 'By a member' });
  const [byMember, byKey] = (await sandbox.get('/events')).body;
  const accountId = sandbox.account.id;
  const em = api.em.fork();
  await em.execute('alter table event disable trigger all');
  await em.execute('update event set user_id = ? where account_id = ? and id = ?', [id, accountId, byMember.id]);
  await em.execute('alter table event enable trigger all');
  const user = { id, object: 'user', email, first_name: 'Ada Lovelace', registered: true };
  expect((await sandbox.get(`/events/${byMember.id}`)).body.user).toMatchObject(user);
  expect((await sandbox.get(`/events/${byKey.id}`)).body.user).toMatchObject({
    id: -2,
    email: null,
    first_name: 'API',
  });

  const { id: webhookId } = await sandbox.make('/webhooks', { url: 'http://127.0.0.1:9/' });
  const now = new Date();
  for (const event of [byMember, byKey]) {
    const lane = [accountId, webhookId, 'customer', String(event.data.object.id)];
    await em.execute(
      `insert into webhook_lane (account_id, webhook_id, subject_type, subject_id, last_sequence, due_at, shard) values (?, ?, ?, ?, 1, ?, 0)`,
      [...lane, now],
    );
    await em.execute(
      `insert into webhook_delivery (account_id, webhook_id, subject_type, subject_id, event_id, sequence, position, state, attempts, created_at)
       values (?, ?, ?, ?, ?, 1, ?, 'waiting', 0, ?)`,
      [...lane, event.id, event.id, now],
    );
  }
  const pump = { accountId, id: webhookId, shard: 0, limit: 10 };
  const heads = await withAccount(accountId, () => dueHeads(api.deps.em.fork(), pump, now));
  const users = heads.map((head) => presentDelivery(head).user);
  expect(users).toContainEqual(expect.objectContaining(user));
  expect(users).toContainEqual(expect.objectContaining({ id: -2, email: null }));
});
