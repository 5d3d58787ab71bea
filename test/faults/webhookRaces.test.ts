import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { recordDelivered, recordFailed } from '../../commands/webhooks/deliveries.ts';
import type { EntityManager } from '../../db/orm.ts';
import { appendEvents } from '../../db/queries/events/eventLog.ts';
import { claimWakes } from '../../db/queries/processes/outbox.ts';
import { dueHeads, type Head } from '../../db/queries/webhooks/deliveries.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Connection, connect } from '../../workers/connection.ts';
import { createEndpoint } from '../support/business.ts';
import { appendOnce } from '../support/eventLog.ts';
import { type Product, startProduct } from '../support/product.ts';
import { until } from '../support/wait.ts';

let product: Product;
let webhookId: number;
let customer: { id: number };
/** The connection of the relay leader. The test decides when its transaction ends. */
let leader: Connection;
let relay: Connection;

beforeAll(async () => {
  product = await startProduct({ worker: false });
  webhookId = (await createEndpoint(product, 'http://127.0.0.1:9/')).id;
  [leader, relay] = [await connect(product.config.databaseUrl), await connect(product.config.databaseUrl)];
});

afterAll(async () => {
  await Promise.all([leader.close(), relay.close()]);
  await product.close();
});

beforeEach(async () => {
  await product.rows('delete from outbox');
  customer = await product.call('POST', '/customers', { name: 'new' });
  await appendOnce(product.config.databaseUrl);
});

const rename = (name = 'renamed') => product.call('PATCH', `/customers/${customer.id}`, { name });

const append = () => appendEvents(leader, { now: new Date(), limit: 500 });

/** The due delivery about the customer. */
async function head(): Promise<Head> {
  const of = { accountId: product.accountId, id: webhookId, limit: 100 };
  const shards = [0, 1, 2, 3].map((shard) => dueHeads(product.deps.em.fork(), { ...of, shard }, new Date()));
  const found = (await Promise.all(shards)).flat().find(({ subjectId }) => subjectId === String(customer.id));
  if (!found) throw new Error('nothing is due');
  return found;
}

/** Records the answer to a delivery as a pump does. Calls `before` just before the commit. */
function recorded(what: Head, statusCode: number, before: () => Promise<void> = async () => undefined): Promise<void> {
  const answer = { statusCode, error: null, answer: '', latencyMilliseconds: 1, retryAfterSeconds: null };
  const told = { accountId: product.accountId, webhookId, head: what, answer, chance: 0.5 };
  const record = statusCode === 200 ? recordDelivered : recordFailed;
  return inTransaction(product.deps.em, async (em: EntityManager) => {
    await record(em, told, new Date());
    await before();
  });
}

/** Waits until a session waits for a lock of another one. */
const untilLocked = () =>
  until(
    async () => {
      const waiting = `select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where not l.granted and a.datname = current_database()`;
      return (await product.rows(waiting)).length > 0;
    },
    { what: 'a wait for a lock' },
  );

/** The customer's deliveries in order. */
const deliveries = () =>
  product.rows(
    `select sequence, previous_sequence as previous, state, attempts,
            (select count(*)::int from webhook_attempt a where a.delivery_id = d.id) as made
     from webhook_delivery d where subject_type = 'customer' and subject_id = '${customer.id}' order by position`,
  );

const first = { sequence: 1, previous: null, state: 'delivered', attempts: 1, made: 1 };
const second = { sequence: 2, previous: 1, state: 'waiting', attempts: 0, made: 0 };

test('an event that is fanned out while the last delivery of its object is recorded is delivered', async () => {
  const delivered = await head();
  await rename();
  let recording: Promise<void> = Promise.resolve();
  await leader.transaction(async () => {
    await append();
    recording = recorded(delivered, 200);
    await untilLocked();
  });
  await recording;
  expect(await head()).toMatchObject({ sequence: 2, previousSequence: 1 });
  expect(await deliveries()).toEqual([first, second]);
});

test('an event that is fanned out between recording and commit of a delivery is delivered', async () => {
  const delivered = await head();
  await rename();
  let appending: Promise<number> = Promise.resolve(0);
  await recorded(delivered, 200, async () => {
    appending = leader.transaction(append);
    await untilLocked();
  });
  expect(await appending).toBe(1);
  expect(await head()).toMatchObject({ sequence: 2, previousSequence: 1 });
  expect(await deliveries()).toEqual([first, second]);
});

test.each([200, 500])(
  'a delivery that two pumps sent is recorded once, even if the second got status %i',
  async (late) => {
    const delivered = await head();
    await rename();
    await leader.transaction(append);
    let other: Promise<void> = Promise.resolve();
    await recorded(delivered, 200, async () => {
      other = recorded(delivered, late);
      await untilLocked();
    });
    await other;
    expect(await head()).toMatchObject({ sequence: 2, previousSequence: 1 }); // the second answer does not delay it
    expect(await deliveries()).toEqual([first, second]);
  },
);

test('a failed attempt that is recorded again, because the answer to its COMMIT was lost, counts once', async () => {
  const failed = await head();
  await recorded(failed, 500);
  await recorded(failed, 500);
  expect(await deliveries()).toEqual([{ ...first, state: 'waiting' }]);
});

/** Leases the wakes of pumps as a relay does. Returns their number. */
async function leasePumps(): Promise<number> {
  const limits = { limit: 500, ofOne: 500, except: [], crowded: [], recovered: 0 };
  const leased = await claimWakes(relay, { now: new Date(), leaseMilliseconds: 60_000, ...limits });
  return leased.filter(({ topic }) => topic === 'webhook').length;
}

const pendingWakes = async () => (await product.rows(`select 1 from outbox where topic = 'webhook'`)).length;

test('a pump with a pending wake gets no second one, which a relay leases only when the events are committed', async () => {
  expect(await pendingWakes()).toBe(1); // customer.created
  await rename();
  await leader.transaction(async () => {
    await append();
    expect(await leasePumps()).toBe(0);
  });
  expect(await pendingWakes()).toBe(1);
  expect(await leasePumps()).toBe(1);
});

test('a pump whose wake is leased gets another one, since the relay may have woken it before the events are committed', async () => {
  await leasePumps();
  await rename();
  await leader.transaction(append);
  expect(await pendingWakes()).toBe(2);
});

test('a pump whose lease has expired gets another wake, since a slow relay may still delete the first one', async () => {
  await leasePumps();
  await product.rows(`update outbox set leased_until = now() - interval '1 minute'`);
  await rename();
  await leader.transaction(append);
  expect(await pendingWakes()).toBe(2);
});

test('a wake of the sweep does not stand for that of a new event, because new work goes before it', async () => {
  await product.rows(`update outbox set recovered = true`);
  await rename();
  await leader.transaction(append);
  expect(await pendingWakes()).toBe(2);
});

test('each endpoint and shard has a wake of its own', async () => {
  await createEndpoint(product, 'http://127.0.0.1:9/other');
  await rename();
  await leader.transaction(append);
  expect(await pendingWakes()).toBe(2);
  await product.rows(`update outbox set shard = 3 - shard`); // the first one is of another shard now
  await rename('renamed again');
  await leader.transaction(append);
  expect(await pendingWakes()).toBe(4);
  await product.rows(`update webhook set enabled = false where id <> ${webhookId}`);
});

test('repeated retries of an attempt leave one wake', async () => {
  await recorded(await head(), 500);
  await product.rows('delete from outbox');
  const [attempt] = await product.rows<{ id: string }>('select id from webhook_attempt order by id desc limit 1');
  for (let n = 0; n < 3; n++) await product.call('POST', `/webhook_attempts/${attempt?.id}/retries`);
  expect(await pendingWakes()).toBe(1);
  await leasePumps();
  await product.call('POST', `/webhook_attempts/${attempt?.id}/retries`);
  expect(await pendingWakes()).toBe(2);
});

test('a pump whose lanes wait for a retry is not woken', async () => {
  await recorded(await head(), 500);
  await product.rows(`delete from outbox where topic = 'webhook'`);
  await rename();
  await leader.transaction(append);
  expect(await pendingWakes()).toBe(0);
});
