import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { fastSweepConfig, steppedTime, stepTo } from '../support/steppedTime.ts';

/** The digest of each morning, in real time that the test steps through. */

const time = steppedTime('2027-03-27T12:00:00Z');
let product: Product;
beforeAll(async () => {
  product = await startProduct({ config: fastSweepConfig, systemNow: time.systemNow });
});
afterAll(() => product.close());

test('the team gets a digest each morning after a day on which money came in, at its hour also when the clocks change', async () => {
  const { client } = product;
  await client.patch('/account', { time_zone: 'Europe/Berlin', alert_recipients: ['team@example.com'] });
  const customer = await client.post('/customers', { name: 'Cleo' });
  const pay = (amount: number) => client.post('/payments', { customer: customer.id, amount });
  await pay(30);
  await pay(12.25);
  await stepTo(product, time, '2027-03-28T12:00:00Z');
  await pay(5);
  await stepTo(product, time, '2027-03-31T12:00:00Z'); // nothing happens on two days
  const mails = await product.rows<{ cause: string; text: string; created_at: Date; state: string }>(
    `select cause, text, created_at, state from email where template = 'digest_email' order by id`,
  );
  const told = mails.map(({ cause, text, created_at, state }) => [
    cause,
    new Date(created_at).toISOString(),
    state,
    text.match(/^Collected .*$/m)?.[0],
  ]);
  // 7:00 in Berlin is 5:00 UTC from March 28 on.
  expect(told).toEqual([
    ['digest:2027-03-27', '2027-03-28T05:00:00.000Z', 'sent', 'Collected  $42.25 (2)'], // 30 + 12.25
    ['digest:2027-03-28', '2027-03-29T05:00:00.000Z', 'sent', 'Collected  $5.00 (1)'],
  ]);
  const arrived = product.mailbox.messages().filter(({ to }) => to.includes('team@example.com'));
  expect(arrived.map(({ subject }) => subject)).toEqual([
    expect.stringContaining('March 27, 2027'),
    expect.stringContaining('March 28, 2027'),
  ]);
  await expectSound(product);
});
