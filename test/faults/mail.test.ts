import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createPayer } from '../support/business.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { invoiceFor } from '../support/story.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ env: { SWEEP_INTERVAL: '100', SWEEP_AGE: '100', LOG_LEVEL: 'silent' } });
});

afterAll(() => product.close());

interface EmailRow {
  id: number;
  state: string;
  attempts: number;
  message_id: string;
  failure_reason: string | null;
  sent_at: Date | null;
  /** Seconds until the next attempt: from now, and from its creation. */
  wait: number | null;
  after: number | null;
  hours: number;
}

const emailOf = (name: string) =>
  `select id, state, attempts, message_id, failure_reason, sent_at,
          extract(epoch from next_attempt_at - clock_timestamp())::float8 as wait,
          extract(epoch from next_attempt_at - created_at)::float8 as after,
          extract(epoch from give_up_at - created_at)::float8 / 3600 as hours
   from email where to_address = '${name}@example.com'`;

/** Bills and charges a new customer, who then gets a receipt by mail. */
const bill = async (name: string) => invoiceFor(product, await createPayer(product, name), 10);

const attempted = (name: string, count: number) =>
  product.row<EmailRow>(emailOf(name), ({ attempts }) => attempts === count);

/** Makes the next attempt due. */
const timePasses = (name: string) =>
  product.rows(`update email set next_attempt_at = now() - interval '1 s' where to_address = '${name}@example.com'`);

const arrived = (name: string) => product.mailbox.messages().filter(({ to }) => to.includes(`${name}@example.com`));

test('mail waits for an unavailable mail server and is sent when it is back', async () => {
  await product.mailbox.stop();
  await bill('waiting');
  const first = await attempted('waiting', 1);
  expect(first).toMatchObject({
    state: 'queued',
    failure_reason: expect.stringMatching(/ECONNREFUSED/),
    sent_at: null,
  });
  expect(first.after).toBeGreaterThanOrEqual(10);
  expect(first.wait).toBeLessThanOrEqual(10);
  expect(first.hours).toBe(48);
  await product.row(
    `select 1 from invoice i join customer c on c.id = i.customer_id where c.name = 'waiting' and i.paid`,
  );

  await product.mailbox.start();
  await timePasses('waiting');
  await product.row<EmailRow>(emailOf('waiting'), ({ state }) => state === 'sent');
  expect(arrived('waiting').map(({ headers }) => headers['message-id'])).toEqual([first.message_id]);
  await expectSound(product);
});

test('a temporarily refused mail is retried with back-off until it is taken', async () => {
  product.mailbox.refuse(451, 421);
  await bill('greylisted');
  const first = await attempted('greylisted', 1);
  expect(first).toMatchObject({ state: 'queued', failure_reason: expect.stringMatching(/refused by script/) });
  await timePasses('greylisted');
  const second = await attempted('greylisted', 2);
  expect(second.after).toBeGreaterThanOrEqual(30);
  expect(second.wait).toBeLessThanOrEqual(30);
  await timePasses('greylisted');
  expect(await attempted('greylisted', 3)).toMatchObject({ state: 'sent', failure_reason: null });
  expect(arrived('greylisted').map(({ headers }) => headers['message-id'])).toEqual([first.message_id]);
  await expectSound(product);
});

test('a permanently refused mail is bounced and never retried', async () => {
  product.mailbox.refuse(550);
  await bill('unknown');
  expect(await attempted('unknown', 1)).toMatchObject({
    state: 'bounced',
    failure_reason: expect.stringMatching(/refused by script/),
    wait: null,
  });
  await expectSound(product);
  expect(arrived('unknown')).toEqual([]);
});

test('a queued receipt is not sent once its payment is voided', async () => {
  product.mailbox.refuse(451);
  const { id: customer } = await product.client.post('/customers', { name: 'C', email: 'returned@example.com' });
  const { id } = await product.client.post('/payments', { customer, amount: 40, method: 'check' });
  await product.client.post('/payments/{id}/emails', {}, { id });
  await attempted('returned', 1);
  await product.client.delete('/payments/{id}', { id });
  await timePasses('returned');
  expect(await attempted('returned', 2)).toMatchObject({
    state: 'bounced',
    failure_reason: 'Payment is voided: it has no receipt',
    wait: null,
  });
  expect(arrived('returned')).toEqual([]);
});

test('a receipt that is only kept is not recorded as sent once its payment is voided', async () => {
  const kept = await startProduct({ worker: false, config: { sandboxSmtpUrl: null } });
  const { id: customer } = await kept.client.post('/customers', { name: 'C', email: 'kept@example.com' });
  const { id } = await kept.client.post('/payments', { customer, amount: 40, method: 'check' });
  await kept.client.post('/payments/{id}/emails', {}, { id });
  await kept.client.delete('/payments/{id}', { id });
  await kept.startWorker();
  const handled = await kept.row('select state, failure_reason from email', ({ state }) => state !== 'queued');
  expect(handled).toEqual({ state: 'bounced', failure_reason: 'Payment is voided: it has no receipt' });
  await kept.close();
});

test('a mail is given up after 48 hours', async () => {
  product.mailbox.refuse(451, 451);
  await bill('hopeless');
  await attempted('hopeless', 1);
  // Nearly 48 hours have passed: a third attempt would come after their end.
  await product.rows(`update email set give_up_at = now() + interval '29 s' where to_address = 'hopeless@example.com'`);
  await timePasses('hopeless');
  expect(await attempted('hopeless', 2)).toMatchObject({ state: 'failed', wait: null });
  await expectSound(product);
  expect(arrived('hopeless')).toEqual([]);
});
