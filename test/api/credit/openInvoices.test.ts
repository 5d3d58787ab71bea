import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Credits, cash, credit, startCredits } from '../../support/credits.ts';
import { seedDispute } from '../../support/disputes.ts';

/** Credit pays the open invoices of its customer when it arises: which ones, in which order, by which date. */

const DAY = 86_400;
const start = Date.UTC(2027, 2, 1) / 1000;
let now = start;
let on: Credits;
beforeAll(async () => {
  on = await startCredits(() => new Date(now * 1000));
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: true, autopay_minimum_delay: 0 });
});
afterAll(() => on.api.close());
beforeEach(async () => {
  now = start;
  await on.begin();
});

const balanceOf = async (id: number) => (await on.readInvoice(id)).balance;
const balances = (ids: number[]) => Promise.all(ids.map(balanceOf));
const due = (days: number) => ({ due_date: now + days * DAY });
/** Applications of all payments of the customer: date in days, type, invoice, amount. */
const applied = async () =>
  (
    await on.rows(
      `select extract(epoch from p.date)::int as date, a.type, a.invoice_id as invoice, a.amount::float8 as amount
       from payment_application a join payment p on p.account_id = a.account_id and p.id = a.payment_id
       where p.customer_id = ? and a.invoice_id is not null order by a.id`,
      [on.customer],
    )
  ).map(({ date, type, invoice, amount }) => [(Number(date) - start) / DAY, type, invoice, amount]);
const clean = () => on.expectCleanBooks();

test('new credit pays the oldest due date first, by a payment without money, with its events', async () => {
  const [late, early, latest] = [
    await on.invoice(30, due(20)),
    await on.invoice(30, due(10)),
    await on.invoice(30, due(29)),
  ];
  now += DAY;
  await on.adjust(70);
  // 30 by the 10th day, 30 by the 20th, 70 - 60 = 10 by the 29th
  expect(await balances([early, late, latest])).toEqual([0, 0, 20]);
  const { body: events } = await on.api.sandbox.get('/events?per_page=5');
  expect(events.map(({ type }: { type: string }) => type)).toEqual([
    'payment.created',
    'invoice.updated',
    'invoice.paid',
    'invoice.paid',
    'credit_balance_adjustment.created',
  ]);
  expect(events[0].data.object).toMatchObject({ amount: 70, balance: 0, method: 'other', charge: null });
  const told = (await on.api.sandbox.get(`/invoices/${latest}/timeline?filter[upcoming]=false`)).body;
  expect(told.map(({ why }: { why: string }) => why)).toContain('credit of the customer paid a part of it');
  await clean();
});

test('an open credit note, its rest after the invoice that it corrects, and overpaid money pay open invoices', async () => {
  const [a, b] = [await on.invoice(100, due(5)), await on.invoice(100, due(1))];
  expect((await on.note(60)).body).toMatchObject({ balance: 0, status: 'paid' });
  expect(await balances([a, b])).toEqual([100, 40]); // b is due first: 100 - 60
  await on.pay(10, [cash(a, 10)]);
  await on.note(100, { invoice: a });
  expect(await balances([a, b])).toEqual([0, 30]); // a 90, then b 40 - 10
  await on.pay(50, [credit(50)]);
  expect(await balances([a, b])).toEqual([0, 0]);
  expect((await on.balances()).at(-1)).toBe(20); // 50 - 30
  await clean();
});

test('the installments of a plan are paid by their dates, between other invoices', async () => {
  const planned = await on.invoice(100);
  const installments = [
    { date: now + 5 * DAY, amount: 50 },
    { date: now + 40 * DAY, amount: 50 },
  ];
  await on.api.sandbox.make(`/invoices/${planned}/payment_plan`, { installments });
  const other = await on.invoice(30, due(10));
  await on.adjust(90); // 50 by the 5th day, 30 by the 10th, 10 by the 40th
  expect(await balances([planned, other])).toEqual([40, 0]);
  const { body } = await on.api.sandbox.get(`/invoices/${planned}/payment_plan`);
  expect(body.installments.map(({ balance }: { balance: number }) => balance)).toEqual([0, 40]);
  await clean();
});

test('credit is used in the order of its arrival, and dated at the later of its arrival and the date of the invoice', async () => {
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: false });
  const old = await on.invoice(25, { date: start - 9 * DAY, ...due(1) });
  await on.adjust(20, { date: start - 4 * DAY });
  now += DAY;
  const { body: note } = await on.note(20);
  const later = await on.invoice(30, { date: now + DAY, ...due(3) });
  now += 2 * DAY;
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: true });
  await on.adjust(30);
  expect(await applied()).toEqual([
    [-4, 'applied_credit', old, 20],
    [1, 'credit_note', old, 5],
    [2, 'credit_note', later, 15],
    [3, 'applied_credit', later, 15],
  ]);
  expect((await on.readNote(note.id)).balance).toBe(0);
  await clean();
});

test('credit that is dated in the future pays nothing before its date', async () => {
  const invoice = await on.invoice(50);
  await on.adjust(20, { date: now + 2 * DAY });
  await on.note(20, { date: now + 2 * DAY });
  expect(await balanceOf(invoice)).toBe(50);
  now += 2 * DAY;
  await on.adjust(1);
  expect(await balanceOf(invoice)).toBe(9); // 50 - 20 - 20 - 1
  await clean();
});

test('drafts, closed, promised and charged invoices, those of relatives and in other currencies are left out', async () => {
  const { sandbox } = on.api;
  const draft = await on.invoice(10, { draft: true });
  const closed = await on.invoice(10);
  await sandbox.patch(`/invoices/${closed}`, { closed: true });
  const promised = await on.invoice(10);
  await sandbox.patch(`/invoices/${promised}`, { expected_payment_date: { date: now + 5 * DAY, method: 'check' } });
  const euro = await on.invoice(10, { currency: 'eur' });
  const charged = await on.invoice(10);
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await sandbox.post(`/customers/${on.customer}/payment_sources`, card);
  await sandbox.patch(`/invoices/${charged}`, { autopay: true });
  const key = { accountId: sandbox.account.id, id: charged, lookUpDelay: 60_000 };
  const { call } = await inTransaction(on.api.em, (em) => advanceInvoice(em, key, new Date(now * 1000)));
  expect(call).not.toBeNull();
  const child = (await sandbox.make('/customers', { name: 'Child', parent_customer: on.customer })).id;
  const ofChild = (await sandbox.make('/invoices', { customer: child, items: [{ unit_cost: 10 }] })).id;
  await on.adjust(100);
  expect(await balances([closed, promised, euro, charged, ofChild])).toEqual([10, 10, 10, 10, 10]);
  expect(await balanceOf(draft)).toBe(10);
  expect((await on.balances()).at(-1)).toBe(100);
  await sandbox.patch(`/invoices/${promised}`, { expected_payment_date: null });
  await on.adjust(1);
  expect(await balanceOf(promised)).toBe(0);
  await clean();
});

test('a deposit stays reserved, and an account that switched the setting off keeps its credit', async () => {
  const { sandbox } = on.api;
  const estimate = await sandbox.make('/estimates', {
    customer: on.customer,
    items: [{ unit_cost: 50 }],
    deposit: 50,
  });
  await on.pay(50, [{ type: 'estimate', estimate: estimate.id, amount: 50 }]);
  const invoice = await on.invoice(30);
  await on.adjust(10);
  expect(await balanceOf(invoice)).toBe(20); // 30 - 10: the deposit of 50 is not touched
  await sandbox.patch('/account', { apply_credits_at_issue: false });
  await on.adjust(10);
  expect(await balanceOf(invoice)).toBe(20);
  await sandbox.patch('/account', { apply_credits_at_issue: true });
  await clean();
});

test('credit from before this rule is applied with the next credit, dated then', async () => {
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: false });
  const invoice = await on.invoice(100);
  await on.adjust(30, { date: start - 9 * DAY });
  await on.note(20, { date: start - 8 * DAY });
  await on.rows('update credit_balance_change set counts_from_date = false where customer_id = ?', [on.customer]);
  await on.rows('update credit_note set arrived_at = null where customer_id = ?', [on.customer]);
  await on.api.sandbox.patch('/account', { apply_credits_at_issue: true });
  now += 3 * DAY;
  await on.adjust(5, { date: start + DAY });
  expect(await applied()).toEqual([
    [3, 'applied_credit', invoice, 30],
    [3, 'credit_note', invoice, 20],
    [1, 'applied_credit', invoice, 5],
  ]);
  await clean();
});

test('an early-payment discount counts by the date of the credit', async () => {
  const terms = { payment_terms: '2% 10 NET 30' };
  const invoice = await on.invoice(100, terms);
  now += 20 * DAY;
  await on.adjust(98, { date: start + 5 * DAY });
  const key = { accountId: on.api.sandbox.account.id, id: invoice, lookUpDelay: 60_000 };
  for (let step = 0; step < 3; step++)
    await inTransaction(on.api.em, (em) => advanceInvoice(em, key, new Date(now * 1000)));
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 0, paid: true }); // 98 within ten days, 2 % granted
  await clean();
});

test('a disputed invoice is left out until its dispute is over', async () => {
  const { sandbox } = on.api;
  const disputed = await on.invoice(10, due(1));
  await seedDispute(on.api, sandbox, on.customer, [{ type: 'invoice', invoice: disputed, amount: 3 }]);
  const other = await on.invoice(10, due(2));
  await on.adjust(12);
  expect(await balances([disputed, other])).toEqual([7, 0]); // 10 - 3; 12 - 10 stay in the balance
  expect((await on.balances()).at(-1)).toBe(2);
  await on.rows(`update dispute set status = 'won' where status = 'open'`);
  await on.adjust(1);
  expect(await balanceOf(disputed)).toBe(4); // 7 - 2 - 1
});
