import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { settleAttempt } from '../../../commands/charges/attempts.ts';
import { type Answer, refused } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';
import { type Credits, cash, credit, spend, startCredits } from '../../support/credits.ts';

/** Refunds of charges: what they take, what the books say, and what becomes of one that fails later. */

const DAY = 86_400_000;

let books: Credits;
let now = new Date('2027-03-01T10:00:00Z');
beforeAll(async () => {
  books = await startCredits(() => now, 500);
});
afterAll(() => books.api.close());
beforeEach(() => books.begin());

/** Charges a card, and applies the money. Returns the payment. */
async function charge(amount: number, applied_to: object[], card = '4242424242424242'): Promise<Answer['body']> {
  const asked = { customer: books.customer, method: 'credit_card', gateway_token: `tok_${card}` };
  return books.api.sandbox.make('/charges', { ...asked, amount, applied_to });
}

/** Charges a card for an invoice of this amount. */
async function paidInvoice(amount: number, card?: string) {
  const invoice = await books.invoice(amount);
  return { invoice, payment: await charge(amount, [cash(invoice, amount)], card) };
}

const refund = (payment: Answer['body'], amount: unknown, headers: Record<string, string> = {}) =>
  books.api.sandbox.post(`/charges/${payment.charge.id}/refunds`, { amount }, headers);

const read = async (payment: Answer['body']) => (await books.api.sandbox.get(`/payments/${payment.id}`)).body;

/** Asks the gateway for the outcome of the last attempt. */
async function lookUp(): Promise<void> {
  const { api, rows } = books;
  const [last] = await rows('select account_id, id from attempt order by id desc limit 1');
  const key = { accountId: Number(last?.account_id), id: Number(last?.id) };
  await settleAttempt({ ...api.deps, em: api.em }, key);
}

test('a charge is refunded in parts until nothing is left; its invoice stays paid', async () => {
  const { invoice, payment } = await paidInvoice(40);
  const first = await refund(payment, 15);
  expect(first.status).toBe(201);
  expect(missingFields('refund', first.body)).toEqual([]);
  const about = { object: 'refund', charge: payment.charge.id, currency: 'usd', gateway: 'test' };
  expect(first.body).toMatchObject({ ...about, amount: 15, status: 'succeeded', failure_message: null });
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 15, refunded: false, refunds: [first.body] });
  expect((await books.api.sandbox.get(`/refunds/${first.body.id}`)).body).toEqual(first.body);
  const left = 'has 25.00 usd left to refund, less than 25.01'; // 40 - 15
  expect(await refund(payment, 25.01)).toMatchObject(
    refused({ param: 'amount', message: expect.stringContaining(left) }),
  );
  const second = await refund(payment, 25);
  const all = await books.api.sandbox.get(`/refunds?filter[charge]=${payment.charge.id}&sort=id`);
  expect(all.body).toEqual([first.body, second.body]);
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 40, refunded: true });
  expect(await books.readInvoice(invoice)).toMatchObject({ status: 'paid', balance: 0 });
  await books.expectCleanBooks();
});

test('a refund takes unapplied money, then unspent credit that the payment added, then it is an expense', async () => {
  const invoice = await books.invoice(40);
  const payment = await charge(100, [cash(invoice, 40), credit(25)]);
  expect(await read(payment)).toMatchObject({ balance: 35 }); // 100 - 40 - 25
  expect(await books.entriesOf(() => refund(payment, 30))).toEqual(['refund clearing:test -30', 'refund unapplied 30']);
  expect(await read(payment)).toMatchObject({ balance: 5 });
  const entries = await books.entriesOf(() => refund(payment, 15)); // 5 unapplied, 10 of the 25 credit
  expect(entries).toEqual([
    'application customer_credits -15',
    'application unapplied 15', // the rest of the credit stays
    'refund clearing:test -15',
    'refund unapplied 15',
    'unapply customer_credits 25',
    'unapply unapplied -25',
  ]);
  expect(await books.balances()).toEqual([15]);
  const other = await books.invoice(12);
  await books.pay(12, [spend(other, 12)]);
  const last = await books.entriesOf(() => refund(payment, 55)); // 3 of the credit, 52 of 40 applied and 12 spent
  expect(last.filter((entry) => entry.startsWith('refund'))).toEqual([
    'refund clearing:test -55',
    'refund refunds 52',
    'refund unapplied 3',
  ]);
  expect(await read(payment)).toMatchObject({ balance: 0, charge: { refunded: true } });
  expect([await books.readInvoice(invoice), await books.readInvoice(other)]).toMatchObject([
    { status: 'paid' },
    { status: 'paid' },
  ]);
  await books.expectCleanBooks();
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
  const { sandbox } = books.api;
  const invoice = await books.invoice(8);
  const asked = { customer: books.customer, method: 'credit_card', amount: 8, applied_to: [cash(invoice, 8)] };
  await sandbox.post('/charges', { ...asked, gateway_token: 'tok_4000000000000002' });
  const [failed] = (await sandbox.get(`/charges?filter[customer]=${books.customer}`)).body;
  const message = `Charge ${failed.id} is failed: only a charge that succeeded can be refunded`;
  expect(await sandbox.post(`/charges/${failed.id}/refunds`, { amount: 8 })).toMatchObject(refused({ message }));
  const bank = { ...asked, method: 'ach', gateway_token: 'tok_123123123_123123893' };
  const pending = await sandbox.make('/charges', bank);
  expect(await refund(pending, 8)).toMatchObject(refused({ message: expect.stringContaining('is pending') }));
  const { payment } = await paidInvoice(5);
  const other = await books.api.open('Other');
  expect((await other.sandbox.post(`/charges/${payment.charge.id}/refunds`, { amount: 5 })).status).toBe(404);
  const unknown = await sandbox.post(`/charges/${payment.charge.id}/refunds`, { amount: 5, reason: 'x' });
  expect(unknown).toMatchObject(refused({ param: 'reason' }));
});

test('a refund that the gateway refuses is not created, and leaves nothing reserved', async () => {
  const { payment } = await paidInvoice(20, '4000000000000333');
  expect(await refund(payment, 20)).toMatchObject(
    refused({ message: 'The refund was not made: The bank takes no refund of this card.' }),
  );
  expect((await books.api.sandbox.get(`/refunds?filter[charge]=${payment.charge.id}`)).body).toEqual([]);
  expect(
    await books.rows('select refund_reserved::float8 as left from charge where id = ?', [payment.charge.id]),
  ).toEqual([{ left: 0 }]);
  await books.expectCleanBooks();
});

test('a pending refund has left the books, and succeeds later', async () => {
  const { payment } = await paidInvoice(30, '4000000000007726');
  expect((await refund(payment, 30)).body).toMatchObject({ status: 'pending' });
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 30, refunded: true });
  const pending = 'A refund of the payment is pending: it can be voided once the gateway has made the refund';
  expect(await books.api.sandbox.delete(`/payments/${payment.id}`)).toMatchObject(refused({ message: pending }));
  now = new Date(now.getTime() + 3 * DAY);
  await lookUp();
  expect((await read(payment)).charge.refunds).toMatchObject([{ status: 'succeeded', amount: 30 }]);
  await books.expectCleanBooks();
});

test('a refund that fails later gives the payment its money and its credit again, and makes a task', async () => {
  const invoice = await books.invoice(40);
  const payment = await charge(100, [cash(invoice, 40), credit(25)], '4000000000005126');
  expect((await refund(payment, 90)).body).toMatchObject({ status: 'pending' }); // 35 unapplied, 25 credit, 30 of the invoice
  expect(await books.balances()).toEqual([]);
  now = new Date(now.getTime() + 3 * DAY);
  const entries = await books.entriesOf(lookUp);
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
  expect(await books.balances()).toEqual([25]);
  const [task] = (await books.api.sandbox.get(`/tasks?filter[customer]=${books.customer}`)).body;
  expect(task).toMatchObject({ action: 'review', name: expect.stringContaining('of 90.00 usd failed') });
  await books.expectCleanBooks();
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
  await books.expectCleanBooks();
});

test('racing refunds never exceed the charge', async () => {
  const { payment } = await paidInvoice(100);
  const answers = await Promise.all(Array.from({ length: 10 }, () => refund(payment, 30)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3); // 3 x 30 = 90
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 90, refunded: false });
  const [given] = await books.rows(
    `select sum(captured * amount)::float8 as sum from test_gateway.operation where charge_reference = ?`,
    [payment.charge.gateway_id],
  );
  expect(given).toEqual({ sum: 90 });
  await books.expectCleanBooks();
});

test('with a key, a repeated request refunds once', async () => {
  const { payment } = await paidInvoice(10);
  const key = { 'Idempotency-Key': `refund ${payment.id}` };
  const [one, other] = await Promise.all([refund(payment, 4, key), refund(payment, 4, key)]);
  expect([one.status, other.body]).toEqual([201, one.body]);
  expect((await read(payment)).charge.amount_refunded).toBe(4);
});

test('a processed payment is voided after its full refund, and its invoice is open again', async () => {
  const { invoice, payment } = await paidInvoice(40);
  await refund(payment, 39);
  const early = await books.api.sandbox.delete(`/payments/${payment.id}`);
  expect(early).toMatchObject(refused({ message: expect.stringContaining('must be fully refunded') }));
  await refund(payment, 1);
  const entries = await books.entriesOf(() => books.api.sandbox.delete(`/payments/${payment.id}`));
  expect(entries).toEqual([
    'refund refunds -40',
    'refund unapplied 40',
    'unapply receivable 40',
    'unapply unapplied -40',
  ]);
  expect(await read(payment)).toMatchObject({ voided: true, balance: 0 });
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 40, paid: false });
  await books.expectCleanBooks();
});

test('refunded money cannot be applied again', async () => {
  const { sandbox } = books.api;
  const { payment } = await paidInvoice(40);
  const other = await books.invoice(40);
  const move = (amount: number) => sandbox.patch(`/payments/${payment.id}`, { applied_to: [cash(other, amount)] });
  await refund(payment, 30);
  const message = 'Of 40.00, 30.00 was refunded: 10.00 more can be applied';
  expect(await move(11)).toMatchObject(refused({ param: 'applied_to', message }));
  const entries = await books.entriesOf(() => move(10));
  expect(entries).toContain('refund refunds -30'); // no longer an expense: the first invoice is open again
  expect(await read(payment)).toMatchObject({ balance: 0 });
  expect(await books.readInvoice(other)).toMatchObject({ balance: 30 }); // 40 - 10
  await books.expectCleanBooks();
});

test('a refund is an event of its payment and a mail to the customer; the receipt shows it', async () => {
  const { sandbox } = books.api;
  await sandbox.patch(`/customers/${books.customer}`, { email: 'ada@example.com', language: 'de' });
  const { payment } = await paidInvoice(40);
  await refund(payment, 15);
  const [event] = (await sandbox.get(`/events?related_to=payment,${payment.id}&type=payment.updated`)).body;
  expect(event.data).toMatchObject({
    object: { charge: { amount_refunded: 15 } },
    previous: { charge: { amount_refunded: 0, refunds: [] } },
  });
  const mails: Answer['body'][] = (await sandbox.get('/emails')).body;
  const sent = mails.filter(({ template }) => template === 'refund_email');
  const subject = expect.stringMatching(/^Erstattung von 15,00\s\$ von Acme$/);
  expect(sent).toMatchObject([{ email: 'ada@example.com', subject }]);
  expect(sent[0]?.message).toContain('wir haben Ihnen Geld aus Ihrer Zahlung zurückgesendet.');
  const url = payment.pdf_url.replace('https://billing.example', books.api.origin).replace(/\/pdf$/, '');
  const page = (await (await fetch(url)).text()).replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(page).toContain('Erhaltener Betrag 40,00 $ Erstattet −15,00 $');
  const timeline = (await sandbox.get(`/customers/${books.customer}/timeline`)).body;
  expect(timeline.map(({ what }: { what: string }) => what)).toContain('refund of 15.00 usd made');
});
