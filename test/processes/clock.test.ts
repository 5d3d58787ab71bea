import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceTo, clockAt, dayOf, subscriberOn } from '../support/clock.ts';
import { raiseLongIds } from '../support/longIds.ts';
import { type Product, startProduct } from '../support/product.ts';
import { startReceiver, verifiedPayload } from '../support/receiver.ts';
import { expectOrder, expectSound } from '../support/soundness.ts';
import { seconds } from '../support/story.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await raiseLongIds(product.config.databaseUrl); // all objects of this test have ids beyond 32 bits
});
afterAll(() => product.close());

const END = '2028-01-31T09:59:59Z';

test('a year of a subscription on a clock has twelve charged invoices, mails, webhooks and clean books', async () => {
  const { client } = product;
  const receiver = await startReceiver();
  const webhook = await client.post('/webhooks', { url: receiver.url, events: '*' });
  await client.post('/plans', { id: 'gold', name: 'Gold', amount: 12.5, interval: 'month' });
  const clock = await clockAt(product, '2027-01-31T10:00:00Z');
  const customer = await subscriberOn(product, clock, { token: 'tok_4242424242424242', plan: 'gold', quantity: 3 });

  const there = await advanceTo(product, clock, END);
  expect(there).toMatchObject({ status: 'ready', frozen_time: seconds(END), target_time: null, stop_reason: null });

  // The anchor is the 31st: shorter months use their last day.
  const days = [
    '01-31',
    '02-28',
    '03-31',
    '04-30',
    '05-31',
    '06-30',
    '07-31',
    '08-31',
    '09-30',
    '10-31',
    '11-30',
    '12-31',
  ];
  const invoices = await client.get('/invoices', { filter: { customer: customer.id } });
  expect(invoices.map(({ date }) => dayOf(date))).toEqual(days.map((day) => `2027-${day} 10:00`));
  // 3 x 12.50 = 37.50 each month, 12 x 37.50 = 450.00 in the year.
  for (const invoice of invoices) {
    expect(invoice).toMatchObject({
      total: 37.5,
      balance: 0,
      status: 'paid',
      attempt_count: 1,
      created_at: invoice.date,
    });
  }
  const payments = await client.get('/payments', { filter: { customer: customer.id } });
  expect(payments.map(({ date, amount }) => [date, amount])).toEqual(invoices.map(({ date }) => [date, 37.5]));
  expect(
    await product.rows(`select ledger_account, sum(amount)::float8 as sum from ledger_entry group by 1 order by 1`),
  ).toEqual([
    { ledger_account: 'clearing:test', sum: 450 },
    { ledger_account: 'receivable', sum: 0 },
    { ledger_account: 'revenue', sum: -450 },
    { ledger_account: 'unapplied', sum: 0 },
  ]);

  await expectSound(product, [webhook]);
  const receipts = invoices.map(({ number }) => `Receipt for ${number} from Acme`);
  const mails = product.mailbox.messages().filter(({ subject }) => subject.startsWith('Receipt'));
  expect(mails.map(({ subject }) => subject)).toEqual(receipts);
  expect(mails[11]?.text).toContain('December 31, 2027');
  expect(product.mailbox.messages()).toHaveLength(13); // and the confirmation of the subscription

  // Events have the customer's time. The webhook signature has real time, or it would be too old.
  expectOrder(receiver.requests);
  for (const request of receiver.requests) verifiedPayload(request, webhook.secret);
  const paid = receiver.requests.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'invoice.paid');
  expect(paid.map(({ timestamp }) => timestamp)).toEqual(invoices.map(({ date }) => date));
  await receiver.stop();
});

test('the steps of an advance are listed in order of time, in pages', async () => {
  const [clock] = await product.client.get('/test_clocks');
  const id = clock?.id ?? 0;
  const steps = await product.client.get('/test_clocks/{id}/steps', { id, filter: { advance: 1 } });
  expect(clock?.happened).toEqual(steps);
  expect(steps.slice(0, 3).map(({ at, did }) => `${dayOf(at)} ${did}`)).toEqual([
    '2027-02-28 10:00 renewal 1: issued INV-00002 for 37.50 usd',
    '2027-02-28 10:00 attempt 1: charging 37.50 usd',
    '2027-02-28 10:00 charge of 37.50 usd succeeded',
  ]);
  expect(steps).toHaveLength(33); // three in each of eleven months; the first invoice came before the clock moved
});
