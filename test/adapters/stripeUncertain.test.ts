import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../support/wait.ts';
import { type StartedStripe, startedStripe, vaulting, verifying } from './stripe/started.ts';

/** Refunds and verifications of which nobody knows whether Stripe has carried them out: they are never "not made" by a guess. */

const HOUR = 3_600_000;
const REFUND = /^POST .*refunds$/;
/** Times that the SDK sends a request. */
const TRIES = 3;

let stripe: StartedStripe;
beforeAll(async () => {
  stripe = await startedStripe();
});
afterAll(() => stripe.server.close());

const charged = async () => (await stripe.made(stripe.charge())).reference;
const refundsOf = (charge: string) =>
  [...stripe.server.world.refunds.values()].filter((refund) => refund.payment_intent === charge);
const sent = () => stripe.asked(/^POST/).length;

test('a refund that is under way is unknown until Stripe has made it', async () => {
  const charge = await charged();
  const reference = await stripe.prepared(stripe.refund(charge, '5.00'));
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  stripe.server.fail({ request: REFUND, how: { held } });
  await expect(stripe.confirm(reference)).rejects.toThrow('in use');
  expect(await stripe.look(reference)).toEqual({ status: 'unconfirmed' });
  await expect(stripe.abandon(reference)).rejects.toThrow('in use');
  expect(refundsOf(charge)).toEqual([]);
  release();
  await until(() => refundsOf(charge).length === 1, { what: 'the refund' });
  expect(await stripe.abandon(reference)).toBe(false);
  expect(await stripe.look(reference)).toEqual({ status: 'succeeded', source: null });
  expect(refundsOf(charge)).toHaveLength(1);
});

test('a refund after which Stripe failed is found; one before which it failed is unknown until 25 hours after its key has ended', async () => {
  const charge = await charged();
  const made = await stripe.prepared(stripe.refund(charge, '5.00'));
  stripe.server.fail({ request: REFUND, how: 'failed_after' });
  await expect(stripe.confirm(made)).rejects.toThrow('Stripe is broken');
  expect(await stripe.abandon(made)).toBe(false);
  const never = await stripe.prepared(stripe.refund(charge, '5.00'));
  stripe.server.fail({ request: REFUND, how: 'failed_before' });
  await expect(stripe.confirm(never)).rejects.toThrow('Stripe is broken');
  for (const age of [0, HOUR, 23 * HOUR]) await expect(stripe.abandon(never, age)).rejects.toThrow('Stripe is broken');
  const before = sent();
  for (const age of [24 * HOUR, 48 * HOUR]) await expect(stripe.abandon(never, age)).rejects.toThrow('forgotten');
  stripe.server.fail({ request: /^GET .*refunds/, how: 'broken', times: TRIES });
  await expect(stripe.abandon(never, 49 * HOUR)).rejects.toThrow('Stripe is broken');
  expect(await stripe.abandon(never, 49 * HOUR)).toBe(true);
  expect(sent()).toBe(before); // looks only
  expect(refundsOf(charge)).toHaveLength(1);
});

test('a refund on the last of many pages is found after two days', async () => {
  const charge = await charged();
  const { reference } = await stripe.made(stripe.refund(charge, '5.00'));
  const [made] = refundsOf(charge);
  if (!made) throw new Error('there is no refund');
  for (let count = 0; count < 250; count += 1)
    stripe.server.world.refunds.set(`re_other${count}`, { ...made, id: `re_other${count}`, metadata: {} });
  expect(await stripe.abandon(reference, 50 * HOUR)).toBe(false);
});

test('the refusal of a refund is found by its key when its answer was lost', async () => {
  const charge = await charged();
  await stripe.made(stripe.refund(charge, '10.00'));
  const reference = await stripe.prepared(stripe.refund(charge, '5.00')); // 12.50 - 10.00 are left
  stripe.server.fail({ request: REFUND, how: 'cut_after', times: TRIES });
  await expect(stripe.confirm(reference)).rejects.toThrow('onnection');
  expect(await stripe.abandon(reference)).toBe(true);
  expect(refundsOf(charge)).toHaveLength(1);
});

test('a refund whose key another request holds is unknown until the charge has our mark', async () => {
  const charge = await charged();
  const reference = await stripe.prepared(stripe.refund(charge, '5.00'));
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  stripe.server.fail({ request: /^POST .*payment_intents\/pi_\w+$/, how: { held } });
  const abandoning = stripe.abandon(reference).catch(() => null);
  await until(() => stripe.asked(/^POST .*payment_intents\/pi_\w+$/).length > 0, { what: 'the harmless request' });
  await expect(stripe.confirm(reference)).rejects.toThrow('can only be used');
  release();
  await abandoning;
  await until(async () => (await stripe.look(reference)).status === 'abandoned', { what: 'the mark' });
  expect(await stripe.confirm(reference)).toEqual({ status: 'abandoned' });
  expect(refundsOf(charge)).toEqual([]);
});

test('a reference of an earlier version sends the same bytes', async () => {
  const charge = await charged();
  const key = randomUUID();
  expect(await stripe.confirm(`refund_${charge}_500_${key}`)).toMatchObject({ status: 'succeeded' });
  const request = stripe.asked(REFUND).at(-1);
  expect(request).toMatchObject({ key: `refund-${key}` });
  expect(decodeURIComponent(request?.text ?? '')).toBe(
    `payment_intent=${charge}&amount=500&metadata[perennial_key]=${key}`,
  );
});

test('a verification that is under way is unknown, and a wrong one whose answer was lost is not', async () => {
  const bank = async () => (await stripe.vault('pm_usBankAccount_unverified', 'ach')).reference;
  const VERIFY = /verify_microdeposits$/;
  const reference = await stripe.prepared(verifying(await bank(), ['0.32', '0.45']));
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  stripe.server.fail({ request: VERIFY, how: { held } });
  await expect(stripe.confirm(reference)).rejects.toThrow('in use');
  await expect(stripe.abandon(reference)).rejects.toThrow('in use');
  release();
  await until(async () => (await stripe.look(reference)).status === 'succeeded', { what: 'the verification' });
  expect(await stripe.abandon(reference)).toBe(false);
  const wrong = await stripe.prepared(verifying(await bank(), ['0.01', '0.02']));
  stripe.server.fail({ request: VERIFY, how: 'cut_after', times: TRIES });
  await expect(stripe.confirm(wrong)).rejects.toThrow('onnection');
  expect(await stripe.abandon(wrong)).toBe(true);
});

test('a charge is abandoned only once Stripe has cancelled it, whatever its last try was', async () => {
  const declined = stripe.charge({ instrument: { token: 'pm_card_visa_chargeDeclined' } });
  const { reference } = await stripe.made(declined);
  const CANCEL = /cancel$/;
  stripe.server.fail({ request: CANCEL, how: 'without_code' });
  expect(await stripe.abandon(reference)).toBe(false);
  stripe.server.fail({ request: CANCEL, how: 'failed_before' });
  await expect(stripe.abandon(reference)).rejects.toThrow('Stripe is broken');
  expect(await stripe.abandon(reference)).toBe(true);
  expect(stripe.server.world.payments.get(reference)?.status).toBe('canceled');
});

test('a key that was revoked proves nothing of a refund that was sent before', async () => {
  const charge = await charged();
  const reference = await stripe.prepared(stripe.refund(charge, '5.00'));
  stripe.server.fail({ request: REFUND, how: 'failed_before' });
  await expect(stripe.confirm(reference)).rejects.toThrow('Stripe is broken');
  stripe.server.fail({ request: REFUND, how: 'api_key_expired' });
  await expect(stripe.abandon(reference)).rejects.toMatchObject({ isUnmade: false });
});

test.each([
  ['charge', () => stripe.charge()],
  ['vaulting', () => vaulting('pm_card_visa')],
])('a %s that is under way is unknown; once it is cancelled, it never happens', async (_, operation) => {
  const reference = await stripe.prepared(operation());
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  stripe.server.fail({ request: /confirm$/, how: { held } });
  await expect(stripe.confirm(reference)).rejects.toThrow('in use');
  expect(await stripe.look(reference)).toEqual({ status: 'unconfirmed' });
  expect(await stripe.abandon(reference)).toBe(true);
  release();
  await until(() => stripe.asked(/confirm$/).some(({ answer }) => answer?.status === 400), { what: 'the refusal' });
  expect(await stripe.look(reference)).toEqual({ status: 'abandoned' });
  expect(await stripe.confirm(reference)).toEqual({ status: 'abandoned' });
});
