import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Disputed, endDispute, openDispute } from './stripe/disputes.ts';
import { endProcessing } from './stripe/payments.ts';
import { never, type StartedStripe, startedStripe } from './stripe/started.ts';

/** Disputes and returns at Stripe. */

let stripe: StartedStripe;
beforeAll(async () => {
  stripe = await startedStripe();
});
afterAll(() => stripe.server.close());

const reversals = async (reference: string) => {
  const read = await stripe.gateway.reversals?.(reference, 0, never);
  expect(read?.refunds).toEqual([]);
  return read && { returned: read.returned, disputes: read.disputes };
};

async function disputed(how: Disputed = {}) {
  const { reference } = await stripe.made(stripe.charge());
  return { reference, dispute: openDispute(stripe.server.world, reference, how) };
}

async function debited(how: Disputed) {
  const { reference } = await stripe.made(stripe.charge({ instrument: { token: 'pm_usBankAccount_success' } }));
  endProcessing(stripe.server.world, reference);
  openDispute(stripe.server.world, reference, how);
  return reference;
}

test('an open dispute shows its reason, its fee and the time for evidence', async () => {
  const { reference, dispute } = await disputed();
  const [told] = (await reversals(reference))?.disputes ?? [];
  expect(told).toMatchObject({ reference: dispute.id, status: 'open', amount: '12.50', amountLost: '0', fee: '15.00' });
  expect(told?.reason).toBe('fraudulent');
  expect(told?.evidenceDueAt?.getTime()).toBeGreaterThan(Date.now() + 6 * 86_400_000);
});

test.each([
  ['won', 'won', '0'],
  ['lost', 'lost', '12.50'],
] as const)('a dispute that ends %s is %s: the bank keeps %s', async (end, status, amountLost) => {
  const { reference, dispute } = await disputed();
  endDispute(stripe.server.world, dispute.id, end);
  expect(await reversals(reference)).toMatchObject({ returned: null, disputes: [{ status, amountLost }] });
});

test.each([
  ['under_review', 'open'],
  ['appeal_needs_response', 'open'],
  ['appeal_under_review', 'open'],
])('a dispute that is %s is %s', async (at, status) => {
  const { reference } = await disputed({ status: at });
  expect(await reversals(reference)).toMatchObject({ disputes: [{ status }] });
});

test.each(['warning_needs_response', 'warning_under_review', 'warning_closed', 'prevented'])(
  'a dispute that is %s takes no money, and is not shown',
  async (status) => {
    const { reference } = await disputed({ status });
    expect(await reversals(reference)).toEqual({ returned: null, disputes: [] });
  },
);

test('a dispute in a state that is not known is not guessed', async () => {
  const { reference } = await disputed({ status: 'new_state' });
  await expect(reversals(reference)).rejects.toThrow('new_state');
});

test('a fee that Stripe gives back is not told; one in another currency is not known', async () => {
  const { reference, dispute } = await disputed();
  endDispute(stripe.server.world, dispute.id, 'won', 1500);
  expect((await reversals(reference))?.disputes[0]?.fee).toBe('0.00');
  const foreign = await disputed({ balance: 'eur' });
  expect((await reversals(foreign.reference))?.disputes[0]?.fee).toBeNull();
});

test('several disputes of a charge are shown, oldest first', async () => {
  const first = await disputed({ amount: 500 });
  const second = openDispute(stripe.server.world, first.reference, { amount: 750 });
  const shown = (await reversals(first.reference))?.disputes.map(({ reference, amount }) => [reference, amount]);
  expect(shown).toEqual([
    [first.dispute.id, '5.00'],
    [second.id, '7.50'],
  ]);
});

test.each([
  ['insufficient_funds', 'soft', 'The bank account has insufficient funds.'],
  ['bank_cannot_process', 'soft', 'The bank could not process the debit.'],
  ['incorrect_account_details', 'hard', 'The details of the bank account are wrong.'],
  ['debit_not_authorized', 'hard', 'The owner of the bank account did not authorize the debit.'],
  ['customer_initiated', 'hard', 'The owner of the bank account objected to the debit.'],
  ['general', 'hard', 'The bank took the debit back.'],
] as const)('a bank debit that is disputed with %s is returned: %s', async (code, kind, message) => {
  for (const status of ['lost', 'needs_response']) {
    const returned = { code, kind, message, fee: '15.00' };
    expect(await reversals(await debited({ status, reason: code }))).toEqual({ returned, disputes: [] });
  }
});

test('a bank debit of which a part is disputed is not returned', async () => {
  const reference = await debited({ status: 'lost', amount: 500 });
  expect(await reversals(reference)).toMatchObject({
    returned: null,
    disputes: [{ status: 'lost', amountLost: '5.00' }],
  });
});
