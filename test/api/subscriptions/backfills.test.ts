import { beforeEach, expect, test } from '@jest/globals';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused } from '../../support/api.ts';
import { APRIL, goldSubscriptions, MARCH } from '../../support/goldSubscriptions.ts';

/** A backfill of a daily plan: 1,000 days before 1 March 2027 are billed, unless it is stopped. */

const gold = goldSubscriptions((client) =>
  client.make('/plans', { id: 'daily', name: 'Daily', amount: 1, interval: 'day' }),
);
const { customerWith, read, change, cancel, totals, advanceTo, moveTo, expectCleanBooks } = gold;
const DAY = 86_400;
const START = MARCH - 1000 * DAY;

/** Takes so many due steps of a subscription, one per transaction. */
async function take(id: number, steps: number): Promise<void> {
  const key = { accountId: gold.api.sandbox.account.id, id };
  for (let taken = 0; taken < steps; taken += 1)
    await inTransaction(gold.api.em, (em) => advanceSubscription(em, key, new Date(MARCH * 1000)));
}

let customer: number;
beforeEach(async () => {
  moveTo(MARCH);
  customer = await customerWith();
});

/** A subscription in the middle of its backfill, of which ten days are billed. */
async function inBackfill(body: object = {}): Promise<number> {
  const { id } = await gold.api.sandbox.make('/subscriptions', {
    customer,
    plan: 'daily',
    start_date: START,
    backfill: true,
    ...body,
  });
  const { bill_in } = await read(id);
  await take(id, bill_in === 'arrears' ? 10 : 9);
  expect(await totals(id)).toHaveLength(10);
  return id;
}

test.each(['advance', 'arrears'])(
  'DELETE stops a backfill in %s at once; the rest is never billed',
  async (bill_in) => {
    const id = await inBackfill({ bill_in });
    expect(await cancel(id)).toMatchObject({ status: 200, body: { status: 'canceled', canceled_at: MARCH } });
    await advanceTo(id, APRIL);
    expect(await totals(id)).toEqual(Array(10).fill(1));
    await expectCleanBooks();
  },
);

test.each(['advance', 'arrears'])(
  'a pause stops a backfill in %s, and resuming it says what becomes of the rest',
  async (bill_in) => {
    const id = await inBackfill({ bill_in });
    expect(await change(id, { paused: true })).toMatchObject({ status: 200, body: { paused: true } });
    await advanceTo(id, MARCH + DAY);
    expect(await totals(id)).toHaveLength(10);
    expect(await change(id, { paused: false })).toMatchObject(refused({ param: 'backfill' }));
    expect(await change(id, { paused: false, backfill: true })).toMatchObject({ status: 200, body: { paused: false } });
    await take(id, 5);
    expect((await gold.billed(id)).map((date) => (date - START) / DAY)).toEqual(
      // In advance a day is billed as it begins, in arrears as it ends. The first step after a pause in arrears begins the day.
      bill_in === 'advance' ? [...Array(15).keys()] : [...Array(14).keys()].map((day) => day + 1),
    );
    await change(id, { paused: true });
    expect(await change(id, { paused: false, backfill: false })).toMatchObject({ status: 200 });
    await advanceTo(id, MARCH + 3 * DAY);
    const dates = (await gold.billed(id)).map((date) => (date - START) / DAY);
    // The pause ended on day 1,001 at its first instant: the day that begins then is billed.
    expect(dates.slice(bill_in === 'advance' ? 15 : 14)).toEqual(
      bill_in === 'advance' ? [1001, 1002, 1003] : [1002, 1003],
    );
    await expectCleanBooks();
  },
);

test('a pause that ends by itself leaves the rest of the backfill out', async () => {
  const id = await inBackfill();
  await change(id, { paused: true, resume_at: MARCH + DAY });
  await advanceTo(id, MARCH + DAY);
  expect((await gold.billed(id)).map((date) => (date - START) / DAY)).toEqual([...Array(10).keys(), 1001]);
});

test('a customer that becomes inactive gets no further bills of past periods', async () => {
  const id = await inBackfill();
  expect(await gold.api.sandbox.patch(`/customers/${customer}`, { active: false })).toMatchObject({ status: 200 });
  await advanceTo(id, MARCH + DAY);
  // Day 1,000 began on 1 March, when the customer became inactive; its subscription goes on from there.
  expect((await gold.billed(id)).map((date) => (date - START) / DAY)).toEqual([...Array(10).keys(), 1001]);
  expect(await read(id)).toMatchObject({ status: 'active', paused: false });
});

test('a cancellation and a step at the same time: the step comes wholly before or never', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await inBackfill();
    const [answer] = await Promise.all([cancel(id), take(id, 3)]);
    expect(answer).toMatchObject({ status: 200, body: { status: 'canceled' } });
    const billed = await totals(id);
    expect(billed.length).toBeGreaterThanOrEqual(10);
    expect(billed.length).toBeLessThanOrEqual(13);
    await advanceTo(id, MARCH);
    expect(await totals(id)).toEqual(billed);
  }
  await expectCleanBooks();
});

test('few missed periods are no backfill: a cancellation bills them first', async () => {
  const { id } = await gold.api.sandbox.make('/subscriptions', {
    customer,
    plan: 'daily',
    start_date: MARCH - 5 * DAY,
  });
  await cancel(id);
  expect(await totals(id)).toHaveLength(6);
});
