import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Refusal } from '../../billing/refusal.ts';
import type { GatewayEvent } from '../../commands/ports/ports.ts';
import { endDispute, openDispute } from './stripe/disputes.ts';
import { signedEvent } from './stripe/events.ts';
import { endProcessing } from './stripe/payments.ts';
import { endRefund } from './stripe/refunds.ts';
import { SECRET, type StartedStripe, startedStripe, vaulting } from './stripe/started.ts';
import type { StripeEvent } from './stripe/world.ts';

/** Events that Stripe sends: each names the operation to look at. */

let stripe: StartedStripe;
beforeAll(async () => {
  stripe = await startedStripe();
});
afterAll(() => stripe.server.close());

const read = (event: object | string): GatewayEvent | undefined =>
  stripe.gateway.readEvent?.(signedEvent(event, { secret: SECRET, configuration: 'stripe_7' }));

/** The references that the events since the beginning of some work name, by type. */
async function toldBy(work: () => Promise<unknown>): Promise<[string, string | null][]> {
  const before = stripe.server.world.events.length;
  await work();
  const events = stripe.server.world.events.slice(before);
  return events.flatMap((event) => read(event) ?? []).map(({ type, reference }) => [type, reference]);
}

test('events of a card, of a debit and of disputes name the charge', async () => {
  let charge = '';
  const ofCard = await toldBy(async () => {
    charge = (await stripe.made(stripe.charge())).reference;
    endDispute(stripe.server.world, openDispute(stripe.server.world, charge).id, 'lost');
  });
  expect(ofCard).toEqual([
    ['payment_intent.succeeded', charge],
    ['charge.dispute.created', charge],
    ['charge.dispute.closed', charge],
  ]);
  const ofDebit = await toldBy(async () => {
    charge = (await stripe.made(stripe.charge({ instrument: { token: 'pm_fails_no_account' } }))).reference;
    endProcessing(stripe.server.world, charge);
  });
  expect(ofDebit).toEqual([
    ['payment_intent.processing', charge],
    ['payment_intent.payment_failed', charge],
  ]);
});

test('events of a vaulting name it', async () => {
  let vault = '';
  const told = await toldBy(async () => {
    vault = (await stripe.made(vaulting('pm_card_visa'))).reference;
  });
  expect(told).toEqual([['setup_intent.succeeded', vault]]);
});

test('events of a refund name it, and the id of one that was made at Stripe', async () => {
  const charge = (await stripe.made(stripe.charge())).reference;
  let refund = '';
  const told = await toldBy(async () => {
    refund = (await stripe.made(stripe.refund(charge, '5.00'))).reference;
    const [made] = [...stripe.server.world.refunds.values()].slice(-1);
    endRefund(stripe.server.world, made?.id ?? '', 'declined');
  });
  expect(told).toEqual([
    ['refund.created', refund],
    ['charge.refunded', charge],
    ['refund.failed', refund],
  ]);
  const foreign = { id: 're_1', object: 'refund', amount: 500, payment_intent: charge, metadata: {} };
  const event = { id: 'evt_1', type: 'refund.created' };
  expect(read({ ...event, data: { object: foreign } })).toEqual({ ...event, reference: 're_1', charge });
  const strange = { ...foreign, metadata: { perennial_key: 'something' } };
  expect(read({ ...event, data: { object: strange } })).toEqual({ ...event, reference: 're_1', charge });
});

test('events that are repeated and reordered name the same operations, whose state is read from Stripe', async () => {
  const before = stripe.server.world.events.length;
  const { reference } = await stripe.made(stripe.charge({ instrument: { token: 'pm_sepaDebit' }, currency: 'eur' }));
  endProcessing(stripe.server.world, reference);
  const events: StripeEvent[] = stripe.server.world.events.slice(before);
  for (const event of [...events, ...events].toReversed()) {
    expect(read(event)).toEqual({ id: event.id, type: event.type, reference });
    expect(await stripe.look(reference)).toMatchObject({ status: 'succeeded' });
  }
});

const complete = { id: 'evt_1', type: 'payment_intent.succeeded', data: { object: { id: 'pi_1' } } };

test.each<[string, object | string]>([
  ['without an id', { ...complete, id: undefined }],
  ['without a type', { ...complete, type: undefined }],
  ['with a strange id', { ...complete, id: 'evt 1' }],
  ['with an id that is too long', { ...complete, id: `evt_${'x'.repeat(252)}` }],
  ['with a type that is too long', { ...complete, type: 'x'.repeat(101) }],
  ['about an object whose id is too long', { ...complete, data: { object: { id: `pi_${'x'.repeat(253)}` } } }],
  ['without an object', { ...complete, data: {} }],
  ['without its object', { ...complete, object: 'v2.core.event' }],
  ['that is no JSON', 'not json'],
  ['that is a list', '[]'],
  ['that is nothing', 'null'],
])('an event %s is refused', (_what, event) => {
  expect(read(complete)).toMatchObject({ reference: 'pi_1' });
  expect(() => read(event)).toThrow(Refusal);
});

test('an event whose object is incomplete names no operation', () => {
  const event = { id: 'evt_1', type: 'charge.dispute.created', data: { object: { id: 'du_1', payment_intent: null } } };
  expect(read(event)).toEqual({ id: 'evt_1', type: 'charge.dispute.created', reference: null });
});

test('an event that is signed by the new and the old secret is accepted', () => {
  const event = { id: 'evt_1', type: 'payment_intent.succeeded', data: { object: { id: 'pi_1' } } };
  const [ours, other] = [SECRET, 'whsec_new'].map((secret) =>
    signedEvent(event, { secret, configuration: 'stripe_7' }),
  );
  const [, signature = ''] = other?.headers['stripe-signature']?.split(',v1=') ?? [];
  const [time = '', own = ''] = ours?.headers['stripe-signature']?.split(',') ?? [];
  const headers = { 'stripe-signature': `${time},v1=${signature},${own}` };
  expect(stripe.gateway.readEvent?.({ configuration: 'stripe_7', headers, body: ours?.body ?? '' })?.id).toBe('evt_1');
});

test('an event of the other mode is refused', async () => {
  await stripe.made(stripe.charge());
  const event = stripe.server.world.events.at(-1) ?? {};
  expect(read({ ...event, livemode: false })).toMatchObject({ type: 'payment_intent.succeeded' });
  expect(() => read({ ...event, livemode: true })).toThrow(/live mode/); // the secret key begins with sk_test_
});

test('an event is accepted from a clock that is almost five minutes off, and refused from an older one', () => {
  const event = { id: 'evt_1', type: 'payment_intent.succeeded', data: { object: { id: 'pi_1' } } };
  const sentBefore = (seconds: number) => {
    const sentAt = new Date(Date.now() - seconds * 1000);
    return stripe.gateway.readEvent?.(signedEvent(event, { secret: SECRET, configuration: 'stripe_7', sentAt }))?.id;
  };
  expect([sentBefore(280), sentBefore(-280)]).toEqual(['evt_1', 'evt_1']);
  expect(() => sentBefore(320)).toThrow(/signature is wrong or old/);
});

test('an event of an endpoint with an older version of the API names the same operation', () => {
  const event = { id: 'evt_1', type: 'payment_intent.succeeded', data: { object: { id: 'pi_1' } } };
  expect(read({ ...event, api_version: '2019-12-03' })).toEqual(read(event));
});
