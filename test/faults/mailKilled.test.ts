import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createEndpoint, createPayer, createPlan, subscribe } from '../support/business.ts';
import { type Product, startProduct } from '../support/product.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { expectOrder, expectSound, repeated } from '../support/soundness.ts';

let product: Product;
let receiver: Receiver;

beforeAll(async () => {
  product = await startProduct({ worker: false, env: { LOG_LEVEL: 'fatal' } });
  receiver = await startReceiver();
  await createPlan(product, 'gold');
}, 60_000);

afterAll(async () => {
  await killRoles();
  await product.close();
  await receiver.stop();
});

test('what a worker sent and died before it could say so comes again under the same id: a mail, and an event', async () => {
  const webhook = await createEndpoint(product, receiver.url);
  const subscription = await subscribe(product, await createPayer(product, 'payer'), { code: 'gold' });
  const first = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: 'mail.sent=kill' });
  await first.untilKilledAt('mail.sent');
  expect(await product.rows('select state, attempts from email')).toEqual([{ state: 'queued', attempts: 0 }]);

  await product.call('PATCH', `/subscriptions/${subscription}`, { metadata: { note: 'an event that waits' } });
  const second = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: 'webhook.sent=kill' });
  await second.untilKilledAt('webhook.sent');
  const unrecorded = receiver.requests.length;
  expect(unrecorded).toBeGreaterThan(0);

  await startRole(product, 'worker');
  await expectSound(product, [webhook], 60_000);
  const [email] = await product.rows('select message_id, state, attempts from email');
  expect(email).toMatchObject({ state: 'sent', attempts: 1 });
  const ids = product.mailbox.messages().map(({ headers }) => headers['message-id']);
  expect(ids).toEqual([email?.message_id, email?.message_id]);
  expect(repeated(receiver.requests).length).toBeGreaterThan(0);
  for (const { body, headers } of receiver.requests) expect(headers['webhook-id']).toBe(`evt_${JSON.parse(body).id}`);
  expectOrder(receiver.requests);
}, 120_000);
