import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import { refused } from '../../support/api.ts';
import { type Credits, cash, credit, spend, startCredits } from '../../support/credits.ts';

/** Charges that add to the credit balance or spend it, including pending ones whose money arrives late. */

const NOW = Date.UTC(2027, 2, 10, 12) / 1000;
const DAY = 86_400;
let now = NOW;
let on: Credits;
beforeAll(async () => {
  on = await startCredits(() => new Date(now * 1000));
});
afterAll(() => on.api.close());
beforeEach(() => on.begin());

/** Settles the last debit, five days after its charge. */
const arrive = async (): Promise<void> => {
  const [last] = await on.rows('select id from attempt order by id desc limit 1');
  now += 5 * DAY;
  await runAttempt({ ...on.api.deps, em: on.api.em }, { accountId: on.api.sandbox.account.id, id: Number(last?.id) });
  now = NOW;
};
/** Ledger entries of a payment, summed by account. */
const booked = (payment: number) =>
  on.rows(
    `select ledger_account as account, sum(amount)::float8 as amount from ledger_entry where payment_id = ?
     group by 1 having sum(amount) <> 0 order by 1`,
    [payment],
  );

test('a charge can add to the credit balance and spend it; its card pays the rest', async () => {
  await on.adjust(30);
  const invoice = await on.invoice(100);
  const card = { customer: on.customer, method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const charge = (amount: number, applied_to: object[]) =>
    on.api.sandbox.post('/charges', { ...card, amount, applied_to });
  expect(await charge(110, [cash(invoice, 60), spend(invoice, 40), credit(10)])).toMatchObject(
    refused({ param: 'applied_to[1][amount]', message: expect.stringContaining('30.00 usd of credit') }),
  );
  expect(await charge(30, [spend(invoice, 30)])).toMatchObject(
    refused({ param: 'amount', message: 'Nothing to charge: credit pays the whole amount' }),
  );
  const { status, body } = await charge(110, [cash(invoice, 75), spend(invoice, 25), credit(10)]);
  expect(status).toBe(201);
  expect(body).toMatchObject({ amount: 110, balance: 0, charge: { amount: 85 } }); // 110 - 25 of credit
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 0, paid: true, attempt_count: 1 });
  expect(await booked(body.id)).toEqual([
    { account: 'clearing:test', amount: 85 },
    { account: 'customer_credits', amount: 15 }, // 25 spent - 10 added
    { account: 'receivable', amount: -100 }, // 75 + 25
  ]);
  const [last] = await on.rows(
    'select balance::float8 as balance from credit_balance_change where customer_id = ? order by at desc, amount < 0 desc, id desc limit 1',
    [on.customer],
  );
  expect(last).toEqual({ balance: 15 }); // 30 + 10 - 25
  const path = `/payments/${body.id}`;
  expect(await on.api.sandbox.patch(path, { amount: 111 })).toMatchObject(refused({ param: 'amount' }));
  expect(await on.api.sandbox.patch(path, { applied_to: [cash(invoice, 85)] })).toMatchObject(
    refused({ param: 'amount' }),
  );
  const without = await on.api.sandbox.patch(path, { amount: 85, applied_to: [cash(invoice, 85)] });
  expect(without.body).toMatchObject({ amount: 85, balance: 0 });
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 15 }); // 100 - 85
  await on.expectCleanBooks();
});

test("credit spent while a charge had no outcome is left out, and the charge's money is recorded", async () => {
  await on.adjust(40);
  const invoice = await on.invoice(100);
  const pending = await on.api.sandbox.post('/charges', {
    customer: on.customer,
    method: 'ach',
    gateway_token: 'tok_123123123_123123893',
    amount: 100,
    applied_to: [cash(invoice, 60), spend(invoice, 40)],
  });
  expect(pending.body).toMatchObject({ amount: 60, charge: { status: 'pending', amount: 60 } }); // 100 - 40
  const other = await on.invoice(25);
  await on.pay(25, [spend(other, 25)]);
  await arrive();
  expect((await on.api.sandbox.get(`/payments/${pending.body.id}`)).body).toMatchObject({ amount: 75, balance: 0 }); // 60 + 40 - 25
  expect(await on.readInvoice(invoice)).toMatchObject({ balance: 25, paid: false, status: 'not_sent' }); // 100 - 60 - 15
  expect(await on.balances()).toEqual([40, 15, 0]); // 40 - 25 - 15
  await on.expectCleanBooks();
});

test('several invoices share the remaining credit when their charge succeeds; a note closed meanwhile pays nothing', async () => {
  await on.adjust(40);
  const noteOf = async (amount: number): Promise<number> =>
    (await on.api.sandbox.make('/credit_notes', { customer: on.customer, items: [{ unit_cost: amount }] })).id;
  const byNote = (credit_note: number, invoice: number, amount: number) => {
    return { type: 'credit_note', credit_note, document_type: 'invoice', invoice, amount };
  };
  const [first, second, third] = [await on.invoice(100), await on.invoice(100), await on.invoice(30)];
  const [closed, used] = [await noteOf(30), await noteOf(20)];
  const pending = await on.api.sandbox.post('/charges', {
    customer: on.customer,
    method: 'ach',
    gateway_token: 'tok_123123123_123123893',
    amount: 185,
    applied_to: [
      cash(first, 50),
      spend(first, 25),
      byNote(closed, first, 25),
      cash(second, 50),
      spend(second, 15),
      byNote(used, second, 20),
    ],
  });
  expect(pending.body.charge).toMatchObject({ status: 'pending', amount: 100 }); // 185 - 40 - 25 - 20
  await on.api.sandbox.patch(`/credit_notes/${closed}`, { closed: true });
  await on.pay(67, [spend(third, 10), byNote(used, third, 12), cash(second, 45)]);
  await arrive();
  const payment = (await on.api.sandbox.get(`/payments/${pending.body.id}`)).body;
  expect(payment).toMatchObject({ amount: 130, credit: 30, balance: 0 }); // 100 + 25 + 5
  expect((await on.readInvoice(first)).balance).toBe(25); // 100 - 50 - 25
  expect((await on.readInvoice(second)).balance).toBe(0); // 100 - 45 - 50 - (40 - 10 - 25): nothing remains for the note
  expect(await on.balances()).toEqual([40, 30, 5, 0]);
  const notes = await on.rows(
    'select balance::float8 as balance, status from credit_note where customer_id = ? order by id',
    [on.customer],
  );
  expect(notes).toEqual([
    { balance: 30, status: 'closed' },
    { balance: 8, status: 'open' }, // 20 - 12
  ]);
  await on.expectCleanBooks();
});

test('money for documents that no longer take it is recorded as unapplied, and one task asks about it', async () => {
  const [part, bad, open] = [await on.invoice(100), await on.invoice(100), await on.invoice(50)];
  const offerOf = async (amount: number): Promise<number> =>
    (await on.api.sandbox.make('/estimates', { customer: on.customer, items: [{ unit_cost: amount }] })).id;
  const [voided, deleted] = [await offerOf(30), await offerOf(20)];
  const debit = { customer: on.customer, method: 'ach', gateway_token: 'tok_123123123_123123893' };
  const aside = (estimate: number, amount: number) => ({ type: 'estimate', estimate, amount });
  const pending = await on.api.sandbox.post('/charges', {
    ...debit,
    amount: 310, // 10 of it are not applied
    applied_to: [cash(part, 100), cash(bad, 100), cash(open, 50), aside(voided, 30), aside(deleted, 20)],
  });
  expect(pending.body).toMatchObject({ charge: { status: 'pending', amount: 310 } });
  await on.pay(60, [cash(part, 60)]);
  await on.api.sandbox.patch(`/invoices/${bad}`, { closed: true });
  await on.api.sandbox.post(`/estimates/${voided}/void`);
  await on.api.sandbox.delete(`/estimates/${deleted}`);
  const tasks = async () => (await on.api.sandbox.get(`/tasks?filter[customer]=${on.customer}`)).body;
  expect(await tasks()).toEqual([]);
  await arrive();
  await arrive(); // the outcome is reported twice
  const { id } = pending.body;
  expect((await on.api.sandbox.get(`/payments/${id}`)).body).toMatchObject({
    amount: 310,
    balance: 220,
    voided: false,
  });
  expect(await booked(id)).toEqual([
    { account: 'clearing:test', amount: 310 },
    { account: 'receivable', amount: -90 }, // 40 of the first, 50 of the third
    { account: 'unapplied', amount: -220 }, // 60 + 100 + 30 + 20, and the 10
  ]);
  expect(await Promise.all([part, bad, open].map(async (one) => (await on.readInvoice(one)).balance))).toEqual([
    0, 100, 0,
  ]);
  const numberOf = async (invoice: number) => `invoice ${(await on.readInvoice(invoice)).number}`;
  const [task, ...others] = await tasks();
  expect(others).toEqual([]);
  expect(task).toMatchObject({ action: 'review', complete: false, due_date: null, user_id: null });
  expect(task.name).toMatch(
    new RegExp(
      `^Unapplied: 210.00 usd of payment ${id}, no longer taken by ${await numberOf(part)} \\(paid\\), ` +
        `${await numberOf(bad)} \\(closed\\), estimate EST-\\d+ \\(voided\\), estimate EST-\\d+ \\(deleted\\)$`,
    ),
  );
  const told = await on.api.sandbox.get(`/events?related_to=task,${task.id}`);
  expect(told.body).toMatchObject([{ type: 'task.created', data: { object: { name: task.name } } }]);
  await on.expectCleanBooks();
});

test('the task about late money names as many documents as fit', async () => {
  const numbers = ['A', 'B', 'C'].map((letter) => letter.repeat(64));
  const invoices: number[] = [];
  for (const number of numbers)
    invoices.push(
      (await on.api.sandbox.make('/invoices', { customer: on.customer, number, items: [{ unit_cost: 10 }] })).id,
    );
  const { body } = await on.api.sandbox.post('/charges', {
    customer: on.customer,
    method: 'ach',
    gateway_token: 'tok_123123123_123123893',
    amount: 30,
    applied_to: invoices.map((invoice) => cash(invoice, 10)),
  });
  for (const invoice of invoices) await on.api.sandbox.patch(`/invoices/${invoice}`, { closed: true });
  await arrive();
  const [{ name }] = (await on.api.sandbox.get(`/tasks?filter[customer]=${on.customer}`)).body;
  const [first, second] = numbers.map((number) => `invoice ${number} (closed)`);
  expect(name).toBe(`Unapplied: 30.00 usd of payment ${body.id}, no longer taken by ${first}, ${second} and 1 more`);
  await on.expectCleanBooks();
});

test('money that was not meant for a document creates no task', async () => {
  const card = { customer: on.customer, method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  const invoice = await on.invoice(50);
  const { body } = await on.api.sandbox.post('/charges', { ...card, amount: 60, applied_to: [cash(invoice, 50)] });
  expect(body).toMatchObject({ amount: 60, balance: 10, charge: { status: 'succeeded' } });
  expect((await on.api.sandbox.get(`/tasks?filter[customer]=${on.customer}`)).body).toEqual([]);
});
