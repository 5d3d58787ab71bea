import { expect, test } from '@jest/globals';
import { pendingAmountsOf, totalsOf } from '../../support/goldCustomers.ts';
import { APRIL, goldSubscriptions, MARCH, MAY } from '../../support/goldSubscriptions.ts';
import { raceRenewals } from '../money/renewalRaces.ts';
import { raceKinds, sellForRaces } from '../money/renewalRequests.ts';

/**
 * Requests at the very instant of a renewal. The process and the request run at once; either order must give the same bills.
 * `renewalRaces.test.ts` has hundreds of each.
 */

/** Subscriptions of each kind whose amounts are named here. */
const ROUNDS = 4;
const SEED = 20_270_401;

const gold = goldSubscriptions(sellForRaces);
const { cancel, change, expectCleanBooks } = gold;

interface Race {
  customer: number;
  id: number;
}

/** Runs a request together with the renewal of 1 April, for some subscriptions at once. Each began on 1 March with 10.00. */
async function races(request: (race: Race) => Promise<unknown>, rounds = ROUNDS): Promise<Race[]> {
  gold.moveTo(MARCH);
  const begun = await Promise.all(
    Array.from({ length: rounds }, async () => {
      const customer = await gold.customerWith();
      return { customer, id: await gold.begin({ customer }) };
    }),
  );
  gold.moveTo(APRIL);
  for (const race of begun) {
    const renewal = gold.advanceTo(race.id, APRIL);
    await Promise.all([renewal, request(race)]);
    await gold.advanceTo(race.id, APRIL);
  }
  return begun;
}

test('a change of the quantity counts from the start of the new period', async () => {
  const raced = await races(({ id }) => change(id, { quantity: 3 }));
  for (const { customer } of raced) {
    expect(await totalsOf(gold, customer)).toEqual([10, 10]);
    expect(await pendingAmountsOf(gold, customer)).toEqual([-10, 30]); // all of April
  }
  for (const { customer, id } of raced) {
    await gold.advanceTo(id, MAY);
    expect(await totalsOf(gold, customer)).toEqual([10, 10, 50]); // 30 - 10 + 30
  }
  await expectCleanBooks();
});

test('a change of the interval credits the new period and begins another one', async () => {
  const raced = await races(({ id }) => change(id, { plan: 'annual' }));
  for (const { customer } of raced) expect(await totalsOf(gold, customer)).toEqual([10, 10, 90]); // 100 - 10
  await expectCleanBooks();
});

test('a change kept for the renewal is too late for this one', async () => {
  const later = { quantity: 2, when: 'renewal' };
  const raced = await races(({ id }) => change(id, later));
  for (const { customer, id } of raced) {
    await gold.advanceTo(id, MAY);
    expect(await totalsOf(gold, customer)).toEqual([10, 10, 20]);
  }
});

test.each([
  ['cancellation', cancel, { status: 'canceled' }],
  ['pause', (id: number) => change(id, { paused: true }), { paused: true }],
])('a %s bills the period that has begun, once', async (_, request, after) => {
  for (const { customer, id } of await races((race) => request(race.id))) {
    expect(await totalsOf(gold, customer)).toEqual([10, 10]);
    expect(await gold.read(id)).toMatchObject(after);
    await gold.advanceTo(id, MAY);
    expect(await totalsOf(gold, customer)).toEqual([10, 10]);
  }
  await expectCleanBooks();
});

test('a planned pause comes before the renewal or waits for the next one', async () => {
  const pause = { pause_at_period_end: true };
  for (const { customer, id } of await races(({ id }) => change(id, pause))) {
    expect(await totalsOf(gold, customer)).toEqual([10, 10]); // the request takes the renewal that is due first
    expect(await gold.read(id)).toMatchObject({ paused: false, ...pause, period_end: MAY });
    await gold.advanceTo(id, MAY);
    expect(await totalsOf(gold, customer)).toEqual([10, 10]);
    expect(await gold.read(id)).toMatchObject({ paused: true, pause_at_period_end: false });
  }
  await expectCleanBooks();
});

test('a pending line is on the bill or waits for the next one', async () => {
  const line = { unit_cost: 7 };
  const raced = await races(({ customer }) => gold.api.sandbox.post(`/customers/${customer}/line_items`, line));
  for (const { customer, id } of raced) {
    const waiting = await pendingAmountsOf(gold, customer);
    expect(await totalsOf(gold, customer)).toEqual(waiting.length === 1 ? [10, 10] : [10, 17]);
    await gold.advanceTo(id, MAY);
    expect(await totalsOf(gold, customer)).toEqual(waiting.length === 1 ? [10, 10, 17] : [10, 17, 10]);
  }
  await expectCleanBooks();
});

test('a merge of the customer takes the subscription along, which bills once', async () => {
  const survivor = await gold.customerWith();
  const raced = await races(({ customer }) => gold.api.sandbox.post(`/customers/${survivor}/merge`, { customer }));
  for (const { id } of raced) {
    expect((await gold.read(id)).customer).toBe(survivor);
    expect(await gold.billed(id)).toEqual([MARCH, APRIL]);
  }
  await expectCleanBooks();
});

test.each(raceKinds)('$kind at the instant of a renewal comes before it or after it, on any terms', async (kind) => {
  const from = raceKinds.indexOf(kind);
  await raceRenewals(gold, kind, { groups: 1, count: 6, from, seed: SEED + from });
});

test('no request failed, and the books are right', async () => {
  expect(gold.api.faults).toEqual([]);
  await expectCleanBooks();
});
