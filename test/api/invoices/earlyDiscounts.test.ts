import { expect, test } from '@jest/globals';
import { refused, successBody } from '../../support/api.ts';
import { DAY, DiscountShop, DROPPED, ENDED, GRANTED, START } from '../../support/earlyDiscounts.ts';

const shop = new DiscountShop();
const { keepDocuments, issue, read, pay, ledger, stepsAt } = shop;

test('an invoice that is paid in full within the days of its discount keeps it', async () => {
  const id = await issue();
  const [discount] = (await read(id)).discounts;
  expect(discount).toMatchObject({ amount: 20, expires: ENDED, coupon: null });
  expect(await read(id)).toMatchObject({ subtotal: 1000, total: 980, balance: 980, payment_terms: '2% 10 NET 30' });
  await pay(id, 980, { date: ENDED - 1 });
  expect(await stepsAt(id, ENDED + 60 * DAY)).toEqual([]);
  expect(await read(id)).toMatchObject({ total: 980, balance: 0, status: 'paid' });
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

test('bills of a subscription offer the discount of its customer, and each loses it by itself', async () => {
  await shop.api.sandbox.make('/plans', { id: 'gold', name: 'Gold', amount: 1000, interval: 'month' });
  const { id: subscription } = await shop.api.sandbox.make('/subscriptions', { customer: shop.customer, plan: 'gold' });
  const bills = async () =>
    successBody(await shop.api.sandbox.get(`/invoices?filter[subscription]=${subscription}&sort=id`));
  const [{ id: first }] = await bills();
  expect(await read(first)).toMatchObject({ total: 980, discounts: [{ amount: 20, expires: ENDED }] });
  expect(await stepsAt(first, ENDED)).toEqual([DROPPED]);
  shop.now = Date.parse('2027-04-01T12:00:00Z') / 1000;
  await shop.renew(subscription);
  const [, { id: second }] = await bills();
  expect(await read(second)).toMatchObject({ total: 980, balance: 980, discounts: [{ amount: 20 }] });
  await pay(second, 980);
  expect(await stepsAt(second, shop.now + 90 * DAY)).toEqual([]);
  expect(await read(second)).toMatchObject({ total: 980, status: 'paid' });
  expect(await read(first)).toMatchObject({ total: 1000, balance: 1000 });
});

test('terms that cannot be read are refused with those that can, wherever they are set', async () => {
  const { sandbox } = shop.api;
  const asked = { payment_terms: '2/10 NET 30' };
  const readable = 'must be NET <days>, <percent>% <days> NET <days>';
  const unread = refused({ param: 'payment_terms', message: expect.stringContaining(readable) });
  expect(await sandbox.patch('/account', asked)).toMatchObject(unread);
  expect(await sandbox.post('/customers', { name: 'Bob', ...asked })).toMatchObject(unread);
  expect(await sandbox.patch(`/customers/${shop.customer}`, asked)).toMatchObject(unread);
  for (const document of ['/invoices', '/estimates'])
    expect(await sandbox.post(document, { customer: shop.customer, ...asked })).toMatchObject(unread);
  expect(await sandbox.patch(`/invoices/${await issue()}`, asked)).toMatchObject(unread);
});
