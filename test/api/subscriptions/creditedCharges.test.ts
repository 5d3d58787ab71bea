import { expect, test } from '@jest/globals';
import { customerOfEachTest } from '../../support/goldCustomers.ts';
import { APRIL, dayOf2027, goldSubscriptions, HALF, QUARTER } from '../../support/goldSubscriptions.ts';

/** Changes within a period whose invoice credit notes correct: what they credit is not credited again. A plan of 10.00 a month. */

const gold = goldSubscriptions(async (client) => {
  await client.make('/items', { id: 'seat', name: 'Seat', unit_cost: 5 });
  await client.make('/tax_rates', { id: 'incl', name: 'Incl', value: 25, is_percent: true, inclusive: true });
});
const { change, cancel, expectCleanBooks } = gold;
const { customer, begin, invoices, pendingAmounts, creditBalance } = customerOfEachTest(gold);

/** A credit note for the customer's newest invoice. */
const credit = async (...items: object[]) => {
  const invoice = (await invoices()).at(-1)?.id;
  return gold.api.sandbox.make('/credit_notes', { customer: customer(), invoice, items });
};

test('a credit is the unused share of what credit notes leave of the invoice', async () => {
  const id = await begin();
  await credit({ name: 'Goodwill', unit_cost: 3 });
  await credit({ unit_cost: 1 });
  gold.moveTo(HALF);
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([-3, 10]); // (10.00 - 4.00) x 1/2; 20.00 x 1/2
  await expectCleanBooks();
});

test('an invoice that is credited in full is not credited again by a cancellation', async () => {
  const id = await begin({ quantity: 2 });
  await credit({ unit_cost: 20 });
  gold.moveTo(HALF);
  expect((await cancel(id, '?prorate=true')).status).toBe(200);
  expect(await invoices()).toHaveLength(1);
  expect(await creditBalance()).toBe(0);
});

test('a credit note for an item counts against its lines, and one that is voided against none', async () => {
  const id = await begin({ addons: [{ catalog_item: 'seat' }] }); // 10.00 + 5.00
  await credit({ catalog_item: 'seat', unit_cost: 5 });
  const undone = await credit({ name: 'Gold', unit_cost: 10 });
  const { body: payments } = await gold.api.sandbox.get(`/payments?filter[customer]=${customer()}&sort=id desc`);
  await gold.api.sandbox.delete(`/payments/${payments[0].id}`);
  expect((await gold.api.sandbox.post(`/credit_notes/${undone.id}/void`)).status).toBe(200);
  gold.moveTo(HALF);
  await change(id, { quantity: 2, addons: [] });
  expect(await pendingAmounts()).toEqual([-5, 10]); // 10.00 x 1/2, nothing for the seat; 20.00 x 1/2
});

test('a credit note for the invoice of a change counts against the charge of the change', async () => {
  const id = await begin();
  gold.moveTo(HALF);
  await change(id, { quantity: 3, prorate: 'now' }); // 15.00 - 5.00
  await credit({ unit_cost: 10 });
  gold.moveTo(QUARTER);
  await change(id, { quantity: 1 });
  expect(await pendingAmounts()).toEqual([2.5]); // nothing of the 15.00; 10.00 x 1/4
});

test('the credit note for a negative bill counts against no charge', async () => {
  const id = await begin({ quantity: 5 });
  gold.moveTo(HALF);
  await change(id, { quantity: 1 }); // -25.00 + 5.00
  await gold.advanceTo(id, APRIL);
  expect((await invoices()).at(-1)).toMatchObject({ total: 0 }); // 10.00 - 20.00 + 10.00, and a credit note of 10.00
  gold.moveTo(dayOf2027(4, 16)); // half of April
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([-5, 10]);
  await expectCleanBooks();
});

test('half of the revenue of a price with tax in it leaves half of the price', async () => {
  const id = await begin({ taxes: ['incl'] }); // 8.00 and 2.00 of tax
  await credit({ unit_cost: 4 });
  gold.moveTo(HALF);
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([-2.5, 10]); // 10.00 x 4.00 / 8.00 x 1/2
});

test('a credit note for the invoice into which an invoice was consolidated, twice, counts', async () => {
  await gold.api.sandbox.patch(`/customers/${customer()}`, { consolidated: true });
  const id = await begin();
  for (const unit_cost of [7, 3]) {
    await gold.api.sandbox.post('/invoices', { customer: customer(), items: [{ name: 'Setup', unit_cost }] });
    expect((await gold.api.sandbox.post(`/customers/${customer()}/consolidate_invoices`)).status).toBe(201);
  }
  await credit({ name: 'Setup', unit_cost: 10 }, { unit_cost: 4 }); // of 20.00
  gold.moveTo(HALF);
  await change(id, { quantity: 2 });
  expect(await pendingAmounts()).toEqual([-3, 10]); // (10.00 - 4.00) x 1/2
});
