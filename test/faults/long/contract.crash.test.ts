import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { MOST_MARKED } from '../../../db/queries/usage/taking.ts';
import type { Product } from '../../support/product.ts';
import { killRoles } from '../../support/roles.ts';
import {
  type Bill,
  expectBilled,
  killAtEach,
  points,
  relayPoints,
  startWeekly,
  subscribeEach,
} from '../money/renewals.ts';

let product: Product;

beforeAll(async () => {
  product = await startWeekly();
});
afterEach(killRoles);
afterAll(() => product.close());

/** The same for work of two steps. The second one comes first: later workers may first repeat the step of another subscription. */
const pointsOfTwoSteps = ['renewal.before_commit:2', 'subscription.committed:2', ...points];

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
    kind: 'a bill of usage',
    points,
    body: { addons: [{ plan: 'calls' }] },
    change: (id, start) => reportUsage(id, start),
    bills: [
      { period: 0, total: 10 },
      { period: 1, total: 12 }, // 10 + 8 x 0.25
    ],
    after: { status: 'active' },
  },
  {
    kind: 'a bill of much usage, which is collected in parts',
    points: ['usage.collected', 'usage.collected:2', 'usage.collected:3', 'subscription.committed:3', ...points],
    body: { addons: [{ plan: 'calls' }] },
    change: (id, start) => reportMuchUsage(id, start),
    bills: [
      { period: 0, total: 10 },
      { period: 1, total: 18_760 }, // 10 + 75,000 x 0.25
    ],
    after: { status: 'active' },
  },
  {
    kind: 'a final invoice with usage',
    points,
    body: { addons: [{ plan: 'calls' }], cancel_at_period_end: true },
    change: (id, start) => reportUsage(id, start),
    bills: [
      { period: 0, total: 10 },
      { period: null, total: 2 }, // 8 x 0.25
    ],
    after: { status: 'canceled', period_start: null },
  },
  {
    kind: 'a bill in arrears',
    points,
    body: { bill_in: 'arrears' },
    bills: [{ period: 0, total: 10 }],
    after: { status: 'active' },
  },
  {
    kind: 'a bill ahead of its period, and the start of the period',
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
  {
    kind: 'the end of a contract that is not renewed',
    points,
    body: { cycles: 1 },
    bills: [{ period: 0, total: 10 }],
    after: { status: 'finished', period_start: null },
  },
  {
    kind: 'the end of a contract that waits for its renewal',
    points,
    body: { cycles: 1, contract_renewal_mode: 'manual' },
    bills: [{ period: 0, total: 10 }],
    after: { status: 'active', pending_renewal: true, period_start: null },
  },
  {
    kind: 'a bill in arrears, and the pause that is planned for the end of its period',
    points: pointsOfTwoSteps,
    body: { bill_in: 'arrears', pause_at_period_end: true },
    bills: [{ period: 0, total: 10 }],
    after: { status: 'active', paused: true, pause_at_period_end: false },
  },
];

test.each(kinds)('$kind whose worker is killed at its commits happens once', async ({ points, ...kind }) => {
  const ids = await subscribeTo(kind, points);
  const before = await eventsOf(ids);
  await killAtEach(
    product,
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
    product,
    relayPoints,
    relayPoints.map((_, index) => ids.map((ofKind) => ofKind[index] ?? 0)),
  );
  for (const [index, kind] of kinds.entries()) await expectHappened(ids[index] ?? [], kind);
});

/** Reports 8 units of the metered add-on. */
async function reportUsage(id: number, timestamp: number): Promise<unknown> {
  const { addons } = await product.call('GET', `/subscriptions/${id}`);
  const usage = { quantity: 8, timestamp, idempotency_key: 'only', addon: addons[0].id };
  return product.call('POST', `/subscriptions/${id}/usage`, usage);
}

/** Records 75,000 units of the metered add-on, in as many reports: three parts. */
async function reportMuchUsage(id: number, timestamp: number): Promise<unknown> {
  const records = 3 * MOST_MARKED;
  return product.rows(
    `insert into usage_record (account_id, subscription_id, addon_id, quantity, used_at, key, created_at)
     select s.account_id, s.id, a.id, 1, to_timestamp(?) + n * interval '1 second', 'many ' || n, now()
     from subscription s join subscription_addon a on a.account_id = s.account_id and a.subscription_id = s.id,
       generate_series(1, ?::int) n
     where s.id = ?`,
    [timestamp, records, id],
  );
}

async function subscribeTo(
  { body, change }: Pick<Kind, 'body' | 'change'>,
  names: readonly string[],
): Promise<number[]> {
  const ids = await subscribeEach(product, names, body);
  for (const id of ids) {
    const { period_start } = await product.call('GET', `/subscriptions/${id}`);
    await change?.(id, period_start);
  }
  return ids;
}

async function expectHappened(ids: readonly number[], { bills, after }: Pick<Kind, 'bills' | 'after'>): Promise<void> {
  await expectBilled(product, ids, bills);
  for (const id of ids) expect(await product.call('GET', `/subscriptions/${id}`)).toMatchObject(after);
  expect(await product.rows('select 1 from line_item where customer_id is not null')).toEqual([]);
}

/** Number of events of each subscription. */
async function eventsOf(ids: readonly number[]): Promise<number[]> {
  const rows = await product.rows<{ count: number }>(
    `select event_count as count from subscription where id in (${ids.join()}) order by id`,
  );
  return rows.map(({ count }) => count);
}
