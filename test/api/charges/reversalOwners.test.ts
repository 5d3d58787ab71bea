import { expect, test } from '@jest/globals';
import { cash, credit, spend } from '../../support/credits.ts';
import { disputeAtGateway, returnAtGateway } from '../../support/disputes.ts';
import { refundsOfCards } from '../../support/refunds.ts';

/** Returns and disputes of payments that were moved, re-applied or voided, of families, and in other currencies. */

const reversals = refundsOfCards();
const { charge, debit, hear, lookAt, paidInvoice, passDays, read, refund } = reversals;
const LOST = '4000000000000259';
const PARTIAL = '4000000000000275';
const NO_FUNDS = '110000000_000111111116';

const customers = (body: object) => reversals.books.api.sandbox.make('/customers', body);
const invoiceOf = (customer: number, amount: number, more: object = {}) =>
  reversals.books.invoice(amount, { customer, ...more });

test('a lost dispute of a parent that paid the invoice of its child', async () => {
  const { books } = reversals;
  const child = await customers({ name: 'Child', parent_customer: books.customer });
  const invoice = await invoiceOf(child.id, 40, { autopay: true });
  const payment = await charge(40, [], LOST);
  await books.api.sandbox.patch(`/payments/${payment.id}`, { applied_to: [cash(invoice, 40)] });
  await hear();
  passDays(8);
  await lookAt(payment);
  expect(await books.readInvoice(invoice)).toMatchObject({ customer: child.id, balance: 40, autopay: false });
  await books.expectCleanBooks();
});

test('credit of a parent that paid invoices of its children is taken back from them', async () => {
  const { books } = reversals;
  const child = await customers({ name: 'Child', parent_customer: books.customer });
  const payment = await debit(60, [credit(60)], NO_FUNDS);
  const older = await invoiceOf(child.id, 25);
  const newer = await invoiceOf(child.id, 35);
  await books.pay(25, [spend(older, 25)]);
  passDays(1);
  await books.pay(35, [spend(newer, 35)]);
  await hear();
  expect(await read(payment)).toMatchObject({ voided: true });
  expect(await books.readInvoice(older)).toMatchObject({ balance: 25 });
  expect(await books.readInvoice(newer)).toMatchObject({ balance: 35 });
  await books.expectCleanBooks();
});

test('a lost dispute of a customer that was merged, whose credit was spent before and after', async () => {
  const { books } = reversals;
  const merged = books.customer;
  const payment = await charge(50, [credit(50)], LOST);
  const before = await books.invoice(20);
  await books.pay(20, [spend(before, 20)]);
  await books.begin();
  passDays(1);
  expect((await books.api.sandbox.post(`/customers/${books.customer}/merge`, { customer: merged })).status).toBe(200);
  const after = await books.invoice(30);
  expect((await books.pay(30, [spend(after, 30)])).status).toBe(201);
  await hear();
  passDays(8);
  await lookAt(payment);
  expect(await read(payment)).toMatchObject({ customer: books.customer, balance: 0, charge: { disputed: true } });
  expect(await books.readInvoice(before)).toMatchObject({ balance: 20 });
  expect(await books.readInvoice(after)).toMatchObject({ balance: 30 });
  await books.expectCleanBooks();
});

test('a lost dispute of a customer that was anonymized', async () => {
  const { books } = reversals;
  const { invoice, payment } = await paidInvoice(15, LOST);
  expect((await books.api.sandbox.post(`/customers/${books.customer}/anonymize`)).status).toBe(200);
  await hear();
  const bodies = 'select body from gateway_event where reference = ?';
  expect(await books.rows(bodies, [payment.charge.gateway_id])).toEqual([{ body: '' }]); // as of earlier events
  passDays(8);
  await lookAt(payment);
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 15 });
  await books.expectCleanBooks();
});

test('a lost dispute of a payment that was refunded in full and voided, and that is won in the end', async () => {
  const { books } = reversals;
  const { payment } = await paidInvoice(35);
  expect((await refund(payment, 35)).status).toBe(201);
  expect((await books.api.sandbox.delete(`/payments/${payment.id}`)).status).toBe(200);
  const dispute = await disputeAtGateway(books, payment.charge.gateway_id, { status: 'lost', amount: 35 });
  expect(await books.entriesOf(() => lookAt(payment))).toEqual(['dispute clearing:test -35', 'dispute refunds 35']);
  await books.expectCleanBooks();
  await books.rows("update test_gateway.dispute set status = 'won' where reference = ?", [dispute]);
  expect(await books.entriesOf(() => lookAt(payment))).toEqual(['dispute clearing:test 35', 'dispute refunds -35']);
  expect(await read(payment)).toMatchObject({ voided: true, balance: 0 });
  await books.expectCleanBooks();
});

test('a dispute that was lost and is won: the payment has its money again, and a task says so', async () => {
  const { books } = reversals;
  const { payment } = await paidInvoice(35);
  const dispute = await disputeAtGateway(books, payment.charge.gateway_id, { status: 'lost', amount: 35 });
  await lookAt(payment);
  await books.rows("update test_gateway.dispute set status = 'won' where reference = ?", [dispute]);
  await lookAt(payment);
  expect(await read(payment)).toMatchObject({ balance: 35, charge: { disputed: false } });
  const { body: tasks } = await books.api.sandbox.get(`/tasks?filter[customer]=${books.customer}&sort=id%20desc`);
  expect(tasks[0].name).toBe(
    `Dispute ${dispute} is won: payment ${payment.id} has 35.00 usd again that are not applied`,
  );
});

test('an invoice of an open dispute is not collected when its payment is re-applied', async () => {
  const { books } = reversals;
  const invoice = await books.invoice(45, { autopay: true });
  const payment = await charge(45, [cash(invoice, 45)], LOST);
  await hear();
  await books.api.sandbox.patch(`/payments/${payment.id}`, { applied_to: [] });
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 45, autopay: false, next_payment_attempt: null });
  await books.expectCleanBooks();
});

test('a lost dispute of a payment that was re-applied: the invoice that it pays now is owed again', async () => {
  const { books } = reversals;
  const { invoice, payment } = await paidInvoice(45, LOST);
  const other = await books.invoice(45, { autopay: true });
  await books.api.sandbox.patch(`/payments/${payment.id}`, { applied_to: [cash(other, 45)] });
  await books.pay(45, [cash(invoice, 45)]);
  await hear();
  passDays(8);
  await lookAt(payment);
  expect(await books.readInvoice(other)).toMatchObject({ balance: 45, autopay: false });
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 0, paid: true });
  await books.expectCleanBooks();
});

test('a charge that adds credit and spends credit at once loses both', async () => {
  const { books } = reversals;
  expect((await books.adjust(10)).status).toBe(201);
  const invoice = await books.invoice(30);
  const payment = await charge(50, [credit(20), cash(invoice, 20), spend(invoice, 10)]); // 40 of money
  await disputeAtGateway(books, payment.charge.gateway_id, { status: 'lost', amount: 40 });
  await lookAt(payment);
  expect(await read(payment)).toMatchObject({ balance: 0 });
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 20 });
  await books.expectCleanBooks();
});

test('credit of a charge that paid invoices together with money of other charges', async () => {
  const { books } = reversals;
  const payment = await charge(40, [credit(40)], LOST);
  const older = await books.invoice(15);
  await books.pay(15, [spend(older, 15)]);
  passDays(1);
  const newer = await books.invoice(30);
  const mixed = await charge(30, [cash(newer, 5), spend(newer, 25)]); // 5 of money
  await hear();
  passDays(8);
  await lookAt(payment);
  expect(await read(mixed)).toMatchObject({ amount: 5, voided: false, balance: 0 });
  expect(await books.readInvoice(newer)).toMatchObject({ balance: 25 });
  expect(await books.readInvoice(older)).toMatchObject({ balance: 15 });
  await books.expectCleanBooks();
});

test('the task of a dispute follows its amount and the time for evidence, but keeps the name of a member', async () => {
  const { books } = reversals;
  const { payment } = await paidInvoice(45);
  const dispute = await disputeAtGateway(books, payment.charge.gateway_id, { status: 'open', amount: 40 });
  const change = async (columns: string) => {
    await books.rows(`update test_gateway.dispute set ${columns} where reference = ?`, [dispute]);
    await lookAt(payment);
    return (await books.api.sandbox.get(`/tasks?filter[customer]=${books.customer}`)).body;
  };
  await lookAt(payment);
  const name = (amount: string, day: string) =>
    `Dispute ${dispute} of ${amount} usd (fraudulent): send evidence about charge ${payment.charge.id} by ${day}`;
  expect(await change('amount = 45')).toMatchObject([{ name: name('45.00', '2199-01-01') }]);
  const [{ id }] = await change(`evidence_due_at = '2198-06-01'`);
  const due_date = (day: string) => Date.parse(day) / 1000;
  const moved = { name: name('45.00', '2198-06-01'), due_date: due_date('2198-06-01') };
  expect((await books.api.sandbox.get(`/tasks/${id}`)).body).toMatchObject(moved);
  await books.api.sandbox.patch(`/tasks/${id}`, { name: 'Ours' });
  const kept = { name: 'Ours', due_date: due_date('2198-01-01') };
  expect(await change(`evidence_due_at = '2198-01-01'`)).toMatchObject([kept]);
  await books.expectCleanBooks();
});

test('a dispute that is reopened asks for evidence again, and its invoice is not collected', async () => {
  const { books } = reversals;
  const { invoice, payment } = await paidInvoice(35);
  const dispute = await disputeAtGateway(books, payment.charge.gateway_id, { status: 'won', amount: 35 });
  await lookAt(payment);
  await books.api.sandbox.patch(`/invoices/${invoice}`, { autopay: true });
  const reopened = `update test_gateway.dispute set status = 'open', evidence_due_at = '2198-01-01' where reference = ?`;
  await books.rows(reopened, [dispute]);
  await lookAt(payment);
  expect(await books.readInvoice(invoice)).toMatchObject({ paid: true, autopay: false });
  const { body: tasks } = await books.api.sandbox.get(`/tasks?filter[customer]=${books.customer}&sort=id%20desc`);
  expect(tasks).toMatchObject([
    { complete: false, name: expect.stringContaining('send evidence'), due_date: Date.parse('2198-01-01') / 1000 },
    { complete: true, name: expect.stringContaining('send evidence') },
  ]);
  await books.rows(`update test_gateway.dispute set evidence_due_at = '2197-01-01' where reference = ?`, [dispute]);
  await lookAt(payment); // the bank wants the evidence earlier
  const [moved] = (await books.api.sandbox.get(`/events?filter[type]=task.updated&related_to=task,${tasks[0].id}`))
    .body;
  expect(moved.data).toMatchObject({
    object: { due_date: Date.parse('2197-01-01') / 1000, name: expect.stringMatching(/ by 2197-01-01$/) },
    previous: { due_date: Date.parse('2198-01-01') / 1000, name: expect.stringMatching(/ by 2198-01-01$/) },
  });
  expect((await books.api.sandbox.get(`/disputes?filter[charge]=${payment.charge.id}`)).body).toMatchObject([
    { evidence_due_at: Date.parse('2197-01-01') / 1000 },
  ]);
  await books.expectCleanBooks();
});

test.each([
  ['jpy', 101, 50, 51],
  ['kwd', 10.001, 5.001, 5],
])('a dispute in %s that is lost in part', async (currency, amount, lost, kept) => {
  const { books } = reversals;
  const asked = { customer: books.customer, method: 'credit_card', gateway_token: `tok_${PARTIAL}`, currency, amount };
  const payment = await books.api.sandbox.make('/charges', { ...asked, applied_to: [credit(amount)] });
  await hear();
  passDays(8);
  await lookAt(payment);
  const [dispute] = (await books.api.sandbox.get(`/disputes?filter[charge]=${payment.charge.id}`)).body;
  expect(dispute).toMatchObject({ status: 'partial', amount, fee: 15 });
  expect([lost, kept]).toContain(dispute.amount_lost);
  await books.expectCleanBooks();
});

test('a gateway that says that a dispute is lost, but not how much, has given the money back', async () => {
  const { books } = reversals;
  const { payment } = await paidInvoice(12);
  await disputeAtGateway(books, payment.charge.gateway_id, { status: 'lost', amount: 12, lost: 0 });
  await lookAt(payment);
  const [dispute] = (await books.api.sandbox.get(`/disputes?filter[charge]=${payment.charge.id}`)).body;
  expect(dispute).toMatchObject({ status: 'won', amount: 12, amount_lost: 0 });
});

test('a bank that keeps more than the customer disputed', async () => {
  const { books } = reversals;
  const { invoice, payment } = await paidInvoice(50);
  await disputeAtGateway(books, payment.charge.gateway_id, { status: 'lost', amount: 20, lost: 30 });
  await lookAt(payment);
  const [dispute] = (await books.api.sandbox.get(`/disputes?filter[charge]=${payment.charge.id}`)).body;
  expect(dispute).toMatchObject({ status: 'lost', amount: 30, amount_lost: 30 });
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 30 });
});

test('two disputes of one charge, and a return on top', async () => {
  const { books } = reversals;
  const { invoice, payment } = await paidInvoice(50);
  const reference = payment.charge.gateway_id;
  await disputeAtGateway(books, reference, { status: 'lost', amount: 30 });
  const second = await disputeAtGateway(books, reference, { status: 'open', amount: 50 });
  await lookAt(payment);
  await returnAtGateway(books, reference);
  await books.rows("update test_gateway.dispute set status = 'lost', amount_lost = 50 where reference = ?", [second]);
  await lookAt(payment); // the bank took 130 of 50
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 50 });
  await books.expectCleanBooks();
  await books.rows("update test_gateway.dispute set status = 'won' where charge_reference = ?", [reference]);
  await lookAt(payment);
  expect(await read(payment)).toMatchObject({ voided: true, balance: 0 });
  await books.expectCleanBooks();
});
