import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect } from '../../../workers/connection.ts';
import { LEADER } from '../../support/eventLog.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Received, type Receiver, startReceiver, verifiedPayload } from '../../support/receiver.ts';
import { killRoles, startRole } from '../../support/roles.ts';
import { expectOrder, repeatedEventIds } from '../../support/soundness.ts';
import { until } from '../../support/wait.ts';

let product: Product;
let receiver: Receiver;
let moved: Receiver;

beforeAll(async () => {
  product = await startProduct({
    worker: false,
    env: { WEBHOOK_TIMEOUT: String(HANGING_MILLISECONDS), LOG_LEVEL: 'silent' },
  });
  // One pump delivers the events of all objects, so a hanging delivery could block every other one.
  await product.rows(`update account set settings = settings || '{"webhook_shards": 1}'`);
  receiver = await startReceiver();
  moved = await startReceiver();
  await startRole(product, 'worker');
});

afterAll(async () => {
  await killRoles();
  await product.close();
  await receiver.stop();
  await moved.stop();
});

const objectOf = (request: Received): number => JSON.parse(request.body).data.object.id;

const OBJECTS = 4;
/** Longer than the other deliveries take on a busy machine. */
const HANGING_MILLISECONDS = 90_000;

/** The state of the hanging delivery. While it has no finished attempt, other deliveries did not wait for it. */
const hanging = (webhook: number, subject: number) =>
  product.rows('select state, attempts from webhook_delivery where webhook_id = ? and subject_id = ?', [
    webhook,
    String(subject),
  ]);

/** Makes another worker the leader, which is the first to know about new deliveries: cuts the leader's connection, which reconnects after a second, while the other one takes over at once. */
async function leadByAnother(): Promise<void> {
  const owner = await connect(product.config.databaseUrl);
  const [before] = await owner.query<{ pid: number }>(LEADER);
  await owner.query('select pg_terminate_backend($1)', [before?.pid]);
  await until(async () => ((await owner.query<{ pid: number }>(LEADER))[0]?.pid ?? before?.pid) !== before?.pid, {
    what: 'another leader',
  });
  await owner.close();
}

test('with two workers, a receiver that hangs for one object does not delay other objects', async () => {
  receiver.answerBy((request) => (objectOf(request) === 1 ? 'hang' : { status: 200 }));
  const webhook = await product.call('POST', '/webhooks', { url: receiver.url, events: '*' });
  await product.call('POST', '/customers', { name: 'stuck' });
  await receiver.waitFor((request) => objectOf(request) === 1, 'the delivery that hangs');
  // The pump runs in the first worker. The second one becomes the leader and learns of new events.
  await startRole(product, 'worker');
  await leadByAnother();
  for (let id = 2; id <= OBJECTS + 1; id++) {
    await product.call('POST', '/customers', { name: `free${id}` });
    await receiver.waitFor((request) => objectOf(request) === id, `customer ${id}`);
  }
  expect(await product.rows('select distinct shard from webhook_lane')).toEqual([{ shard: 0 }]);
  expect(await hanging(webhook.id, 1)).toEqual([{ state: 'waiting', attempts: 0 }]);
  expect(repeatedEventIds(receiver.requests)).toEqual([]);
  expectOrder(receiver.requests);
});

test('deliveries after a change of the endpoint use its new URL and secret', async () => {
  receiver.answerBy((request) => (request.body.includes('stuck') ? 'hang' : { status: 200 }));
  const webhook = await product.call('POST', '/webhooks', { url: `${receiver.url}moving`, events: '*' });
  const { id } = await product.call('POST', '/customers', { name: 'stuck again' });
  const isMoving = ({ path }: Received) => path === '/moving'; // the endpoint of the first test gets these events too
  await receiver.waitFor((request) => isMoving(request) && objectOf(request) === id, 'the delivery that hangs');
  await product.call('PATCH', `/webhooks/${webhook.id}`, { url: moved.url });
  const { secret } = await product.call('POST', `/webhooks/${webhook.id}/rotate_secret`);
  await product.call('POST', '/customers', { name: 'after the move' });
  const request = await moved.waitFor(({ body }) => body.includes('after the move'), 'the event');
  expect(verifiedPayload(request, secret)).toMatchObject({
    type: 'customer.created',
    data: { object: { name: 'after the move' } },
  });
  expect(await hanging(webhook.id, id)).toEqual([{ state: 'waiting', attempts: 0 }]);
});
