import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { invoiceFor, seconds } from '../support/story.ts';
import { until } from '../support/wait.ts';

/** Account statements that customers get by themselves, on test clocks. */

let product: Product;
beforeAll(async () => {
  product = await startProduct({ systemNow: () => new Date('2027-01-02T12:00:00Z') });
  await product.client.patch('/account', { statement_day: '5', statement_hour: 8, time_zone: 'America/New_York' });
});
afterAll(() => product.close());

const stepsIn = (clock: Parameters<typeof story>[0]) =>
  story(clock)
    .filter((line) => line.includes('chasing'))
    .map((line) => line.replace(/chasing \d+: |task \d+ /g, ''));

const mailsTo = (customer: number) =>
  product.client.get('/emails', { filter: { customer, template: 'statement_email' } });

/** The statements that mails to a customer carry, in order: currency, start and end. */
const carried = async (customer: number) =>
  (
    await product.rows<{ document: { from: string; until: string; currency: string } }>(
      `select document from email where customer_id = ${customer} and template = 'statement_email' order by id`,
    )
  ).map(({ document }) => [document.currency, document.from, document.until]);

async function onClock(over: object = {}) {
  const clock = await clockAt(product, '2027-01-10T08:00:00Z');
  const person = { name: 'Ann', email: 'ann@example.com', test_clock: clock.id };
  return { clock, customer: await product.client.post('/customers', { ...person, ...over }) };
}

const balanceOf = (id: number) => product.client.get('/customers/{id}/balance', { id });

test('a customer gets a statement each month in which something happened or is open, up to its balance of that time', async () => {
  const { clock, customer } = await onClock();
  const invoice = await invoiceFor(product, customer.id, 120);
  // 8:00 in New York is 13:00 UTC, in April 12:00.
  const february = await advanceTo(product, clock, '2027-02-05T13:00:00Z');
  expect(stepsIn(february)).toEqual(['2027-02-05 13:00 mailed the statement of account, 120.00 usd']);
  expect((await balanceOf(customer.id)).total_outstanding).toBe(120);
  const applied_to = [{ type: 'invoice' as const, invoice: invoice.id, amount: 120 }];
  await product.client.post('/payments', { customer: customer.id, amount: 150, applied_to });
  const march = await advanceTo(product, clock, '2027-03-06T00:00:00Z');
  // 120 - 150 = -30
  expect(stepsIn(march)).toEqual(['2027-03-05 13:00 mailed the statement of account, -30.00 usd']);
  const mails = await mailsTo(customer.id);
  expect(mails.map(({ email, message }) => [email, message])).toEqual([
    ['ann@example.com', expect.stringMatching(/for Jan 5\W+Feb 5, 2027 is attached\. You owe this balance\.$/)],
    [
      'ann@example.com',
      expect.stringMatching(/for Feb 5\W+Mar 5, 2027 is attached\. This balance is in your favor\.$/),
    ],
  ]);
  expect(await carried(customer.id)).toEqual([
    ['usd', '2027-01-05T13:00:00.000Z', '2027-02-05T13:00:00.001Z'],
    ['usd', '2027-02-05T13:00:00.001Z', '2027-03-05T13:00:00.001Z'],
  ]);
  const timeline = await product.client.get('/customers/{id}/timeline', { id: customer.id });
  expect(timeline.filter(({ rule }) => rule === 'stated').map(({ what, why }) => `${what}: ${why}`)).toEqual([
    expect.stringMatching(/^statement mailed to \S+@\S+: its account statement was due$/),
    expect.stringMatching(/^statement mailed to \S+@\S+: its account statement was due$/),
  ]);
  expect(timeline).toContainEqual(
    expect.objectContaining({ rule: 'statement', upcoming: true, timestamp: seconds('2027-04-05T12:00:00Z') }),
  );
  await expectSound(product);
});

test('a customer with nothing to tell gets none; each currency has a statement; without an address it is a task', async () => {
  const { clock, customer } = await onClock();
  const other = await product.client.post('/customers', { name: 'Bob', test_clock: clock.id, statement_day: 'last' });
  await invoiceFor(product, other.id, 10);
  await invoiceFor(product, other.id, 7, { currency: 'eur' });
  const there = await advanceTo(product, clock, '2027-02-10T00:00:00Z');
  expect(await mailsTo(customer.id)).toEqual([]);
  const why = 'because there is no address';
  expect(stepsIn(there)).toEqual([
    `2027-01-31 13:00 (letter) about the statement of account, 7.00 eur, ${why}; (letter) about the statement of account, 10.00 usd, ${why}`,
  ]);
  expect(await mailsTo(other.id)).toEqual([]);
  const tasks = await product.client.get('/tasks', { filter: { customer: other.id } });
  expect(tasks.map(({ action, name }) => [action, name]).toSorted()).toEqual([
    ['letter', 'Send the statement of account of 2027-01, 10.00 usd: there is no email address'],
    ['letter', 'Send the statement of account of 2027-01, 7.00 eur: there is no email address'],
  ]);
});

test('a changed day gives no second statement in a month, and open items have a statement of their own', async () => {
  const { clock, customer } = await onClock({ statement_day: 12 });
  await invoiceFor(product, customer.id, 50);
  await advanceTo(product, clock, '2027-01-13T00:00:00Z');
  await product.client.patch('/customers/{id}', { statement_day: '20' }, { id: customer.id });
  await product.client.patch('/account', { statement_type: 'open_item' });
  await advanceTo(product, clock, '2027-02-21T00:00:00Z');
  expect(await carried(customer.id)).toEqual([
    ['usd', '2026-12-12T13:00:00.000Z', '2027-01-12T13:00:00.001Z'],
    ['usd', null, '2027-02-20T13:00:00.001Z'],
  ]);
  await product.client.patch('/account', { statement_type: null });
});

test('a change of the setting plans the customers of the account anew, also those on clocks, and turns statements off', async () => {
  const { customer } = await onClock();
  const waits = () =>
    product.rows<{ at: Date }>(`select at from wakeup where process = 'chasing' and subject_id = ${customer.id}`);
  const plannedAt = (expected: string | null) =>
    until(
      async () => {
        const times = (await waits()).map(({ at }) => new Date(at).toISOString());
        if (String(times) !== (expected ?? '')) throw new Error(`planned: ${times}`);
        return true;
      },
      { what: `a statement planned at ${expected}` },
    );
  await plannedAt('2027-02-05T13:00:00.000Z');
  await product.client.patch('/account', { statement_day: 'last' });
  await plannedAt('2027-01-31T13:00:00.000Z');
  await product.client.patch('/account', { time_zone: 'UTC' });
  await plannedAt('2027-01-31T08:00:00.000Z');
  await product.client.patch('/account', { statement_day: 'off' });
  await plannedAt(null);
  await product.client.patch('/account', { statement_day: '5', time_zone: 'America/New_York' });
  await plannedAt('2027-02-05T13:00:00.000Z');
});
