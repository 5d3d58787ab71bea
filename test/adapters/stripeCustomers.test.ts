import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deleteCustomer } from './stripe/methods.ts';
import { type StartedStripe, startedStripe, vaulting } from './stripe/started.ts';

/** Customers at Stripe: kept, made anew under another key, and found again. */

let stripe: StartedStripe;
beforeAll(async () => {
  stripe = await startedStripe();
});
afterAll(() => stripe.server.close());

const CREATE = /^POST \/v1\/customers$/;
const SEARCH = /customers\/search$/;
let last = 100;
/** A customer of ours that Stripe does not know yet. */
const somebody = () => {
  last += 1;
  return { accountId: 7, customerId: last };
};
const keysOf = (customerId: number) =>
  stripe.asked(CREATE).flatMap(({ key }) => (key?.includes(`-7-${customerId}`) ? [key] : []));
const customerOf = (reference: string) => stripe.server.world.payments.get(reference)?.customer;

test('the id of a customer is kept: no further request asks for it', async () => {
  const who = somebody();
  const first = await stripe.prepared({ ...stripe.charge(), ...who });
  const [searches, creations] = [stripe.asked(SEARCH).length, stripe.asked(CREATE).length];
  const second = await stripe.prepared({ ...stripe.charge(), ...who });
  expect(customerOf(second)).toBe(customerOf(first));
  expect([stripe.asked(SEARCH).length, stripe.asked(CREATE).length]).toEqual([searches, creations]);
});

test('a customer that an earlier version made is found by the search, and kept', async () => {
  const who = somebody();
  const first = await stripe.prepared({ ...stripe.charge(), ...who });
  stripe.customers.known.clear();
  expect(customerOf(await stripe.prepared({ ...stripe.charge(), ...who }))).toBe(customerOf(first));
  expect(stripe.customers.known.get(`7 ${who.customerId}`)).toEqual({ reference: customerOf(first), generation: 0 });
});

test('an error that Stripe keeps under the key of a creation blocks nobody: the next key is another one', async () => {
  const who = somebody();
  stripe.server.fail({ request: CREATE, how: 'failed_before' });
  const { outcome } = await stripe.made({ ...stripe.charge(), ...who });
  expect(outcome).toMatchObject({ status: 'succeeded' });
  const [first = '', ...others] = new Set(keysOf(who.customerId));
  expect(others).toEqual([`${first}-1`]);
  expect(stripe.customers.known.get(`7 ${who.customerId}`)).toMatchObject({ generation: 1 });
});

test('while Stripe keeps failing, each attempt has another key, so that the first good answer counts', async () => {
  const who = somebody();
  stripe.server.fail({ request: CREATE, how: 'failed_before', times: 4 });
  await expect(stripe.prepared({ ...stripe.charge(), ...who })).rejects.toThrow('Stripe is broken.');
  expect(await stripe.prepared({ ...stripe.charge(), ...who })).toMatch(/^pi_/);
  expect(stripe.customers.known.get(`7 ${who.customerId}`)).toMatchObject({ generation: 2 });
});

test('a creation whose answer is lost keeps its key, so that it makes one customer', async () => {
  const who = somebody();
  const before = stripe.server.world.customers.size;
  stripe.server.fail({ request: CREATE, how: 'silent_after', times: 3 });
  await expect(stripe.prepared({ ...stripe.charge(), ...who })).rejects.toThrow('timeout');
  await stripe.prepared({ ...stripe.charge(), ...who });
  expect(stripe.server.world.customers.size).toBe(before + 1);
});

test.each(['charge', 'vault'] as const)('a customer that was deleted at Stripe is made anew for a %s', async (kind) => {
  const who = somebody();
  const gone = customerOf(await stripe.prepared({ ...stripe.charge(), ...who })) ?? '';
  deleteCustomer(stripe.server.world, gone);
  const operation = kind === 'charge' ? stripe.charge() : vaulting('pm_card_visa');
  const { outcome } = await stripe.made({ ...operation, ...who });
  expect(outcome).toMatchObject({ status: 'succeeded' });
  expect(stripe.customers.gone).toContain(gone);
  const { reference, generation } = stripe.customers.known.get(`7 ${who.customerId}`) ?? {};
  expect([reference === gone, generation]).toEqual([false, 1]);
  expect(await stripe.prepared({ ...operation, ...who })).toMatch(/^(pi|seti)_/);
});

test('a stored card whose customer was deleted is gone, and so is the customer', async () => {
  const { reference, customerReference } = await stripe.vault('pm_card_visa');
  deleteCustomer(stripe.server.world, customerReference);
  const { outcome } = await stripe.made(stripe.charge({ instrument: { reference } }));
  expect(outcome).toMatchObject({ status: 'failed', kind: 'hard', code: 'source_deleted' });
  expect(stripe.customers.gone).toContain(customerReference);
});

test('a stored card that still names its deleted customer is gone, too', async () => {
  const { reference, customerReference } = await stripe.vault('pm_card_visa');
  deleteCustomer(stripe.server.world, customerReference);
  Object.assign(stripe.server.world.methods.get(reference)?.method ?? {}, { customer: customerReference });
  const { outcome } = await stripe.made(stripe.charge({ instrument: { reference } }));
  expect(outcome).toMatchObject({ status: 'failed', kind: 'hard', code: 'source_deleted' });
  expect(stripe.customers.gone.filter((one) => one === customerReference)).toHaveLength(1);
});
