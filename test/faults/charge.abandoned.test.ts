import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { fastSweepConfig, steppedTime } from '../support/steppedTime.ts';
import { invoiceFor, payingCustomer } from '../support/story.ts';
import { gatewayWithout } from './money/outage.ts';
import { allCaptures } from './money/recovery.ts';

const time = steppedTime('2027-03-01T09:00:00Z');
let product: Product;
beforeAll(async () => {
  product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
});
afterAll(() => product.close());

/** Minutes from an abandoned attempt to the next one: 0 first, then 1, doubled up to six hours. */
const waits = [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360];

test('AutoPay without a gateway retries with back-off, uses no attempt of the invoice, and pays in the end', async () => {
  const customer = await payingCustomer(product, 'tok_4242424242424242');
  const restore = await gatewayWithout(product, 'operation');
  const { id } = await invoiceFor(product, customer.id, 50);
  let made = 1;
  for (const minutes of waits) {
    const next = new Date(time.systemNow().getTime() + minutes * 60_000);
    if (minutes > 0) {
      // No further attempt starts until the time moves.
      await attemptsEnd(made);
      const { next_payment_attempt } = await product.call('GET', `/invoices/${id}`);
      expect({ made, next_payment_attempt }).toEqual({ made, next_payment_attempt: next.getTime() / 1000 });
      time.moveTo(next.toISOString());
    }
    made += 1;
  }
  await attemptsEnd(made);
  expect(await product.call('GET', `/invoices/${id}`)).toMatchObject({ attempt_count: 0, balance: 50, paid: false });

  await restore();
  time.moveTo(new Date(time.systemNow().getTime() + 360 * 60_000).toISOString());
  await product.row(`select 1 from invoice where id = ${id} and paid and attempt_count = 1`);
  expect(await allCaptures(product)).toBe(1);
  expect(
    await product.rows("select state, count(*)::int from attempt where kind = 'charge' group by 1 order by 1"),
  ).toEqual([
    { state: 'abandoned', count: made },
    { state: 'succeeded', count: 1 },
  ]);
  expect(product.mailbox.messages().filter(({ subject }) => subject.includes('did not go through'))).toEqual([]);
  expect(await product.audit()).toEqual([]);
});

/** Waits until this many attempts have ended. */
async function attemptsEnd(count: number): Promise<void> {
  await product.row<{ ended: number }>(
    `select count(*)::int as ended from attempt where kind = 'charge' and ended_at is not null`,
    ({ ended }) => ended === count,
  );
}
