import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect } from '../../workers/connection.ts';
import { type Product, startProduct } from '../support/product.ts';
import { type Received, type Receiver, startReceiver, verified } from '../support/receiver.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { expectOrder, repeated } from '../support/soundness.ts';
import { until } from '../support/wait.ts';

let product: Product;
let receiver: Receiver;
let moved: Receiver;

beforeAll(async () => {
  product = await startProduct({
    worker: false,
    env: { WEBHOOK_TIMEOUT: String(HANGING_MILLISECONDS), LOG_LEVEL: 'silent' },
  });
  // One pump for all objects: a delivery that hangs is in the way of every other, if of any.
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
/** Longer than the others take on a busy machine. */
const HANGING_MILLISECONDS = 90_000;

/** The delivery of an object that hangs: it has not been given up yet, so that whatever came meanwhile did not wait for it. */
const hanging = (webhook: number, subject: number) =>
  product.rows('select state, attempts from webhook_delivery where webhook_id = ? and subject_id = ?', [
    webhook,
    String(subject),
  ]);

/** The session that appends the event log, and with that hears first of what there is to deliver. */
const leader = `select pid from pg_locks where locktype = 'advisory' and objid = 7262002 and granted
  and database = (select oid from pg_database where datname = current_database())`;

/** Takes the lead from the worker that has it: it comes back for it after a second, the other one at once. */
async function leadByAnother(): Promise<void> {
  const owner = await connect(product.config.databaseUrl);
  const [before] = await owner.query<{ pid: number }>(leader);
  await owner.query('select pg_terminate_backend($1)', [before?.pid]);
  await until(async () => ((await owner.query<{ pid: number }>(leader))[0]?.pid ?? before?.pid) !== before?.pid, {
    what: 'another leader',
  });
  await owner.close();
}

test('with two workers, a receiver that hangs for one object does not delay other objects', async () => {
  receiver.answerBy((request) => (objectOf(request) === 1 ? 'hang' : { status: 200 }));
  const webhook = await product.call('POST', '/webhooks', { url: receiver.url, events: '*' });
  await product.call('POST', '/customers', { name: 'stuck' });
  await receiver.waitFor((request) => objectOf(request) === 1, 'the delivery that hangs');
  // The pump is at work in the one worker; of what is new the other one hears.
  await startRole(product, 'worker');
  await leadByAnother();
  for (let id = 2; id <= OBJECTS + 1; id++) {
    await product.call('POST', '/customers', { name: `free${id}` });
    await receiver.waitFor((request) => objectOf(request) === id, `customer ${id}`);
  }
  expect(await product.rows('select distinct shard from webhook_lane')).toEqual([{ shard: 0 }]);
  expect(await hanging(webhook.id, 1)).toEqual([{ state: 'waiting', attempts: 0 }]);
  expect(repeated(receiver.requests)).toEqual([]);
  expectOrder(receiver.requests);
});

test('deliveries after a change of the endpoint use its new URL and secret', async () => {
  receiver.answerBy((request) => (request.body.includes('stuck') ? 'hang' : { status: 200 }));
  const webhook = await product.call('POST', '/webhooks', { url: receiver.url, events: '*' });
  const { id } = await product.call('POST', '/customers', { name: 'stuck again' });
  await receiver.waitFor(({ body }) => body.includes('stuck again'), 'the delivery that hangs');
  await product.call('PATCH', `/webhooks/${webhook.id}`, { url: moved.url });
  const { secret } = await product.call('POST', `/webhooks/${webhook.id}/rotate_secret`);
  await product.call('POST', '/customers', { name: 'after the move' });
  const request = await moved.waitFor(({ body }) => body.includes('after the move'), 'the event');
  expect(verified(request, secret)).toMatchObject({
    type: 'customer.created',
    data: { object: { name: 'after the move' } },
  });
  expect(await hanging(webhook.id, id)).toEqual([{ state: 'waiting', attempts: 0 }]);
});
