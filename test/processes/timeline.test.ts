import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';
import { payingCustomer, seconds } from '../support/story.ts';
import { until } from '../support/wait.ts';

const time = steppedTime('2027-01-31T09:00:00Z');
let product: Product;
let customer: number;
let subscription: number;
let invoice: number;

beforeAll(async () => {
  product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
  const { client } = product;
  customer = (await payingCustomer(product, 'tok_script_soft.succeed')).id;
  await client.post('/plans', { id: 'gold', name: 'Gold', amount: 49, interval: 'month' });
  subscription = (await client.post('/subscriptions', { customer, plan: 'gold' })).id;
  invoice = (await attempted(1)).id;
});
afterAll(() => product.close());

/** Waits until an invoice has this many attempts with an outcome. Returns it. */
function attempted(count: number) {
  const find = async () => (await product.client.get('/invoices')).find((one) => one.attempt_count === count);
  return until(find, { what: `${count} attempts` });
}

const told = (entries: { timestamp: number; what: string; why: string }[]) =>
  entries.map(({ timestamp, what, why }) => `${new Date(timestamp * 1000).toISOString().slice(0, 16)} ${what}: ${why}`);

test('the timeline of an invoice shows past and future events with their reasons', async () => {
  const entries = await product.client.get('/invoices/{id}/timeline', { id: invoice });
  expect(told(entries)).toEqual([
    '2027-02-03T09:00 attempt 2 of 4: the charge failed: insufficient funds',
    '2027-01-31T09:00 attempt 1 failed, next on 3 February 2027: the charge failed: insufficient funds',
    expect.stringMatching(/^2027-01-31T09:00 charge of \$49\.00 failed: /),
    '2027-01-31T09:00 issued INV-00001 for $49.00: subscription 1 bills 31 January 2027 to 28 February 2027',
  ]);
  expect(entries[0]).toMatchObject({
    object: 'timeline_entry',
    upcoming: true,
    rule: 'attempt',
    event: null,
    timestamp: seconds('2027-02-03T09:00:00Z'),
    subject: { object: 'invoice', id: invoice },
  });
  expect(entries[3]).toMatchObject({ upcoming: false, rule: 'invoice.created', event: expect.any(Number) });
});

test('the timeline of a subscription includes its invoices, and that of a customer includes everything', async () => {
  const ofSubscription = await product.client.get('/subscriptions/{id}/timeline', { id: subscription });
  expect(told(ofSubscription)).toEqual([
    '2027-02-28T09:00 renewal 1: the period starts, and its plan bills in advance',
    '2027-02-03T09:00 attempt 2 of 4: the charge failed: insufficient funds',
    expect.stringContaining('attempt 1 failed'),
    expect.stringContaining('charge of $49.00 failed'),
    expect.stringContaining('issued INV-00001'),
    '2027-01-31T09:00 billed 31 January 2027 to 28 February 2027: the period started',
    '2027-01-31T09:00 subscribed to gold x 1: asked by the API',
  ]);
  const all = await product.client.get('/customers/{id}/timeline', { id: customer });
  const mails = all.filter(({ rule }) => rule === 'mailed');
  const ofCustomer = all.filter(({ rule }) => rule !== 'mailed');
  expect(told(ofCustomer).slice(0, 8)).toEqual([
    '2030-12-02T00:00 mails that the card expires, 30 days ahead: its last month ends card_expiry_notice_days later',
    ...told(ofSubscription),
  ]);
  expect(told(mails).toSorted()).toEqual([
    '2027-01-31T09:00 confirmation of the subscription mailed to bob@example.com: Perennial did it by itself',
    '2027-01-31T09:00 notice of the failed payment mailed to bob@example.com: the charge failed',
  ]);
  expect(ofCustomer.slice(8).map(({ rule }) => rule)).toEqual(
    expect.arrayContaining(['payment_source.created', 'customer.updated', 'customer.created']),
  );
});

test('a timeline is a list with pages, total, sorting and filters', async () => {
  const whole = await product.client.get('/customers/{id}/timeline', { id: customer });
  const paged: typeof whole = [];
  for await (const { items, total } of product.client.pages('/customers/{id}/timeline', {
    id: customer,
    per_page: 2,
  })) {
    expect([total, items.length <= 2]).toEqual([whole.length, true]);
    paged.push(...items);
  }
  expect(paged).toEqual(whole);
  const asked = { id: customer, sort: 'timestamp', filter: { upcoming: true } };
  const upcoming = await product.client.get('/customers/{id}/timeline', asked);
  expect(upcoming.map(({ rule }) => rule)).toEqual(['attempt', 'bill', 'card_expiring']);
});

test('money that arrives changes the amount of the next charge, not its reason', async () => {
  const applied_to = [{ type: 'invoice' as const, invoice, amount: 9 }];
  await product.client.post('/payments', { customer, amount: 9, method: 'check', applied_to });
  const [next] = await product.client.get('/invoices/{id}/timeline', { id: invoice });
  expect(next).toMatchObject({ what: 'attempt 2 of 4', why: 'the charge failed: insufficient funds' });
});

test('future entries become past entries', async () => {
  time.moveTo('2027-02-03T09:00:00Z');
  await attempted(2);
  await product.client.patch('/subscriptions/{id}', { cancel_at_period_end: true }, { id: subscription });
  const ofInvoice = await product.client.get('/invoices/{id}/timeline', { id: invoice });
  expect(told(ofInvoice).slice(0, 2)).toEqual([
    expect.stringContaining('2027-02-03T09:00 payment of $40.00 by card received'),
    '2027-02-03T09:00 INV-00001 paid: nothing is left of $49.00',
  ]);
  const ofSubscription = await product.client.get('/subscriptions/{id}/timeline', { id: subscription });
  expect(told(ofSubscription).slice(0, 2)).toEqual([
    '2027-02-28T09:00 cancel at the end of the period: cancel_at_period_end is set',
    '2027-02-03T09:00 set to end with its period: asked by the API',
  ]);
  expect(await product.audit()).toEqual([]);
});
