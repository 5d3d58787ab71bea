import { expect, test } from '@jest/globals';
import { type Answer, refused } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';
import { cash } from '../../support/credits.ts';
import { announce } from '../../support/disputes.ts';
import { refundsOfCards } from '../../support/refunds.ts';

/** Refunds over the API: answers, refusals, outcomes, races, event and mail. */

const refunds = refundsOfCards();
const { lookUp, paidInvoice, passDays, read, refund } = refunds;

test('a charge is refunded in parts until nothing is left; its invoice stays paid', async () => {
  const { invoice, payment } = await paidInvoice(40);
  const first = await refund(payment, 15);
  expect(first.status).toBe(201);
  expect(missingFields('refund', first.body)).toEqual([]);
  const about = { object: 'refund', charge: payment.charge.id, currency: 'usd', gateway: 'test' };
  expect(first.body).toMatchObject({ ...about, amount: 15, status: 'succeeded', failure_message: null });
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 15, refunded: false, refunds: [first.body] });
  expect((await refunds.books.api.sandbox.get(`/refunds/${first.body.id}`)).body).toEqual(first.body);
  const left = 'has 25.00 usd left to refund, less than 25.01'; // 40 - 15
  expect(await refund(payment, 25.01)).toMatchObject(
    refused({ param: 'amount', message: expect.stringContaining(left) }),
  );
  const second = await refund(payment, 25);
  const all = await refunds.books.api.sandbox.get(`/refunds?filter[charge]=${payment.charge.id}&sort=id`);
  expect(all.body).toEqual([first.body, second.body]);
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 40, refunded: true });
  expect(await refunds.books.readInvoice(invoice)).toMatchObject({ status: 'paid', balance: 0 });
  await refunds.books.expectCleanBooks();
});

test.each([
  ['zero', 0, 'amount'],
  ['a negative amount', -1, 'amount'],
  ['no amount', undefined, 'amount'],
  ['a text', 'all', 'amount'],
  ['more decimals than the currency', 1.001, 'amount'],
])('a refund of %s is refused', async (_, amount, param) => {
  const { payment } = await paidInvoice(10);
  expect(await refund(payment, amount)).toMatchObject(refused({ param }));
});

test('only a charge that succeeded is refunded, and only one of the account', async () => {
  const { sandbox } = refunds.books.api;
  const invoice = await refunds.books.invoice(8);
  const asked = { customer: refunds.books.customer, method: 'credit_card', amount: 8, applied_to: [cash(invoice, 8)] };
  await sandbox.post('/charges', { ...asked, gateway_token: 'tok_4000000000000002' });
  const [failed] = (await sandbox.get(`/charges?filter[customer]=${refunds.books.customer}`)).body;
  const message = `Charge ${failed.id} is failed: only a charge that succeeded can be refunded`;
  expect(await sandbox.post(`/charges/${failed.id}/refunds`, { amount: 8 })).toMatchObject(refused({ message }));
  const bank = { ...asked, method: 'ach', gateway_token: 'tok_123123123_123123893' };
  const pending = await sandbox.make('/charges', bank);
  expect(await refund(pending, 8)).toMatchObject(refused({ message: expect.stringContaining('is pending') }));
  const { payment } = await paidInvoice(5);
  const other = await refunds.books.api.open('Other');
  expect((await other.sandbox.post(`/charges/${payment.charge.id}/refunds`, { amount: 5 })).status).toBe(404);
  const unknown = await sandbox.post(`/charges/${payment.charge.id}/refunds`, { amount: 5, reason: 'x' });
  expect(unknown).toMatchObject(refused({ param: 'reason' }));
});

test('a refund that the gateway refuses is not created, and leaves nothing reserved', async () => {
  const { payment } = await paidInvoice(20, '4000000000000333');
  expect(await refund(payment, 20)).toMatchObject(
    refused({ message: 'The refund was not made: The bank takes no refund of this card.' }),
  );
  expect((await refunds.books.api.sandbox.get(`/refunds?filter[charge]=${payment.charge.id}`)).body).toEqual([]);
  expect(
    await refunds.books.rows('select refund_reserved::float8 as left from charge where id = ?', [payment.charge.id]),
  ).toEqual([{ left: 0 }]);
  await refunds.books.expectCleanBooks();
});

test('a pending refund has left the books, and succeeds later', async () => {
  await refunds.books.api.sandbox.patch(`/customers/${refunds.books.customer}`, { email: 'pending@example.com' });
  const { payment } = await paidInvoice(30, '4000000000007726');
  expect((await refund(payment, 30)).body).toMatchObject({ status: 'pending' });
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 30, refunded: true });
  const pending = 'A refund of the payment is pending: it can be voided once the gateway has made the refund';
  expect(await refunds.books.api.sandbox.delete(`/payments/${payment.id}`)).toMatchObject(
    refused({ message: pending }),
  );
  passDays(3);
  await lookUp();
  await lookUp(); // changes nothing
  expect((await read(payment)).charge.refunds).toMatchObject([{ status: 'succeeded', amount: 30 }]);
  const changes = await refunds.books.api.sandbox.get(`/events?related_to=payment,${payment.id}&type=payment.updated`);
  expect(changes.body.map(({ data }: Answer['body']) => data.object.charge.refunds[0].status)).toEqual([
    'succeeded',
    'pending',
  ]);
  const mails: Answer['body'][] = (await refunds.books.api.sandbox.get('/emails')).body;
  expect(mails.filter(({ template }) => template === 'refund_email')).toHaveLength(1);
  await refunds.books.expectCleanBooks();
});

test.each([
  ['made', '4000000000000416', 'succeeded', 12],
  ['not made', '4000000000000424', 'failed', 0],
])('a refund without an answer is pending until it is looked up: it was %s', async (_, card, status, amount) => {
  const { payment } = await paidInvoice(12, card);
  expect(await refund(payment, 12)).toMatchObject({ status: 201, body: { status: 'pending' } });
  await lookUp();
  await lookUp(); // changes nothing
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: amount, refunds: [{ status }] });
  await refunds.books.expectCleanBooks();
});

/** Lets the bank send the money of a refund back that the gateway had made, and tell us. */
async function bounce({ gateway_id: reference }: Answer['body']): Promise<void> {
  await refunds.books.rows(
    `update test_gateway.operation set status = 'failed', captured = 0, decline_kind = 'hard', decline_code = 'expired_or_canceled_card',
       decline_message = 'The card is expired.' where reference = ?`,
    [reference],
  );
  await announce(refunds.books, reference, 'operation.ended');
  await refunds.hear();
  await refunds.hear(); // changes nothing
}

test('a refund that was made and fails days later gives the payment its money again, and a task says so', async () => {
  const { payment } = await paidInvoice(40);
  const { body: made } = await refund(payment, 15);
  expect(made).toMatchObject({ status: 'succeeded' });
  await announce(refunds.books, made.gateway_id, 'operation.ended');
  await refunds.hear(); // the gateway says again that it was made
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 15, refunds: [{ status: 'succeeded' }] });
  passDays(3);
  await bounce(made);
  expect((await read(payment)).charge).toMatchObject({
    amount_refunded: 0, // 15 - 15
    refunds: [{ status: 'failed', failure_message: 'The card is expired.' }],
  });
  const tasks: Answer['body'][] = (await refunds.books.api.sandbox.get('/tasks')).body;
  const name = `Refund ${made.id} of 15.00 usd failed: the customer did not get it. Payment ${payment.id} has the money`;
  expect(tasks.filter((task) => task.name === name)).toHaveLength(1);
  await refunds.books.expectCleanBooks();
  expect((await refund(payment, 40)).body).toMatchObject({ status: 'succeeded', amount: 40 }); // 40 - 0 are left
  await refunds.books.expectCleanBooks();
});

test('a voided payment whose refund fails later is there again, with its money unapplied', async () => {
  const { invoice, payment } = await paidInvoice(20);
  const { body: made } = await refund(payment, 20);
  await refunds.books.api.sandbox.delete(`/payments/${payment.id}`);
  expect(await refunds.books.readInvoice(invoice)).toMatchObject({ balance: 20, paid: false });
  await bounce(made);
  expect(await read(payment)).toMatchObject({ voided: false, balance: 20, charge: { amount_refunded: 0 } });
  await refunds.books.expectCleanBooks();
});

test('a voided payment that had also spent credit has only its own money again', async () => {
  const { books } = refunds;
  const { invoice, payment } = await paidInvoice(40);
  const other = await books.invoice(10);
  expect((await books.adjust(10)).status).toBe(201);
  const applied_to = [cash(invoice, 40), { type: 'applied_credit', invoice: other, amount: 10 }];
  expect((await books.api.sandbox.patch(`/payments/${payment.id}`, { amount: 50, applied_to })).status).toBe(200);
  const { body: made } = await refund(payment, 40);
  expect((await books.api.sandbox.delete(`/payments/${payment.id}`)).status).toBe(200);
  await bounce(made);
  expect(await read(payment)).toMatchObject({ voided: false, amount: 40, balance: 40 }); // 50 - 10 of credit
  await books.expectCleanBooks();
});

test('racing refunds never exceed the charge', async () => {
  const { payment } = await paidInvoice(100);
  const answers = await Promise.all(Array.from({ length: 10 }, () => refund(payment, 30)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3); // 3 x 30 = 90
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 90, refunded: false });
  const [given] = await refunds.books.rows(
    `select sum(captured * amount)::float8 as sum from test_gateway.operation where charge_reference = ?`,
    [payment.charge.gateway_id],
  );
  expect(given).toEqual({ sum: 90 });
  await refunds.books.expectCleanBooks();
});

test('with a key, a repeated request refunds once', async () => {
  const { payment } = await paidInvoice(10);
  const key = { 'Idempotency-Key': `refund ${payment.id}` };
  const [one, other] = await Promise.all([refund(payment, 4, key), refund(payment, 4, key)]);
  expect([one.status, other.body]).toEqual([201, one.body]);
  expect((await read(payment)).charge.amount_refunded).toBe(4);
});

test('a refund is an event of its payment and a mail to the customer; the receipt shows it', async () => {
  const { sandbox } = refunds.books.api;
  await sandbox.patch(`/customers/${refunds.books.customer}`, { email: 'ada@example.com', language: 'de' });
  const { payment } = await paidInvoice(40);
  await refund(payment, 15);
  const [event] = (await sandbox.get(`/events?related_to=payment,${payment.id}&type=payment.updated`)).body;
  expect(event.data).toMatchObject({
    object: { charge: { amount_refunded: 15 } },
    previous: { charge: { amount_refunded: 0, refunds: [] } },
  });
  const mails: Answer['body'][] = (await sandbox.get('/emails')).body;
  const sent = mails.filter(({ template, email }) => template === 'refund_email' && email === 'ada@example.com');
  const subject = expect.stringMatching(/^Erstattung von 15,00\s\$ von Acme$/);
  expect(sent).toMatchObject([{ email: 'ada@example.com', subject }]);
  expect(sent[0]?.message).toContain('es kann einige Tage dauern, bis Ihre Bank das Geld anzeigt.');
  const url = payment.pdf_url.replace('https://billing.example', refunds.books.api.origin).replace(/\/pdf$/, '');
  const page = (await (await fetch(url)).text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(page).toMatch(/Erhaltener Betrag 40,00 \$ Erstattung vom \d+\. \p{L}+ 2027 −15,00 \$/u);
  const timeline = (await sandbox.get(`/customers/${refunds.books.customer}/timeline`)).body;
  expect(timeline.map(({ what }: { what: string }) => what)).toContain('refund of $15.00 made');
});
