import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { until } from '../support/wait.ts';
import { dueAgain, letLeasesEnd } from './money/past.ts';
import { expectRecovered } from './money/recovery.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ endpoint: true, worker: false });
  await product.call('POST', '/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
});
afterEach(killRoles);
afterAll(() => product.close());

/** Points of a step, before and after its commit. */
const points = ['renewal.before_commit', 'subscription.committed'];

/** The same for work of two steps. The second one comes first: later workers may first repeat the step of another subscription. */
const pointsOfTwoSteps = ['renewal.before_commit:2', 'subscription.committed:2', ...points];

/** Points between a committed step and the processes that it starts. */
const relayPoints = ['relay.appending', 'relay.appended', 'relay.claimed', 'relay.woken'];

interface Bill {
  period: number | null;
  total: number;
}

test('a renewal whose worker is killed at any point bills the period once, with the pending lines', async () => {
  const all = [...points, ...relayPoints];
  const ids = await subscribeEach(all, {});
  for (const id of ids) {
    const { customer } = await product.call('GET', `/subscriptions/${id}`);
    await product.call('POST', `/customers/${customer}/line_items`, { name: 'Outage', unit_cost: -25 });
  }
  await killAtEach(
    all,
    ids.map((id) => [id]),
  );
  await expectBilled(ids, [
    { period: 0, total: 10 },
    { period: 1, total: 0 }, // 10 - 25 + 15, which becomes a credit note
  ]);
  const credited = await product.rows<{ total: number }>('select total::float8 as total from credit_note');
  expect(credited.map(({ total }) => total)).toEqual(all.map(() => 15)); // 10 - 25
  expect(await product.rows('select 1 from line_item where customer_id is not null')).toEqual([]);
});

interface Kind {
  kind: string;
  points: string[];
  body: object;
  change?(id: number, start: number): Promise<unknown>;
  bills: Bill[];
  after: object;
}

const kinds: Kind[] = [
  {
    kind: 'the renewal of a contract with a pending change',
    points: pointsOfTwoSteps,
    body: { cycles: 1, contract_renewal_mode: 'auto' },
    change: (id) => product.call('PATCH', `/subscriptions/${id}`, { quantity: 2, when: 'renewal' }),
    bills: [
      { period: 0, total: 10 },
      { period: 1, total: 20 }, // 2 x 10
    ],
    after: { status: 'active', quantity: 2, pending_change: null, cycles: 1 },
  },
  {
    kind: 'a bill in arrears',
    points,
    body: { bill_in: 'arrears' },
    bills: [{ period: 0, total: 10 }],
    after: { status: 'active' },
  },
  {
    kind: 'a bill ahead of its period, and the begin of the period',
    points: pointsOfTwoSteps,
    body: { bill_in_advance_days: 3 },
    bills: [
      { period: 0, total: 10 },
      { period: 1, total: 10 },
    ],
    after: { status: 'active' },
  },
  {
    kind: 'the end of a contract with pending prorations',
    points,
    body: { cycles: 1, contract_renewal_mode: 'auto' },
    async change(id, start) {
      await product.call('PATCH', `/subscriptions/${id}`, { quantity: 3, proration_date: start });
      await product.call('PATCH', `/subscriptions/${id}`, { cancel_at_period_end: true });
    },
    bills: [
      { period: 0, total: 10 },
      { period: null, total: 20 }, // from the first second on: 3 x 10 - 10
    ],
    after: { status: 'canceled', period_start: null },
  },
];

test.each(kinds)('$kind whose worker is killed at its commits happens once', async ({ points, ...kind }) => {
  const ids = await subscribeTo(kind, points);
  const before = await eventsOf(ids);
  await killAtEach(
    points,
    ids.map((id) => [id]),
  );
  await expectHappened(ids, kind);
  // A step that happened twice would have written its events twice.
  const counts = (await eventsOf(ids)).map((count, index) => count - (before[index] ?? 0));
  expect(new Set(counts).size).toBe(1);
});

test('all of them, due at once, happen once when the worker is killed while it passes them on', async () => {
  const ids: number[][] = [];
  for (const kind of kinds) ids.push(await subscribeTo(kind, relayPoints));
  await killAtEach(
    relayPoints,
    relayPoints.map((_, index) => ids.map((ofKind) => ofKind[index] ?? 0)),
  );
  for (const [index, kind] of kinds.entries()) await expectHappened(ids[index] ?? [], kind);
});

async function subscribeTo(
  { body, change }: Pick<Kind, 'body' | 'change'>,
  names: readonly string[],
): Promise<number[]> {
  const ids = await subscribeEach(names, body);
  for (const id of ids) {
    const { period_start } = await product.call('GET', `/subscriptions/${id}`);
    await change?.(id, period_start);
  }
  return ids;
}

async function expectHappened(ids: readonly number[], { bills, after }: Pick<Kind, 'bills' | 'after'>): Promise<void> {
  await expectBilled(ids, bills);
  for (const id of ids) expect(await product.call('GET', `/subscriptions/${id}`)).toMatchObject(after);
  expect(await product.rows('select 1 from line_item where customer_id is not null')).toEqual([]);
}

/** Creates a subscription of a new customer for each point. */
async function subscribeEach(names: readonly string[], body: object): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) {
    const customer = await product.call('POST', '/customers', { name });
    const asked = { customer: customer.id, plan: 'weekly', start_date: Math.floor(Date.now() / 1000), ...body };
    ids.push((await product.call('POST', '/subscriptions', asked)).id);
  }
  return ids;
}

/**
 * Starts the processes of new subscriptions, some for each point. Then lets those of one point after the other become due, and kills the worker
 * that serves them at the point. `point:2` is the second time that the worker reaches it.
 */
async function killAtEach(names: readonly string[], ids: readonly number[][]): Promise<void> {
  const first = await product.startWorker();
  await product.row(`select count(*)::int as left from outbox where topic <> 'charge'`, ({ left }) => left === 0);
  await first.close();
  for (const [index, name] of names.entries()) {
    const [point = '', hit = '1'] = name.split(':');
    for (const id of ids[index] ?? []) await dueAgain(product, id, { weeks: 1 });
    const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: `${point}=kill:${hit}` });
    await worker.untilKilledAt(point);
    await letLeasesEnd(product);
  }
}

/** Expects that each subscription is billed like this by a worker that lives on, and that nothing else is left to do. */
async function expectBilled(ids: readonly number[], bills: readonly Bill[]): Promise<void> {
  const last = await product.startWorker();
  const once = ids.flatMap((id) => bills.map((bill) => ({ id, ...bill })));
  const billed = () =>
    product.rows(
      `select subscription_id as id, period, total::float8 as total from invoice
       where subscription_id in (${ids.join()}) order by subscription_id, invoice.id`,
    );
  await until(async () => expect(await billed()).toEqual(once) ?? true, { what: 'each period to be billed once' });
  await expectRecovered(product);
  expect(await billed()).toEqual(once);
  await last.close();
}

/** Number of events of each subscription. */
async function eventsOf(ids: readonly number[]): Promise<number[]> {
  const rows = await product.rows<{ count: number }>(
    `select event_count as count from subscription where id in (${ids.join()}) order by id`,
  );
  return rows.map(({ count }) => count);
}
