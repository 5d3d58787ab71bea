import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { cash, credit, spend } from '../../support/credits.ts';
import { refundsOfCards } from '../../support/refunds.ts';

/** Refunds in the books: unapplied money, credit, deposits, paid invoices, voided payments. */

const refunds = refundsOfCards();
const { charge, lookUp, paidInvoice, passDays, read, refund } = refunds;

test('a refund takes unapplied money, then unspent credit that the payment added, then it is an expense', async () => {
  const invoice = await refunds.books.invoice(40);
  const payment = await charge(100, [cash(invoice, 40), credit(25)]);
  expect(await read(payment)).toMatchObject({ balance: 35 }); // 100 - 40 - 25
  expect(await refunds.books.entriesOf(() => refund(payment, 30))).toEqual([
    'refund clearing:test -30',
    'refund unapplied 30',
  ]);
  expect(await read(payment)).toMatchObject({ balance: 5 });
  const entries = await refunds.books.entriesOf(() => refund(payment, 15)); // 5 unapplied, 10 of the 25 credit
  expect(entries).toEqual([
    'application customer_credits -15',
    'application unapplied 15', // the rest of the credit stays
    'refund clearing:test -15',
    'refund unapplied 15',
    'unapply customer_credits 25',
    'unapply unapplied -25',
  ]);
  expect(await refunds.books.balances()).toEqual([15]);
  const other = await refunds.books.invoice(12);
  await refunds.books.pay(12, [spend(other, 12)]);
  const last = await refunds.books.entriesOf(() => refund(payment, 55)); // 3 of the credit, 52 of 40 applied and 12 spent
  expect(last.filter((entry) => entry.startsWith('refund'))).toEqual([
    'refund clearing:test -55',
    'refund refunds 52',
    'refund unapplied 3',
  ]);
  expect(await read(payment)).toMatchObject({ balance: 0, charge: { refunded: true } });
  expect([await refunds.books.readInvoice(invoice), await refunds.books.readInvoice(other)]).toMatchObject([
    { status: 'paid' },
    { status: 'paid' },
  ]);
  await refunds.books.expectCleanBooks();
});

test('a refund that fails later gives the payment its money and its credit again, and makes a task', async () => {
  const invoice = await refunds.books.invoice(40);
  const payment = await charge(100, [cash(invoice, 40), credit(25)], '4000000000005126');
  expect((await refund(payment, 90)).body).toMatchObject({ status: 'pending' }); // 35 unapplied, 25 credit, 30 of the invoice
  expect(await refunds.books.balances()).toEqual([]);
  passDays(3);
  const entries = await refunds.books.entriesOf(lookUp);
  expect(entries).toEqual([
    'application customer_credits -25',
    'application unapplied 25',
    'refund clearing:test 90',
    'refund refunds -30',
    'refund unapplied -60',
  ]);
  const failure_message = 'The account of the card is closed.';
  expect(await read(payment)).toMatchObject({
    balance: 35,
    charge: { amount_refunded: 0, refunded: false, refunds: [{ status: 'failed', failure_message }] },
  });
  expect(await refunds.books.balances()).toEqual([25]);
  const [task] = (await refunds.books.api.sandbox.get(`/tasks?filter[customer]=${refunds.books.customer}`)).body;
  expect(task).toMatchObject({ action: 'review', name: expect.stringContaining('of 90.00 usd failed') });
  await refunds.books.expectCleanBooks();
});

test('a processed payment is voided after its full refund, and its invoice is open again', async () => {
  const { invoice, payment } = await paidInvoice(40);
  await refund(payment, 39);
  const early = await refunds.books.api.sandbox.delete(`/payments/${payment.id}`);
  expect(early).toMatchObject(refused({ message: expect.stringContaining('must be fully refunded') }));
  await refund(payment, 1);
  const entries = await refunds.books.entriesOf(() => refunds.books.api.sandbox.delete(`/payments/${payment.id}`));
  expect(entries).toEqual([
    'refund refunds -40',
    'refund unapplied 40',
    'unapply receivable 40',
    'unapply unapplied -40',
  ]);
  expect(await read(payment)).toMatchObject({ voided: true, balance: 0 });
  expect(await refunds.books.readInvoice(invoice)).toMatchObject({ balance: 40, paid: false });
  await refunds.books.expectCleanBooks();
});

test('an application of a refunded payment can be corrected, but refunded money is not there again', async () => {
  const { sandbox } = refunds.books.api;
  const { invoice, payment } = await paidInvoice(40);
  const other = await refunds.books.invoice(40);
  const apply = (applied_to: object[]) => sandbox.patch(`/payments/${payment.id}`, { applied_to });
  await refund(payment, 30);
  const split = [cash(invoice, 25), cash(other, 15)];
  expect(await refunds.books.entriesOf(() => apply(split))).not.toContain('refund refunds -30'); // all 40 are still applied
  expect(await read(payment)).toMatchObject({ balance: 0 });
  const entries = await refunds.books.entriesOf(() => apply([]));
  expect(entries.filter((entry) => entry.startsWith('refund'))).toEqual(['refund refunds -30', 'refund unapplied 30']);
  expect(await read(payment)).toMatchObject({ balance: 10 }); // 40 - 30
  const message = 'Of 40.00, 30.00 was refunded or lost: at most 10.00 can be applied';
  expect(await apply([cash(other, 11)])).toMatchObject(refused({ param: 'applied_to', message }));
  expect((await apply([cash(other, 10)])).status).toBe(200);
  await refunds.books.expectCleanBooks();
});

test('AutoPay does not collect invoices again that a voided, refunded payment had paid', async () => {
  const { sandbox } = refunds.books.api;
  const card = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
  await sandbox.make(`/customers/${refunds.books.customer}/payment_sources`, card);
  const invoice = await refunds.books.invoice(40, { autopay: true });
  const payment = await charge(40, [cash(invoice, 40)]);
  await refund(payment, 40);
  expect((await sandbox.delete(`/payments/${payment.id}`)).status).toBe(200);
  expect(await refunds.books.readInvoice(invoice)).toMatchObject({
    balance: 40,
    autopay: false,
    next_payment_attempt: null,
  });
  expect((await refunds.books.readInvoice(invoice)).due_date).not.toBeNull();
  await refunds.books.expectCleanBooks();
});

test('a refund takes a deposit that has paid no invoice', async () => {
  const { sandbox } = refunds.books.api;
  const offer = { customer: refunds.books.customer, items: [{ name: 'x', unit_cost: 90 }], deposit: 20 };
  const { id: estimate } = await sandbox.make('/estimates', offer);
  const payment = await charge(50, [{ type: 'estimate', estimate, amount: 20 }]);
  const entries = await refunds.books.entriesOf(() => refund(payment, 45)); // 30 unapplied, 15 of the deposit
  expect(entries).toEqual([
    'application customer_credits:deposits -5',
    'application unapplied 5', // the rest of the deposit stays
    'refund clearing:test -45',
    'refund unapplied 45',
    'unapply customer_credits:deposits 20',
    'unapply unapplied -20',
  ]);
  expect((await sandbox.get(`/estimates/${estimate}`)).body).toMatchObject({ deposit_paid: false });
  await refunds.books.expectCleanBooks();
});

test('a refund takes unspent credit before a deposit', async () => {
  const { sandbox } = refunds.books.api;
  const offer = { customer: refunds.books.customer, items: [{ name: 'x', unit_cost: 90 }], deposit: 20 };
  const { id: estimate } = await sandbox.make('/estimates', offer);
  const payment = await charge(50, [credit(20), { type: 'estimate', estimate, amount: 20 }]);
  await refund(payment, 25); // 10 unapplied, 15 of the credit
  expect(await refunds.books.balances()).toEqual([5]); // 20 - 15
  expect((await sandbox.get(`/estimates/${estimate}`)).body).toMatchObject({ deposit_paid: true });
  await refund(payment, 10); // 5 of the credit, 5 of the deposit
  expect(await refunds.books.balances()).toEqual([]);
  expect((await sandbox.get(`/estimates/${estimate}`)).body).toMatchObject({ deposit_paid: false });
  await refunds.books.expectCleanBooks();
});

test('credit that a failed refund gives back joins the credit that stayed', async () => {
  const payment = await charge(25, [credit(25)], '4000000000005126');
  await refund(payment, 10);
  expect(await refunds.books.balances()).toEqual([15]);
  passDays(3);
  await lookUp();
  expect(await refunds.books.balances()).toEqual([25]);
  const { applied_to } = (await refunds.books.api.sandbox.get(`/payments/${payment.id}?include=applied_to`)).body;
  expect(applied_to).toMatchObject([{ type: 'credit', amount: 25 }]);
  await refunds.books.expectCleanBooks();
});
