import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, type Role, startRole } from '../../support/roles.ts';
import { invoiceFor, payingCustomer } from '../../support/story.ts';
import { until } from '../../support/wait.ts';
import { expectRecovered } from '../money/recovery.ts';

/** Crashes between an event of the gateway and the books: while it is stored, and at each point of the look-up that follows. */

let product: Product;

beforeAll(async () => {
  product = await startProduct({ endpoint: true, worker: false });
});
afterAll(async () => {
  await killRoles();
  await product.close();
});

/** Debits of this bank account are returned two seconds after they succeeded: it cannot be debited again. */
const RETURNED = 'tok_110000000_000111111113';

/** Points of the look-up that an event asks for, in order. */
const points = ['event.started', 'event.answered', 'event.recorded'] as const;

/** Charges an invoice whose debit is returned. Returns the id of the customer. */
async function returnedDebit(): Promise<number> {
  const { id } = await payingCustomer(product, RETURNED, { autopay_delay_days: 1 });
  const invoice = await invoiceFor(product, id, 30);
  await product.client.post('/invoices/{id}/pay', null, { id: invoice.id });
  return id;
}

test('an event is lost nowhere: an API is killed while it stores one, workers at every point of its look-up', async () => {
  const customers = [await returnedDebit()];
  const killedApi = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: 'event.stored=kill' });
  await killedApi.untilKilledAt('event.stored');
  expect(await product.rows('select 1 from gateway_event')).toEqual([]);
  await startRole(product, 'api'); // the gateway sends the event again
  // Each point stops the first look-up that reaches it and lets later ones pass.
  const armed = points.map((point) => `${point}=hang`).join();
  const worker: Role = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: armed });
  for (const [place, point] of points.entries()) {
    if (place > 0) customers.push(await returnedDebit());
    await worker.untilHit(point);
    expect(points.filter((one) => worker.hasHit(one))).toEqual(points.slice(0, place + 1));
  }
  await worker.kill();

  await product.startWorker();
  const voided = () => product.rows<{ id: number }>('select customer_id as id from payment where voided order by id');
  const all = customers.map((id) => ({ id }));
  await until(async () => (await voided()).length === all.length, { what: 'every return to be recorded' });
  expect(await voided()).toEqual(all);
  const entries = await product.rows<{ returns: number }>(
    `select count(*)::int as returns from ledger_entry where reason = 'return' and ledger_account = 'unapplied' group by payment_id`,
  );
  expect(entries).toEqual(customers.map(() => ({ returns: 1 })));
  const handled = `select state, count(*)::int as events from gateway_event group by state`;
  await until(
    async () => (await product.rows<{ state: string }>(handled)).every(({ state }) => state === 'processed'),
    {
      what: 'every event to be processed',
    },
  );
  await expectRecovered(product);
});
