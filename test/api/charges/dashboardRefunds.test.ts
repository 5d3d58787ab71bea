import { expect, test } from '@jest/globals';
import { openDispute } from '../../adapters/stripe/disputes.ts';
import { createRefund, endRefund } from '../../adapters/stripe/refunds.ts';
import type { Refund, StripeEvent } from '../../adapters/stripe/world.ts';
import type { Answer } from '../../support/api.ts';
import { stripeShop } from '../../support/stripeShop.ts';

/** Refunds that somebody makes in Stripe's dashboard: recorded once by their events, as Stripe shows them, without a mail of ours. */

const shop = stripeShop('Dashboard2027');
const { deliver, paid, read, refundsAtStripe, settle, told } = shop;

function refundInDashboard(payment: Answer['body'], units: number, metadata: Record<string, string> = {}): Refund {
  const params = { payment_intent: payment.charge.gateway_id, amount: `${units}`, metadata };
  return createRefund(shop.books.api.stripe.world, params);
}

const refundEvents = () => told().filter(({ type }) => type.includes('refund'));
const ofType = (type: string) => refundEvents().filter((event) => event.type === type);

async function mailsOfRefunds(): Promise<Answer['body'][]> {
  const all: Answer['body'][] = (await shop.books.api.sandbox.get('/emails')).body;
  return all.filter(({ template }) => template === 'refund_email');
}

test.each(['refund.created', 'charge.refunded'])(
  'a refund of the dashboard is recorded once by %s, with entries and an event, and without a mail',
  async (type) => {
    await shop.books.api.sandbox.patch(`/customers/${shop.books.customer}`, { email: 'ada@example.com' });
    const { payment } = await paid(40);
    const refund = refundInDashboard(payment, 1500);
    const entries = await shop.books.entriesOf(async () => {
      await deliver([...ofType(type), ...ofType(type)]);
      await settle();
      await deliver(refundEvents().toReversed());
      await settle();
    });
    expect(entries).toHaveLength(2);
    const { charge } = await read(payment);
    expect(charge).toMatchObject({
      amount_refunded: 15,
      refunds: [{ status: 'succeeded', amount: 15, gateway_id: refund.id }],
    });
    const changes = await shop.books.api.sandbox.get(`/events?related_to=payment,${payment.id}&type=payment.updated`);
    expect(changes.body).toHaveLength(1);
    expect(await mailsOfRefunds()).toEqual([]);
    await shop.books.expectCleanBooks();
  },
);

test('what Stripe says counts, not the event: amount and status are read there', async () => {
  const { payment } = await paid(40);
  const refund = refundInDashboard(payment, 1500);
  refund.status = 'pending';
  const [event] = ofType('refund.created');
  const forged: StripeEvent = structuredClone({
    ...event,
    id: 'evt_forged',
    type: 'refund.created',
    data: event?.data ?? { object: {} },
  });
  Object.assign(Object(forged.data.object), { amount: 4000, status: 'succeeded' });
  await deliver([forged]);
  await settle();
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 15, refunds: [{ status: 'pending' }] });
  endRefund(shop.books.api.stripe.world, refund.id, null);
  await deliver(ofType('refund.updated'));
  await settle();
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 15, refunds: [{ status: 'succeeded' }] });
  endRefund(shop.books.api.stripe.world, refund.id, 'expired_or_canceled_card');
  await deliver(ofType('refund.failed'));
  await settle();
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 0, refunds: [{ status: 'failed' }] });
  await shop.books.expectCleanBooks();
});

test('events of several refunds at once record each once, beside a refund of ours', async () => {
  const { payment } = await paid(40);
  const own = shop.refund(payment, 10);
  refundInDashboard(payment, 500);
  refundInDashboard(payment, 700);
  await own;
  await deliver(refundEvents());
  await Promise.all([settle(), settle(), settle()]);
  await settle();
  const { charge } = await read(payment);
  expect(charge).toMatchObject({ amount_refunded: 22 }); // 10 + 5 + 7
  expect(charge.refunds.map(({ amount }: Answer['body']) => amount).toSorted()).toEqual([10, 5, 7].toSorted());
  expect(refundsAtStripe(payment)).toHaveLength(3);
  await shop.books.expectCleanBooks();
});

test('a refund with a strange key is one of the dashboard; one of a charge without our mark is not recorded', async () => {
  const { payment } = await paid(40);
  refundInDashboard(payment, 1500, { perennial_key: "'; drop table refund" });
  const { payment: other } = await paid(40);
  refundInDashboard(other, 1500);
  const intent = shop.books.api.stripe.world.payments.get(other.charge.gateway_id);
  Object.assign(intent?.metadata ?? {}, { perennial: 'another deployment' });
  const foreign = { id: 're_foreign', object: 'refund', amount: 500, payment_intent: 'pi_foreign', metadata: {} };
  await deliver([...refundEvents(), { id: 'evt_foreign', type: 'refund.created', data: { object: foreign } }]);
  await settle();
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 15 });
  expect((await read(other)).charge).toMatchObject({ amount_refunded: 0 });
});

test('refunds of the dashboard beyond what is left here are recorded, and a task asks for the excess of each', async () => {
  const { payment } = await paid(40);
  await shop.books.api.sandbox.make('/refunds', { payment: payment.id, amount: 30, method: 'check' });
  for (const units of [1500, 700]) {
    refundInDashboard(payment, units);
    await deliver(refundEvents());
    await settle();
  }
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 52 }); // 30 + 15 + 7
  const tasks: Answer['body'][] = (await shop.books.api.sandbox.get(`/tasks?filter[customer]=${shop.books.customer}`))
    .body;
  const excesses = tasks.map(({ name }) => /by (\d+\.\d+) usd/.exec(name)?.[1]);
  expect(excesses.toSorted()).toEqual(['5.00', '7.00']); // 30 + 15 - 40 = 5

  await shop.books.expectCleanBooks();
});

test('a refund that Stripe refuses, because all was given back there, makes us look at the charge', async () => {
  const { payment } = await paid(40);
  refundInDashboard(payment, 4000);
  const refusal = await shop.refund(payment, 10);
  expect(refusal).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('has already been refunded') },
  });
  await settle();
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 40, refunds: [{ amount: 40 }] });
  expect(await shop.books.rows("select 1 from wakeup where process = 'charge'")).toEqual([]);
  await shop.books.expectCleanBooks();
});

test('a refund that cannot be recorded holds up neither other refunds nor a dispute', async () => {
  const { payment } = await paid(40);
  const broken = refundInDashboard(payment, 300);
  const { world } = shop.books.api.stripe;
  world.refunds.delete(broken.id);
  world.refunds.set('broken', { ...broken, id: `re_${'9'.repeat(300)}` }); // longer than the column
  refundInDashboard(payment, 500);
  openDispute(world, payment.charge.gateway_id, { amount: 3200 });
  await deliver(told().filter(({ type }) => type === 'charge.dispute.created'));
  await expect(settle()).rejects.toThrow('value too long');
  const { charge } = await read(payment);
  expect(charge).toMatchObject({ amount_refunded: 5, refunds: [{ amount: 5 }] });
  expect((await shop.books.api.sandbox.get(`/disputes?filter[charge]=${charge.id}`)).body).toMatchObject([
    { amount: 32 },
  ]);
  const { payment: other } = await paid(40);
  refundInDashboard(other, 900);
  const recovered = await shop.recover();
  expect(recovered.codes[0]).toBe(1);
  expect(recovered.lines).toContain('1 recorded, 1 not');
  expect((await read(other)).charge).toMatchObject({ amount_refunded: 9 });
  world.refunds.delete('broken');
  await settle();
  expect(await shop.books.rows("select 1 from gateway_event where state = 'received'")).toEqual([]);
  await shop.books.expectCleanBooks();
});

test.each(['first', 'second', 'beside'])(
  'a refund of the dashboard is recorded once when recover comes %s',
  async (when) => {
    const { payment } = await paid(40);
    refundInDashboard(payment, 1500);
    const hear = async () => {
      await deliver(refundEvents());
      await settle();
    };
    if (when === 'second') await hear();
    const [recovered] = await Promise.all([shop.recover(), when === 'beside' ? hear() : null]);
    expect(recovered.codes).toEqual([0, 0]);
    if (when === 'first') await hear();
    expect((await read(payment)).charge).toMatchObject({ amount_refunded: 15, refunds: [{ status: 'succeeded' }] });
    expect((await shop.recover()).codes).toEqual([0, 0]);
    await shop.books.expectCleanBooks();
  },
);
