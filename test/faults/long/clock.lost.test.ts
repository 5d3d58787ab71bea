import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceTo, clockAt, subscriberOn, untilAdvanced } from '../../support/clock.ts';
import { type Processes, processesOf } from '../../support/processes.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { invoiceFor, payingCustomer, seconds } from '../../support/story.ts';
import { expectRecovered } from '../money/recovery.ts';

/** Test clocks whose outbox rows are lost before the relay reads them. */

let product: Product;
let processes: Processes;

beforeAll(async () => {
  product = await startProduct({ endpoint: true, env: { SWEEP_INTERVAL: '200' } });
  processes = processesOf(product);
  await product.client.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  await product.rows(`
    create table to_lose (topic text);
    create function lose() returns trigger language plpgsql security definer as $$ begin
      delete from to_lose where topic = new.topic;
      if found then delete from outbox where id = new.id; end if;
      return null;
    end $$;
    create trigger lose after insert on outbox for each row execute function lose();
  `);
});
afterAll(async () => {
  await processes.close();
  await product.close();
});

const START = '2027-01-01T00:00:00Z';
const FEBRUARY = '2027-02-01T00:00:00Z';
const END = '2027-02-15T00:00:00Z';
const CARD = 'tok_4242424242424242';

/** Deletes the next row of each topic in the transaction that writes it. */
async function loseNext(...topics: string[]): Promise<void> {
  await product.rows(`insert into to_lose select unnest(string_to_array(?, ','))`, [topics.join()]);
}

/** Topics whose row has not been lost yet. */
const toLose = () => product.rows('select topic from to_lose');

const invoicesOf = async (customer: number) => {
  const invoices = await product.client.get('/invoices', { filter: { customer }, sort: 'id' });
  return invoices.map(({ date, status }) => [date, status]);
};
const paidOn = (...days: string[]) => days.map((day) => [seconds(day), 'paid']);

test('the sweep finds a lost wake on an idle clock', async () => {
  const clock = await clockAt(product, START);
  await loseNext('invoice'); // the wake that charges the first bill
  const customer = await subscriberOn(product, clock, { token: CARD, plan: 'gold' });
  expect(await toLose()).toEqual([]);
  expect(await invoicesOf(customer.id)).toEqual(paidOn(START));
  await expectRecovered(product);
});

test('the sweep finds the lost wake of an advancing clock', async () => {
  const clock = await clockAt(product, START);
  const customer = await subscriberOn(product, clock, { token: CARD, plan: 'gold' });
  await loseNext('clock');
  await product.client.post('/test_clocks/{id}/advance', { frozen_time: seconds(END) }, { id: clock.id });
  expect(await toLose()).toEqual([]);
  await product.rows(
    `update test_clock set progressed_at = progressed_at - interval '1 minute' where id = ${clock.id}`,
  );
  expect(await untilAdvanced(product, clock.id)).toMatchObject({ status: 'ready', frozen_time: seconds(END) });
  expect(await invoicesOf(customer.id)).toEqual(paidOn(START, FEBRUARY));
  await expectRecovered(product);
});

test('lost wakes that a clock sent on its way are sent again, and nothing happens twice', async () => {
  const { client } = product;
  const clock = await clockAt(product, START);
  const subscriber = await subscriberOn(product, clock, { token: CARD, plan: 'gold' });
  const payer = await payingCustomer(product, CARD, { test_clock: clock.id, autopay_delay_days: 31 });
  await invoiceFor(product, payer.id, 25);
  const items = [{ name: 'Consulting', unit_cost: 100 }];
  const expiration_date = seconds('2027-01-31T12:00:00Z');
  await client.post('/estimates', { customer: payer.id, items, expiration_date });
  await loseNext('subscription', 'invoice', 'estimate');
  const there = await advanceTo(product, clock, END);
  expect(await toLose()).toEqual([]);
  expect(there).toMatchObject({ status: 'ready', frozen_time: seconds(END) });
  expect(there.happened.map(({ subject, did }) => `${subject.object}: ${did}`).toSorted()).toEqual([
    'estimate: expired',
    'invoice: attempt 1: charging 10.00 usd',
    'invoice: attempt 1: charging 25.00 usd',
    'invoice: charge of 10.00 usd succeeded',
    'invoice: charge of 25.00 usd succeeded',
    expect.stringMatching(/^subscription: renewal 1: issued INV-\d+ for 10.00 usd$/),
  ]);
  expect(await invoicesOf(subscriber.id)).toEqual(paidOn(START, FEBRUARY));
  await expectRecovered(product);
});

test('the lost wake for a mail that a clock waits for is sent again', async () => {
  const clock = await clockAt(product, START);
  const customer = await subscriberOn(product, clock, { token: CARD, plan: 'gold' });
  await expectRecovered(product);
  await processes.untilOver({ process: 'mail', id: product.accountId, shard: 0 }); // a running pump would find the mail without the wake
  await loseNext('mail');
  expect(await advanceTo(product, clock, END)).toMatchObject({ status: 'ready', frozen_time: seconds(END) });
  expect(await toLose()).toEqual([]);
  expect(await invoicesOf(customer.id)).toEqual(paidOn(START, FEBRUARY));
  await expectRecovered(product);
});
