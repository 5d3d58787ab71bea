import { expect, test } from '@jest/globals';
import { createRefund } from '../../adapters/stripe/refunds.ts';
import type { Refund } from '../../adapters/stripe/world.ts';
import { type Answer, refused } from '../../support/api.ts';
import { stripeShop } from '../../support/stripeShop.ts';
import { until } from '../../support/wait.ts';

/** Refunds at Stripe whose outcome is not known at once: nothing is "not made" by a guess, and whatever was made is recorded. */

const shop = stripeShop();
const { deliver, moveHours, paid, read, refund, refundsAtStripe, settle, told } = shop;
const REFUND = /^POST .*refunds$/;
const TRIES = 3;
const fail = (how: Parameters<typeof shop.books.api.stripe.fail>[0]['how'], times = 1) =>
  shop.books.api.stripe.fail({ request: REFUND, how, times });
const keyOf = async () => {
  const [row] = await shop.books.rows(`select key from attempt where kind = 'refund' order by id desc limit 1`);
  return String(row?.key);
};
const mails = async () => {
  const all: Answer['body'][] = (await shop.books.api.sandbox.get('/emails')).body;
  return all.filter(({ template, customer }) => template === 'refund_email' && customer === shop.books.customer);
};

/** Lets Stripe make a refund that carries our key, as if the request had taken its time. */
function makeAtStripe(payment: Answer['body'], units: number, key: string): Refund {
  const params = { payment_intent: payment.charge.gateway_id, amount: `${units}`, metadata: { perennial_key: key } };
  return createRefund(shop.books.api.stripe.world, params);
}

test('a refund that is under way stays pending, keeps its money from a second one, and is made once', async () => {
  const { payment } = await paid(40);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  fail({ held });
  expect(await refund(payment, 40)).toMatchObject({ status: 201, body: { status: 'pending', uncertain: true } });
  await settle(); // looks while Stripe is at work, with the key in use
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 40, refunds: [{ status: 'pending' }] });
  expect(await refund(payment, 40)).toMatchObject(refused({ code: 'amount_too_large' }));
  release();
  await settle();
  const made = { status: 'succeeded', uncertain: false };
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 40, refunds: [made] });
  expect(refundsAtStripe(payment)).toHaveLength(1);
  await shop.books.expectCleanBooks();
});

test('after an error of Stripe a refund is pending until 25 hours after its key has ended, and nothing is sent after 24', async () => {
  const { payment } = await paid(40);
  fail('failed_before');
  expect(await refund(payment, 15)).toMatchObject({ status: 201, body: { status: 'pending' } });
  const status = async () => (await read(payment)).charge.refunds[0].status;
  for (const hours of [1, 10, 12]) {
    moveHours(hours);
    await settle();
    expect(await status()).toBe('pending');
  }
  const posts = () => shop.books.api.stripe.asked.filter(({ method }) => method === 'POST').length;
  const before = posts();
  moveHours(1.5); // 24.5 since it was sent
  await settle();
  expect([await status(), posts()]).toEqual(['pending', before]);
  moveHours(24.5); // 49
  await settle();
  expect([await status(), posts()]).toEqual(['failed', before]);
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 0 });
  await shop.books.expectCleanBooks();
});

test('a refund that is certain and still pending no longer says that it is uncertain', async () => {
  const { payment } = await paid(40, 'pm_card_pendingRefund');
  fail('cut_after', TRIES);
  expect(await refund(payment, 15)).toMatchObject({ body: { status: 'pending', uncertain: true } });
  await settle();
  expect((await read(payment)).charge.refunds).toMatchObject([{ status: 'pending', uncertain: false }]);
  const [{ id }] = (await read(payment)).charge.refunds;
  expect((await shop.books.api.sandbox.get(`/refunds/${id}`)).body).toMatchObject({ uncertain: false });
});

test.each(['before', 'between', 'after'])(
  'a refund whose answers are lost and whose events come %s the look-up is recorded once',
  async (when) => {
    const { payment } = await paid(40);
    fail('cut_after', TRIES);
    expect(await refund(payment, 15)).toMatchObject({ body: { status: 'pending' } });
    const events = told().filter(({ type }) => type !== 'payment_intent.succeeded');
    if (when !== 'after') await deliver(events);
    if (when === 'between') await Promise.all([settle(), deliver(events.toReversed())]);
    await settle();
    await deliver([...events, ...events.toReversed()]);
    await settle();
    expect((await read(payment)).charge).toMatchObject({ amount_refunded: 15, refunds: [{ status: 'succeeded' }] });
    expect(refundsAtStripe(payment)).toHaveLength(1);
    await shop.books.expectCleanBooks();
  },
);

test('a refund whose event comes before its answer is recorded once, and the answer tells it', async () => {
  const { payment } = await paid(40);
  fail('silent_after');
  const asked = refund(payment, 15);
  await until(() => refundsAtStripe(payment).length === 1, { what: 'the refund at Stripe' });
  const entries = await shop.books.entriesOf(async () => {
    await deliver(told());
    await settle();
    expect((await read(payment)).charge).toMatchObject({ amount_refunded: 15, refunds: [{ status: 'succeeded' }] });
    expect(await asked).toMatchObject({ status: 201, body: { status: 'succeeded', amount: 15 } });
  });
  expect(entries).toHaveLength(2);
  expect(refundsAtStripe(payment)).toHaveLength(1);
  await shop.books.expectCleanBooks();
});

test('two refunds side by side, of which Stripe answers one with an error, are both recorded once', async () => {
  const { payment } = await paid(40);
  fail('failed_after');
  const answers = await Promise.all([refund(payment, 15), refund(payment, 20)]);
  expect(answers.map(({ body }) => body.status).toSorted()).toEqual(['pending', 'succeeded']);
  await deliver(told());
  await settle();
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 35 }); // 15 + 20
  expect(refundsAtStripe(payment)).toHaveLength(2);
  await shop.books.expectCleanBooks();
});

test('a refund that was pending, then not made, and appears later is recorded again, with its money and its mail', async () => {
  await shop.books.api.sandbox.patch(`/customers/${shop.books.customer}`, { email: 'ada@example.com' });
  const { payment } = await paid(40);
  fail('failed_before');
  await refund(payment, 15);
  moveHours(50);
  await settle();
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 0, refunds: [{ status: 'failed' }] });
  makeAtStripe(payment, 1500, await keyOf());
  const entries = await shop.books.entriesOf(async () => {
    await deliver(told());
    await settle();
    await deliver(told());
    await settle(); // changes nothing
  });
  expect(entries).toHaveLength(2);
  const { charge } = await read(payment);
  expect(charge).toMatchObject({ amount_refunded: 15, refunds: [{ status: 'succeeded', failure_message: null }] });
  expect(await mails()).toHaveLength(1);
  const tasks: Answer['body'][] = (await shop.books.api.sandbox.get(`/tasks?filter[customer]=${shop.books.customer}`))
    .body;
  const name = `Refund ${charge.refunds[0].id} of 15.00 usd was made after all: check whether its money was given back twice`;
  expect(tasks.filter((task) => task.name === name)).toHaveLength(1);
  await shop.books.expectCleanBooks();
});

test('a refund that was refused at once and appears later is recorded as at first', async () => {
  const { payment } = await paid(40);
  fail('without_code');
  expect((await refund(payment, 15)).status).toBe(400);
  expect((await read(payment)).charge.refunds).toEqual([]);
  makeAtStripe(payment, 1500, await keyOf());
  await deliver(told());
  await settle();
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 15, refunds: [{ status: 'succeeded' }] });
  expect((await refund(payment, 26)).status).toBe(400); // 40 - 15 = 25 are left
  await shop.books.expectCleanBooks();
});

test('money that left beyond what is left is recorded; the excess is a task, and a problem that closes with it', async () => {
  const { sandbox } = shop.books.api;
  const { payment } = await paid(40);
  fail('without_code');
  await refund(payment, 15);
  const key = await keyOf();
  const sent = { payment: payment.id, amount: 40, method: 'check' };
  await sandbox.make('/refunds', { ...sent, date: Math.floor(shop.books.api.deps.systemNow().getTime() / 1000) });
  makeAtStripe(payment, 1500, key);
  await deliver(told());
  await settle();
  expect((await read(payment)).charge).toMatchObject({ amount_refunded: 55, refunded: true }); // 40 + 15
  const nothing = expect.stringContaining('has 0.00 usd left to refund');
  expect(await refund(payment, 1)).toMatchObject(refused({ message: nothing }));
  expect(await sandbox.post('/refunds', { ...sent, amount: 1 })).toMatchObject(refused({ message: nothing }));
  const problems = async (): Promise<Answer['body'][]> => {
    const all: Answer['body'][] = (await sandbox.get('/problems?filter[object]=task')).body;
    return all.filter(({ message }) => message.includes(`charge ${payment.charge.id} `));
  };
  const [problem] = await problems();
  expect(problem).toMatchObject({ money_at_risk: 15, currency: 'usd', subject: { object: 'task' } });
  const { body: task } = await sandbox.get(`/tasks/${problem.subject.id}`);
  expect(task).toMatchObject({ customer: shop.books.customer, complete: false, name: problem.message });
  await shop.books.expectCleanBooks();
  await sandbox.patch(`/tasks/${task.id}`, { complete: true });
  expect(await problems()).toEqual([]);
});
