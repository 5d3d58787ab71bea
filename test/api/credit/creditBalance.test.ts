import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { type Credits, cash, credit, spend, startCredits } from '../../support/credits.ts';

/** The credit balance of a customer: adjustments, credit from payments, spending on invoices. It is never negative at any date. */

const NOW = Date.UTC(2027, 2, 10, 12) / 1000;
const DAY = 86_400;
let on: Credits;
beforeAll(async () => {
  on = await startCredits(() => new Date(NOW * 1000));
});
afterAll(() => on.api.close());
beforeEach(() => on.begin());

/** Ledger entries of a payment, summed by account. */
const booked = (payment: number) =>
  on.rows(
    `select ledger_account as account, sum(amount)::float8 as amount from ledger_entry where payment_id = ?
     group by 1 having sum(amount) <> 0 order by 1`,
    [payment],
  );

test('credit is added and spent on an invoice beside money; the receipt shows only the money', async () => {
  await on.adjust(40);
  const invoice = await on.invoice(100);
  // 100.00 = 75.00 in money + 25.00 of the 40.00 credit
  const { status, body } = await on.pay(100, [cash(invoice, 75), spend(invoice, 25)], { method: 'check' });
  expect([status, body.amount, body.balance, body.credit]).toEqual([201, 100, 0, 25]);
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 0, paid: true });
  expect(await on.balances()).toEqual([40, 15]); // 40.00 - 25.00
  expect(await booked(body.id)).toEqual([
    { account: 'cash', amount: 75 },
    { account: 'customer_credits', amount: 25 },
    { account: 'receivable', amount: -100 }, // 75.00 + 25.00
  ]);
  const { applied_to } = (await on.api.sandbox.get(`/payments/${body.id}?include=applied_to`)).body;
  expect(applied_to).toMatchObject([
    { type: 'invoice', invoice, amount: 75, document_type: null },
    { type: 'applied_credit', invoice, amount: 25, document_type: 'invoice' },
  ]);
  await on.expectCleanBooks();
});

test('money goes to the credit balance and pays from it; voiding reverses each', async () => {
  const { body: added } = await on.pay(60, [credit(50)]);
  expect(added.balance).toBe(10); // 60 - 50
  expect(await booked(added.id)).toEqual([
    { account: 'cash', amount: 60 },
    { account: 'customer_credits', amount: -50 },
    { account: 'unapplied', amount: -10 },
  ]);
  const invoice = await on.invoice(30);
  const { body: spent } = await on.pay(30, [spend(invoice, 30)]);
  expect(await on.balances()).toEqual([50, 20]); // 50 - 30
  const refusal = await on.api.sandbox.delete(`/payments/${added.id}`);
  // 30 of the 50 credit are spent
  expect(refusal).toMatchObject(
    refused({ message: '50.00 usd of credit cannot be taken back: only 20.00 is left on 2027-03-10 12:00:00 UTC' }),
  );
  expect((await on.api.sandbox.delete(`/payments/${spent.id}`)).body).toMatchObject({ voided: true, balance: 0 });
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 30, paid: false });
  expect(await on.balances()).toEqual([50]);
  expect((await on.api.sandbox.delete(`/payments/${added.id}`)).status).toBe(200);
  expect(await on.balances()).toEqual([]);
  await on.expectCleanBooks();
});

test('the balance is never negative at any date; each refusal names the date and both amounts', async () => {
  const { body: first } = await on.adjust(50, { date: NOW - 10 * DAY });
  const invoice = await on.invoice(100);
  await on.pay(30, [spend(invoice, 30)], { date: NOW - 5 * DAY });
  expect(await on.balances()).toEqual([50, 20]);
  const path = `/credit_balance_adjustments/${first.id}`;
  const spentOn = '2027-03-05 12:00:00 UTC'; // five days before
  // 50 - 21 = 29, but 30 were spent five days ago
  expect(await on.adjust(-21, { date: NOW - 9 * DAY })).toMatchObject(
    refused({ param: 'amount', message: `Customer has 20.00 usd of credit on ${spentOn}, less than 21.00` }),
  );
  // the change takes 50.00 - 29.99 = 20.01, but only 50 - 30 = 20 are left
  expect(await on.api.sandbox.patch(path, { amount: 29.99 })).toMatchObject(
    refused({ param: 'amount', message: `20.01 usd of credit cannot be taken back: only 20.00 is left on ${spentOn}` }),
  );
  // 30 of it were spent before that date
  expect(await on.api.sandbox.patch(path, { date: NOW - 4 * DAY })).toMatchObject(
    refused({ param: 'date', message: `50.00 usd of credit cannot be taken back: only 20.00 is left on ${spentOn}` }),
  );
  expect(await on.api.sandbox.delete(path)).toMatchObject(
    refused({ message: expect.stringContaining(`only 20.00 is left on ${spentOn}`) }),
  );
  // on that date there was no credit yet
  expect(await on.pay(1, [spend(invoice, 1)], { date: NOW - 11 * DAY })).toMatchObject(
    refused({
      param: 'applied_to[0][amount]',
      message: 'Customer has 0.00 usd of credit on 2027-02-27 12:00:00 UTC, less than 1.00',
    }),
  );
  // there were 50 on that date, but 30 of them are spent later
  expect(await on.pay(21, [spend(invoice, 21)], { date: NOW - 7 * DAY })).toMatchObject(
    refused({ message: `Customer has 20.00 usd of credit on ${spentOn}, less than 21.00` }),
  );
  expect((await on.pay(20, [spend(invoice, 20)], { date: NOW - 7 * DAY })).status).toBe(201);
  expect(await on.balances()).toEqual([50, 30, 0]); // 50 - 20 - 30
  expect((await on.api.sandbox.patch(path, { date: NOW - 7 * DAY, amount: 55 })).status).toBe(200);
  expect(await on.balances()).toEqual([55, 35, 5]); // within a second, additions come first
  await on.expectCleanBooks();
});

test('a refusal names the first of several applications that the credit does not cover, and the remaining credit', async () => {
  await on.adjust(50);
  const [first, second, third] = [await on.invoice(30), await on.invoice(30), await on.invoice(30)];
  const answer = await on.pay(60, [spend(first, 30), spend(second, 25), spend(third, 5)]);
  // 50 - 30 = 20
  expect(answer).toMatchObject(
    refused({
      param: 'applied_to[1][amount]',
      message: 'Customer has 20.00 usd of credit on 2027-03-10 12:00:00 UTC, less than 25.00',
    }),
  );
  expect(await on.balances()).toEqual([50]);
  expect(await on.readInvoice(first)).toMatchObject({ balance: 30 });
});

test('a backdated adjustment counts from its date, also between other changes', async () => {
  const { body } = await on.adjust(10, { date: NOW - DAY });
  await on.adjust(5, { date: NOW - 3 * DAY });
  expect(await on.balances()).toEqual([5, 15]);
  const path = `/credit_balance_adjustments/${body.id}`;
  expect((await on.api.sandbox.patch(path, { date: NOW - 5 * DAY })).status).toBe(200);
  expect(await on.balances()).toEqual([10, 15]);
  await on.expectCleanBooks();
});

test('an adjustment that takes credit cannot be dated to a time with less credit', async () => {
  await on.adjust(20, { date: NOW - 2 * DAY });
  const { body } = await on.adjust(-10);
  const changed = await on.api.sandbox.patch(`/credit_balance_adjustments/${body.id}`, { date: NOW - 5 * DAY });
  const message = 'Customer has 0.00 usd of credit on 2027-03-05 12:00:00 UTC, less than 10.00';
  expect(changed).toMatchObject(refused({ param: 'date', message }));
  await on.expectCleanBooks();
});

test('a negative remainder is shown as zero when an adjustment of spent credit is reversed or redated', async () => {
  const { body } = await on.adjust(50, { date: NOW - 2 * DAY });
  await on.pay(50, [spend(await on.invoice(50), 50)]);
  const changed = { amount: -10, date: NOW - DAY };
  const message = expect.stringMatching(/^50\.00 usd of credit cannot be taken back: only 0\.00 is left on /); // 50 - 60
  expect(await on.api.sandbox.patch(`/credit_balance_adjustments/${body.id}`, changed)).toMatchObject(
    refused({ param: 'amount', message }),
  );
  await on.expectCleanBooks();
});

test('each currency has its own balance', async () => {
  await on.adjust(50, { currency: 'eur' });
  const invoice = await on.invoice(30);
  expect(await on.pay(1, [spend(invoice, 1)])).toMatchObject(refused({ param: 'applied_to[0][amount]' }));
  expect(await on.pay(1, [spend(invoice, 1)], { currency: 'eur' })).toMatchObject(
    refused({ param: 'applied_to[0][invoice]' }),
  );
});

test('PATCH replaces the credit that a payment spends and adds; spent credit stays covered', async () => {
  await on.adjust(40);
  const [first, second] = [await on.invoice(30), await on.invoice(30)];
  const { body } = await on.pay(30, [spend(first, 30)]);
  const path = `/payments/${body.id}`;
  expect((await on.api.sandbox.patch(path, { applied_to: [spend(second, 30)] })).body.balance).toBe(0);
  expect(await on.readInvoice(first)).toMatchObject({ balance: 30, paid: false });
  expect(await on.readInvoice(second)).toMatchObject({ balance: 0, paid: true });
  expect(await on.balances()).toEqual([40, 10]);
  // Without the credit the whole amount would count as money, which was never received.
  const phantom = await on.api.sandbox.patch(path, { applied_to: [] });
  expect(phantom).toMatchObject(refused({ param: 'amount' }));
  const more = await on.api.sandbox.patch(path, { amount: 45, applied_to: [spend(second, 30), spend(first, 15)] });
  // 40 - 30 = 10
  expect(more).toMatchObject(
    refused({ param: 'applied_to[1][amount]', message: expect.stringContaining('10.00 usd of credit') }),
  );
  const mixed = await on.api.sandbox.patch(path, { amount: 45, applied_to: [spend(second, 30), cash(first, 15)] });
  expect(mixed).toMatchObject({ status: 200, body: { amount: 45, balance: 0 } }); // 15 in money now
  expect(await booked(body.id)).toEqual([
    { account: 'cash', amount: 15 },
    { account: 'customer_credits', amount: 30 },
    { account: 'receivable', amount: -45 },
  ]);
  expect(await on.balances()).toEqual([40, 10]);
  const moved = await on.api.sandbox.patch(path, { date: NOW - DAY });
  // a day earlier there was no credit
  expect(moved).toMatchObject(
    refused({ param: 'date', message: expect.stringContaining('0.00 usd of credit on 2027-03-09') }),
  );
  await on.expectCleanBooks();
});

test('PATCH can take back credit that a payment added only while it is unspent', async () => {
  const { body } = await on.pay(50, [credit(50)], { date: NOW - 2 * DAY });
  const path = `/payments/${body.id}`;
  const invoice = await on.invoice(20);
  await on.pay(20, [spend(invoice, 20)], { date: NOW - DAY });
  // the change takes 50 - 19 = 31, but only 50 - 20 = 30 are left
  expect(await on.api.sandbox.patch(path, { applied_to: [credit(19)] })).toMatchObject(
    refused({
      param: 'applied_to',
      message: expect.stringContaining('31.00 usd of credit cannot be taken back: only 30.00'),
    }),
  );
  expect(await on.api.sandbox.patch(path, { date: NOW })).toMatchObject(refused({ param: 'date' }));
  expect((await on.api.sandbox.patch(path, { applied_to: [credit(20)] })).body).toMatchObject({ balance: 30 }); // 50 - 20
  expect(await on.balances()).toEqual([20, 0]);
  const other = (await on.api.sandbox.make('/customers', { name: 'Other' })).id;
  const given = await on.api.sandbox.patch(path, { customer: other, applied_to: [credit(50)] });
  expect(given).toMatchObject(refused({ param: 'applied_to' }));
  await on.expectCleanBooks();
});

test.each([
  [{ type: 'applied_credit', amount: 1 }, 'applied_to[0][invoice]', 'Invoice missing'],
  [{ type: 'applied_credit', document_type: 'estimate', amount: 1 }, 'applied_to[0][estimate]', 'Estimate missing'],
  [{ type: 'applied_credit', document_type: 'order', amount: 1 }, 'applied_to[0][document_type]', undefined],
  [{ type: 'credit', invoice: 1, amount: 1 }, 'applied_to[0][invoice]', undefined],
  [{ type: 'gift', amount: 1 }, 'applied_to[0][type]', undefined],
  [
    { type: 'convenience_fee', amount: 1 },
    'applied_to[0][type]',
    'A convenience fee is only taken by a charge of a credit card',
  ],
  [{ type: 'applied_credit', invoice: 4711, amount: 1 }, 'applied_to[0][invoice]', 'Invoice was not found: 4711'],
])('%j is refused, naming %s', async (application, param, message) => {
  const answer = await on.pay(10, [application]);
  expect(answer).toMatchObject(refused({ param }));
  if (message) expect(answer.body.message).toBe(message);
});

test('money and credit together never exceed what an invoice owes, and each is named once', async () => {
  await on.adjust(100);
  const invoice = await on.invoice(50);
  const over = await on.pay(60, [cash(invoice, 40), spend(invoice, 20)]);
  // 50 - 40 = 10
  expect(over).toMatchObject(
    refused({ param: 'applied_to[1][amount]', message: expect.stringContaining('balance of 10.00, less than 20.00') }),
  );
  for (const twice of [
    [credit(1), credit(1)],
    [spend(invoice, 1), spend(invoice, 1)],
  ])
    expect(await on.pay(60, twice)).toMatchObject(refused({ param: 'applied_to' }));
});
