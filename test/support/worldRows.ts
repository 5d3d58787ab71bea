import { Readable } from 'node:stream';
import { createMember } from '../../commands/accounts/members.ts';
import { storeBytes } from '../../commands/files/strayBytes.ts';
import { reportProblem } from '../../commands/kernel/problems.ts';
import { WebhookAttempt, WebhookDelivery, WebhookLane } from '../../db/schema/webhookDelivery.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Client, TestApi } from './api.ts';
import { fortyDaysAgo, takeSubscriptionSteps } from './subscriptionSteps.ts';

/** Objects of a world that a request alone does not create. */

/** Creates a subscription whose contract has ended and waits for its renewal. */
export async function seedContract(api: TestApi, client: Client, plan: string): Promise<number> {
  const customer = (await client.make('/customers', { name: 'Bound' })).id;
  const contract = { start_date: fortyDaysAgo(), cycles: 1, contract_renewal_mode: 'manual' };
  const { id } = await client.make('/subscriptions', { customer, plan, ...contract });
  await takeSubscriptionSteps(api.em, { accountId: client.account.id, id });
  return id;
}

/** A job that waits, one that has a file, and a schedule whose reports an active member gets. */
export async function seedJobs({ deps, em }: TestApi, client: Client) {
  const asked = { type: 'report', report: 'aging' };
  const { account } = client;
  const { id: waiting } = await client.make('/jobs', asked);
  const { id: jobs } = await client.make('/jobs', asked);
  const content = Buffer.from('customer\r\n');
  const bytes = { size: content.length, sha256: '', type: 'text/csv', open: () => Readable.from([content]) };
  const stray = await withAccount(account.id, () => storeBytes(deps, { accountId: account.id, bytes }, new Date()));
  await em.fork().execute('delete from stray_bytes where id = ?', [stray.id]);
  await em.fork().execute(
    `update job set status = 'done', finished_at = now(), expires_at = now() + interval '30 days', file_name = 'aging.csv', file_type = 'text/csv',
       file_size = ?, store_key = ? where id = ?`,
    [content.length, stray.storeKey, jobs],
  );
  const [member] = await em
    .fork()
    .execute<{ id: number }[]>(
      `select id from member where account_id in (?, ?) and status = 'active' order by id limit 1`,
      [account.id, account.twinId ?? account.id],
    );
  const recipient = member?.id ?? 0;
  const schedule = { name: 'Ours', report: 'aging', parameters: { range: 'previous_day' }, every: 'day', hour: 7 };
  const { id: report_schedules } = await client.make('/report_schedules', { ...schedule, recipients: [recipient] });
  return { jobs, waiting, reports: jobs, recipient, report_schedules };
}

/** Creates objects that only workers create. */
export async function seedProcesses(
  api: TestApi,
  client: Client,
  ids: { invoices: number; webhooks: number; events: number },
) {
  const accountId = client.account.id;
  const report = { accountId, process: 'invoice' as const, id: ids.invoices, step: 'attempt 1', message: 'no gateway' };
  await inTransaction(api.em, (em) => reportProblem(em, report, new Date()));
  const attempt = await inTransaction(api.em, async (em) => {
    const known = { accountId, webhookId: ids.webhooks, eventId: ids.events, createdAt: new Date() };
    const subject = { subjectType: 'invoice', subjectId: '1', sequence: 1, previousSequence: null };
    const state = { position: 1n, state: 'failed' as const, attempts: 1, endedAt: new Date() };
    const lane = { webhookId: ids.webhooks, subjectType: 'invoice', subjectId: '1', lastSequence: 1, dueAt: null };
    em.create(WebhookLane, { accountId, ...lane, shard: 0 });
    const delivery = em.create(WebhookDelivery, { ...known, ...subject, ...state });
    await em.write();
    const outcome = { attempt: 1, statusCode: null, error: 'refused', answer: '', latencyMilliseconds: 3 };
    const made = em.create(WebhookAttempt, { ...known, ...outcome, deliveryId: delivery.id, nextAttemptAt: null });
    await em.write();
    return made;
  });
  const problems = (await client.get('/problems')).body[0].id;
  return { problems, webhook_attempts: attempt.id };
}

/** Creates an application and a member's grant. */
export async function seedOauth(api: TestApi, client: Client) {
  const asked = { name: 'Sync', redirect_uris: ['https://example.com/callback'] };
  const { id, client_id } = await client.make('/oauth_applications', asked);
  const accountId = client.account.id;
  const liveAccountId = client.account.twinId ?? accountId;
  const email = `first.of.${liveAccountId}@example.com`;
  const { member } = await inTransaction(api.em, (em) => createMember(em, { liveAccountId, email }, new Date()));
  const [grant] = await api.em.fork().execute(
    `insert into oauth_grant (account_id, key, application_account_id, application_id, member_account_id, member_id, client_id,
      application_name, granted_by, scope, expires_at, created_at)
    values (?, ?, ?, ?, ?, ?, ?, 'Sync', ?, 'read', '2090-01-01', now()) returning id`,
    [accountId, `grant-${accountId}`, accountId, id, liveAccountId, member.id, client_id, email],
  );
  return { oauth_applications: id, oauth_grants: grant?.id ?? 0, joined: member.id };
}
