import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Connection, Client as Temporal } from '@temporalio/client';
import { type Client, createClient } from '../../../client/index.ts';
import { createEndpoint, createPayer } from '../../support/business.ts';
import { LEADER } from '../../support/eventLog.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.ts';
import { killRoles, type Role, startRole } from '../../support/roles.ts';
import { expectOrder, expectSound, repeatedEventIds } from '../../support/soundness.ts';
import { until } from '../../support/wait.ts';
import { dueAgain } from '../money/past.ts';
import { expectRecovered } from '../money/recovery.ts';
import { workersOfPumps } from '../processes/pumps.ts';

const ENDPOINTS = 4;
const PAYERS = 12;
/** Periods of each subscription: the first one, and two that pass before the next look. */
const PERIODS = 3;

let product: Product;
let receiver: Receiver;
let endpoints: { id: number }[];
let workers: Role[];
/** Clients of the two API processes. They do not retry. */
let apis: Client[];
let temporal: Temporal;

beforeAll(async () => {
  product = await startProduct({ worker: false, env: { LOG_LEVEL: 'fatal', DATABASE_POOL: '5' } });
  receiver = await startReceiver();
  temporal = new Temporal({ connection: await Connection.connect({ address: product.config.temporal.address }) });
  endpoints = [];
  for (let n = 0; n < ENDPOINTS; n++) endpoints.push(await createEndpoint(product, `${receiver.url}${n}`));
  const first = await startRole(product, 'worker'); // becomes the leader because it is alone
  const roles = await Promise.all(
    (['worker', 'worker', 'api', 'api'] as const).map((role) => startRole(product, role)),
  );
  workers = [first, ...roles.slice(0, 2)];
  apis = roles.slice(2).map(({ url }) => createClient({ baseUrl: url, apiKey: product.key, retries: 0 }));
});

afterAll(async () => {
  await killRoles();
  await temporal.connection.close();
  await product.close();
  await receiver.stop();
});

/** Backend pid of the relay leader's connection. null: there is no leader. */
const leader = async () => (await product.rows<{ pid: number }>(LEADER))[0]?.pid ?? null;

const api = (n: number): Client => {
  const client = apis[n % apis.length];
  if (!client) throw new Error('no API');
  return client;
};

/** Subscribes a paying customer through one API and changes the subscription through the other. Then lets two more periods pass. */
async function subscribePayer(n: number): Promise<void> {
  const customer = await createPayer(product, `payer${n}`);
  const { id } = await api(n).post('/subscriptions', { customer, plan: 'week' });
  await api(n + 1).patch('/subscriptions/{id}', { metadata: { seen: 'yes' } }, { id });
  const paid = () => product.rows('select 1 from invoice where subscription_id = ? and paid', [id]);
  await until(async () => (await paid()).length > 0, { what: `the first invoice of payer ${n}` });
  await dueAgain(product, id, { weeks: PERIODS - 1 });
}

/** Number of paid invoices of each subscription. */
const billed = () =>
  product.rows<{ paid: number }>(
    'select count(*) filter (where paid)::int as paid from invoice group by subscription_id order by subscription_id',
  );

const allBilled = (subscriptions: number) =>
  until(async () => expect(await billed()).toEqual(Array(subscriptions).fill({ paid: PERIODS })) ?? true, {
    what: 'every period to be billed and paid once',
  });

const requestsTo = (n: number): Received[] => receiver.requests.filter(({ path }) => path === `/${n}`);

test('two APIs and three workers share the work, and nothing is done twice', async () => {
  await api(0).post('/plans', { id: 'week', name: 'Week', amount: 7, interval: 'week' });
  await Promise.all(Array.from({ length: PAYERS }, (_, n) => subscribePayer(n)));
  const twins = apis.map((client) => client.with({ idempotencyKey: 'one' }).post('/customers', { name: 'Twin' }));
  const [twin, other] = await Promise.all(twins);
  expect(other).toEqual(twin);
  await allBilled(PAYERS);
  await expectSound(product, endpoints);
  await expectRecovered(product);

  expect(await billed()).toEqual(Array(PAYERS).fill({ paid: PERIODS }));
  for (let n = 0; n < ENDPOINTS; n++) {
    expect(repeatedEventIds(requestsTo(n))).toEqual([]);
    expectOrder(requestsTo(n));
  }
  const ids = product.mailbox.messages().map(({ headers }) => headers['message-id']);
  expect(ids).toHaveLength(PAYERS * PERIODS + PAYERS); // receipts, and a confirmation of each subscription
  expect(new Set(ids).size).toBe(ids.length);
  const pids = workers.map(({ pid }) => pid);
  const pumping = await workersOfPumps(temporal, product, endpoints);
  expect([...pumping.keys()].filter((pid) => !pids.includes(pid))).toEqual([]);
  expect(pumping.size).toBeGreaterThan(1);
});

test('when the leader is killed at work another leads, no request fails, and nothing is lost or billed twice', async () => {
  const before = await leader();
  const [first, second] = workers;
  const written = Promise.all(Array.from({ length: PAYERS }, (_, n) => subscribePayer(PAYERS + n)));
  await first?.kill();
  const after = await until(async () => ((await leader()) !== before ? leader() : null), { what: 'another leader' });
  expect(after).not.toBe(before);
  await written;
  await second?.stop(); // as during an upgrade
  await api(0).post('/customers', { name: 'with one worker left' });
  await until(leader, { what: 'a leader' });

  await allBilled(2 * PAYERS);
  await expectSound(product, endpoints);
  await expectRecovered(product);
  expect(await billed()).toEqual(Array(2 * PAYERS).fill({ paid: PERIODS }));
  for (let n = 0; n < ENDPOINTS; n++) expectOrder(requestsTo(n));
  // Mails that the killed worker had sent but not recorded are sent again with the same id.
  const mails = product.mailbox.messages().map(({ headers }) => headers['message-id']);
  expect(new Set(mails).size).toBe(2 * (PAYERS * PERIODS + PAYERS));
});
