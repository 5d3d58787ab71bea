import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { GatewayPage, GatewayRecord } from '../../commands/ports/ports.ts';
import { endDispute, openDispute } from './stripe/disputes.ts';
import { createRefund } from './stripe/refunds.ts';
import { ACCOUNT, CUSTOMER, never, type StartedStripe, startedStripe } from './stripe/started.ts';

/** The record of Stripe, which is compared with our books. */

let stripe: StartedStripe;
beforeAll(async () => {
  stripe = await startedStripe();
});
afterAll(() => stripe.server.close());

const START = Date.parse('1980-01-01T00:00:00Z') / 1000;

/** Makes Stripe's clock show seconds since the start. */
const at = (seconds: number) => {
  stripe.server.world.now = () => START + seconds;
};

const time = (seconds: number) => new Date((START + seconds) * 1000);

async function listed(from: number, to: number): Promise<{ records: GatewayRecord[]; pages: number }> {
  const records: GatewayRecord[] = [];
  let after: string | null = null;
  let pages = 0;
  do {
    const page: GatewayPage | undefined = await stripe.gateway.list?.(
      { since: time(from), until: time(to), after },
      never,
    );
    records.push(...(page?.records ?? []));
    after = page?.next ?? null;
    pages += 1;
  } while (after !== null);
  return { records, pages };
}

/** Puts copies of a charge that succeeded into Stripe's record: one at each of the times. */
async function chargedAt(seconds: readonly number[]): Promise<string[]> {
  const { reference } = await stripe.made(stripe.charge());
  const { payments } = stripe.server.world;
  const original = payments.get(reference);
  if (!original) throw new Error('no charge');
  payments.delete(reference);
  return seconds.map((second) => {
    const id = stripe.server.world.newId('pi');
    payments.set(id, { ...original, id, created: START + second });
    return id;
  });
}

test('a range lists its charges once, oldest first, however they lie', async () => {
  const year = 365 * 86_400;
  const spread = Array.from({ length: 40 }, (_, index) => index * 9 * 86_400);
  const dense = Array.from({ length: 330 }, (_, index) => year + Math.floor(index / 3));
  const sameSecond = Array.from({ length: 250 }, () => 2 * year);
  const ids = await chargedAt([...spread, ...dense, ...sameSecond]);
  const { records, pages } = await listed(0, 3 * year);
  expect(records.map(({ reference }) => reference).toSorted()).toEqual(ids.toSorted());
  const times = records.map(({ recordedAt }) => recordedAt.getTime());
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(pages).toBeLessThan(200);
});

test('a range ends before its end, and includes its beginning', async () => {
  const from = 10 * 365 * 86_400;
  const [, first, last] = await chargedAt([from - 1, from, from + 59, from + 60]);
  const { records } = await listed(from, from + 60);
  expect(records.map(({ reference }) => reference)).toEqual([first, last]);
  expect((await listed(from + 100, from + 101)).records).toEqual([]);
  const withParts = (await listed(from + 0.9, from + 59.1)).records;
  expect(withParts.map(({ reference }) => reference)).toEqual([first, last]);
});

test('a charge and a refund have the facts of their operation; one made at Stripe has its id there', async () => {
  const from = 20 * 365 * 86_400;
  at(from);
  const operation = stripe.charge();
  const { reference } = await stripe.made(operation);
  at(from + 10);
  const refund = stripe.refund(reference, '5.00');
  const refunded = await stripe.made(refund);
  const dashboard = createRefund(stripe.server.world, { payment_intent: reference, amount: '250' });
  const shared = { accountId: ACCOUNT, customerId: CUSTOMER, currency: 'usd', status: 'succeeded', takenBack: '0' };
  const ofRefund = { ...shared, kind: 'refund', chargeReference: reference, recordedAt: time(from + 10) };
  const { records } = await listed(from, from + 60);
  expect(records).toEqual([
    {
      ...shared,
      kind: 'charge',
      key: operation.key,
      reference,
      amount: '12.50',
      chargeReference: null,
      madeAt: time(from),
      recordedAt: time(from),
    },
    { ...ofRefund, key: refund.key, reference: refunded.reference, amount: '5.00', madeAt: time(from + 10) },
    { ...ofRefund, key: dashboard.id, reference: dashboard.id, amount: '2.50', madeAt: time(from + 10) },
  ]);
});

test('operations that moved no money, and those of others, are not listed', async () => {
  const from = 30 * 365 * 86_400;
  at(from);
  await stripe.made(stripe.charge({ instrument: { token: 'pm_declines_lost_card' } }));
  await stripe.abandon(await stripe.prepared(stripe.charge()));
  await stripe.prepared(stripe.charge());
  const pending = await stripe.made(stripe.charge({ instrument: { token: 'pm_sepaDebit' }, currency: 'eur' }));
  const foreign = await stripe.made(stripe.charge());
  Object.assign(stripe.server.world.payments.get(foreign.reference)?.metadata ?? {}, { perennial: 'p2' });
  createRefund(stripe.server.world, { payment_intent: foreign.reference });
  const { records } = await listed(from, from + 60);
  expect(records.map(({ reference, status }) => [reference, status])).toEqual([[pending.reference, 'pending']]);
});

test('a charge shows the part that banks hold or took back', async () => {
  const from = 40 * 365 * 86_400;
  at(from);
  const references: string[] = [];
  for (const end of [null, 'lost', 'won'] as const) {
    const { reference } = await stripe.made(stripe.charge());
    const dispute = openDispute(stripe.server.world, reference, { amount: 500 });
    if (end) endDispute(stripe.server.world, dispute.id, end);
    references.push(reference);
  }
  const { records } = await listed(from, from + 60);
  const taken = references.map((reference) => records.find((one) => one.reference === reference)?.takenBack);
  expect(taken.map(Number)).toEqual([5, 5, 0]);
});
