import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createStripeGateway } from '../../adapters/gateways/stripe/gateway.ts';
import { never, type StartedStripe, startedStripe, vaulting } from './stripe/started.ts';

/** Charges by Stripe when requests get lost, and what the adapter refuses. */

let stripe: StartedStripe;
beforeAll(async () => {
  stripe = await startedStripe();
});
afterAll(() => stripe.server.close());

const captures = (reference: string) => stripe.server.world.captures.get(reference) ?? 0;
const CONFIRM = /^POST .*\/confirm$/;
/** The SDK sends a request at most this often. */
const TRIES = 3;

test('a confirmation whose answers are lost is unknown; looking shows that the money was taken once', async () => {
  const reference = await stripe.prepared(stripe.charge());
  stripe.server.fail({ request: CONFIRM, how: 'silent_after', times: TRIES });
  await expect(stripe.confirm(reference)).rejects.toThrow('timeout');
  expect(await stripe.look(reference)).toMatchObject({ status: 'succeeded', source: { last4: '4242' } });
  expect(captures(reference)).toBe(1);
  expect(await stripe.abandon(reference)).toBe(false);
});

test('a confirmation that never arrives is unknown; it can be abandoned, and takes no money later', async () => {
  const reference = await stripe.prepared(stripe.charge());
  stripe.server.fail({ request: CONFIRM, how: 'silent_before', times: TRIES });
  await expect(stripe.confirm(reference)).rejects.toThrow('timeout');
  expect(await stripe.look(reference)).toEqual({ status: 'unconfirmed' });
  expect(await stripe.abandon(reference)).toBe(true);
  expect(await stripe.confirm(reference)).toEqual({ status: 'abandoned' });
  expect(captures(reference)).toBe(0);
});

test.each(['silent_before', 'silent_after', 'cut_before', 'cut_after', 'broken'] as const)(
  'a request that fails once (%s) is sent again with the same key, and the money is taken once',
  async (how) => {
    const reference = await stripe.prepared(stripe.charge());
    stripe.server.fail({ request: CONFIRM, how });
    expect(await stripe.confirm(reference)).toMatchObject({ status: 'succeeded' });
    expect(captures(reference)).toBe(1);
    const sent = stripe.asked(new RegExp(`${reference}/confirm`));
    expect(sent.map(({ key }) => key)).toEqual([`confirm-${reference}`, `confirm-${reference}`]);
  },
);

test('too many requests leave the outcome unknown, and are not sent again', async () => {
  const reference = await stripe.prepared(stripe.charge());
  stripe.server.fail({ request: CONFIRM, how: 'rate_limited' });
  await expect(stripe.confirm(reference)).rejects.toThrow('Too fast.');
  expect(stripe.asked(new RegExp(`${reference}/confirm`))).toHaveLength(1);
  expect(await stripe.look(reference)).toEqual({ status: 'unconfirmed' });
});

test('errors of Stripe leave the outcome unknown after three tries', async () => {
  const reference = await stripe.prepared(stripe.charge());
  stripe.server.fail({ request: CONFIRM, how: 'broken', times: TRIES });
  await expect(stripe.confirm(reference)).rejects.toThrow('Stripe is broken.');
  expect(stripe.asked(new RegExp(`${reference}/confirm`))).toHaveLength(TRIES);
  expect(await stripe.look(reference)).toMatchObject({ status: 'succeeded' });
});

test('a preparation whose answer is lost is repeated with the same reference', async () => {
  const operation = stripe.charge();
  const before = stripe.server.world.payments.size;
  stripe.server.fail({ request: /^POST .*payment_intents$/, how: 'silent_after', times: TRIES });
  await expect(stripe.prepared(operation)).rejects.toThrow('timeout');
  expect(await stripe.look(await stripe.prepared(operation))).toEqual({ status: 'unconfirmed' });
  expect(stripe.server.world.payments.size).toBe(before + 1);
});

test("no request is sent after the caller's time is over", async () => {
  const reference = await stripe.prepared(stripe.charge());
  stripe.server.fail({ request: new RegExp(`^GET .*${reference}$`), how: 'silent_before' });
  const startedAt = performance.now();
  await expect(stripe.gateway.confirm(reference, 0, AbortSignal.timeout(50))).rejects.toThrow('timeout');
  expect(performance.now() - startedAt).toBeLessThan(600); // the first try alone takes 400, and the next begins 500 later
  await expect(stripe.gateway.confirm(reference, 0, AbortSignal.abort())).rejects.toThrow('abort');
  expect(stripe.asked(new RegExp(`${reference}/confirm`))).toEqual([]);
});

test('a decline stays a decline when Stripe has forgotten the keys of requests', async () => {
  const { reference, outcome } = await stripe.made(stripe.charge({ instrument: { token: 'pm_declines_lost_card' } }));
  const decline = { status: 'failed', kind: 'hard', code: 'lost_card', source: { last4: '4242' } };
  expect(outcome).toMatchObject(decline);
  stripe.server.forgetKeys();
  expect(await stripe.confirm(reference)).toMatchObject(decline);
  expect(stripe.asked(new RegExp(`${reference}/confirm`))).toHaveLength(1);
  expect(await stripe.abandon(reference)).toBe(true);
  expect(await stripe.look(reference)).toEqual(outcome);
});

test('a confirmation that Stripe refuses without trying the card is no decline, and the charge can never happen', async () => {
  const { method } = stripe.server.world.methods.get((await stripe.vault('pm_card_visa')).reference) ?? {};
  const reference = await stripe.prepared(stripe.charge({ instrument: { reference: method?.id ?? '' } }));
  if (method) method.customer = 'cus_other'; // as if it had been moved meanwhile
  const refused = { isUnmade: true, message: 'The PaymentMethod belongs to another Customer. (request req_1)' };
  await expect(stripe.confirm(reference)).rejects.toMatchObject(refused);
  expect(stripe.server.world.payments.get(reference)?.status).toBe('canceled');
  expect(captures(reference)).toBe(0);
});

test('a wrong secret key says nothing of a charge that is looked up', async () => {
  const access = { secretKey: 'sk_test_unknown', server: stripe.server.address };
  const wrong = createStripeGateway({
    home: 'https://billing.example',
    ...access,
    webhookSecret: 'whsec_1',
    customers: stripe.customers,
    deployment: 'p1',
  });
  const reference = await stripe.prepared(stripe.charge());
  const refused = { isUnmade: false, message: expect.stringContaining('Invalid API Key') };
  await expect(wrong.confirm(reference, 0, never)).rejects.toMatchObject(refused);
  await expect(wrong.look(reference, 0, never)).rejects.toMatchObject(refused);
  await expect(wrong.abandon(reference, never)).rejects.toMatchObject(refused);
});

test.each([
  ['a currency that Stripe does not take', { currency: 'clf', amount: '1.0000' }, 'soft', 'currency_unsupported'],
  ['an amount that Stripe cannot take exactly', { currency: 'kwd', amount: '5.124' }, 'soft', 'amount_unsupported'],
  ['an unknown token', { instrument: { token: 'pm_unknown' } }, 'hard', 'invalid_token'],
  ['a card number as a token', { instrument: { token: 'tok_4242424242424242' } }, 'hard', 'invalid_token'],
  ['an unknown source', { instrument: { reference: 'pm_unknown' } }, 'hard', 'source_deleted'],
  ['a method that is not taken', { instrument: { token: 'pm_klarna' } }, 'hard', 'method_unsupported'],
] as const)('%s is declined without a charge', async (_what, more, kind, code) => {
  const { reference, outcome } = await stripe.made(stripe.charge(more));
  expect(outcome).toMatchObject({ status: 'failed', kind, code, message: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(await stripe.look(reference)).toEqual(outcome);
  expect(await stripe.abandon(reference)).toBe(true);
  expect(reference.length).toBeLessThanOrEqual(255);
});

test('a card number never reaches Stripe', () => {
  expect(JSON.stringify(stripe.server.asked)).not.toContain('4242424242424242');
});

test('a token must not stand for a stored source', async () => {
  const { reference } = await stripe.vault('pm_card_visa');
  const { outcome } = await stripe.made(stripe.charge({ instrument: { token: reference } }));
  expect(outcome).toMatchObject({ status: 'failed', code: 'invalid_token' });
});

test('a charge that is to keep its card stores it for later charges', async () => {
  const { outcome } = await stripe.made(stripe.charge({ vault: true, instrument: { token: 'pm_card_mastercard' } }));
  const source = { type: 'card', brand: 'Mastercard', last4: '4444', expMonth: 12, expYear: 2034, funding: 'debit' };
  expect(outcome).toMatchObject({ status: 'succeeded', source: { ...source, bankName: null, verified: null } });
  const reference = 'source' in outcome ? (outcome.source?.reference ?? '') : '';
  expect((await stripe.made(stripe.charge({ instrument: { reference } }))).outcome).toMatchObject({
    status: 'succeeded',
  });
  expect(stripe.asked(CONFIRM).at(-1)?.params).toMatchObject({ off_session: 'true', payment_method: reference });
});

test('a card that is not to be kept cannot be charged again', async () => {
  const { outcome } = await stripe.made(stripe.charge());
  const reference = 'source' in outcome ? (outcome.source?.reference ?? '') : '';
  const again = await stripe.made(stripe.charge({ instrument: { reference } }));
  expect(again.outcome).toMatchObject({ status: 'failed', kind: 'hard', code: 'source_deleted' });
});

test('a customer is created at Stripe once, also by simultaneous charges and when Stripe has forgotten the key', async () => {
  const owner = { accountId: 7, customerId: 71 };
  const references = await Promise.all([1, 2, 3].map(() => stripe.prepared({ ...stripe.charge(), ...owner })));
  stripe.server.forgetKeys();
  references.push(await stripe.prepared({ ...stripe.charge(), ...owner }));
  const customers = references.map((reference) => stripe.server.world.payments.get(reference)?.customer);
  expect(new Set(customers).size).toBe(1);
});

test('where Stripe offers no search, a customer is created once as long as Stripe knows the key', async () => {
  const owner = { accountId: 7, customerId: 72 };
  stripe.server.fail({ request: /customers\/search$/, how: 'without_code', times: 2 });
  const references = [await stripe.prepared({ ...stripe.charge(), ...owner })];
  references.push(await stripe.prepared({ ...stripe.charge(), ...owner }));
  const customers = references.map((reference) => stripe.server.world.payments.get(reference)?.customer);
  expect(customers[0]).toMatch(/^cus_/);
  expect(customers[1]).toBe(customers[0]);
});

test('requests name the API version and carry no telemetry', () => {
  for (const { headers } of stripe.server.asked) {
    expect(headers['stripe-version']).toBe('2026-10-28.endive');
    expect(headers['x-stripe-client-telemetry']).toBeUndefined();
  }
});

test.each(['charge', 'vault'] as const)(
  'a %s that waits for an authentication which nobody can give is cancelled and declined by each look, also after a crash',
  async (kind) => {
    const token = 'pm_card_authenticationRequired';
    const operation = kind === 'charge' ? stripe.charge({ instrument: { token } }) : vaulting(token);
    const reference = await stripe.prepared(operation);
    stripe.server.fail({ request: CONFIRM, how: 'silent_after', times: TRIES });
    await expect(stripe.confirm(reference)).rejects.toThrow('timeout');
    const declined = { status: 'failed', kind: 'needs_customer', code: 'authentication_required' };
    stripe.server.fail({ request: /^POST .*\/cancel$/, how: 'silent_after', times: TRIES });
    await expect(stripe.look(reference)).rejects.toThrow('timeout'); // the answer to the cancellation is lost
    for (let look = 0; look < 2; look += 1) expect(await stripe.look(reference)).toMatchObject(declined);
    const { payments, setups } = stripe.server.world;
    expect((payments.get(reference) ?? setups.get(reference))?.status).toBe('canceled');
    expect(captures(reference)).toBe(0);
  },
);
