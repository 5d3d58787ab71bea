import { expect, test } from '@jest/globals';
import type { Gateway } from '../../../commands/ports/ports.ts';
import { cash, credit, noteToBalance, spend } from '../../support/credits.ts';
import { announce, disputeAtGateway, returnAtGateway } from '../../support/disputes.ts';
import { onlyGateways } from '../../support/gateways.ts';
import { refundsOfCards } from '../../support/refunds.ts';

/** Returns and disputes that meet refunds, pending debits, and charges whose outcome is not known yet. */

const reversals = refundsOfCards();
const { charge, debit, hear, lookAt, lookUp, paidInvoice, passDays, read, refund } = reversals;
const PENDING = '123123123_123123893';
const NO_FUNDS = '110000000_000111111116';
const SILENT = '4000000000000119';
const FAILING_REFUND = '4000000000005126';

test('a debit that is returned before we know that it succeeded', async () => {
  const { books } = reversals;
  const invoice = await books.invoice(30);
  const payment = await debit(30, [cash(invoice, 30)], PENDING);
  const reference = payment.charge.gateway_id;
  passDays(3); // it has succeeded, and the event about it is lost
  await returnAtGateway(books, reference);
  await announce(books, reference, 'charge.returned');
  await hear(); // the debit has succeeded
  await hear(); // and was returned
  expect(await read(payment)).toMatchObject({ voided: true, charge: { status: 'failed' } });
  expect(await books.readInvoice(invoice)).toMatchObject({ paid: false, balance: 30 });
  await books.expectCleanBooks();
});

test('a dispute of a charge without an answer, whose event comes while the gateway is silent', async () => {
  const { books } = reversals;
  const invoice = await books.invoice(20);
  const payment = await charge(20, [cash(invoice, 20)], SILENT);
  expect(payment).toMatchObject({ charge: { status: 'pending' } });
  const reference = payment.charge.gateway_id;
  await disputeAtGateway(books, reference, { status: 'open', amount: 20 });
  await announce(books, reference, 'dispute.opened');
  const silent: Gateway = { ...books.api.gateway, look: () => Promise.reject(new Error('no answer')) };
  await books.api.gateway.sendEvents(books.api.origin);
  await expect(lookAt(payment, onlyGateways(new Map([['test', silent]])))).rejects.toThrow('did not answer');
  await lookUp(); // now it answers: the charge succeeded
  expect(await read(payment)).toMatchObject({ charge: { status: 'succeeded' } });
  await hear();
  expect(await read(payment)).toMatchObject({ charge: { status: 'succeeded', disputed: true } });
  await books.expectCleanBooks();
});

test('a refund that fails after the charge was lost gives nothing to spend', async () => {
  const { books } = reversals;
  const payment = await charge(100, [], FAILING_REFUND);
  expect((await refund(payment, 40)).body).toMatchObject({ status: 'pending' });
  await disputeAtGateway(books, payment.charge.gateway_id, { status: 'lost', amount: 100 });
  await lookAt(payment); // the bank takes 100 of a charge that had 60 left
  passDays(3);
  expect(await books.entriesOf(lookUp)).toEqual(['refund clearing:test 40', 'refund refunds -40']);
  expect(await read(payment)).toMatchObject({ balance: 0 });
  await books.expectCleanBooks();
});

test('a refund that fails after its debit was returned', async () => {
  const { books } = reversals;
  const payment = await charge(50, [], FAILING_REFUND);
  expect((await refund(payment, 20)).body).toMatchObject({ status: 'pending' });
  await returnAtGateway(books, payment.charge.gateway_id);
  await lookAt(payment);
  expect(await read(payment)).toMatchObject({ voided: true, balance: 0 });
  passDays(3);
  await lookUp();
  expect(await read(payment)).toMatchObject({ voided: true, balance: 0 });
  await books.expectCleanBooks();
});

test('a dispute that opens while a refund is pending is booked besides it', async () => {
  const { books } = reversals;
  const { invoice, payment } = await paidInvoice(100, FAILING_REFUND);
  expect((await refund(payment, 30)).body).toMatchObject({ status: 'pending' });
  const reference = payment.charge.gateway_id;
  await disputeAtGateway(books, reference, { status: 'open', amount: 100 });
  await lookAt(payment);
  passDays(3);
  await lookUp(); // the refund fails: the invoice stays paid
  expect(await read(payment)).toMatchObject({ balance: 0, charge: { disputed: true, amount_refunded: 0 } });
  expect(await books.readInvoice(invoice)).toMatchObject({ paid: true });
  await books.expectCleanBooks();
});

test('a return of a payment that also moved a credit note to the balance, where it is spent', async () => {
  const { books } = reversals;
  const invoice = await books.invoice(30);
  const payment = await debit(30, [cash(invoice, 30)], NO_FUNDS);
  const note = (await books.note(20)).body.id;
  const applied_to = [cash(invoice, 30), noteToBalance(note, 20)];
  expect((await books.api.sandbox.patch(`/payments/${payment.id}`, { amount: 50, applied_to })).status).toBe(200);
  const other = await books.invoice(20);
  expect((await books.pay(20, [spend(other, 20)])).status).toBe(201);
  await hear();
  expect(await read(payment)).toMatchObject({ balance: 0, charge: { status: 'failed' } });
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 30 });
  expect(await books.readInvoice(other)).toMatchObject({ balance: 0 }); // the credit note is as good as before
  await books.expectCleanBooks();
});

test('a returned debit does not touch invoices that it does not pay any more', async () => {
  const { books } = reversals;
  const path = `/customers/${books.customer}/payment_sources`;
  const store = (account: string) =>
    books.api.sandbox.make(path, { method: 'ach', gateway_token: `tok_${account}`, make_default: true });
  await store(NO_FUNDS);
  const invoice = await books.invoice(30, { autopay: true });
  await books.api.sandbox.post(`/invoices/${invoice}/pay`);
  const [payment] = (await books.api.sandbox.get(`/payments?filter[customer]=${books.customer}`)).body;
  await books.api.sandbox.patch(`/payments/${payment.id}`, { applied_to: [] });
  await store(PENDING);
  expect((await books.api.sandbox.post(`/invoices/${invoice}/pay`)).body).toMatchObject({ status: 'pending' });
  const before = await books.readInvoice(invoice);
  await hear();
  expect(await read(payment)).toMatchObject({ voided: true });
  expect(await books.readInvoice(invoice)).toEqual(before);
});

test('a dispute is lost while its charge is refunded, re-applied, and its credit is spent: books stay clean', async () => {
  const { books } = reversals;
  const { sandbox } = books.api;
  for (let round = 0; round < 4; round++) {
    const [first, second] = [await books.invoice(30), await books.invoice(25)];
    const payment = await charge(100, [cash(first, 30), credit(40)]); // 30 are not applied
    await disputeAtGateway(books, payment.charge.gateway_id, { status: 'lost', amount: 100, lost: 60 + round * 10 });
    const answers = await Promise.all([
      refund(payment, 20),
      books.pay(25, [spend(second, 25)]),
      lookAt(payment),
      sandbox.patch(`/payments/${payment.id}`, { applied_to: [cash(first, 10), credit(40)] }),
      lookAt(payment),
      refund(payment, 50),
      sandbox.post(`/charges/${payment.charge.id}/refunds`, { amount: 1 }),
    ]);
    expect(answers.filter((answer) => answer && answer.status >= 500)).toEqual([]);
  }
  await books.expectCleanBooks();
});
