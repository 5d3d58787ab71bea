import { expect, test } from '@jest/globals';
import { readMethod } from '../../adapters/stripe/methods.ts';
import { createRefund } from '../../adapters/stripe/refunds.ts';
import { found, type Intent, tell } from '../../adapters/stripe/world.ts';
import type { Answer } from '../../support/api.ts';
import { cash } from '../../support/credits.ts';
import { stripeShop } from '../../support/stripeShop.ts';

/** Charges and stored cards that were recorded as declined or not made, and that Stripe has made: recorded as at first, once. */

const shop = stripeShop('Unmade2027');
const { deliver, settle, told } = shop;
const CONFIRM = /^POST .*confirm$/;
const TRIES = 3;

/** Lets a PaymentIntent take its money, whatever became of it. */
function takeAtStripe(id: string): void {
  const { world } = shop.books.api.stripe;
  const intent = found(world.payments, id, 'payment_intent');
  const charge = world.newId('ch');
  const none = { last_payment_error: null, next_action: null, cancellation_reason: null };
  const declined = Object(intent.last_payment_error).payment_method?.id ?? null;
  const payment_method = intent.payment_method ?? declined;
  Object.assign(intent, { status: 'succeeded', latest_charge: charge, payment_method, ...none });
  world.charges.set(charge, {
    id: charge,
    object: 'charge',
    amount: intent.amount,
    amount_refunded: 0,
    currency: intent.currency,
    payment_intent: id,
    payment_method_details: { type: 'card' },
    disputed: false,
  });
  tell(world, 'payment_intent.succeeded', intent);
}

async function charge(amount: number, token: string): Promise<{ invoice: number; answer: Answer; reference: string }> {
  const invoice = await shop.books.invoice(amount);
  const asked = { customer: shop.books.customer, method: 'credit_card', gateway_token: token, amount };
  const answer = await shop.books.api.sandbox.post('/charges', { ...asked, applied_to: [cash(invoice, amount)] });
  const [row] = await shop.books.rows('select reference from attempt order by id desc limit 1');
  return { invoice, answer, reference: String(row?.reference) };
}

const payments = async (): Promise<Answer['body'][]> =>
  (await shop.books.api.sandbox.get(`/payments?filter[customer]=${shop.books.customer}`)).body;
const charges = async (): Promise<Answer['body'][]> =>
  (await shop.books.api.sandbox.get(`/charges?filter[customer]=${shop.books.customer}`)).body;

test('an intent whose creation gets no answer is sent again unchanged at once, never later, and takes no money', async () => {
  const { stripe } = shop.books.api;
  const before = stripe.asked.length;
  stripe.fail({ request: /^POST .*payment_intents$/, how: 'cut_after', times: TRIES });
  const { answer } = await charge(40, 'pm_card_visa');
  expect(answer).toMatchObject({ status: 400, body: { type: 'api' } });
  for (const hours of [1, 50]) {
    shop.moveHours(hours);
    await settle();
  }
  const writes = stripe.asked.slice(before).filter(({ method, path }) => method === 'POST' && /intents/.test(path));
  expect(new Set(writes.map(({ path, key, text }) => `${path} ${key} ${text}`)).size).toBe(1);
  expect(writes).toHaveLength(TRIES);
  expect(await payments()).toEqual([]);
});

/** Delivers all that Stripe has told twice, and looks. */
async function hear(): Promise<void> {
  await deliver(told());
  await settle();
  await deliver(told().toReversed());
  await settle();
}

const events: [string, () => Promise<void>] = ['by its event', hear];
const recovering: [string, () => Promise<void>] = [
  'by recover',
  async () => {
    expect(await shop.recover()).toMatchObject({ codes: [0, 0] });
  },
];

test('a refund of a charge that is recorded late is recorded with it, also if all events come before the look', async () => {
  const { reference } = await charge(30, 'pm_card_visa_chargeDeclined');
  takeAtStripe(reference);
  createRefund(shop.books.api.stripe.world, { payment_intent: reference, amount: '1000' });
  await deliver(told());
  await settle();
  await settle(); // the events wake the process again
  expect(await charges()).toMatchObject([{ status: 'succeeded', amount_refunded: 10 }]);
  expect(await shop.books.rows("select 1 from gateway_event where state = 'received'")).toEqual([]);
  await shop.books.expectCleanBooks();
});

test.each([events, recovering])(
  'a charge that was declined and took its money later is recorded once, %s',
  async (_, tell) => {
    const { invoice, answer, reference } = await charge(30, 'pm_card_visa_chargeDeclined');
    expect(answer.status).toBe(400);
    expect(await charges()).toMatchObject([{ status: 'failed' }]);
    takeAtStripe(reference);
    await tell();
    await tell();
    expect(await charges()).toMatchObject([{ status: 'succeeded', gateway_id: reference, failure_message: null }]);
    expect(await payments()).toMatchObject([{ amount: 30, balance: 0, voided: false }]);
    expect(await shop.books.readInvoice(invoice)).toMatchObject({ paid: true, balance: 0 });
    await shop.books.expectCleanBooks();
    expect((await shop.recover()).codes).toEqual([0, 0]);
  },
);

test.each([events, recovering])(
  'a charge that was pending, then abandoned, and took its money is recorded, %s',
  async (_, tell) => {
    shop.books.api.stripe.fail({ request: CONFIRM, how: 'cut_before', times: TRIES });
    const { invoice, answer, reference } = await charge(20, 'pm_card_visa');
    expect(answer.body).toMatchObject({ charge: { status: 'pending' } });
    await settle();
    expect(await charges()).toMatchObject([{ status: 'failed' }]);
    takeAtStripe(reference);
    await tell();
    expect(await charges()).toMatchObject([{ status: 'succeeded' }]);
    expect(await payments()).toMatchObject([{ amount: 20, balance: 0, voided: false }]);
    expect(await shop.books.readInvoice(invoice)).toMatchObject({ paid: true });
    await shop.books.expectCleanBooks();
  },
);

test('a charge that Stripe refused, and that took its money, has no row before and all of it then', async () => {
  shop.books.api.stripe.fail({ request: CONFIRM, how: 'payment_method_unactivated' });
  const { invoice, answer, reference } = await charge(20, 'pm_card_visa');
  expect(answer.status).toBe(400);
  expect(await charges()).toEqual([]);
  takeAtStripe(reference);
  await hear();
  expect(await charges()).toMatchObject([{ status: 'succeeded' }]);
  expect(await shop.books.readInvoice(invoice)).toMatchObject({ paid: true });
  await shop.books.expectCleanBooks();
});

test('the money of a charge whose invoice was paid otherwise stays unapplied, and a task says so', async () => {
  const { invoice, reference } = await charge(30, 'pm_card_visa_chargeDeclined');
  await shop.books.pay(30, [cash(invoice, 30)], { method: 'check' });
  takeAtStripe(reference);
  await hear();
  expect(await payments()).toMatchObject([
    { amount: 30, balance: 0, charge: null },
    { amount: 30, balance: 30, charge: { status: 'succeeded' } },
  ]);
  const tasks: Answer['body'][] = (await shop.books.api.sandbox.get(`/tasks?filter[customer]=${shop.books.customer}`))
    .body;
  expect(tasks).toMatchObject([{ action: 'review', name: expect.stringContaining('Unapplied: 30.00 usd') }]);
  await shop.books.expectCleanBooks();
});

test('events about a charge that was not made change nothing while it is not', async () => {
  await charge(30, 'pm_card_visa_chargeDeclined');
  shop.books.api.stripe.fail({ request: CONFIRM, how: 'payment_method_unactivated' });
  await charge(20, 'pm_card_visa');
  await hear();
  expect(await charges()).toMatchObject([{ status: 'failed' }]);
  expect(await payments()).toEqual([]);
  const states = `select distinct state from gateway_event where attempt_id in (select id from attempt where customer_id = ?)`;
  expect(await shop.books.rows(states, [shop.books.customer])).toEqual([{ state: 'processed' }]);
});

test('a card that was stored at Stripe, although its storing was given up, is recorded', async () => {
  const { sandbox, stripe } = shop.books.api;
  stripe.fail({ request: CONFIRM, how: 'cut_before', times: TRIES });
  const source = { method: 'credit_card', gateway_token: 'pm_card_visa' };
  await sandbox.post(`/customers/${shop.books.customer}/payment_sources`, source);
  await settle();
  const [attempt] = await shop.books.rows('select kind, state, reference from attempt order by id desc limit 1');
  expect(attempt).toMatchObject({ kind: 'vault', state: 'abandoned' });
  const intent: Intent = found(stripe.world.setups, String(attempt?.reference), 'setup_intent');
  const { method, ...stored } = readMethod(stripe.world, 'pm_card_visa');
  stripe.world.methods.set('pm_stored', {
    ...stored,
    method: { ...method, id: 'pm_stored', customer: intent.customer },
  });
  Object.assign(intent, { status: 'succeeded', cancellation_reason: null, payment_method: 'pm_stored' });
  tell(stripe.world, 'setup_intent.succeeded', intent);
  await hear();
  expect(await shop.books.rows('select state from attempt order by id desc limit 1')).toEqual([{ state: 'succeeded' }]);
  const { body: sources } = await sandbox.get(`/customers/${shop.books.customer}/payment_sources`);
  expect(sources).toMatchObject([{ last4: '4242' }]);
});
