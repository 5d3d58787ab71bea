import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answerChallenge } from './stripe/payments.ts';
import { answerSetupChallenge } from './stripe/setups.ts';
import { deleting, never, type StartedStripe, startedStripe, vaulting } from './stripe/started.ts';

/** Stored cards at Stripe, and the authentication that banks ask of card holders. */

let stripe: StartedStripe;
beforeAll(async () => {
  stripe = await startedStripe();
});
afterAll(() => stripe.server.close());

const payer = { returnUrl: 'https://shop.example/back', ip: '192.0.2.7', userAgent: 'Mozilla/5.0' };
const challenged = { token: 'pm_card_authenticationRequired' };
const declined = { status: 'failed', kind: 'needs_customer' };
const challengeOf = (reference: string) => stripe.gateway.challenge(reference, 0, never);

test('a stored card is deleted once, and can never be charged again', async () => {
  const { reference } = await stripe.vault('pm_card_visa');
  const operation = deleting(reference);
  const deletion = await stripe.prepared(operation);
  expect(await stripe.look(deletion)).toEqual({ status: 'unconfirmed' });
  stripe.server.fail({ request: /detach$/, how: 'silent_after', times: 3 });
  await expect(stripe.confirm(deletion)).rejects.toThrow('timeout');
  expect(await stripe.look(deletion)).toEqual({ status: 'succeeded', source: null });
  expect(await stripe.confirm(deletion)).toEqual({ status: 'succeeded', source: null });
  expect(await stripe.abandon(deletion)).toBe(false);
  const { outcome } = await stripe.made(stripe.charge({ instrument: { reference } }));
  expect(outcome).toMatchObject({ status: 'failed', kind: 'hard', code: 'source_deleted' });
});

test('a deletion that was abandoned does not happen later', async () => {
  const { reference } = await stripe.vault('pm_card_visa');
  const deletion = await stripe.prepared(deleting(reference));
  expect(await stripe.abandon(deletion)).toBe(true);
  expect(await stripe.confirm(deletion)).toEqual({ status: 'abandoned' });
  expect(await stripe.look(deletion)).toEqual({ status: 'abandoned' });
  const { outcome } = await stripe.made(stripe.charge({ instrument: { reference } }));
  expect(outcome).toMatchObject({ status: 'succeeded' });
});

test('a source that Stripe does not know is as good as deleted', async () => {
  expect((await stripe.made(deleting('pm_unknown'))).outcome).toEqual({ status: 'succeeded', source: null });
});

test('a card that cannot be stored is declined', async () => {
  const { reference, outcome } = await stripe.made(vaulting('pm_declines_expired_card'));
  expect(outcome).toMatchObject({ status: 'failed', kind: 'hard', code: 'expired_card' });
  expect(await stripe.look(reference)).toEqual(outcome);
});

test.each([
  ['a bank account as a card', 'pm_usBankAccount_success', 'credit_card', 'method_unsupported'],
  ['a card as a bank account', 'pm_card_visa', 'ach', 'method_unsupported'],
  ['an unknown token', 'pm_unknown', 'credit_card', 'invalid_token'],
] as const)('%s is not stored', async (_what, token, method, code) => {
  const { outcome } = await stripe.made(vaulting(token, method));
  expect(outcome).toMatchObject({ status: 'failed', kind: 'hard', code });
});

test('a vaulting whose answer is lost stores the card once', async () => {
  const reference = await stripe.prepared(vaulting('pm_card_visa'));
  stripe.server.fail({ request: /^POST .*setup_intents.*confirm$/, how: 'silent_after', times: 3 });
  await expect(stripe.confirm(reference)).rejects.toThrow('timeout');
  expect(await stripe.look(reference)).toMatchObject({ status: 'succeeded', source: { last4: '4242' } });
  expect(await stripe.abandon(reference)).toBe(false);
});

test('a vaulting that was abandoned stores nothing later', async () => {
  const reference = await stripe.prepared(vaulting('pm_card_visa'));
  expect(await stripe.abandon(reference)).toBe(true);
  expect(await stripe.confirm(reference)).toEqual({ status: 'abandoned' });
});

test('a charge that needs the customer is declined when nobody is there, and never asks anybody', async () => {
  const byToken = await stripe.made(stripe.charge({ instrument: challenged }));
  expect(byToken.outcome).toMatchObject({ ...declined, code: 'authentication_required' });
  expect(await stripe.look(byToken.reference)).toEqual(byToken.outcome);
  expect(await challengeOf(byToken.reference)).toBeNull();
});

test('a vaulting that needs the customer is declined when nobody is there, and cannot be completed', async () => {
  const { reference, outcome } = await stripe.made(vaulting(challenged.token));
  expect(outcome).toMatchObject({ ...declined, code: 'authentication_required' });
  expect(await stripe.look(reference)).toEqual(outcome);
  expect(() => answerSetupChallenge(stripe.server.world, reference, true)).toThrow('canceled');
});

test('a stored card that needs the customer is declined when nobody is there', async () => {
  const operation = { ...vaulting(challenged.token), payer };
  const reference = await stripe.prepared(operation);
  await stripe.confirm(reference);
  answerSetupChallenge(stripe.server.world, reference, true);
  const stored = await stripe.look(reference);
  const source = stored.status === 'succeeded' ? (stored.source?.reference ?? '') : '';
  const { outcome } = await stripe.made(stripe.charge({ instrument: { reference: source } }));
  expect(outcome).toMatchObject({ ...declined, code: 'authentication_required' });
});

test('a payer who is there is led to the page of the bank, and pays once', async () => {
  const { reference, outcome } = await stripe.made({ ...stripe.charge({ instrument: challenged }), payer });
  expect(outcome).toMatchObject({ status: 'pending', source: { last4: '3184' } });
  expect(await challengeOf(reference)).toBe('https://hooks.stripe.test/3d_secure');
  expect(stripe.asked(/confirm$/).at(-1)?.params).toMatchObject({ return_url: payer.returnUrl });
  expect(await stripe.confirm(reference)).toEqual(outcome);
  answerChallenge(stripe.server.world, reference, true);
  expect(await stripe.look(reference)).toMatchObject({ status: 'succeeded' });
  expect(await challengeOf(reference)).toBeNull();
  expect(stripe.server.world.captures.get(reference)).toBe(1);
});

test('a payer who fails the challenge of the bank has not paid', async () => {
  const { reference } = await stripe.made({ ...stripe.charge({ instrument: challenged }), payer });
  answerChallenge(stripe.server.world, reference, false);
  expect(await stripe.look(reference)).toMatchObject({ ...declined, code: 'payment_intent_authentication_failure' });
});

test('a payer who does not come back can no longer pay once the charge is abandoned', async () => {
  const { reference } = await stripe.made({ ...stripe.charge({ instrument: challenged }), payer });
  expect(await stripe.abandon(reference)).toBe(true);
  expect(await stripe.look(reference)).toEqual({ status: 'abandoned' });
  expect(() => answerChallenge(stripe.server.world, reference, true)).toThrow('canceled');
});

test('a payer who is there can pay by a stored card that needs the challenge', async () => {
  const reference = await stripe.prepared({ ...vaulting(challenged.token), payer });
  expect(await stripe.confirm(reference)).toMatchObject({ status: 'pending' });
  expect(await challengeOf(reference)).toBe('https://hooks.stripe.test/3d_secure');
  answerSetupChallenge(stripe.server.world, reference, true);
  const stored = await stripe.look(reference);
  const source = stored.status === 'succeeded' ? (stored.source?.reference ?? '') : '';
  const paid = await stripe.made({ ...stripe.charge({ instrument: { reference: source } }), payer });
  expect(paid.outcome).toMatchObject({ status: 'pending' });
});

test('a payer who fails the challenge of a vaulting has stored nothing', async () => {
  const reference = await stripe.prepared({ ...vaulting(challenged.token), payer });
  await stripe.confirm(reference);
  answerSetupChallenge(stripe.server.world, reference, false);
  expect(await stripe.look(reference)).toMatchObject({ ...declined, code: 'setup_intent_authentication_failure' });
});

test.each([
  ['pm_card_visa', { type: 'card', brand: 'Visa', funding: 'credit', last4: '4242' }],
  ['ctoken_card_visa', { type: 'card', brand: 'Visa', funding: 'credit', last4: '4242' }],
  ['ctoken_card_mastercard', { type: 'card', brand: 'Mastercard', funding: 'debit', last4: '4444' }],
  ['pm_usBankAccount_success', { type: 'bank_account', brand: null, funding: null, last4: '6789' }],
  ['ctoken_sepaDebit', { type: 'bank_account', brand: null, funding: null, last4: '3000' }],
  ['pm_klarna', null],
  ['pm_unknown', null],
  ['ctoken_unknown', null],
  ['tok_4242424242424242', null],
  ["pm_card_visa' or 1=1", null],
])('the token %s is described as %j', async (token, described) => {
  expect(await stripe.gateway.describe?.(token, never)).toEqual(described);
});

test('a source that a customer has stored is no token', async () => {
  const { reference } = await stripe.vault('pm_card_visa');
  expect(await stripe.gateway.describe?.(reference, never)).toBeNull();
});
