import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceTo, clockAt, story, subscriberOn } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { expectSound } from '../support/soundness.ts';
import { invoiceFor, payingCustomer } from '../support/story.ts';

/** Disputes and returns, from the signed events of the gateway to the books: an API in its own process, and a worker. */

let product: Product;
beforeAll(async () => {
  product = await startProduct({ env: { SWEEP_INTERVAL: '200', SWEEP_AGE: '500' } });
  await product.client.post('/plans', { id: 'gold', name: 'Gold', amount: 49, interval: 'month' });
  await startRole(product, 'api'); // it sends the events of the test gateway
});
afterAll(async () => {
  await killRoles();
  await product.close();
});

/** Waits for an event of a type about a customer. */
const eventOf = (type: string, customer: number) =>
  product.row(`select 1 from event where type = '${type}' and (object -> 'customer')::text like '${customer}'
    or type = '${type}' and object -> 'customer' ->> 'id' = '${customer}'`);

const invoicesOf = (customer: number) => product.client.get('/invoices', { filter: { customer } });

test("a dispute on a test clock is opened by its event, and ends in the clock's time", async () => {
  const clock = await clockAt(product, '2027-01-15T09:00:00Z');
  const customer = await subscriberOn(product, clock, { token: 'tok_4000000000000259', plan: 'gold' });
  await eventOf('charge.disputed', customer.id);
  expect(await invoicesOf(customer.id)).toMatchObject([{ status: 'paid', balance: 0 }]);
  await advanceTo(product, clock, '2027-01-21T09:00:00Z');
  expect(await invoicesOf(customer.id)).toMatchObject([{ status: 'paid', balance: 0 }]);
  const there = await advanceTo(product, clock, '2027-01-22T09:00:00Z'); // the evidence was due after 7 days
  expect(story(there)).toEqual(['2027-01-22 09:00 charge 1: dispute of 49.00 usd is lost']);
  expect(await invoicesOf(customer.id)).toMatchObject([{ balance: 49, autopay: false, next_payment_attempt: null }]);
  // Nothing collects the invoice again by itself.
  await advanceTo(product, clock, '2027-02-14T09:00:00Z');
  expect(await invoicesOf(customer.id)).toMatchObject([{ balance: 49, attempt_count: 1 }]);
  await expectSound(product);
});

test('a returned debit reopens its invoice, which AutoPay debits again; the sweep finds the event of a lost wake', async () => {
  await product.rows(
    `create function lose_wake() returns trigger language plpgsql as $$ begin return null; end $$;
     create trigger lose_wake before insert on outbox for each row when (new.topic = 'charge' and not new.recovered and new.due_at <= clock_timestamp())
     execute function lose_wake()`,
  );
  const customer = await payingCustomer(product, 'tok_110000000_000111111116');
  await invoiceFor(product, customer.id, 30);
  await eventOf('payment.deleted', customer.id);
  await product.rows('drop trigger lose_wake on outbox');
  const [reopened] = await invoicesOf(customer.id);
  expect(reopened).toMatchObject({ balance: 30, paid: false, autopay: true, attempt_count: 1 });
  expect(reopened?.next_payment_attempt).toBeGreaterThan(Date.now() / 1000 + 2 * 86_400); // the first delay is 3 days
  const states = `select state from gateway_event where attempt_id in (select attempt_id from charge where customer_id = ${customer.id})`;
  await product.row(states, ({ state }) => state === 'processed');
  await expectSound(product);
});
