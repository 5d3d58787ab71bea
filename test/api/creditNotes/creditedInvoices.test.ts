import { beforeAll, expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { APRIL, dayOf2027, HALF, MARCH, MAY } from '../../support/goldSubscriptions.ts';
import { meteredSubscriptions } from '../../support/meteredSubscriptions.ts';

/** What credit notes may credit of invoices whose lines prorated changes and corrected usage have credited. */

const on = meteredSubscriptions();
const { begin, change, report, advanceTo, invoices, expectCleanBooks } = on;

interface Invoice {
  id: number;
  customer: number;
}

const noteOf = (invoice: Invoice, unit_cost: number) => {
  const body = { customer: invoice.customer, invoice: invoice.id, items: [{ name: 'Goodwill', unit_cost }] };
  return on.api.sandbox.post('/credit_notes', { ...body, calculate_taxes: false });
};

/** Expects that a credit note to an invoice may come to `most` and to no cent more. */
async function expectLeft(invoice: Invoice, most: number): Promise<void> {
  const asked = most + 0.01;
  const answer = await noteOf(invoice, asked);
  expect(answer).toMatchObject(refused({ param: 'items' }));
  expect(answer.body.message).toContain(`Only ${most.toFixed(2)} usd of invoice`);
  expect(answer.body.message).toContain(`not ${asked.toFixed(2)} usd`);
}

const firstOf = async (id: number) => {
  const [invoice] = await invoices(id);
  if (!invoice) throw new Error(`subscription ${id} has no invoice`);
  return invoice;
};

test('prorated credits count with their taxes, as long as they are owed', async () => {
  await on.api.sandbox.make('/tax_rates', { id: 'vat', name: 'VAT', value: 20, is_percent: true });
  const id = await begin({ customer: await on.customerWith(), quantity: 2, taxes: ['vat'] });
  const bill = await firstOf(id); // 20.00 and 4.00 tax
  await expectLeft(bill, 24);
  on.moveTo(HALF);
  expect(await change(id, { quantity: 1 })).toMatchObject({ status: 200 });
  await expectLeft(bill, 12); // 24.00 less the unused half of 20.00, with tax
  await advanceTo(id, APRIL);
  await expectLeft(bill, 12);
  const [, next] = await invoices(id);
  expect(next).toMatchObject({ total: 6 }); // April 10.00, -10.00 unused, 5.00 remaining, 20 % tax
  expect((await on.api.sandbox.post(`/invoices/${next?.id}/void`)).status).toBe(200);
  await expectLeft(bill, 24);
  await expectCleanBooks();
});

beforeAll(async () => {
  const client = on.api.sandbox;
  await client.make('/coupons', { id: 'fifty', name: 'Fifty', value: 50, is_percent: false, currency: 'usd' });
  await client.make('/plans', { id: 'hundred', name: 'Hundred', amount: 100, interval: 'month' });
  await client.make('/items', { id: 'extra', name: 'Extra', unit_cost: 100, currency: 'usd' });
});

/** A plan of 100 with an add-on of 100 and 50 off, half a period after its bill of 150. */
async function discountedHalfway(): Promise<{ id: number; bill: Invoice }> {
  const addons = [{ catalog_item: 'extra', quantity: 1 }];
  const id = await begin({ customer: await on.customerWith(), plan: 'hundred', addons, discounts: ['fifty'] });
  const bill = await firstOf(id);
  await expectLeft(bill, 150);
  on.moveTo(HALF);
  return { id, bill };
}

test('the parts of a fixed coupon that a change moves count, too', async () => {
  const { id, bill } = await discountedHalfway();
  expect(await change(id, { addons: [] })).toMatchObject({ status: 200 });
  await expectLeft(bill, 100); // -37.50 for the add-on, -12.50 for the plan
  await on.cancel(id, '?prorate=true');
  await expectLeft(bill, 75); // and 25.00 for the rest of the plan
  expect(await noteOf(bill, 75)).toMatchObject({ body: { total: 75 } });
  await expectCleanBooks();
});

test('what a change charges for a component takes no credit of another one back', async () => {
  const { id, bill } = await discountedHalfway();
  expect(await change(id, { quantity: 2 })).toMatchObject({ status: 200 });
  // The plan had 75.00, the unused half of it is credited: 37.50. The add-on is charged 4.16 more: that is on another bill.
  await expectLeft(bill, 112.5);
  expect(await noteOf(bill, 112.5)).toMatchObject({ body: { total: 112.5 } });
  await expectCleanBooks();
});

test('corrected usage counts, and more usage takes it back', async () => {
  await on.api.sandbox.make('/coupons', { id: 'half', name: 'Half', value: 50, is_percent: true });
  const id = await begin({ plan: 'calls', discounts: ['half'] });
  on.moveTo(dayOf2027(3, 20));
  await report(id, 100, dayOf2027(3, 5));
  await advanceTo(id, APRIL);
  const bill = await firstOf(id); // 100 x 0.25 x 50 %
  await expectLeft(bill, 12.5);
  await report(id, 100, dayOf2027(3, 6));
  await advanceTo(id, MAY);
  await expectLeft(bill, 12.5); // the late usage is on the bill of April
  await report(id, -140, dayOf2027(3, 7));
  await advanceTo(id, dayOf2027(6));
  await expectLeft(bill, 7.5); // 17.50 less than 12.50 of late usage
  await report(id, 20, dayOf2027(3, 8));
  await advanceTo(id, dayOf2027(7));
  await expectLeft(bill, 10);
  expect(await noteOf(bill, 10)).toMatchObject({ body: { total: 10 } });
  await expectCleanBooks();
});

test.each([
  ['without tax', [], 25, 15, [10, 0]],
  ['with tax', ['vat'], 30, 18, [12, 0]],
])('corrected usage credits at most what credit notes leave, %s', async (_, taxes, total, noted, credited) => {
  const id = await begin({ plan: 'calls', taxes });
  on.moveTo(dayOf2027(3, 20));
  await report(id, 100, dayOf2027(3, 5));
  await advanceTo(id, APRIL);
  const bill = await firstOf(id);
  expect(bill).toMatchObject({ total });
  expect(await noteOf(bill, noted)).toMatchObject({ status: 201 });
  // The credit pays open invoices, so that what was credited is the sum of the credit notes.
  const credits = async () => {
    const { body: notes } = await on.api.sandbox.get(`/credit_notes?filter[customer]=${bill.customer}&per_page=100`);
    return notes.reduce((sum: number, one: { total: number }) => sum + one.total, 0);
  };
  const before = await credits();
  await report(id, -80, dayOf2027(3, 6)); // 20.00, 24.00 with tax
  await advanceTo(id, MAY);
  expect((await credits()) - before).toBeCloseTo(credited[0] ?? 0, 9);
  await expectLeft(bill, 0);
  await report(id, -20, dayOf2027(3, 7));
  await advanceTo(id, dayOf2027(6));
  expect((await credits()) - before - (credited[0] ?? 0)).toBeCloseTo(credited[1] ?? 0, 9);
  await expectCleanBooks();
});

test('a credit on the invoice itself is in its total', async () => {
  const client = on.api.sandbox;
  const customer = await on.customerWith();
  const items = [
    { name: 'x', unit_cost: 100 },
    { name: 'Unused', unit_cost: -30 },
  ];
  const invoice = await client.make('/invoices', { customer, items, date: MARCH });
  await on.api.em.fork().execute(
    `update line_item set prorated = true, credited = jsonb_build_array(jsonb_build_object('invoice', invoice_id, 'amount', '30'))
       where invoice_id = ? and name = 'Unused'`,
    [invoice.id],
  );
  await expectLeft(invoice, 70);
  expect(await noteOf(invoice, 70)).toMatchObject({ body: { total: 70 } });
});
