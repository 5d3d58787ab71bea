import { expect, test } from '@jest/globals';
import { refused, successBody } from '../../support/api.ts';
import { DAY, DiscountShop, DROPPED, ENDED, GRANTED, START } from '../../support/earlyDiscounts.ts';

const shop = new DiscountShop();
const { keepDocuments, rows, issue, read, notes, lastEvent, pay, ledger, stepsAt } = shop;

test('an invoice that is paid in full within the days of its discount keeps it', async () => {
  const id = await issue();
  const [discount] = (await read(id)).discounts;
  expect(discount).toMatchObject({ amount: 20, expires: ENDED, coupon: null });
  expect(await read(id)).toMatchObject({ subtotal: 1000, total: 980, balance: 980, payment_terms: '2% 10 NET 30' });
  await pay(id, 980, { date: ENDED - 1 });
  expect(await stepsAt(id, ENDED + 60 * DAY)).toEqual([]);
  expect(await read(id)).toMatchObject({ total: 980, balance: 0, status: 'paid' });
});

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

test('payment terms of an open invoice decide about its discount', async () => {
  const id = await issue();
  const patch = (body: object) => shop.api.sandbox.patch(`/invoices/${id}`, body);
  const [{ id: discount }] = (await read(id)).discounts;
  // More days to pay: the same discount.
  expect(successBody(await patch({ payment_terms: '2% 11 NET 30' }))).toMatchObject({
    discounts: [{ id: discount, expires: ENDED + DAY }],
    total: 980,
  });
  expect(successBody(await patch({ payment_terms: 'NET 30' }))).toMatchObject({ discounts: [], total: 1000 });
  expect(await ledger(id, 'change')).toEqual([
    { account: 'revenue', amount: -20 },
    { account: 'receivable', amount: 20 },
  ]);
  // A discount that is offered after the issue is granted by a credit note.
  await pay(id, 980);
  expect(successBody(await patch({ payment_terms: '2% 10 NET 30' }))).toMatchObject({ total: 1000, balance: 20 });
  expect(await stepsAt(id, shop.now)).toEqual([GRANTED]);
});

test('a payment plan fixes the balance with its discount; terms are those of the plan until it is canceled', async () => {
  const id = await issue();
  const installments = [
    { date: START + 20 * DAY, amount: 490 },
    { date: START + 40 * DAY, amount: 490 },
  ];
  successBody(await shop.api.sandbox.post(`/invoices/${id}/payment_plan`, { installments }));
  expect(await read(id)).toMatchObject({ total: 980, payment_terms: 'Payment Plan' });
  expect(await stepsAt(id, ENDED)).toEqual([]);
  const patch = (payment_terms: string) => shop.api.sandbox.patch(`/invoices/${id}`, { payment_terms });
  expect(successBody(await patch('payment plan'))).toMatchObject({ payment_terms: 'Payment Plan' });
  const why = `Invoice ${(await read(id)).number} has a payment plan: change or cancel the plan`;
  expect(await patch('NET 30')).toMatchObject(refused({ param: 'payment_terms', message: why }));
  successBody(await shop.api.sandbox.delete(`/invoices/${id}/payment_plan`));
  expect((await read(id)).payment_terms).toBe('2% 10 NET 30');
  expect(await stepsAt(id, ENDED)).toEqual([DROPPED]);
  const how = 'Give an invoice a payment plan by PUT /invoices/:id/payment_plan';
  expect((await patch('Payment Plan')).body).toMatchObject({
    param: 'payment_terms',
    message: expect.stringContaining(how),
  });
  const created = await shop.api.sandbox.post('/invoices', { customer: shop.customer, payment_terms: 'Payment Plan' });
  expect(created.body.message).toContain(how);
});

test('a draft shows its whole total, and gets the discount when it is issued; its days count from the issue', async () => {
  const id = await issue({ draft: true });
  expect(await read(id)).toMatchObject({ total: 1000, discounts: [] });
  shop.now = START + DAY;
  expect(successBody(await shop.api.sandbox.patch(`/invoices/${id}`, { draft: false }))).toMatchObject({
    total: 980,
    balance: 980,
    discounts: [{ amount: 20, expires: ENDED + DAY }],
  });
});

test('lines that change take the discount with them, and an invoice with it can be voided', async () => {
  const id = await issue();
  const changed = await shop.api.sandbox.patch(`/invoices/${id}`, { items: [{ unit_cost: 500 }] });
  expect(successBody(changed)).toMatchObject({ total: 490, discounts: [{ amount: 10, expires: ENDED }] });
  successBody(await shop.api.sandbox.post(`/invoices/${id}/void`));
  expect(await stepsAt(id, ENDED)).toEqual([]);
});

test('an invoice that AutoPay collects, and one with nothing to discount, get none', async () => {
  expect(await read(await issue({ autopay: true, payment_terms: '2% 10 NET 30' }))).toMatchObject({ total: 1000 });
  const items = [{ unit_cost: 1000, discountable: false }];
  expect(await read(await issue({ items }))).toMatchObject({ total: 1000, discounts: [] });
});

test('credit that pays at issue counts', async () => {
  await shop.api.sandbox.make('/credit_balance_adjustments', { customer: shop.customer, amount: 980, currency: 'usd' });
  expect(await read(await issue())).toMatchObject({ total: 980, balance: 0 });
  await keepDocuments();
  await shop.api.sandbox.make('/credit_balance_adjustments', { customer: shop.customer, amount: 980, currency: 'usd' });
  const id = await issue();
  expect(await stepsAt(id, shop.now)).toEqual([GRANTED]);
  expect(await read(id)).toMatchObject({ total: 1000, balance: 0 });
});

test('an invoice with its discount is not consolidated', async () => {
  successBody(await shop.api.sandbox.patch(`/customers/${shop.customer}`, { consolidated: true }));
  await issue();
  await issue();
  const answer = await shop.api.sandbox.post(`/customers/${shop.customer}/consolidate_invoices`);
  expect(answer.body.message).toContain('fewer than two invoices');
});

test('a closed invoice keeps its discount until it is reopened', async () => {
  const id = await issue();
  successBody(await shop.api.sandbox.patch(`/invoices/${id}`, { closed: true }));
  expect(await stepsAt(id, ENDED)).toEqual([]);
  successBody(await shop.api.sandbox.patch(`/invoices/${id}`, { closed: false }));
  expect(await stepsAt(id, ENDED)).toEqual([DROPPED]);
});
