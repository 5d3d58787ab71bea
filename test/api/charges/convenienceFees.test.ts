import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import { cash, spend } from '../../support/credits.ts';
import { refundsOfCards } from '../../support/refunds.ts';

/** Convenience fees of charges: who pays one, and its way through the books. */

const fees = refundsOfCards();
const { charge, read, refund } = fees;
const VISA = '4242424242424242';
const fee = (amount: number) => ({ type: 'convenience_fee', amount });
const set = (settings: object) => fees.books.api.sandbox.patch('/account', settings);
const appliedTo = async ({ id }: { id: number }) =>
  (await fees.books.api.sandbox.get(`/payments/${id}?include=applied_to`)).body.applied_to;

beforeAll(() => set({ convenience_fee_percent: 3, convenience_fee_places: ['US-TX', 'DE'] }));
beforeEach(async () => {
  await fees.books.api.sandbox.patch(`/customers/${fees.books.customer}`, { country: 'US', state: 'TX' });
});

test('a charge takes a convenience fee beside the invoice, shown on charge and payment, booked as fee income', async () => {
  const invoice = await fees.books.invoice(100);
  let payment: Awaited<ReturnType<typeof charge>>;
  const entries = await fees.books.entriesOf(async () => {
    payment = await charge(103, [cash(invoice, 100), fee(3)]);
  });
  expect(entries).toEqual([
    'application fee_income -3',
    'application receivable -100',
    'application unapplied 103',
    'receipt clearing:test 103',
    'receipt unapplied -103',
  ]);
  expect(payment).toMatchObject({ amount: 103, balance: 0, credit: 0, charge: { amount: 103, convenience_fee: 3 } });
  const none = { invoice: null, estimate: null, credit_note: null, document_type: null };
  expect(await appliedTo(payment)).toMatchObject([
    { type: 'invoice', invoice, amount: 100 },
    { object: 'payment_application', type: 'convenience_fee', amount: 3, ...none },
  ]);
  expect(await fees.books.readInvoice(invoice)).toMatchObject({ status: 'paid', balance: 0 });
  const { body } = await fees.books.api.sandbox.get(`/charges/${payment.charge.id}`);
  expect(body).toMatchObject({ amount: 103, convenience_fee: 3 });
  await fees.books.expectCleanBooks();
});

test('off by default, of credit cards, up to the cap, where the account lists it, and refunded in proportion', async () => {
  const { sandbox } = fees.books.api;
  const take = async (amount: number, card = VISA) => {
    const applied_to = [cash(await fees.books.invoice(100), 100), fee(amount)];
    const asked = { customer: fees.books.customer, method: 'credit_card', gateway_token: `tok_${card}` };
    return sandbox.post('/charges', { ...asked, amount: 100 + amount, applied_to });
  };
  await set({ convenience_fee_percent: null, convenience_fee_places: null });
  expect((await take(1)).status).toBe(400); // off by default
  await set({ convenience_fee_percent: 4 });
  expect((await take(1)).status).toBe(400); // no place is listed
  await set({ convenience_fee_places: ['US-TX', 'DE'] });
  expect((await take(1, '4000056655665556')).status).toBe(400); // a debit card
  expect((await take(3.01)).status).toBe(400); // above the cap
  const { status, body } = await take(3);
  expect([status, (await refund(body, 51.5)).body.convenience_fee]).toEqual([201, 1.5]);
  await set({ convenience_fee_percent: 3 });
  await fees.books.expectCleanBooks();
});

test('a charge without a fee has none', async () => {
  const { payment } = await fees.paidInvoice(100);
  expect(payment).toMatchObject({ amount: 100, charge: { convenience_fee: 0 } });
});

const tries = [
  ['a debit card', '4000056655665556', 'only credit cards pay one, not debit cards'],
  ['a prepaid card', '5105105105105100', 'only credit cards pay one, not prepaid cards'],
  ['a brand without a cap', '30569309025904', 'no cap is known for cards of Diners Club'],
  ['an unknown token', '1', 'only credit cards pay one, not a card of which the gateway does not tell the funding'],
] as const;
const usual = () => ({
  customer: fees.books.customer,
  method: 'credit_card',
  gateway_token: `tok_${VISA}`,
  amount: 103,
});
const tryCharge = (more: object) => fees.books.api.sandbox.post('/charges', { ...usual(), ...more });
const noFee = (why: string) =>
  refused({ param: 'applied_to[1][type]', message: expect.stringContaining(`There is no convenience fee: ${why}`) });

test.each(tries)('%s pays no fee by its token', async (_, card, why) => {
  const applied_to = [cash(await fees.books.invoice(100), 100), fee(3)];
  expect(await tryCharge({ applied_to, gateway_token: `tok_${card}` })).toMatchObject(noFee(why));
});

test.each(tries.slice(0, 3))('%s pays no fee when it is stored', async (_, card, why) => {
  const vaulted = { method: 'credit_card', gateway_token: `tok_${card}` };
  const source = await fees.books.api.sandbox.make(`/customers/${fees.books.customer}/payment_sources`, vaulted);
  const stored = { gateway_token: null, payment_source_type: 'card', payment_source_id: source.id };
  const applied_to = [cash(await fees.books.invoice(100), 100), fee(3)];
  expect(await tryCharge({ applied_to, ...stored })).toMatchObject(noFee(why));
});

test('a stored credit card and a new one that is stored pay the fee', async () => {
  const { sandbox } = fees.books.api;
  const first = await fees.books.invoice(100);
  const paid = await tryCharge({ applied_to: [cash(first, 100), fee(3)], vault_method: true });
  const [source] = (await sandbox.get(`/customers/${fees.books.customer}/payment_sources`)).body;
  expect([paid.status, source.funding]).toEqual([201, 'credit']);
  const stored = { gateway_token: null, payment_source_type: 'card', payment_source_id: source.id };
  const second = await fees.books.invoice(100);
  const again = await tryCharge({ applied_to: [cash(second, 100), fee(3)], ...stored });
  expect(again).toMatchObject({ status: 201, body: { charge: { convenience_fee: 3 } } });
  await fees.books.expectCleanBooks();
});

test('a bank account pays no fee', async () => {
  const applied_to = [cash(await fees.books.invoice(100), 100), fee(3)];
  const bank = { method: 'ach', gateway_token: 'tok_110000000_123456789' };
  expect(await tryCharge({ applied_to, ...bank })).toMatchObject(noFee('only cards pay one, not bank accounts'));
});

test.each([
  [{ country: 'US', state: 'CT' }, 'convenience_fee_places does not list US or US-CT'],
  [{ country: 'US', state: null }, 'convenience_fee_places does not list US'],
  [{ country: null, state: 'TX' }, 'convenience_fee_places does not list a customer without a country'],
])('a customer in %j pays no fee', async (address, why) => {
  await fees.books.api.sandbox.patch(`/customers/${fees.books.customer}`, address);
  const applied_to = [cash(await fees.books.invoice(100), 100), fee(3)];
  expect(await tryCharge({ applied_to })).toMatchObject(noFee(why));
});

test('a customer anywhere in a listed country pays the fee', async () => {
  await fees.books.api.sandbox.patch(`/customers/${fees.books.customer}`, { country: 'DE', state: 'Bavaria' });
  const applied_to = [cash(await fees.books.invoice(100), 100), fee(3)];
  expect(await tryCharge({ applied_to })).toMatchObject({ status: 201 });
});

test('without the setting there is no fee', async () => {
  const { live } = fees.books.api;
  expect((await live.get('/account')).body).toMatchObject({ convenience_fee_percent: 0, convenience_fee_places: [] });
  const applied_to = [cash(await fees.books.invoice(100), 100), fee(3)];
  await set({ convenience_fee_percent: null });
  const answer = await tryCharge({ applied_to });
  await set({ convenience_fee_percent: 3 });
  expect(answer).toMatchObject(noFee('this account takes none: its convenience_fee_percent is 0'));
});

test.each([
  [103.01, 3.01, VISA, 3, 'The convenience fee of 3.01 is more than 3.00, which is 3 % of 100.00'],
  [104, 4, VISA, 4, 'The convenience fee of 4.00 is more than 3.00, which is 3 % of 100.00'], // the cap of Visa
  [102.51, 2.51, VISA, 2.5, 'The convenience fee of 2.51 is more than 2.50, which is 2.5 % of 100.00'],
  [104.01, 4.01, '5454545454545454', 4, 'The convenience fee of 4.01 is more than 4.00, which is 4 % of 100.00'],
])('a charge of %d refuses a fee of %d on %s at %d %%', async (amount, most, card, percent, message) => {
  await set({ convenience_fee_percent: percent });
  const applied_to = [cash(await fees.books.invoice(100), 100), fee(most)];
  const answer = await tryCharge({ amount, applied_to, gateway_token: `tok_${card}` });
  await set({ convenience_fee_percent: 3 });
  expect(answer).toMatchObject(refused({ param: 'applied_to[1][amount]', message }));
});

test('Mastercard pays up to 4 %, and a lower fee than the highest is taken as it is', async () => {
  await set({ convenience_fee_percent: 4 });
  const highest = await charge(104, [cash(await fees.books.invoice(100), 100), fee(4)], '5454545454545454');
  const lower = await charge(101, [cash(await fees.books.invoice(100), 100), fee(1)]);
  await set({ convenience_fee_percent: 3 });
  expect([highest.charge.convenience_fee, lower.charge.convenience_fee]).toEqual([4, 1]);
});

test('the fee is counted of the money of the card, without credit that pays with it', async () => {
  await fees.books.adjust(50);
  const invoice = await fees.books.invoice(100);
  const parts = [cash(invoice, 50), spend(invoice, 50)];
  const message = 'The convenience fee of 3.00 is more than 1.50, which is 3 % of 50.00';
  const answer = await tryCharge({ applied_to: [...parts, fee(3)] });
  expect(answer).toMatchObject(refused({ param: 'applied_to[2][amount]', message }));
  const payment = await charge(101.5, [...parts, fee(1.5)]);
  expect(payment).toMatchObject({ amount: 101.5, credit: 50, balance: 0, charge: { amount: 51.5 } });
  await fees.books.expectCleanBooks();
});

test.each([
  [{ ...fee(3), invoice: 1 }, 'applied_to[0][invoice]', 'does not belong'],
  [{ ...fee(3), estimate: 1 }, 'applied_to[0][estimate]', 'does not belong'],
  [{ ...fee(3), credit_note: 1 }, 'applied_to[0][credit_note]', 'does not belong'],
  [{ ...fee(0) }, 'applied_to[0][amount]', ''],
  [{ type: 'convenience_fee' }, 'applied_to[0][amount]', ''],
  [fee(103), 'applied_to[0][amount]', 'is more than 0.00, which is 3 % of 0.00'],
  [fee(0.001), 'applied_to[0][amount]', ''],
])('the fee %j is refused, naming %s', async (application, param, message) => {
  const answer = await tryCharge({ applied_to: [application] });
  expect(answer).toMatchObject(refused({ param, message: expect.stringContaining(message) }));
});

test('two fees in a charge are refused', async () => {
  const message = 'convenience_fee is named twice';
  expect(await tryCharge({ applied_to: [fee(1), fee(2)] })).toMatchObject(refused({ param: 'applied_to', message }));
});

test('a payment that is not made by a charge has no fee, and the fee of a charge cannot be changed', async () => {
  const { sandbox } = fees.books.api;
  const message = 'A convenience fee is only taken by a charge of a credit card';
  const keyed = await fees.books.pay(10, [fee(1)]);
  expect(keyed).toMatchObject(refused({ param: 'applied_to[0][type]', message }));
  const { id: unapplied } = (await fees.books.pay(10, [])).body;
  const patched = await sandbox.patch(`/payments/${unapplied}`, { applied_to: [fee(1)] });
  expect(patched).toMatchObject(refused({ param: 'applied_to[0][type]', message }));

  const [invoice, other] = [await fees.books.invoice(100), await fees.books.invoice(100)];
  const payment = await charge(103, [cash(invoice, 100), fee(3)]);
  const change = (applied_to: object[]) => sandbox.patch(`/payments/${payment.id}`, { applied_to });
  const fixed = { param: 'applied_to', message: 'The convenience fee of 3.00 cannot be changed: send it as it is' };
  for (const parts of [[], [cash(other, 100)], [cash(other, 100), fee(2)]])
    expect(await change(parts)).toMatchObject(refused(fixed));
  expect((await change(await appliedTo(payment))).status).toBe(200); // as it was read
  expect((await change([cash(other, 100), fee(3)])).status).toBe(200);
  expect([await fees.books.readInvoice(invoice), await fees.books.readInvoice(other)]).toMatchObject([
    { balance: 100 },
    { status: 'paid' },
  ]);
  await fees.books.expectCleanBooks();
});

test('AutoPay and a request to pay an invoice take no fee', async () => {
  const { sandbox } = fees.books.api;
  const card = { method: 'credit_card', gateway_token: `tok_${VISA}`, make_default: true };
  await sandbox.make(`/customers/${fees.books.customer}/payment_sources`, card);
  const invoice = await fees.books.invoice(100, { autopay: true });
  expect((await sandbox.post(`/invoices/${invoice}/pay`)).body).toMatchObject({ status: 'paid' });
  const [paid] = (await sandbox.get('/charges?sort=id%20desc&per_page=1')).body;
  expect(paid).toMatchObject({ amount: 100, convenience_fee: 0 });
});

test('the fee of a charge whose invoice was paid meanwhile stays the fee; the rest is unapplied', async () => {
  const invoice = await fees.books.invoice(100);
  const payment = await charge(103, [cash(invoice, 100), fee(3)], 'script_timeout_taken');
  expect(payment).toMatchObject({ amount: 103, balance: 0, charge: { status: 'pending', convenience_fee: 3 } });
  await fees.books.pay(100, [cash(invoice, 100)]);
  await fees.lookUp();
  expect(await read(payment)).toMatchObject({ balance: 100, charge: { status: 'succeeded' } });
  expect(await appliedTo(payment)).toMatchObject([fee(3)]);
  await fees.books.expectCleanBooks();
});

test('a declined charge takes no fee', async () => {
  const answer = await tryCharge({
    applied_to: [cash(await fees.books.invoice(100), 100), fee(3)],
    gateway_token: 'tok_script_soft',
  });
  expect(answer.status).toBe(400);
  const { body } = await fees.books.api.sandbox.get('/charges?sort=id%20desc&per_page=1');
  expect(body).toMatchObject([{ status: 'failed', convenience_fee: 3 }]);
  await fees.books.expectCleanBooks();
});

test('a repeated request gets the same answer, though its token can no longer be described', async () => {
  const { api } = fees.books;
  const applied_to = [cash(await fees.books.invoice(100), 100), fee(3)];
  const send = () => api.sandbox.post('/charges', { ...usual(), applied_to }, { 'Idempotency-Key': 'fee' });
  const first = await send();
  const { describe } = api.gateway;
  Object.assign(api.gateway, { describe: () => Promise.reject(new Error('gone')) });
  const [second, other] = [await send(), await tryCharge({ applied_to: [fee(3)] })];
  Object.assign(api.gateway, { describe });
  expect([first.status, second.body]).toEqual([201, first.body]);
  expect(other).toMatchObject(refused({ message: expect.stringContaining('does not tell the funding') }));
});
