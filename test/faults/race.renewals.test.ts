import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../bin/audit.ts';
import { dayOf2027 as day, type GoldSubscriptions } from '../support/goldSubscriptions.ts';
import { raceKinds, raceRenewals, startRaces } from './money/renewalRaces.ts';

/**
 * Requests at the very instant of a renewal. The process and the request run at once; either order must give the same bills.
 * `long/renewalRaces.test.ts` has hundreds of each.
 */

const [MARCH, APRIL, MAY] = [day(3), day(4), day(5)];
/** Subscriptions of each kind whose amounts are named here. */
const ROUNDS = 4;
const SEED = 20_270_401;

let gold: GoldSubscriptions;
beforeAll(async () => {
  gold = await startRaces();
});
afterAll(() => gold.api.close());

const made = async (path: string, body: object): Promise<number> => (await gold.api.sandbox.make(path, body)).id;
const totalsOf = async (customer: number) => {
  const { body } = await gold.api.sandbox.get(`/invoices?filter[customer]=${customer}&sort=id asc`);
  return body.map(({ total }: { total: number }) => total);
};
const pendingOf = async (customer: number) => {
  const { body } = await gold.api.sandbox.get(`/customers/${customer}/line_items?sort=id asc`);
  return body.map(({ amount }: { amount: number }) => amount);
};

interface Race {
  customer: number;
  id: number;
}

/** Runs a request together with the renewal of 1 April, for some subscriptions at once. Each began on 1 March with 10.00. */
async function races(request: (race: Race) => Promise<unknown>, rounds = ROUNDS): Promise<Race[]> {
  gold.moveTo(MARCH);
  const begun = await Promise.all(
    Array.from({ length: rounds }, async (_, n) => {
      const customer = await made('/customers', { name: `Racer ${n}`, currency: 'usd' });
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

const clean = async () => expect(await auditDatabase(gold.api.databaseUrl)).toEqual([]);

test('a change of the quantity counts from the start of the new period', async () => {
  const raced = await races(({ id }) => gold.api.sandbox.patch(`/subscriptions/${id}`, { quantity: 3 }));
  for (const { customer } of raced) {
    expect(await totalsOf(customer)).toEqual([10, 10]);
    expect(await pendingOf(customer)).toEqual([-10, 30]); // all of April
  }
  for (const { customer, id } of raced) {
    await gold.advanceTo(id, MAY);
    expect(await totalsOf(customer)).toEqual([10, 10, 50]); // 30 - 10 + 30
  }
  await clean();
});

test('a change of the interval credits the new period and begins another one', async () => {
  const raced = await races(({ id }) => gold.api.sandbox.patch(`/subscriptions/${id}`, { plan: 'annual' }));
  for (const { customer } of raced) expect(await totalsOf(customer)).toEqual([10, 10, 90]); // 100 - 10
  await clean();
});

test('a change kept for the renewal is too late for this one', async () => {
  const later = { quantity: 2, when: 'renewal' };
  const raced = await races(({ id }) => gold.api.sandbox.patch(`/subscriptions/${id}`, later));
  for (const { customer, id } of raced) {
    await gold.advanceTo(id, MAY);
    expect(await totalsOf(customer)).toEqual([10, 10, 20]);
  }
});

test.each([
  ['cancellation', (id: number) => gold.api.sandbox.delete(`/subscriptions/${id}`), { status: 'canceled' }],
  ['pause', (id: number) => gold.api.sandbox.patch(`/subscriptions/${id}`, { paused: true }), { paused: true }],
])('a %s bills the period that has begun, once', async (_, request, after) => {
  for (const { customer, id } of await races((race) => request(race.id))) {
    expect(await totalsOf(customer)).toEqual([10, 10]);
    expect(await gold.read(id)).toMatchObject(after);
    await gold.advanceTo(id, MAY);
    expect(await totalsOf(customer)).toEqual([10, 10]);
  }
  await clean();
});

test('a pending line is on the bill or waits for the next one', async () => {
  const line = { unit_cost: 7 };
  const raced = await races(({ customer }) => gold.api.sandbox.post(`/customers/${customer}/line_items`, line));
  for (const { customer, id } of raced) {
    const waiting = await pendingOf(customer);
    expect(await totalsOf(customer)).toEqual(waiting.length === 1 ? [10, 10] : [10, 17]);
    await gold.advanceTo(id, MAY);
    expect(await totalsOf(customer)).toEqual(waiting.length === 1 ? [10, 10, 17] : [10, 17, 10]);
  }
  await clean();
});

test('a merge of the customer takes the subscription along, which bills once', async () => {
  const survivor = await made('/customers', { name: 'Survivor', currency: 'usd' });
  const raced = await races(({ customer }) => gold.api.sandbox.post(`/customers/${survivor}/merge`, { customer }));
  for (const { id } of raced) {
    expect((await gold.read(id)).customer).toBe(survivor);
    expect(await gold.billed(id)).toEqual([MARCH, APRIL]);
  }
  await clean();
});

test.each(raceKinds)('$kind at the instant of a renewal comes before it or after it, on any terms', async (kind) => {
  await raceRenewals(gold, kind, { rounds: 6, seed: SEED + raceKinds.indexOf(kind) });
});

test('no request failed, and the books are right', async () => {
  expect(gold.api.faults).toEqual([]);
  await clean();
});
