import { expect, test } from '@jest/globals';
import { successBody } from '../../support/api.ts';
import { DAY, DiscountShop, DROPPED, ENDED, GRANTED, START } from '../../support/earlyDiscounts.ts';

const shop = new DiscountShop();
const { keepDocuments, rows, issue, read, notes, lastEvent, pay, ledger, stepsAt } = shop;

test('a discount that is not used is dropped with its event and its entry: taxes are computed again, a part that was paid stays paid', async () => {
  const taxes = [(await shop.api.sandbox.make('/tax_rates', { name: 'Tax', value: 10 })).id];
  const id = await issue({ taxes });
  expect(await read(id)).toMatchObject({ total: 1078, balance: 1078 }); // (1000 - 20) + 10 %
  await pay(id, 500);
  expect(await stepsAt(id, ENDED - 1)).toEqual([]);
  expect(await stepsAt(id, ENDED)).toEqual(['early-payment discount of 22.00 usd dropped']);
  expect(await read(id)).toMatchObject({ discounts: [], total: 1100, balance: 600, status: 'not_sent' });
  expect((await read(id)).taxes[0].amount).toBe(100);
  const { type, user, data } = await lastEvent(id);
  expect({ type, user, previous: data.previous }).toMatchObject({
    type: 'invoice.updated',
    user: { id: -1 },
    previous: { total: 1078, balance: 578, discounts: [{ amount: 20, expires: ENDED }] },
  });
  expect(await ledger(id, 'early_discount')).toEqual([
    { account: 'revenue', amount: -20 },
    { account: `tax_payable:${taxes[0]}`, amount: -2 },
    { account: 'receivable', amount: 2 },
    { account: 'receivable', amount: 20 },
  ]);
  expect(await stepsAt(id, ENDED)).toEqual([]);
});

test('a payment that is recorded late, but dated in time, gets the discount by a credit note; one dated late does not', async () => {
  const [early, late] = [await issue(), await issue()];
  expect(await stepsAt(early, ENDED)).toEqual([DROPPED]);
  expect(await stepsAt(late, ENDED)).toEqual([DROPPED]);
  await pay(late, 980, { date: ENDED });
  expect(await stepsAt(late, ENDED)).toEqual(['no early-payment discount']);
  expect(await read(late)).toMatchObject({ total: 1000, balance: 20 });
  await pay(early, 980, { date: ENDED - 1 });
  expect(await stepsAt(early, ENDED)).toEqual([GRANTED]);
  expect(await read(early)).toMatchObject({ total: 1000, balance: 0, status: 'paid' });
  expect(await notes()).toMatchObject([{ total: 20, status: 'paid', items: [{ name: 'Early-payment discount' }] }]);
});

test('a payment that is dated too late does not keep the discount, although it is recorded before the discount is dropped', async () => {
  const id = await issue();
  shop.now = ENDED;
  await pay(id, 980);
  expect((await read(id)).status).toBe('paid');
  expect(await stepsAt(id, ENDED)).toEqual([DROPPED]);
  expect(await read(id)).toMatchObject({ total: 1000, balance: 20, paid: false, closed: false });
});

test('a payment that is taken back after the days of the discount takes the discount with it', async () => {
  const id = await issue();
  const payment = await pay(id, 980);
  shop.now = ENDED;
  successBody(await shop.api.sandbox.delete(`/payments/${payment}`));
  expect(await stepsAt(id, ENDED)).toEqual([DROPPED]);
  expect(await read(id)).toMatchObject({ total: 1000, balance: 1000 });
});

test('documents that never change are issued with the whole total; a credit note grants the discount once it is earned', async () => {
  await keepDocuments();
  const taxes = [(await shop.api.sandbox.make('/tax_rates', { name: 'VAT', value: 20, inclusive: true })).id];
  const item = async (gl_account: string) =>
    (await shop.api.sandbox.make('/items', { name: gl_account, unit_cost: 60, gl_account })).id;
  const items = [{ catalog_item: await item('4000') }, { catalog_item: await item('4100') }];
  const id = await issue({ items, taxes });
  const whole = { total: 120, balance: 120, discounts: [] };
  expect(await read(id)).toMatchObject(whole);
  const payment = await pay(id, 117.6); // 120 - 2 %
  expect(await stepsAt(id, START + DAY)).toEqual(['early-payment discount of 2.40 usd granted']);
  expect(await read(id)).toMatchObject({ total: 120, balance: 0, status: 'paid', discounts: [] });
  const [note] = await notes();
  // 1.20 on each account, of which 0.20 are tax.
  expect(note).toMatchObject({ subtotal: 2, total: 2.4, taxes: [{ amount: 0.4 }] });
  const entries = await rows(
    `select ledger_account as account, sum(amount)::float8 as amount from ledger_entry where credit_note_id = ? and reason = 'issue'
     group by 1 order by 1`,
    [note.id],
  );
  expect(entries).toEqual([
    { account: 'customer_credits:notes', amount: -2.4 },
    { account: 'revenue:4000', amount: 1 },
    { account: 'revenue:4100', amount: 1 },
    { account: `tax_payable:${taxes[0]}`, amount: 0.4 },
  ]);
  // The payment was dated too late: the discount is taken back.
  successBody(await shop.api.sandbox.patch(`/payments/${payment}`, { date: ENDED }));
  expect(await stepsAt(id, ENDED)).toEqual(['early-payment discount of 2.40 usd taken back']);
  expect(await read(id)).toMatchObject({ total: 120, balance: 2.4, paid: false });
  expect((await notes())[0].status).toBe('voided');
  successBody(await shop.api.sandbox.patch(`/payments/${payment}`, { date: START }));
  expect(await stepsAt(id, ENDED)).toEqual(['early-payment discount of 2.40 usd granted']);
  expect(await read(id)).toMatchObject({ balance: 0, status: 'paid' });
});

test('steps at the same time grant one discount, and the database refuses a second credit note', async () => {
  await keepDocuments();
  const id = await issue();
  await pay(id, 980);
  const steps = await Promise.all([stepsAt(id, shop.now), stepsAt(id, shop.now), stepsAt(id, shop.now)]);
  expect(steps.flat()).toEqual([GRANTED]);
  const [note] = await notes();
  const other = (
    await shop.api.sandbox.make('/credit_notes', { customer: shop.customer, invoice: id, items: [{ unit_cost: 1 }] })
  ).id;
  const grant = `update credit_note set early_discount_until = now() where id = ?`;
  await expect(rows(grant, [other])).rejects.toThrow('credit_note_early_discount');
  expect(note.total).toBe(20);
});

test('the timeline tells of a discount that is offered, taken and lapsed', async () => {
  const [taken, lapsed] = [await issue({ number: 'TAKEN' }), await issue({ number: 'LAPSED' })];
  await pay(taken, 980);
  await stepsAt(lapsed, ENDED);
  await keepDocuments();
  const granted = await issue({ number: 'GRANTED' });
  await pay(granted, 980);
  await stepsAt(granted, shop.now);
  const path = `/customers/${shop.customer}/timeline?filter[upcoming]=false&per_page=100`;
  const entries = successBody(await shop.api.sandbox.get(path));
  const told = entries.map(({ what, why }: { what: string; why: string }) => `${what} | ${why}`);
  const offered = 'for $980.00, with an early-payment discount of $20.00 until 11 March 2027 | asked by the API';
  expect(told).toEqual(
    expect.arrayContaining([
      `issued TAKEN ${offered}`,
      `issued LAPSED ${offered}`,
      'TAKEN paid | nothing is left of $980.00, after its early-payment discount of $20.00',
      'early-payment discount of LAPSED dropped | it was not paid in full before the discount ended',
      'issued GRANTED for $1,000.00, with an early-payment discount by 2% 10 NET 30 | asked by the API',
      expect.stringMatching(
        /^credit note CN-\d+ issued for \$20\.00 \| the invoice was paid early enough for its discount$/,
      ),
      'GRANTED paid | nothing is left of $1,000.00',
    ]),
  );
});
