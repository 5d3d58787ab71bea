import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { eventsOf, expectOrder, expectSound } from '../support/soundness.ts';
import { until } from '../support/wait.ts';

let product: Product;
let receiver: Receiver;
let webhook: { id: number };

beforeAll(async () => {
  const env = { SWEEP_INTERVAL: '100', SWEEP_AGE: '100', LOG_LEVEL: 'silent' };
  product = await startProduct({ env });
  await product.rows(`update account set email = 'owner@example.com'`);
});

afterAll(() => product.close());

beforeEach(async () => {
  receiver = await startReceiver();
  webhook = await product.call('POST', '/webhooks', { url: receiver.url, events: '*' });
});

afterEach(async () => {
  await product.call('DELETE', `/webhooks/${webhook.id}`);
  await receiver.stop();
});

const read = () => product.call('GET', `/webhooks/${webhook.id}`);

const disabled = () =>
  product.row(`select disabled_reason as reason from webhook where id = ${webhook.id} and not enabled`);

/** Makes all next attempts due. */
const makeDue = () =>
  product.rows(
    `update webhook_lane set due_at = now() - interval '1 s' where webhook_id = ${webhook.id} and due_at is not null returning 1`,
  );

/** The worker locks lanes, too: this update can lose a deadlock, and is repeated. */
const timePasses = () => until(async () => (await makeDue()) !== null, { what: 'lanes that are due' });

const waiting = async () => {
  const [row] = await product.rows<{ count: number }>(
    `select count(*)::int as count from webhook_delivery where webhook_id = ${webhook.id} and state = 'waiting'`,
  );
  return row?.count;
};

/** Waits until this many events are delivered. Makes pending attempts due meanwhile. */
const delivered = (count: number) =>
  until(
    async () => {
      await timePasses();
      const [row] = await product.rows<{ count: number }>(
        `select count(*)::int as count from webhook_delivery where webhook_id = ${webhook.id} and state = 'delivered'`,
      );
      expect(row?.count).toBe(count); // a time-out tells the count
      return true;
    },
    { what: `${count} deliveries`, every: 300 },
  );

test('410 disables an endpoint at once, with an email; once enabled again it gets its waiting events', async () => {
  receiver.answerBy(() => ({ status: 410 }));
  const customer = await product.call('POST', '/customers', { name: 'gone' });
  expect(await disabled()).toEqual({ reason: 'answered 410 Gone' });
  expect(await read()).toMatchObject({ enabled: false });
  await product.mailbox.waitFor(
    (mail) => mail.to.includes('owner@example.com') && mail.text.includes(receiver.url),
    'the email',
  );
  const requests = receiver.requests.length;
  expect(await waiting()).toBe(1);

  receiver.answerBy(() => ({ status: 200 }));
  await timePasses(); // a due delivery is not sent to a disabled endpoint
  await expectSound(product);
  expect(receiver.requests).toHaveLength(requests);

  expect(await product.call('PATCH', `/webhooks/${webhook.id}`, { enabled: true })).toMatchObject({ enabled: true });
  await delivered(1);
  await product.call('PATCH', `/customers/${customer.id}`, { name: 'back' });
  await delivered(2);
  expect(eventsOf(receiver.requests).map(({ type }) => type)).toEqual(['customer.created', 'customer.updated']);
  expectOrder(receiver.requests);
  await expectSound(product);
});

test('an endpoint that failed for five days is disabled; once enabled again it gets its waiting events in order', async () => {
  receiver.answerBy(() => ({ status: 500 }));
  const customers = await Promise.all(
    ['a', 'b', 'c', 'd', 'e'].map((name) => product.call('POST', '/customers', { name })),
  );
  for (const { id } of customers) await product.call('PATCH', `/customers/${id}`, { name: 'renamed' });
  const failing = `select failing_since as since from webhook where id = ${webhook.id}`;
  await product.row(failing, ({ since }) => since !== null);
  const shift = (days: string) =>
    product.rows(`update webhook set failing_since = now() - interval '${days}' where id = ${webhook.id}`);

  await shift('4 days 23 hours');
  const attempts = `select count(*)::int as made from webhook_attempt where webhook_id = ${webhook.id}`;
  const [{ made } = { made: 0 }] = await product.rows<{ made: number }>(attempts);
  await timePasses();
  await product.row<{ made: number }>(attempts, (row) => row.made > made);
  expect(await read()).toMatchObject({ enabled: true });

  await shift('5 days');
  await timePasses();
  expect(await disabled()).toEqual({ reason: 'failed for five days' });
  await product.row(
    `select count(*)::int as told from email where template = 'webhook_disabled_email' and cause like 'webhook:${webhook.id}:%'`,
    ({ told }) => told === 1,
  );
  await expectSound(product);

  receiver.answerBy(() => ({ status: 200 }));
  await product.call('PATCH', `/webhooks/${webhook.id}`, { enabled: true });
  await delivered(10);
  expect(await product.rows(failing)).toEqual([{ since: null }]);
  expectOrder(receiver.requests);
  await expectSound(product);
});

test('one success resets the days of failures', async () => {
  receiver.answer({ status: 500 });
  await product.call('POST', '/customers', { name: 'shaky' });
  const failing = `select failing_since as since from webhook where id = ${webhook.id}`;
  await product.row(failing, ({ since }) => since !== null);
  await product.rows(`update webhook set failing_since = now() - interval '6 days' where id = ${webhook.id}`);
  await delivered(1);
  expect(await product.rows(failing)).toEqual([{ since: null }]);
  expect(await read()).toMatchObject({ enabled: true });
});
