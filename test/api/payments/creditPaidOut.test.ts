import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { type Credits, cash, credit, spend, startCredits } from '../../support/credits.ts';

/** Refunds of credit that no gateway sends. */

let books: Credits;
const now = new Date('2027-03-10T10:00:00Z');
const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000;
beforeAll(async () => {
  books = await startCredits(() => now);
});
afterAll(() => books.api.close());
beforeEach(() => books.begin());

const payOut = (amount: number, more: object = {}) =>
  books.api.sandbox.post('/refunds', { customer: books.customer, amount, method: 'wire_transfer', ...more });
const statement = async () => (await books.api.sandbox.get(`/customers/${books.customer}/statement`)).body;

test('credit is paid out as money: the balance falls, the account statement and the timeline say it', async () => {
  await books.adjust(50, { date: day('2027-03-02') });
  const asked = { amount: 30, date: day('2027-03-05'), reference: 'OUT-3', method: 'check' };
  const entries = await books.entriesOf(async () => {
    const made = await payOut(30, asked);
    expect(made).toMatchObject({
      status: 201,
      body: { object: 'refund', customer: books.customer, payment: null, charge: null, status: 'succeeded', ...asked },
    });
  });
  expect(entries).toEqual(['refund cash -30', 'refund customer_credits 30']);
  expect(await books.balances()).toEqual([50, 20]);
  const { lines, closing_balance } = await statement();
  expect(lines).toMatchObject([
    { type: 'adjustment', amount: -50 },
    { type: 'refund', amount: 30, date: day('2027-03-05'), refund: expect.any(Number) },
  ]);
  expect(closing_balance).toBe(-20);
  const { body: timeline } = await books.api.sandbox.get(`/customers/${books.customer}/timeline`);
  expect(JSON.stringify(timeline)).toContain('by refund');
  await books.expectCleanBooks();
});

test('never more than the credit of its date and later, also when refunds race each other or an application', async () => {
  await books.adjust(50, { date: day('2027-03-04') });
  expect(await payOut(10, { date: day('2027-03-03') })).toMatchObject(refused({ code: 'insufficient_credit' }));
  expect(await payOut(50.01)).toMatchObject(refused({ param: 'amount' }));
  const invoice = await books.invoice(20);
  const answers = await Promise.all([payOut(20), payOut(20), books.pay(20, [spend(invoice, 20)])]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400]);
  expect((await books.balances()).at(-1)).toBe(10);
  await books.expectCleanBooks();
});

test('a refund of credit that did not leave is undone; its adjustments are not changed by themselves', async () => {
  await books.adjust(50);
  const { body: made } = await payOut(30);
  const path = `/credit_balance_adjustments/${made.credit_balance_adjustment}`;
  expect((await books.api.sandbox.get(path)).body).toMatchObject({ amount: -30, refund: made.id });
  expect(await books.api.sandbox.delete(path)).toMatchObject(refused({ code: 'state_conflict' }));
  expect(await books.api.sandbox.patch(path, { amount: -1 })).toMatchObject(refused({ code: 'state_conflict' }));
  const undone = await Promise.all([0, 1].map(() => books.api.sandbox.delete(`/refunds/${made.id}`)));
  expect(undone.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect((await books.balances()).at(-1)).toBe(50);
  expect((await books.api.sandbox.get(`/refunds/${made.id}`)).body).toMatchObject({ status: 'failed' });
  await books.expectCleanBooks();
});

test('credit that was paid out is not refunded again through the payment that added it', async () => {
  const { body: paid } = await books.pay(100, [credit(100)]);
  await payOut(70);
  const rest = await books.entriesOf(() =>
    books.api.sandbox.post('/refunds', { payment: paid.id, amount: 30, method: 'check' }),
  );
  expect(rest.filter((entry) => entry.startsWith('refund'))).toEqual(['refund cash -30', 'refund unapplied 30']);
  expect((await books.balances()).at(-1)).toBe(0);
  await books.expectCleanBooks();
});

test('the customer takes credit with a merge, and its refund stays with it', async () => {
  await books.adjust(50);
  const { body: made } = await payOut(30);
  const from = books.customer;
  await books.begin();
  const merged = await books.api.sandbox.post(`/customers/${books.customer}/merge`, { customer: from });
  expect(merged.status).toBe(200);
  expect((await books.api.sandbox.get(`/refunds/${made.id}`)).body).toMatchObject({ customer: books.customer });
  expect(await payOut(20.01)).toMatchObject(refused({ param: 'amount' }));
  expect((await payOut(20)).status).toBe(201);
  await books.expectCleanBooks();
});

test('bad input is refused', async () => {
  await books.adjust(50);
  for (const [wrong, param] of [
    [{ returned: true }, 'payment'],
    [{ date: day('2027-03-11') }, 'date'],
    [{ customer: 999_999 }, 'customer'],
    [{ currency: 'eur' }, 'amount'],
  ] as const)
    expect({ wrong, ...(await payOut(5, wrong)) }).toMatchObject(refused({ param }));
  expect(await books.balances()).toEqual([50]);
  const invoice = await books.invoice(5);
  expect(await books.pay(5, [cash(invoice, 5)])).toMatchObject({ status: 201 });
});
