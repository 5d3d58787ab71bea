import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Body } from '../../client/index.ts';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { invoiceFor, seconds } from '../support/story.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

type NewCadence = Body<'post', '/chasing_cadences'>;

const STEPS: NewCadence['steps'] = [
  { name: 'Reminder', action: 'email', schedule: 'past_due_age:3' },
  { name: 'Second reminder', action: 'email', schedule: 'past_due_age:10' },
  { name: 'Call', action: 'phone', schedule: 'past_due_age:20' },
  { name: 'Decide', action: 'escalate', schedule: 'past_due_age:30' },
];

const cadenceWith = (fields: Partial<NewCadence> = {}) =>
  product.client.post('/chasing_cadences', { name: 'Standard', time_of_day: 9, steps: STEPS, ...fields });

async function chased(fields: Partial<NewCadence> = {}) {
  const cadence = await cadenceWith(fields);
  const clock = await clockAt(product, '2027-01-04T08:00:00Z'); // a Monday
  const customer = await product.client.post('/customers', {
    name: 'Ann',
    email: 'ann@example.com',
    test_clock: clock.id,
    chasing_cadence: cadence.id,
  });
  return { cadence, clock, customer };
}

const mailsTo = async (customer: number) =>
  (await product.client.get('/emails', { filter: { customer, template: 'late_payment_reminder_email' } }))
    .map(({ created_at: at, subject }) => `${new Date(at * 1000).toISOString().slice(0, 16)} ${subject}`)
    .toReversed();

test('a customer that does not pay is asked step by step, and no more after the last step', async () => {
  const { clock, customer, cadence } = await chased();
  await invoiceFor(product, customer.id, 120, { due_date: seconds('2027-01-08T09:00:00Z') }); // a Friday
  const there = await advanceTo(product, clock, '2027-03-31T00:00:00Z');
  // January 8 + 3 = 11, + 10 = 18 (Mondays), + 20 = 28, + 30 = February 7, a Sunday: the 8th
  expect(story(there).filter((line) => line.includes('chasing'))).toEqual([
    `2027-01-11 09:00 chasing ${customer.id}: step 1 of 4: asked for 120.00 usd by email`,
    `2027-01-18 09:00 chasing ${customer.id}: step 2 of 4: asked for 120.00 usd by email`,
    expect.stringMatching(/^2027-01-28 09:00 chasing \d+: step 3 of 4: task \d+ \(phone\) about 120.00 usd$/),
    expect.stringMatching(/^2027-02-08 09:00 chasing \d+: step 4 of 4: task \d+ \(review\) about 120.00 usd$/),
  ]);
  expect(await mailsTo(customer.id)).toEqual([]);
  const tasks = await product.client.get('/tasks', { filter: { customer: customer.id } });
  expect(tasks.map(({ action, name, chase_step_id: step }) => [action, name, step])).toEqual([
    ['review', 'Decide: 120.00 usd', cadence.steps[3]?.id],
    ['phone', 'Call: 120.00 usd', cadence.steps[2]?.id],
  ]);
  await expectSound(product);
});
