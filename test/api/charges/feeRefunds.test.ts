import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { cash, credit } from '../../support/credits.ts';
import { refundsOfCards } from '../../support/refunds.ts';

/** Refunds and disputes of charges with a convenience fee. */

const fees = refundsOfCards();
const { charge, hear, lookAt, passDays, read, refund } = fees;
const fee = (amount: number) => ({ type: 'convenience_fee', amount });
const appliedTo = async ({ id }: { id: number }) =>
  (await fees.books.api.sandbox.get(`/payments/${id}?include=applied_to`)).body.applied_to;
const feesOfDisputes = () => fees.books.rows('select from_fee::float8 as fee from dispute order by id desc limit 1');

beforeAll(() =>
  fees.books.api.sandbox.patch('/account', { convenience_fee_percent: 3, convenience_fee_places: ['DE'] }),
);
beforeEach(async () => {
  await fees.books.api.sandbox.patch(`/customers/${fees.books.customer}`, { country: 'DE' });
});

async function paid(card: string) {
  const invoice = await fees.books.invoice(100);
  return { invoice, payment: await charge(103, [cash(invoice, 100), fee(3)], card) };
}

test('a refund gives its part of the fee back, and the whole charge the whole fee', async () => {
  const invoice = await fees.books.invoice(100);
  const payment = await charge(103, [cash(invoice, 100), fee(3)]);
  expect(await fees.books.entriesOf(() => refund(payment, 51.5))).toEqual([
    'refund clearing:test -51.5',
    'refund refunds 50',
    'refund unapplied 1.5',
    'take_back fee_income 1.5',
    'take_back unapplied -1.5',
  ]);
  expect(await read(payment)).toMatchObject({
    balance: 0,
    charge: { convenience_fee: 3, amount_refunded: 51.5, refunds: [{ amount: 51.5, convenience_fee: 1.5 }] },
  });
  expect(await appliedTo(payment)).toMatchObject([cash(invoice, 100), fee(1.5)]);
  expect((await refund(payment, 17.17)).body).toMatchObject({ convenience_fee: 0.5 }); // 3 x 68.67 / 103 = 2.0001
  expect((await refund(payment, 34.33)).body).toMatchObject({ convenience_fee: 1 });
  expect(await appliedTo(payment)).toMatchObject([cash(invoice, 100)]);
  const voiding = await fees.books.entriesOf(() => fees.books.api.sandbox.delete(`/payments/${payment.id}`));
  expect(voiding.filter((entry) => entry.includes('fee_income'))).toEqual([]); // all of it went with the refunds
  expect(await fees.books.readInvoice(invoice)).toMatchObject({ balance: 100 });
  await fees.books.expectCleanBooks();
});

test('racing refunds of the whole charge give the whole fee back, in yen, too', async () => {
  const customer = fees.books.customer;
  const asked = { customer, method: 'credit_card', gateway_token: 'tok_4242424242424242', currency: 'jpy' };
  const payment = await fees.books.api.sandbox.make('/charges', { ...asked, amount: 1029, applied_to: [fee(29)] }); // 3 % of 1000 are 30
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => refund(payment, index < 9 ? 103 : 102)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
  const { charge: refunded } = await read(payment);
  const parts: number[] = refunded.refunds.map((one: { convenience_fee: number }) => one.convenience_fee);
  expect([parts.reduce((one, other) => one + other, 0), refunded.refunded]).toEqual([29, true]);
  expect(parts.every((part) => part === 2 || part === 3)).toBe(true); // 29 x 103 / 1029 = 2.9; rounded together
  expect(await appliedTo(payment)).toEqual([]);
  await fees.books.expectCleanBooks();
});

test('a refund takes its part of the fee before unapplied money and credit', async () => {
  const payment = await charge(206, [credit(100), fee(6)]); // 100 stay unapplied
  expect((await refund(payment, 103)).body).toMatchObject({ convenience_fee: 3 });
  const [{ id } = { id: 0 }] = (await fees.books.api.sandbox.get('/refunds?sort=id%20desc&per_page=1')).body;
  const parts = await fees.books.rows(
    'select from_fee::float8, from_unapplied::float8, from_credit::float8, expense::float8 from refund where id = ?',
    [id],
  );
  expect(parts).toEqual([{ from_fee: 3, from_unapplied: 100, from_credit: 0, expense: 0 }]);
  expect(await fees.books.balances()).toEqual([100]);
  await fees.books.expectCleanBooks();
});

test('a refund that fails later takes its part of the fee again', async () => {
  const invoice = await fees.books.invoice(100);
  const payment = await charge(103, [cash(invoice, 100), fee(3)], '4000000000005126');
  await refund(payment, 51.5);
  expect(await appliedTo(payment)).toMatchObject([cash(invoice, 100), fee(1.5)]);
  passDays(3);
  expect(await fees.books.entriesOf(fees.lookUp)).toEqual([
    'application fee_income -3',
    'application unapplied 3',
    'refund clearing:test 51.5',
    'refund refunds -50',
    'refund unapplied -1.5',
    'unapply fee_income 1.5',
    'unapply unapplied -1.5',
  ]);
  expect(await appliedTo(payment)).toMatchObject([cash(invoice, 100), fee(3)]);
  expect(await read(payment)).toMatchObject({ balance: 0, charge: { amount_refunded: 0, convenience_fee: 3 } });
  await fees.books.expectCleanBooks();
});

test('a lost dispute takes the fee with the money, and the invoice is owed again without it', async () => {
  const { invoice, payment } = await paid('4000000000000259');
  await hear();
  expect(await appliedTo(payment)).toMatchObject([cash(invoice, 100), fee(3)]); // until the bank decides
  passDays(8);
  expect(await fees.books.entriesOf(() => lookAt(payment))).toEqual([
    'dispute disputes -103',
    'dispute unapplied 103',
    'take_back fee_income 3',
    'take_back receivable 100',
    'take_back unapplied -103',
  ]);
  expect(await appliedTo(payment)).toEqual([]);
  expect(await read(payment)).toMatchObject({ balance: 0, charge: { convenience_fee: 3 } });
  expect(await fees.books.readInvoice(invoice)).toMatchObject({ balance: 100, paid: false });
  expect(await feesOfDisputes()).toEqual([{ fee: 3 }]);
  await fees.books.expectCleanBooks();
});

test('a dispute that is lost in part takes its part of the fee', async () => {
  const { invoice, payment } = await paid('4000000000000275');
  await hear();
  passDays(8);
  expect(await fees.books.entriesOf(() => lookAt(payment))).toEqual([
    'dispute clearing:test 51.5',
    'dispute disputes -103',
    'dispute unapplied 51.5',
    'take_back fee_income 1.5',
    'take_back receivable 50',
    'take_back unapplied -51.5',
  ]);
  expect(await appliedTo(payment)).toMatchObject([fee(1.5), cash(invoice, 50)]);
  expect(await fees.books.readInvoice(invoice)).toMatchObject({ balance: 50 });
  await fees.books.expectCleanBooks();
});

test('a dispute that is won leaves the fee', async () => {
  const { invoice, payment } = await paid('4000000000002685');
  await hear();
  passDays(8);
  await lookAt(payment);
  expect(await appliedTo(payment)).toMatchObject([cash(invoice, 100), fee(3)]);
  expect((await refund(payment, 103)).body).toMatchObject({ convenience_fee: 3 });
  await fees.books.expectCleanBooks();
});

test('a gateway that reopens a lost dispute gives the fee back, too', async () => {
  const { books } = fees;
  const { payment } = await paid('4000000000000259');
  await hear();
  passDays(8);
  await lookAt(payment);
  const { gateway_id } = payment.charge;
  await books.rows(`update test_gateway.dispute set status = 'won' where charge_reference = ?`, [gateway_id]);
  const entries = await books.entriesOf(() => lookAt(payment));
  expect(entries).toEqual(expect.arrayContaining(['application fee_income -3', 'application unapplied 3']));
  expect(await appliedTo(payment)).toMatchObject([fee(3)]);
  expect(await read(payment)).toMatchObject({ balance: 100, charge: { disputed: false } });
  expect(await feesOfDisputes()).toEqual([{ fee: 0 }]);
  await books.expectCleanBooks();
});

test('a dispute after a refund takes the rest of the fee', async () => {
  const { books } = fees;
  const { invoice, payment } = await paid('4000000000000259');
  await books.rows("update test_gateway.dispute set opens_at = now() + interval '1 day'"); // the refund comes first
  expect((await refund(payment, 51.5)).body).toMatchObject({ convenience_fee: 1.5 });
  await books.rows('update test_gateway.dispute set opens_at = now()');
  await hear();
  passDays(8);
  await lookAt(payment);
  expect(await feesOfDisputes()).toEqual([{ fee: 1.5 }]);
  expect(await appliedTo(payment)).toEqual([]);
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 100 });
  await books.expectCleanBooks();
});

test('a part that is lost after a refund takes the rest of the fee, which is no expense', async () => {
  const { books } = fees;
  const { invoice, payment } = await paid('4000000000000275');
  await books.rows("update test_gateway.dispute set opens_at = now() + interval '1 day'"); // the refund comes first
  expect((await refund(payment, 80)).body).toMatchObject({ convenience_fee: 2.33 }); // 3 x 80 / 103; 77.67 are an expense
  await books.rows('update test_gateway.dispute set opens_at = now()');
  await hear();
  passDays(8);
  const entries = await books.entriesOf(() => lookAt(payment)); // 51.50 are lost: 0.67 of the fee, 50.83 of the invoice
  expect(entries.filter((entry) => entry.startsWith('dispute'))).toEqual([
    'dispute clearing:test 51.5',
    'dispute disputes -103',
    'dispute refunds 50.83',
    'dispute unapplied 0.67',
  ]);
  expect(await feesOfDisputes()).toEqual([{ fee: 0.67 }]);
  expect(await books.readInvoice(invoice)).toMatchObject({ balance: 50.83 });
  await books.expectCleanBooks();
});

test('two disputes that are lost at once take their parts of the fee', async () => {
  const { books } = fees;
  const payment = await charge(103, [fee(3)]); // 100 stay unapplied
  await books.rows(
    `insert into test_gateway.dispute (reference, charge_reference, amount, amount_lost, reason, fee, opens_at, evidence_due_at, closes_as)
     select 'two_' || part, ?, 51.5, 51.5, 'fraudulent', 0, now(), now(), 'lost' from generate_series(1, 2) part`,
    [payment.charge.gateway_id],
  );
  const entries = await books.entriesOf(() => lookAt(payment));
  expect(entries).toContain('take_back fee_income 3');
  expect(await appliedTo(payment)).toEqual([]);
  expect(await read(payment)).toMatchObject({ balance: 0 });
  await books.expectCleanBooks();
});
