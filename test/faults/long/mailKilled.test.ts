import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { workflowId } from '../../../workflows/client.ts';
import { createEndpoint, createPayer, createPlan, subscribe } from '../../support/business.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { killRoles, startRole } from '../../support/roles.ts';
import { expectOrder, expectSound, repeatedEventIds } from '../../support/soundness.ts';
import { temporalAddress } from '../../support/temporal.ts';
import { until } from '../../support/wait.ts';

let product: Product;
let receiver: Receiver;
let webhook: { id: number };
let temporal: Connection;

beforeAll(async () => {
  product = await startProduct({ worker: false, env: { LOG_LEVEL: 'fatal' } });
  receiver = await startReceiver();
  temporal = await Connection.connect({ address: temporalAddress() });
  await createPlan(product, 'gold');
  webhook = await createEndpoint(product, receiver.url);
});

afterEach(killRoles);

afterAll(async () => {
  await temporal.close();
  await product.close();
  await receiver.stop();
});

/** Activity results and signal count of the latest run of the sandbox's mail workflow. */
async function pumpOfMail(): Promise<{ results: string[]; wakes: number }> {
  const name = workflowId(product.deps.deployment.id, { process: 'mail', id: product.accountId, shard: 0 });
  const { events } = await new Client({ connection: temporal }).workflow.getHandle(name).fetchHistory();
  const results = (events ?? []).flatMap(({ activityTaskCompletedEventAttributes: completed }) => {
    const [result] = completed?.result?.payloads ?? [];
    return result?.data ? JSON.parse(Buffer.from(result.data).toString()).did : [];
  });
  const wakes = (events ?? []).filter(({ workflowExecutionSignaledEventAttributes: signal }) => signal).length;
  return { results, wakes };
}

test('one activity sends more than twenty mails, and a temporarily refused mail is retried at its time, without another wake-up', async () => {
  const { client } = product;
  const { id: customer } = await client.post('/customers', { name: 'Many' });
  const { id } = await client.post('/invoices', { customer, items: [{ unit_cost: 5 }] });
  const people = Array.from({ length: 45 }, (_, index) => ({ email: `m${index}@example.com` }));
  for (const to of [people.slice(0, 15), people.slice(15, 30), people.slice(30)])
    await client.post('/invoices/{id}/emails', { to }, { id });
  product.mailbox.refuse(451);
  const worker = await product.startWorker();
  // All other mails are sent. The refused one becomes due in three seconds instead of ten.
  const { id: refused } = await product.row<{ id: number }>(
    `update email set next_attempt_at = now() + interval '3 s' where state = 'queued' and attempts = 1
     and (select count(*) from email where state = 'sent') = 44 returning id`,
  );
  await product.row("select count(*)::int as n from email where state = 'sent'", ({ n }) => n === 45);
  const over = () => pumpOfMail().then((pump) => (pump.results.length > 1 ? pump : null)); // the last activity ends a second after its mail
  expect(await until(over, { what: 'the activities of the pump' })).toEqual({
    results: ['handled 45 emails', 'handled 1 emails'],
    wakes: 1,
  });
  // It was sent 3 s after the others, when it was due.
  const [late] = await product.rows<{ seconds: number }>(
    `select extract(epoch from sent_at - (select max(sent_at) from email where id <> e.id))::float8 as seconds
     from email e where id = ?`,
    [refused],
  );
  expect(late?.seconds).toBeGreaterThan(2);
  const got = product.mailbox.messages().flatMap(({ to }) => to);
  expect(got.toSorted()).toEqual(people.map(({ email }) => email).toSorted());
  await worker.close();
});

test('a mail whose worker died before recording it is sent again under the same id, with one event', async () => {
  const subscription = await subscribe(product, await createPayer(product, 'payer'), { code: 'gold' });
  const first = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: 'mail.sent=kill' });
  await first.untilKilledAt('mail.sent');
  const confirmation =
    "select message_id, state, attempts from email where template = 'subscription_confirmation_email'";
  expect(await product.rows(confirmation)).toMatchObject([{ state: 'queued', attempts: 0 }]);

  await product.call('PATCH', `/subscriptions/${subscription}`, { metadata: { note: 'an event that waits' } });
  const recorded = receiver.requests.length;
  const second = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: 'webhook.sent=kill' });
  await second.untilKilledAt('webhook.sent');
  expect(receiver.requests.length).toBeGreaterThan(recorded);

  await startRole(product, 'worker');
  await expectSound(product, [webhook]);
  const [email] = await product.rows(confirmation);
  expect(email).toMatchObject({ state: 'sent', attempts: 1 });
  const mails = product.mailbox.messages().filter(({ subject }) => subject.startsWith('Your subscription'));
  const ids = mails.map(({ headers }) => headers['message-id']);
  expect(ids).toEqual([email?.message_id, email?.message_id]);
  expect(repeatedEventIds(receiver.requests).length).toBeGreaterThan(0);
  for (const { body, headers } of receiver.requests) expect(headers['webhook-id']).toBe(`evt_${JSON.parse(body).id}`);
  expectOrder(receiver.requests);
});

test('a worker that is killed before it records who got a mail leaves nobody without it, whichever attempt it made', async () => {
  const { client, mailbox } = product;
  const [to, late] = ['twice@example.com', 'late-copy@example.com'];
  mailbox.refuseAddress(late, '4.7.1 Greylisted', 451);
  const customer = await client.post('/customers', { name: 'Partly', email: to });
  const invoice = await client.post('/invoices', { customer: customer.id, items: [{ unit_cost: 5 }] });
  const [mail] = await client.post('/invoices/{id}/emails', { bcc: late }, { id: invoice.id });
  interface Row {
    name: string;
    state: string;
    attempts: number;
    waiting: string[] | null;
  }
  const email = `select message_id as name, state, attempts, progress->'waiting' as waiting from email where id = ${mail?.id}`;

  const first = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: 'mail.sent=kill' });
  await first.untilKilledAt('mail.sent');
  expect(await product.row<Row>(email)).toMatchObject({ state: 'queued', attempts: 0, waiting: null });

  // The second worker records one attempt, and dies before it records the next one, which reaches the copy.
  const second = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: 'mail.sent=kill:2' });
  await product.row<Row>(email, ({ attempts }) => attempts === 1);
  mailbox.acceptAddress(late);
  await product.rows(`update email set next_attempt_at = now() where id = ${mail?.id}`);
  await second.untilKilledAt('mail.sent');
  expect(await product.row<Row>(email)).toMatchObject({ state: 'queued', attempts: 1, waiting: [late] });

  await startRole(product, 'worker');
  const { name } = await product.row<Row>(email, ({ state }) => state === 'sent');
  const got = mailbox.messages().filter(({ headers }) => headers['message-id'] === name);
  expect(got.map((one) => one.to)).toEqual([[to], [to], [late], [late]]);
});
