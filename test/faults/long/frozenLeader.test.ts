import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { withoutLogin } from '../../../adapters/databaseLogins.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import { createEndpoint } from '../../support/business.ts';
import { LEADER } from '../../support/eventLog.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { killRoles, startRole } from '../../support/roles.ts';
import { eventsOf, expectOrder, expectSound, repeatedEventIds } from '../../support/soundness.ts';
import { until } from '../../support/wait.ts';

let product: Product;
let receiver: Receiver;
let webhook: { id: number };
let owner: Connection;

beforeAll(async () => {
  product = await startProduct({ worker: false, env: { LOG_LEVEL: 'warn' } });
  receiver = await startReceiver();
  webhook = await createEndpoint(product, receiver.url);
  owner = await connect(product.config.databaseUrl);
});

afterEach(killRoles);

afterAll(async () => {
  await owner.close();
  await product.close();
  await receiver.stop();
});

/** Starts a worker whose sessions have the limits of the product, not the longer ones of the tests. */
function startWorker() {
  const url = new URL(withoutLogin(product.config.databaseUrl));
  url.searchParams.delete('options');
  return startRole(product, 'worker', { DATABASE_URL: url.href });
}

/** Backend pid of the relay leader's connection. null: there is no leader. */
const leader = async () => (await owner.query<{ pid: number }>(LEADER))[0]?.pid ?? null;

/** Creates and renames customers: two events each. */
async function writeCustomers(name: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const { id } = await product.client.post('/customers', { name });
    await product.client.patch('/customers/{id}', { name: `${name}, renamed` }, { id });
  }
}

async function freezeAtRest(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
}

/** Freezes the leader after it has numbered events, and before it commits them. */
async function freezeInAppend(pid: number): Promise<void> {
  await owner.transaction(async () => {
    await owner.query('lock table webhook_lane in exclusive mode');
    await writeCustomers('within', 1);
    const waits = `select 1 from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`;
    await until(async () => (await owner.query(waits, [await leader()])).length > 0, { what: 'an append that waits' });
    process.kill(pid, 'SIGSTOP');
  });
}

const untilDelivered = () => expectSound(product, [webhook]);

const untilLogged = async () => {
  const unlogged = 'select 1 from event e where not exists (select from event_log l where l.event_id = e.id)';
  await until(async () => (await product.rows(unlogged)).length === 0, { what: 'every event in the log' });
};

test.each([
  ['at rest', freezeAtRest, untilDelivered],
  // Deliveries while a worker is frozen take longest: Temporal hands it tasks until their time is over.
  ['within an append', freezeInAppend, untilLogged],
])(
  'another worker takes the lead from one that is frozen %s, and no event comes twice or out of order',
  async (when, freeze, untilDone) => {
    const first = await startWorker();
    const before = await until(leader, { what: 'a leader' });
    const second = await startWorker();
    await writeCustomers('before', 3);
    await untilDelivered();
    await freeze(first.pid);
    await writeCustomers('meanwhile', 3);
    await untilDone();
    expect([null, before]).not.toContain(await leader());

    process.kill(first.pid, 'SIGCONT');
    await until(() => first.output().includes('relay lost the database'), { what: 'the note of the first worker' });
    await writeCustomers('after', 3);
    await second.stop();
    await writeCustomers('with the first one alone', 3);
    await untilDelivered();
    expect(repeatedEventIds(receiver.requests)).toEqual([]);
    expectOrder(receiver.requests);
    const [logged] = await product.rows(
      'select count(*)::int as count, count(distinct event_id)::int as events from event_log',
    );
    const count = eventsOf(receiver.requests).length;
    expect({ when, ...logged }).toEqual({ when, count, events: count });
    await first.stop();
  },
);
