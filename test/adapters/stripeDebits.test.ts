import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endProcessing } from './stripe/payments.ts';
import { never, type StartedStripe, startedStripe, vaulting, verifying } from './stripe/started.ts';

/** Debits of bank accounts by Stripe: mandates, debits that end later, and micro-deposits. */

let stripe: StartedStripe;
beforeAll(async () => {
  stripe = await startedStripe();
});
afterAll(() => stripe.server.close());

const payer = { returnUrl: 'https://shop.example/back', ip: '192.0.2.7', userAgent: 'Mozilla/5.0' };
const lastConfirmed = () => stripe.asked(/^POST .*\/confirm$/).at(-1)?.params ?? {};

test('an account in the United States is stored with the consent that its owner gave elsewhere', async () => {
  const source = await stripe.vault('pm_usBankAccount_success', 'ach');
  const bank = { bankName: 'STRIPE TEST BANK', routingNumber: '110000000', last4: '6789', currency: 'usd' };
  expect(source).toMatchObject({ ...bank, type: 'bank_account', brand: null, expMonth: null, verified: true });
  expect(source.customerReference).toMatch(/^cus_/);
  expect(lastConfirmed().mandate_data).toEqual({ customer_acceptance: { type: 'offline' } });
});

test('the consent of an owner who is there names address and browser', async () => {
  await stripe.vault('pm_usBankAccount_success', 'ach', payer);
  const online = { ip_address: payer.ip, user_agent: payer.userAgent };
  expect(lastConfirmed().mandate_data).toEqual({ customer_acceptance: { type: 'online', online } });
});

test("the consent that came with a ConfirmationToken is not replaced, nor is a stored account's", async () => {
  const { reference } = await stripe.vault('ctoken_usBankAccount_success', 'ach');
  expect(lastConfirmed()).toMatchObject({ confirmation_token: 'ctoken_usBankAccount_success' });
  expect(lastConfirmed()).not.toHaveProperty('mandate_data');
  await stripe.made(stripe.charge({ instrument: { reference } }));
  expect(lastConfirmed()).toMatchObject({ payment_method: reference, off_session: 'true' });
  expect(lastConfirmed()).not.toHaveProperty('mandate_data');
});

test('a debit of a SEPA account is pending, and then succeeds', async () => {
  const source = await stripe.vault('pm_sepaDebit', 'ach');
  expect(source).toMatchObject({ routingNumber: '37040044', bankName: null, last4: '3000', currency: 'eur' });
  const instrument = { reference: source.reference };
  const { reference, outcome } = await stripe.made(stripe.charge({ instrument, currency: 'eur' }));
  expect(outcome).toMatchObject({ status: 'pending', source: { reference: source.reference } });
  expect(await stripe.look(reference)).toEqual(outcome);
  expect(await stripe.abandon(reference)).toBe(false);
  endProcessing(stripe.server.world, reference);
  expect(await stripe.look(reference)).toMatchObject({ status: 'succeeded' });
});

test.each([
  ['insufficient_funds', 'soft'],
  ['account_closed', 'hard'],
  ['debit_not_authorized', 'hard'],
] as const)('a debit that fails later with %s is declined: %s', async (code, kind) => {
  const { reference, outcome } = await stripe.made(stripe.charge({ instrument: { token: `pm_fails_${code}` } }));
  expect(outcome).toMatchObject({ status: 'pending' });
  endProcessing(stripe.server.world, reference);
  expect(await stripe.look(reference)).toMatchObject({ status: 'failed', kind, code, source: { last4: '6789' } });
  expect(stripe.server.world.captures.get(reference)).toBeUndefined();
});

const unverified = () => stripe.vault('pm_usBankAccount_unverified', 'ach');

test('an account that waits for its micro-deposits is stored, and is verified by their amounts', async () => {
  const source = await unverified();
  expect(source.verified).toBe(false);
  const wrong = await stripe.made(verifying(source.reference, ['0.31', '0.45']));
  const mismatch = 'payment_method_microdeposit_verification_amounts_mismatch';
  expect(wrong.outcome).toMatchObject({ status: 'failed', code: mismatch });
  const right = await stripe.made(verifying(source.reference, ['0.32', '0.45']));
  expect(right.outcome).toEqual({ status: 'succeeded', source: null });
  expect(await stripe.look(right.reference)).toEqual(right.outcome);
  expect(await stripe.abandon(right.reference)).toBe(false);
});

test('the look at a vaulting shows whether its account was verified meanwhile', async () => {
  const reference = await stripe.prepared(vaulting('pm_usBankAccount_unverified', 'ach'));
  const stored = await stripe.confirm(reference);
  expect(stored).toMatchObject({ status: 'succeeded', source: { verified: false } });
  expect(await stripe.abandon(reference)).toBe(false);
  expect(await stripe.gateway.challenge(reference, 0, never)).toBe('https://payments.stripe.test/microdeposit');
  const source = 'source' in stored ? (stored.source?.reference ?? '') : '';
  await stripe.made(verifying(source, ['0.32', '0.45']));
  expect(await stripe.look(reference)).toMatchObject({ status: 'succeeded', source: { verified: true } });
});

test('a verification whose answer is lost counts as one', async () => {
  const source = await unverified();
  const reference = await stripe.prepared(verifying(source.reference, ['0.32', '0.45']));
  stripe.server.fail({ request: /verify_microdeposits$/, how: 'silent_after', times: 3 });
  await expect(stripe.confirm(reference)).rejects.toThrow('timeout');
  expect(await stripe.look(reference)).toEqual({ status: 'succeeded', source: null });
  expect(await stripe.confirm(reference)).toEqual({ status: 'succeeded', source: null });
});

test('a verification that was abandoned does not happen later', async () => {
  const source = await unverified();
  const reference = await stripe.prepared(verifying(source.reference, ['0.32', '0.45']));
  expect(await stripe.look(reference)).toEqual({ status: 'unconfirmed' });
  expect(await stripe.abandon(reference)).toBe(true);
  expect(await stripe.confirm(reference)).toEqual({ status: 'abandoned' });
  expect(await stripe.look(reference)).toEqual({ status: 'abandoned' });
});

test('an account whose deposit has a code is verified on the page of Stripe', async () => {
  const source = await unverified();
  const setup = [...stripe.server.world.setups.values()].find((one) => one.payment_method === source.reference);
  const page = 'https://payments.stripe.test/code';
  const deposits = { microdeposit_type: 'descriptor_code', hosted_verification_url: page };
  Object.assign(setup ?? {}, {
    next_action: { type: 'verify_with_microdeposits', verify_with_microdeposits: deposits },
  });
  const { outcome } = await stripe.made(verifying(source.reference, ['0.32', '0.45']));
  expect(outcome).toMatchObject({ status: 'failed', code: 'descriptor_code_needed' });
  expect(outcome).toMatchObject({ message: expect.stringContaining(page) });
  Object.assign(setup ?? {}, { status: 'succeeded', next_action: null });
  expect((await stripe.made(verifying(source.reference, ['0.01', '0.01']))).outcome).toMatchObject({
    status: 'succeeded',
  });
});

test.each([
  ['one amount', ['0.32'], 'amount_unsupported'],
  ['three amounts', ['0.32', '0.45', '0.01'], 'amount_unsupported'],
  ['parts of a cent', ['0.321', '0.45'], 'amount_unsupported'],
])('a verification by %s is declined', async (_what, amounts, code) => {
  const source = await unverified();
  expect((await stripe.made(verifying(source.reference, amounts))).outcome).toMatchObject({ status: 'failed', code });
});

test('an account that waits for nothing cannot be verified', async () => {
  const { outcome } = await stripe.made(verifying('pm_unknown', ['0.32', '0.45']));
  expect(outcome).toMatchObject({ status: 'failed', code: 'verification_unknown' });
});
