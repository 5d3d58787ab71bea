import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { signedEvent } from '../../adapters/stripe/events.ts';
import { deleteCustomer, detach, replaceCard } from '../../adapters/stripe/methods.ts';
import { refused, send } from '../../support/api.ts';
import { type Credits, startCredits } from '../../support/credits.ts';
import { steppedTime } from '../../support/steppedTime.ts';
import { until } from '../../support/wait.ts';

/** Stored cards change at Stripe: a bank replaces one, somebody detaches one or deletes its customer. Events are hints; Stripe is read. */

const time = steppedTime(new Date().toISOString());
const SECRET = 'whsec_of_cards';
let books: Credits;
let address: string;
/** The current customer's card: its id, and its ids at Stripe. */
let card: { id: number; method: string; customer: string };
beforeAll(async () => {
  books = await startCredits(time.systemNow);
  const secrets = { secret_key: 'sk_test_Rome2027', publishable_key: 'pk_test_Rome2027', event_secret: SECRET };
  const made = await books.api.sandbox.make('/merchant_accounts', { gateway: 'stripe', name: 'Stripe', ...secrets });
  address = new URL(made.events_url).pathname;
});
afterAll(() => books.api.close());
beforeEach(async () => {
  await books.begin();
  card = await store();
});

async function store() {
  const source = { method: 'credit_card', gateway_token: 'pm_card_visa' };
  const { id } = await books.api.sandbox.make(`/customers/${books.customer}/payment_sources`, source);
  const [row] = await books.rows('select gateway_id, gateway_customer from payment_source where id = ?', [id]);
  return { id, method: String(row?.gateway_id), customer: String(row?.gateway_customer) };
}

/** Sends an event as Stripe does. */
function hear(event: object, secret = SECRET) {
  const { headers, body } = signedEvent(event, { secret, configuration: '' });
  const sent = { 'Content-Type': 'application/json', 'Stripe-Signature': headers['stripe-signature'] ?? '' };
  return send(`${books.api.origin}${address}`, { method: 'POST', body, headers: sent });
}

const last = (type: string) => books.api.stripe.world.events.findLast((event) => event.type === type) ?? {};
const read = async ({ id } = card) =>
  (
    await books.rows(
      'select last4, exp_year, chargeable, failure_reason, deleted_at from payment_source where id = ?',
      [id],
    )
  )[0];
const events = async ({ id } = card) =>
  (
    await books.rows("select type from event where subject_type = 'payment_source' and subject_id = ? order by id", [
      id,
    ])
  ).map(({ type }) => type);
const tasks = async () => (await books.api.sandbox.get(`/tasks?filter[customer]=${books.customer}`)).body;

test('a card that its bank replaces has its new number and expiry, and the notice of the old expiry is planned anew', async () => {
  const { world } = books.api.stripe;
  await books.api.sandbox.patch(`/customers/${books.customer}`, { autopay: true });
  const due = () => books.rows("select at from wakeup where process = 'payment_source' and subject_id = ?", [card.id]);
  const [before] = await due();
  replaceCard(world, card.method, { last4: '1881', exp_year: 2039 });
  const event = last('payment_method.automatically_updated');
  expect((await hear(event)).status).toBe(200);
  expect(await read()).toMatchObject({ last4: '1881', exp_year: 2039, chargeable: true });
  const [after] = await due();
  expect(Number(new Date(String(after?.at)))).toBeGreaterThan(Number(new Date(String(before?.at))));
  expect((await hear(event)).status).toBe(200);
  expect(await events()).toEqual(['payment_source.created', 'payment_source.updated']);
  expect(await books.rows("select body from gateway_event where type like 'payment_method%'")).toEqual([{ body: '' }]);
});

test('what an event says is not believed: Stripe is read', async () => {
  const object = { id: card.method, object: 'payment_method', customer: null, card: { last4: '6666' } };
  expect((await hear({ id: 'evt_lie', type: 'payment_method.detached', data: { object } })).status).toBe(200);
  expect(await read()).toMatchObject({ last4: '4242', chargeable: true });
});

test('the answer to a charge updates its card, too', async () => {
  replaceCard(books.api.stripe.world, card.method, { last4: '1117', exp_year: 2041 });
  const charge = { customer: books.customer, amount: 5, currency: 'usd', method: 'credit_card' };
  const applied = {
    applied_to: [{ type: 'credit', amount: 5 }],
    payment_source_id: card.id,
    payment_source_type: 'card',
  };
  const { body } = await books.api.sandbox.post('/charges', { ...charge, ...applied });
  expect(body).toMatchObject({ charge: { payment_source: { last4: '1117' } } });
  expect(await read()).toMatchObject({ last4: '1117', exp_year: 2041 });
});

test.each(['detached', 'deleted'] as const)(
  'a card that is %s at Stripe ends, once, with a task, and its owner is mailed if AutoPay charges it',
  async (how) => {
    const { world } = books.api.stripe;
    const isCharged = how === 'detached';
    await books.api.sandbox.patch(`/customers/${books.customer}`, { autopay: isCharged, email: 'payer@example.com' });
    if (how === 'detached') detach(world, card.method);
    else deleteCustomer(world, card.customer);
    const event = last(how === 'detached' ? 'payment_method.detached' : 'customer.deleted');
    for (let times = 0; times < 2; times += 1) expect((await hear(event)).status).toBe(200);
    expect(await read()).toMatchObject({ chargeable: false, failure_reason: 'removed_at_gateway', deleted_at: null });
    expect(await events()).toEqual(['payment_source.created', 'payment_source.updated']);
    expect(await tasks()).toMatchObject([
      { name: expect.stringContaining('ending in 4242 was removed'), action: 'review' },
    ]);
    const mails = await mailed();
    expect(mails.map(({ to }) => to)).toEqual(isCharged ? ['payer@example.com'] : []);
    for (const { text } of mails)
      expect(text).toMatch(/Visa ending in 4242.* this payment method can no longer be charged/s);
  },
);

/** The notices of sources that are gone. */
const mailed = () =>
  books.rows(
    `select to_address as to, text from email where customer_id = ? and template = 'payment_source_removed_email'`,
    [books.customer],
  );

test('a charge of a card that is gone ends it, without any event of Stripe', async () => {
  detach(books.api.stripe.world, card.method);
  const charge = { customer: books.customer, amount: 5, currency: 'usd', method: 'credit_card' };
  const applied = {
    applied_to: [{ type: 'credit', amount: 5 }],
    payment_source_id: card.id,
    payment_source_type: 'card',
  };
  expect((await books.api.sandbox.post('/charges', { ...charge, ...applied })).status).toBe(400);
  expect(await read()).toMatchObject({ chargeable: false, failure_reason: 'removed_at_gateway' });
  expect(await tasks()).toHaveLength(1);
});

test('a card that is detached while it is charged ends, and is no problem of the merchant account', async () => {
  const { sandbox, stripe } = books.api;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  stripe.fail({ request: /^POST .*payment_intents$/, how: { held } });
  const applied = { applied_to: [{ type: 'credit', amount: 5 }] };
  const by = { method: 'credit_card', payment_source_id: card.id, payment_source_type: 'card' };
  const asked = sandbox.post('/charges', { customer: books.customer, amount: 5, currency: 'usd', ...by, ...applied });
  const isAsked = () => stripe.asked.at(-1)?.path === '/v1/payment_intents';
  await until(isAsked, { what: 'the request for an intent' });
  detach(stripe.world, card.method);
  release();
  expect(await asked).toMatchObject(refused({ code: 'card_declined', decline_code: 'source_blocked' }));
  expect(await read()).toMatchObject({ chargeable: false, failure_reason: 'removed_at_gateway' });
  expect(await tasks()).toHaveLength(1);
  expect((await sandbox.get('/problems')).body).toEqual([]);
});

test('a card that is detached before it is recorded ends, although its event has found nothing', async () => {
  const { sandbox, stripe } = books.api;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await sandbox.patch(`/customers/${books.customer}`, { autopay: true, email: 'payer@example.com' });
  const known = new Set(stripe.world.methods.keys());
  stripe.fail({ request: /^POST .*setup_intents\/\w+\/confirm$/, how: { answerHeld: held } });
  const source = { method: 'credit_card', gateway_token: 'pm_card_mastercard', make_default: true };
  const asked = sandbox.make(`/customers/${books.customer}/payment_sources`, source);
  const stored = () =>
    [...stripe.world.methods.values()].find(({ method: { id, customer } }) => customer && !known.has(id));
  const method = (await until(stored, { what: 'the method at Stripe' }))?.method.id ?? '';
  detach(stripe.world, method);
  expect((await hear(last('payment_method.detached'))).status).toBe(200);
  release();
  const { id } = await asked;
  expect(await read({ ...card, id })).toMatchObject({ chargeable: false, failure_reason: 'removed_at_gateway' });
  expect(await tasks()).toHaveLength(1);
  expect(await mailed()).toHaveLength(1);
});

test('our own deletion sends no notice', async () => {
  await books.api.sandbox.delete(`/customers/${books.customer}/cards/${card.id}`);
  expect((await hear(last('payment_method.detached'))).status).toBe(200);
  expect(await events()).toEqual(['payment_source.created', 'payment_source.deleted']);
  expect(await tasks()).toEqual([]);
  expect(await mailed()).toEqual([]);
});

test('an event without an answer of Stripe is sent again, and then taken', async () => {
  detach(books.api.stripe.world, card.method);
  const event = last('payment_method.detached');
  books.api.stripe.fail({ request: /^GET .*payment_methods/, how: 'broken', times: 3 });
  expect((await hear(event)).status).toBeGreaterThanOrEqual(400);
  expect(await read()).toMatchObject({ chargeable: true });
  expect((await hear(event)).status).toBe(200);
  expect(await read()).toMatchObject({ chargeable: false });
});

test('an event of a megabyte is refused, and changes nothing', async () => {
  detach(books.api.stripe.world, card.method);
  const event = { ...last('payment_method.detached'), padding: 'x'.repeat(1_000_000) };
  expect((await hear(event)).status).toBe(400);
  expect(await read()).toMatchObject({ chargeable: true });
});

test('events of other secrets, methods and customers do nothing', async () => {
  detach(books.api.stripe.world, card.method);
  const event = last('payment_method.detached');
  expect((await hear(event, 'whsec_of_others')).status).toBe(400);
  const asked = books.api.stripe.asked.length;
  const other = { id: 'pm_other', object: 'payment_method' };
  expect((await hear({ id: 'evt_other', type: 'payment_method.updated', data: { object: other } })).status).toBe(200);
  expect(books.api.stripe.asked.length).toBe(asked);
  expect(await read()).toMatchObject({ chargeable: true });
});

/** Customers at Stripe. */
const chargeToken = () =>
  books.api.sandbox.post('/charges', {
    customer: books.customer,
    amount: 5,
    currency: 'usd',
    method: 'credit_card',
    gateway_token: 'pm_card_mastercard',
    applied_to: [{ type: 'credit', amount: 5 }],
  });
const known = async () =>
  (await books.rows('select reference, generation from gateway_customer where customer_id = ?', [books.customer]))[0];

test('one error of Stripe at the creation of a customer blocks no charge', async () => {
  await books.begin();
  books.api.stripe.fail({ request: /^POST .*customers$/, how: 'failed_before' });
  expect((await chargeToken()).status).toBe(201);
  expect(await known()).toEqual({ reference: expect.stringMatching(/^cus_/), generation: 1 });
});

test('a customer that was deleted at Stripe is made anew, and its sources end with one task each', async () => {
  const other = await store();
  deleteCustomer(books.api.stripe.world, card.customer);
  expect((await chargeToken()).status).toBe(201);
  for (const one of [card, other])
    expect(await read(one)).toMatchObject({ chargeable: false, failure_reason: 'removed_at_gateway' });
  const { reference, generation } = (await known()) ?? {};
  expect([reference === card.customer, generation]).toEqual([false, 1]);
  expect(await tasks()).toHaveLength(2);
  expect(await read(await store())).toMatchObject({ chargeable: true });
});

test('customers that are merged keep the one at Stripe of the customer that stays', async () => {
  const kept = await known();
  const [stays, merged] = [books.customer, (await books.api.sandbox.make('/customers', { name: 'Double' })).id];
  books.customer = merged;
  const moved = await store();
  await books.api.sandbox.post(`/customers/${stays}/merge`, { customer: merged });
  books.customer = stays;
  expect(await known()).toEqual(kept);
  expect(await books.rows('select 1 from gateway_customer where customer_id = ?', [merged])).toEqual([]);
  const applied = {
    applied_to: [{ type: 'credit', amount: 5 }],
    payment_source_id: moved.id,
    payment_source_type: 'card',
  };
  const charge = { customer: stays, amount: 5, currency: 'usd', method: 'credit_card' };
  expect((await books.api.sandbox.post('/charges', { ...charge, ...applied })).status).toBe(201);
});
