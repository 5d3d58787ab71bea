import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { takeClockRound } from '../../commands/clocks/rounds.ts';
import { storeBytes } from '../../commands/files/strayBytes.ts';
import { takePumpLease } from '../../db/queries/processes/pumpLeases.ts';
import { noteProgress } from '../../db/queries/processes/queues.ts';
import { withAccount } from '../../db/tenant.ts';
import { inTransaction } from '../../db/transaction.ts';
import { TWILIO_TOKEN, twilioEvent } from '../adapters/twilio/server.ts';
import { type Client, successBody, type TestApi } from './api.ts';
import { seedCatalog, seedEverything } from './everything.ts';
import { logoPng } from './logo.ts';
import { addMember, authorizationUrl, authorize, oauthClient, register, signInNewPerson } from './oauth.ts';
import { sourceVisitor } from './sourcePage.ts';
import { takeSubscriptionSteps } from './subscriptionSteps.ts';
import { TWILIO_PROVIDER } from './texts.ts';
import { upload } from './upload.ts';
import { withConnection } from './wholeDatabase.ts';

const FROZEN = Date.parse('2027-01-01T00:00:00Z') / 1000;

/** Uses an API until each table of its database has a row: settings, texts, pages, sign-ins, an upload that was cut off, a test clock. */
export async function useEveryTable(api: TestApi, client: Client): Promise<void> {
  await seedCatalog(client);
  await seedEverything(api, client, {});
  await workOnClock(api, client);
  await changeSettings(client);
  await stopTexts(api);
  await (await sourceVisitor(api, client)).tokenOf('tok_4242424242424242');
  await signIn(api);
  await addPerson(api);
  await linkAct(api);
  await cutOffUpload(api, client);
}

async function changeSettings(client: Client): Promise<void> {
  const change = async (path: string, body: object) => successBody(await client.patch(path, body));
  const picture = await upload(client, [{ name: 'file', filename: 'logo.png', content: logoPng() }]);
  await change('/account', { logo: successBody(picture).id });
  await change('/account', { alert_digest: true, alert_recipients: ['team@example.com'], statement_day: 'last' });
  await change('/account', { numbering: { invoice: { next: 900 } } });
  await change('/payment_methods/check', { instructions: 'Payable to Acme' });
  await client.make('/custom_fields', { id: 'segment', object: 'customer', name: 'Segment' });
  await client.make('/saved_views', { name: 'All', list: 'invoices' });
  await client.make('/jobs', { type: 'bulk', action: 'csv', list: 'customers', query: {} });
  await client.make('/gl_accounts', { code: '4000', name: 'Sales' });
  await client.make('/pdf_templates', { id: 'export', name: 'Export', layout: 'modern' });
  await client.make('/email_templates', { id: 'vip', name: 'VIP', template: 'new_invoice_email', subject: 'Dear' });
  await client.make('/customers', { name: 'Once' }, { 'Idempotency-Key': 'once' });
}

/** A customer of the live account answers a text with STOP. */
async function stopTexts({ live, deps, origin }: TestApi): Promise<void> {
  const { id } = await live.make('/message_providers', TWILIO_PROVIDER);
  const path = `/sms_events/twilio_${live.account.id}_${id}`;
  const said = { MessageSid: 'SM1', From: '+12125550999', Body: 'STOP' };
  const { body, headers } = twilioEvent(`${deps.publicUrl}${path}`, said, TWILIO_TOKEN);
  const { status } = await fetch(`${origin}${path}`, { method: 'POST', headers, body });
  if (status !== 200) throw new Error(`STOP was answered with ${status}`);
}

/** A person with every kind of factor and session, and a role. The pages that make them are tested in `test/api/people/`. */
async function addPerson({ em, live }: TestApi): Promise<void> {
  await em.fork().execute(
    `with p as (insert into person (email, created_at, updated_at) values ('factors@acme.example', now(), now()) returning id),
       k as (insert into passkey (person_id, credential_id, public_key, counter, transports, name, created_at)
         select id, 'key', 'cose', 0, '{}', 'Laptop', now() from p),
       c as (insert into recovery_code (person_id, hash) select id, 'hash' from p),
       s as (insert into person_session (person_id, hash, proofs, proven_at, last_seen_at, ip, created_at, expires_at)
         select id, 'session', '{password}', now(), now(), '192.0.2.1', now(), now() + interval '1 day' from p),
       t as (insert into person_secret (person_id, purpose, hash, data, created_at, expires_at)
         select id, 'reset', 'reset', '{}', now(), now() + interval '1 hour' from p)
     insert into role (account_id, code, name, permissions, created_at, updated_at)
       values (?, 'clerk', 'Clerk', '{customers.read}', now(), now())`,
    [live.account.id],
  );
}

/** An act with its link, and what dropped months leave behind. */
async function linkAct({ em, live }: TestApi): Promise<void> {
  await em.fork().execute(
    `with acted as (insert into audit_log (account_id, created_at, kind, actor, operation)
         values (?, now(), 'change', 'system', 'seeded') returning account_id, id, created_at),
       linked as (insert into audit_link (account_id, position, created_at, entry_id, entry_created_at, mac)
         select account_id, 1, created_at, id, created_at, 'mac' from acted),
       headed as (insert into audit_head (account_id, position, mac, linked_at, signature)
         select account_id, 1, 'mac', created_at, 'signature' from acted)
     insert into audit_anchor (account_id, through, position, mac, signature)
       select account_id, created_at - interval '2 years', 0, 'mac', 'signature' from acted`,
    [live.account.id],
  );
}

/** One person signs in, one allows an application, one is still asked for consent, one has a wrong password. */
async function signIn(api: TestApi): Promise<void> {
  const credentials = await addMember(api, api.live.account, 'ann@acme.example');
  const application = await register(api, api.live);
  await signInNewPerson(api, credentials);
  await authorize(api, oauthClient(api, application, { prefix: '' }), { credentials });
  await signInNewPerson(api, credentials, authorizationUrl(api, application));
  await signInNewPerson(api, { ...credentials, password: 'a wrong one' });
}

/** An upload that ended after its bytes were stored, and before they became a file. */
async function cutOffUpload({ deps }: TestApi, { account }: Client): Promise<void> {
  const content = Buffer.from('%PDF-1.7 cut off');
  const sha256 = createHash('sha256').update(content).digest('hex');
  const bytes = { size: content.length, sha256, type: 'application/pdf', open: () => Readable.from(content) };
  await withAccount(account.id, () => storeBytes(deps, { accountId: account.id, bytes }, deps.systemNow()));
}

/** What workers do: the first step of an advancing test clock, a pump, and a sweep that notes the progress of its queue. */
async function workOnClock(api: TestApi, client: Client): Promise<void> {
  const clock = (await client.make('/test_clocks', { frozen_time: FROZEN })).id;
  const customer = (await client.make('/customers', { name: 'Timed', test_clock: clock })).id;
  const { id } = await client.make('/subscriptions', { customer, plan: 'gold' });
  successBody(await client.post(`/test_clocks/${clock}/advance`, { frozen_time: FROZEN + 40 * 86_400 }));
  const accountId = client.account.id;
  await api.em.execute(`delete from outbox where clock_id = ? and topic <> 'event'`, [clock]); // the relay has woken them
  const round = await inTransaction(api.em, (em) => takeClockRound(em, { accountId, id: clock }, new Date()));
  if (round !== 'moved') throw new Error(`the clock is ${round}`);
  await takeSubscriptionSteps(api.em, { accountId, id });
  const run = { accountId, process: 'mail' as const, id: accountId, holder: randomUUID() };
  await withAccount(accountId, () => takePumpLease(api.em.fork(), run, 1000));
  const served = { environment: client.account.environment, since: new Date() };
  await withConnection(api.databaseUrl, (sql) => noteProgress(sql, [served], new Date()));
}
