import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { customerOfEachTest, sellOtherPlans } from '../../support/goldCustomers.ts';
import { APRIL, goldSubscriptions, HALF, QUARTER } from '../../support/goldSubscriptions.ts';

/** Changes of add-ons within a period of 1 March to 1 April, of a plan of 10.00 and seats of 2.00 each. */

const gold = goldSubscriptions(async (client) => {
  await sellOtherPlans(client);
  await client.make('/plans', { id: 'seats', name: 'Seats', amount: 2, interval: 'month' });
  await client.make('/plans', { id: 'annual-seats', name: 'Seats a year', amount: 20, interval: 'year' });
  await client.make('/items', { id: 'support', name: 'Support', unit_cost: 4, currency: 'usd' });
});
const { change, expectCleanBooks } = gold;
const { begin, totals, pendingLines } = customerOfEachTest(gold);

/** Begins a subscription with five seats. Returns its id and that of the add-on. */
async function beginWithSeats(): Promise<{ id: number; seats: number }> {
  const id = await begin({ addons: [{ plan: 'seats', quantity: 5 }] });
  const [seats] = (await gold.read(id)).addons;
  return { id, seats: seats.id };
}

/** Name and amount of each pending line, oldest first. */
const pending = async () => (await pendingLines()).map(({ name, amount }) => [name, amount]);

test('only the add-ons that change are prorated, those that begin and end too', async () => {
  const { id, seats } = await beginWithSeats();
  gold.moveTo(HALF);
  await change(id, { addons: [{ id: seats, quantity: 8 }, { catalog_item: 'support' }] });
  const first = [
    ['Seats', -5], // 5 x 2.00 x 1/2
    ['Seats', 8], // 8 x 2.00 x 1/2
    ['Support', 2], // 4.00 x 1/2
  ];
  expect(await pending()).toEqual(first);
  gold.moveTo(QUARTER);
  await change(id, { addons: [] });
  // half of 8.00 and of 2.00
  expect(await pending()).toEqual([...first, ['Seats', -4], ['Support', -1]]);
  await gold.advanceTo(id, APRIL);
  expect(await totals()).toEqual([20, 10]); // 10.00 - 5 + 8 + 2 - 4 - 1
  await expectCleanBooks();
});

test('a new description alone bills nothing', async () => {
  const { id, seats } = await beginWithSeats();
  gold.moveTo(HALF);
  await change(id, { addons: [{ id: seats, description: 'Sales' }] });
  expect(await pending()).toEqual([]);
});

test('a plan of another interval needs add-ons of that interval; the rest of all is credited', async () => {
  const { id } = await beginWithSeats();
  gold.moveTo(HALF);
  expect(await change(id, { plan: 'annual' })).toMatchObject(refused({ param: 'plan' }));
  await change(id, { plan: 'annual', addons: [{ plan: 'annual-seats', quantity: 2 }] });
  expect(await totals()).toEqual([20, 130]); // 100 + 2 x 20 - 10 x 1/2 - 5 x 2.00 x 1/2
  await expectCleanBooks();
});

test('add-ons kept for the renewal apply before the next bill, a changed one with its id', async () => {
  const { id, seats } = await beginWithSeats();
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
