import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { refused } from '../../support/api.ts';
import { dayOf2027 as day, type GoldSubscriptions, startGoldSubscriptions } from '../../support/goldSubscriptions.ts';

/** Changes of add-ons within a period of 1 March to 1 April, of a plan of 10.00 and seats of 2.00 each. */

const [MARCH, APRIL] = [day(3), day(4)];
/** Half of March is left: 15.5 of 31 days. */
const HALF = day(3, 16) + 43_200;
/** A quarter of March is left: 7.75 of 31 days. */
const QUARTER = day(3, 24) + 21_600;

let gold: GoldSubscriptions;
beforeAll(async () => {
  gold = await startGoldSubscriptions();
  const { sandbox } = gold.api;
  await sandbox.post('/plans', { id: 'seats', name: 'Seats', amount: 2, interval: 'month' });
  await sandbox.post('/plans', { id: 'annual', name: 'Annual', amount: 100, interval: 'year' });
  await sandbox.post('/plans', { id: 'annual-seats', name: 'Seats a year', amount: 20, interval: 'year' });
  await sandbox.post('/items', { id: 'support', name: 'Support', unit_cost: 4, currency: 'usd' });
});
afterAll(() => gold.api.close());

const change = (id: number, body: object) => gold.api.sandbox.patch(`/subscriptions/${id}`, body);

/** A customer with a subscription that has five seats. */
async function begin() {
  gold.moveTo(MARCH);
  const { sandbox } = gold.api;
  const customer = (await sandbox.make('/customers', { name: 'Seated', currency: 'usd' })).id;
  const id = await gold.begin({ customer, addons: [{ plan: 'seats', quantity: 5 }] });
  const [seats] = (await gold.read(id)).addons;
  const amounts = async () =>
    (await sandbox.get(`/customers/${customer}/line_items?sort=id asc`)).body.map(
      (line: { name: string; amount: number }) => [line.name, line.amount],
    );
  const totals = async () =>
    (await sandbox.get(`/invoices?filter[customer]=${customer}&sort=id asc`)).body.map(
      ({ total }: { total: number }) => total,
    );
  return { id, seats: seats.id, amounts, totals };
}

test('only the add-ons that change are prorated, those that begin and end too', async () => {
  const { id, seats, amounts, totals } = await begin();
  gold.moveTo(HALF);
  await change(id, { addons: [{ id: seats, quantity: 8 }, { catalog_item: 'support' }] });
  const first = [
    ['Seats', -5], // 5 x 2.00 x 1/2
    ['Seats', 8], // 8 x 2.00 x 1/2
    ['Support', 2], // 4.00 x 1/2
  ];
  expect(await amounts()).toEqual(first);
  gold.moveTo(QUARTER);
  await change(id, { addons: [] });
  // half of 8.00 and of 2.00
  expect(await amounts()).toEqual([...first, ['Seats', -4], ['Support', -1]]);
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([20, 10]); // 10.00 - 5 + 8 + 2 - 4 - 1
  expect(await auditDatabase(gold.api.databaseUrl)).toEqual([]);
});

test('a new description alone bills nothing', async () => {
  const { id, seats, amounts } = await begin();
  gold.moveTo(HALF);
  await change(id, { addons: [{ id: seats, description: 'Sales' }] });
  expect(await amounts()).toEqual([]);
});

test('a plan of another interval needs add-ons of that interval; the rest of all is credited', async () => {
  const { id, totals } = await begin();
  gold.moveTo(HALF);
  expect(await change(id, { plan: 'annual' })).toMatchObject(refused({ param: 'plan' }));
  await change(id, { plan: 'annual', addons: [{ plan: 'annual-seats', quantity: 2 }] });
  expect(await totals()).toEqual([20, 130]); // 100 + 2 x 20 - 10 x 1/2 - 5 x 2.00 x 1/2
  expect(await auditDatabase(gold.api.databaseUrl)).toEqual([]);
});

test('add-ons kept for the renewal apply before the next bill, a changed one with its id', async () => {
  const { id, seats, totals } = await begin();
  const addons = [
    { id: seats, quantity: 1 },
    { catalog_item: 'support', quantity: 2 },
  ];
  const { body } = await change(id, { addons, when: 'renewal' });
  expect(body.pending_change).toMatchObject({
    addons: [{ id: seats, plan: 'seats', quantity: 1 }, { catalog_item: 'support' }],
  });
  expect(body.addons).toMatchObject([{ id: seats, quantity: 5 }]);
  await gold.advanceTo(id, APRIL);
  expect((await gold.read(id)).addons).toMatchObject([
    { id: seats, quantity: 1 },
    { catalog_item: 'support', quantity: 2 },
  ]);
  expect(await totals()).toEqual([20, 20]); // 10.00 + 2.00 + 2 x 4.00
});
