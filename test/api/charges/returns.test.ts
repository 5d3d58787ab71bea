import { expect, test } from '@jest/globals';
import { cash, credit, spend } from '../../support/credits.ts';
import { refundsOfCards } from '../../support/refunds.ts';

/** Bank debits that are returned after they succeeded: books, invoices, bank accounts. */

const returns = refundsOfCards();
const { debit, hear, read } = returns;
const NO_FUNDS = '110000000_000111111116';
const CLOSED = '110000000_000111111113';
const NOT_AUTHORIZED = '110000000_000111111119';

/** Stores a bank account as the customer's default. */
async function store(account: string): Promise<number> {
  const { books } = returns;
  const path = `/customers/${books.customer}/payment_sources`;
  return (await books.api.sandbox.make(path, { method: 'ach', gateway_token: `tok_${account}`, make_default: true }))
    .id;
}

const storedSources = () =>
  returns.books.rows('select chargeable, failure_reason from payment_source where customer_id = ?', [
    returns.books.customer,
  ]);

test('a return voids the payment and its invoice is owed again', async () => {
  const { books } = returns;
  const invoice = await books.invoice(90);
  const payment = await debit(100, [cash(invoice, 90)], NO_FUNDS); // 10 stay unapplied
  expect(await books.readInvoice(invoice)).toMatchObject({ status: 'paid' });
  expect(await books.entriesOf(hear)).toEqual([
    'gateway_fee clearing:test -4',
    'gateway_fee gateway_fees 4',
    'return clearing:test -100',
    'return unapplied 100',
    'take_back receivable 90',
    'take_back unapplied -90',
  ]);
  expect(await read(payment)).toMatchObject({
    voided: true,
    balance: 0,
    charge: { status: 'failed', failure_message: 'The bank account had insufficient funds.' },
  });
  expect(await books.readInvoice(invoice)).toMatchObject({ paid: false, balance: 90 });
  const told = (await books.api.sandbox.get('/events?type=charge.failed')).body;
  expect(told[0].data.object).toMatchObject({ id: payment.charge.id, status: 'failed' });
  expect(await books.entriesOf(() => returns.lookAt(payment))).toEqual([]); // a return is recorded once
  await books.expectCleanBooks();
});

test.each([
  ['closed', CLOSED, 'account_closed'],
  ['not authorized', NOT_AUTHORIZED, 'debit_not_authorized'],
])('a return because the account is %s: the account cannot be charged any more', async (_, account, failure_reason) => {
  const { books } = returns;
  await store(account);
  const invoice = await books.invoice(30, { autopay: true });
  expect((await books.api.sandbox.post(`/invoices/${invoice}/pay`)).body).toMatchObject({ status: 'paid' });
  await hear();
  expect(await storedSources()).toEqual([{ chargeable: false, failure_reason }]);
  const { body: timeline } = await books.api.sandbox.get(`/customers/${books.customer}/timeline`);
  const ended = { what: expect.stringContaining('can no longer be charged'), why: failure_reason };
  expect(timeline).toContainEqual(expect.objectContaining(ended));
  expect(await books.readInvoice(invoice)).toMatchObject({
    balance: 30,
    autopay: true,
    next_payment_attempt: null,
    payment_failure: { code: 'source_blocked', next_attempt: null },
  });
  await books.expectCleanBooks();
});

test('AutoPay debits an account again that had no funds, and counts the returned attempt once', async () => {
  const { books } = returns;
  await books.api.sandbox.patch(`/customers/${books.customer}`, { email: 'ada@example.com' });
  await store(NO_FUNDS);
  const invoice = await books.invoice(30, { autopay: true });
  await books.api.sandbox.post(`/invoices/${invoice}/pay`);
  await hear();
  expect(await storedSources()).toEqual([{ chargeable: true, failure_reason: null }]);
  const days = 3 * 86_400; // the first delay of autopay_retry_days
  expect(await books.readInvoice(invoice)).toMatchObject({
    attempt_count: 1,
    next_payment_attempt: Date.parse('2027-03-01T10:00:00Z') / 1000 + days,
  });
  const mails = `select count(*)::int as mails from email where template = 'auto_payment_failed_email' and customer_id = ?`;
  expect(await books.rows(mails, [books.customer])).toEqual([{ mails: 1 }]);
  await books.expectCleanBooks();
});

test('a returned debit takes back credit that it added and that is spent', async () => {
  const { books } = returns;
  const payment = await debit(40, [credit(40)], NO_FUNDS);
  const invoice = await books.invoice(25);
  await books.pay(25, [spend(invoice, 25)]);
  await hear();
  expect(await read(payment)).toMatchObject({ voided: true });
  expect(await books.readInvoice(invoice)).toMatchObject({ paid: false, balance: 25 });
  expect(await books.balances()).toEqual([]);
  await books.expectCleanBooks();
});

test('a return after a refund loses the refunded money, which a task names', async () => {
  const { books } = returns;
  const invoice = await books.invoice(50);
  const payment = await debit(50, [cash(invoice, 50)], NO_FUNDS);
  const returnedAt = (at: string) =>
    books.rows(`update test_gateway.operation set returned_at = ${at} where reference = ?`, [
      payment.charge.gateway_id,
    ]);
  await returnedAt("now() + interval '1 day'");
  expect((await returns.refund(payment, 20)).status).toBe(201);
  await returnedAt('now()');
  await hear();
  expect(await read(payment)).toMatchObject({ voided: true, balance: 0, charge: { status: 'failed' } });
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 50 });
  const { body: tasks } = await books.api.sandbox.get(`/tasks?filter[customer]=${books.customer}`);
  expect(tasks).toMatchObject([{ name: expect.stringContaining('20.00 usd are lost') }]);
  await books.expectCleanBooks();
});
