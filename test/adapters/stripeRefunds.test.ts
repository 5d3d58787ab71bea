import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endRefund } from './stripe/refunds.ts';
import { type StartedStripe, startedStripe } from './stripe/started.ts';

/** Refunds by Stripe, which has no unconfirmed refunds. */

let stripe: StartedStripe;
beforeAll(async () => {
  stripe = await startedStripe();
});
afterAll(() => stripe.server.close());

const REFUND = /^POST .*refunds$/;
const refundsOf = (charge: string) =>
  [...stripe.server.world.refunds.values()].filter((refund) => refund.payment_intent === charge);

async function charged(token = 'pm_card_visa'): Promise<string> {
  const { reference, outcome } = await stripe.made(stripe.charge({ instrument: { token } }));
  expect(outcome).toMatchObject({ status: 'succeeded' });
  return reference;
}

test('preparing a refund gives no money back, and is repeated with the same reference', async () => {
  const charge = await charged();
  const operation = stripe.refund(charge, '5.00');
  const reference = await stripe.prepared(operation);
  expect(await stripe.prepared(operation)).toBe(reference);
  expect(reference).toMatch(new RegExp(`^refund_${charge}_500_`));
  expect(await stripe.look(reference)).toEqual({ status: 'unconfirmed' });
  expect(refundsOf(charge)).toEqual([]);
});

test('a refund whose answer is lost is made once', async () => {
  const charge = await charged();
  const reference = await stripe.prepared(stripe.refund(charge, '5.00'));
  stripe.server.fail({ request: REFUND, how: 'silent_after', times: 3 });
  await expect(stripe.confirm(reference)).rejects.toThrow('timeout');
  expect(await stripe.look(reference)).toEqual({ status: 'succeeded', source: null });
  expect(await stripe.abandon(reference)).toBe(false);
  stripe.server.forgetKeys();
  expect(await stripe.confirm(reference)).toEqual({ status: 'succeeded', source: null });
  expect(refundsOf(charge)).toHaveLength(1);
});

test('simultaneous confirmations of a refund make it once', async () => {
  const charge = await charged();
  const reference = await stripe.prepared(stripe.refund(charge, '5.00'));
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => stripe.confirm(reference)));
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['succeeded']));
  expect(refundsOf(charge)).toHaveLength(1);
});

test('a refund that was abandoned is not made later', async () => {
  const charge = await charged();
  const reference = await stripe.prepared(stripe.refund(charge, '5.00'));
  stripe.server.fail({ request: REFUND, how: 'silent_before', times: 3 });
  await expect(stripe.confirm(reference)).rejects.toThrow('timeout');
  expect(await stripe.abandon(reference)).toBe(true);
  expect(await stripe.abandon(reference)).toBe(true);
  expect(await stripe.confirm(reference)).toEqual({ status: 'abandoned' });
  expect(await stripe.look(reference)).toEqual({ status: 'abandoned' });
  expect(refundsOf(charge)).toEqual([]);
});

test('when a refund is confirmed and abandoned at the same time, one of them takes effect', async () => {
  const charge = await charged();
  for (let round = 0; round < 6; round += 1) {
    const reference = await stripe.prepared(stripe.refund(charge, '1.00'));
    const earlier = round % 2 ? stripe.abandon(reference) : null;
    const confirming = stripe.confirm(reference).catch(() => null); // unknown while the key is in use
    const [outcome, isAbandoned] = await Promise.all([confirming, earlier ?? stripe.abandon(reference)]);
    const { status } = outcome ?? (await stripe.look(reference));
    expect(isAbandoned).toBe(status === 'abandoned');
    expect(refundsOf(charge).filter(({ metadata }) => reference.endsWith(metadata.perennial_key ?? '-'))).toHaveLength(
      isAbandoned ? 0 : 1,
    );
  }
});

test('when it is not known whether the key of a refund was used up, abandoning it is unknown', async () => {
  const reference = await stripe.prepared(stripe.refund(await charged(), '5.00'));
  stripe.server.fail({ request: /^POST .*payment_intents\/pi_\w+$/, how: 'silent_before', times: 3 });
  await expect(stripe.abandon(reference)).rejects.toThrow('timeout');
  expect(await stripe.confirm(reference)).toMatchObject({ status: 'succeeded' });
});

test('a pending refund succeeds later', async () => {
  const charge = await charged('pm_card_pendingRefund');
  const { reference, outcome } = await stripe.made(stripe.refund(charge, '12.50'));
  expect(outcome).toEqual({ status: 'pending', source: null });
  expect(await stripe.abandon(reference)).toBe(false);
  endRefund(stripe.server.world, refundsOf(charge)[0]?.id ?? '', null);
  expect(await stripe.look(reference)).toEqual({ status: 'succeeded', source: null });
});

test.each([
  ['pm_card_pendingRefund', 'expired_or_canceled_card', 'The card is expired or was cancelled.'],
  ['pm_card_visa', 'lost_or_stolen_card', 'The card was lost or stolen.'],
  ['pm_card_visa', 'new_reason', 'The refund failed. Stripe gave no reason.'],
])('a refund of %s that fails later has the reason %s', async (token, code, message) => {
  const charge = await charged(token);
  const { reference } = await stripe.made(stripe.refund(charge, '12.50'));
  endRefund(stripe.server.world, refundsOf(charge)[0]?.id ?? '', code);
  expect(await stripe.look(reference)).toEqual({ status: 'failed', kind: 'hard', code, message, source: null });
  expect(await stripe.abandon(reference)).toBe(true);
});

test('a refund that Stripe refuses is declined', async () => {
  const charge = await charged();
  await stripe.made(stripe.refund(charge, '10.00'));
  const { outcome } = await stripe.made(stripe.refund(charge, '2.51'));
  expect(outcome).toMatchObject({ status: 'failed', kind: 'hard', code: 'refund_refused' });
  const disputed = await charged('pm_card_createDispute');
  expect((await stripe.made(stripe.refund(disputed, '1.00'))).outcome).toMatchObject({ code: 'charge_disputed' });
  const never = await charged('pm_card_refundFail');
  expect((await stripe.made(stripe.refund(never, '1.00'))).outcome).toMatchObject({ code: 'charge_not_refundable' });
});

test.each([
  ['an unknown charge', 'pi_unknown'],
  ['something else than a charge', 'seti_1'],
])('a refund of %s is declined', async (_what, charge) => {
  const { outcome } = await stripe.made(stripe.refund(charge, '1.00'));
  expect(outcome).toMatchObject({ status: 'failed', kind: 'hard', code: 'charge_unknown' });
});

test('a refund in another currency than its charge is declined', async () => {
  const operation = stripe.refund(await charged(), '1.00');
  const { outcome } = await stripe.made(operation.kind === 'refund' ? { ...operation, currency: 'eur' } : operation);
  expect(outcome).toMatchObject({ status: 'failed', code: 'charge_unknown' });
});

test('a refund that was made at Stripe can be looked at, and not abandoned', async () => {
  const charge = await charged();
  await stripe.made(stripe.refund(charge, '12.50'));
  const id = refundsOf(charge)[0]?.id ?? '';
  expect(await stripe.look(id)).toEqual({ status: 'succeeded', source: null });
  expect(await stripe.abandon(id)).toBe(false);
  expect(await stripe.look('re_unknown')).toEqual({ status: 'not_found' });
  await expect(stripe.confirm(id)).rejects.toThrow('no reference');
});
