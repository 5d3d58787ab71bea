import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOfFault } from '../../adapters/gateways/stripe/errors.ts';
import { detach } from './stripe/methods.ts';
import type { Failure } from './stripe/server.ts';
import { type StartedStripe, startedStripe, vaulting } from './stripe/started.ts';

/** Errors of Stripe are told apart: configuration, request, decline and outage. */

let stripe: StartedStripe;
beforeAll(async () => {
  stripe = await startedStripe();
});
afterAll(() => stripe.server.close());

const CREATE = /^POST \/v1\/(payment|setup)_intents$/;
const CONFIRM = /^POST .*\/confirm$/;
const captures = (reference: string) => stripe.server.world.captures.get(reference) ?? 0;
const REFUSED = [
  'api_key_expired',
  'payment_method_unactivated',
  'account_invalid',
  'more_permissions_required',
  'without_code',
] as const;

test.each(REFUSED)('a creation that Stripe refuses is not made, and no decline: %s', async (how) => {
  const code = how === 'without_code' ? 'gateway_refused' : how;
  for (const operation of [stripe.charge(), vaulting('pm_card_visa')]) {
    stripe.server.fail({ request: CREATE, how });
    await expect(stripe.prepared(operation)).rejects.toMatchObject({ isUnmade: true, code });
  }
});

test.each(REFUSED)('a confirmation that Stripe refuses is not made, and takes no money: %s', async (how) => {
  const reference = await stripe.prepared(stripe.charge());
  stripe.server.fail({ request: CONFIRM, how });
  await expect(stripe.confirm(reference)).rejects.toMatchObject({
    isUnmade: true,
    message: expect.stringMatching(/^The|^This .*\(request req_1\)$/),
  });
  expect(captures(reference)).toBe(0);
});

test.each<Failure>(['silent_after', 'cut_after', 'broken', 'silent_before'])(
  'a key that is revoked after a confirmation without an answer (%j) proves nothing',
  async (how) => {
    const reference = await stripe.prepared(stripe.charge());
    stripe.server.fail({ request: CONFIRM, how });
    stripe.server.fail({ request: CONFIRM, how: 'more_permissions_required' });
    const error: unknown = await stripe.confirm(reference).catch((thrown) => thrown);
    expect(error).not.toMatchObject({ isUnmade: expect.anything() });
    const made = how !== 'silent_before';
    expect(await stripe.look(reference)).toMatchObject({ status: made ? 'succeeded' : 'unconfirmed' });
  },
);

test('an amount that Stripe does not take is a matter of the request', async () => {
  const refused = { isUnmade: true, code: 'amount_too_small', message: expect.stringContaining('at least 50 cents') };
  await expect(stripe.prepared(stripe.charge({ amount: '0.49' }))).rejects.toMatchObject(refused);
});

test('a look-up that Stripe refuses says nothing of the charge', async () => {
  const { reference } = await stripe.made(stripe.charge());
  stripe.server.fail({ request: /^GET .*payment_intents/, how: 'account_invalid' });
  await expect(stripe.look(reference)).rejects.toMatchObject({ isUnmade: false, code: 'account_invalid' });
  expect(await stripe.look(reference)).toMatchObject({ status: 'succeeded' });
});

const spent = (code: string) => ({ status: 'failed', kind: 'hard', code });

test('a payment method that was used up or detached is the payer’s fault, although Stripe names no code', async () => {
  await stripe.made(stripe.charge());
  const used = [...stripe.server.world.methods.keys()].at(-1) ?? '';
  for (const operation of [stripe.charge({ instrument: { token: used } }), vaulting(used)])
    expect((await stripe.made(operation)).outcome).toMatchObject(spent('invalid_token'));
  const stored = await stripe.vault('pm_card_visa');
  const reference = await stripe.prepared(stripe.charge({ instrument: stored }));
  detach(stripe.server.world, stored.reference);
  expect(await stripe.confirm(reference)).toMatchObject(spent('source_deleted'));
  expect(captures(reference)).toBe(0);
});

test('an intent whose last confirmation found its payment method used up is declined when it is looked up', async () => {
  const reference = await stripe.prepared(stripe.charge());
  const message = 'The PaymentMethod on this PaymentIntent was previously used, and may not be used again.';
  const intent = stripe.server.world.payments.get(reference) ?? {};
  Object.assign(intent, { last_payment_error: { type: 'invalid_request_error', message } });
  expect(await stripe.look(reference)).toMatchObject(spent('invalid_token'));
  Object.assign(intent, {
    last_payment_error: { type: 'invalid_request_error', code: 'token_already_used', message: '' },
  });
  expect(await stripe.look(reference)).toMatchObject(spent('invalid_token'));
});

test.each(['ctoken_expired_card_visa', 'ctoken_used_card_visa'])(
  'a token that has lived is declined: %s',
  async (token) => {
    const { outcome } = await stripe.made(stripe.charge({ instrument: { token } }));
    expect(outcome).toMatchObject(spent('invalid_token'));
  },
);

test('a request is the payer’s fault only if Stripe names a card, an account or a decline', () => {
  const type = 'invalid_request_error';
  expect(kindOfFault({ type })).toBe('refusal');
  expect(kindOfFault({ type, code: 'parameter_unknown' })).toBe('refusal');
  expect(kindOfFault({ type, code: 'amount_too_small' })).toBe('refusal');
  expect(kindOfFault({ type, code: 'resource_missing', param: 'customer' })).toBe('refusal');
  expect(kindOfFault({ type, code: 'payment_method_unactivated' })).toBe('refusal');
  expect(kindOfFault({ type, code: 'resource_missing', param: 'payment_method' })).toBe('decline');
  expect(kindOfFault({ type, code: 'bank_account_unusable' })).toBe('decline');
  expect(kindOfFault({ type: 'card_error', code: 'card_declined' })).toBe('decline');
  expect(kindOfFault({ type: 'card_error', code: 'new_code' })).toBe('decline');
});
