import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Body } from '../../client/index.ts';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { invoiceFor, payingCustomer, seconds } from '../support/story.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

type NewCadence = Body<'post', '/chasing_cadences'>;
type NewCustomer = Body<'post', '/customers'>;

const STEPS: NewCadence['steps'] = [
  { name: 'Reminder', action: 'email', schedule: 'past_due_age:3' },
  { name: 'Second reminder', action: 'email', schedule: 'past_due_age:10' },
  { name: 'Call', action: 'phone', schedule: 'past_due_age:20' },
  { name: 'Decide', action: 'escalate', schedule: 'past_due_age:30' },
];

const cadenceWith = (fields: Partial<NewCadence> = {}) =>
  product.client.post('/chasing_cadences', { name: 'Standard', time_of_day: 9, steps: STEPS, ...fields });

/** A customer on a clock at Monday, January 4, 2027, that follows a cadence of its own. */
async function chased(fields: Partial<NewCadence> = {}, over: Partial<NewCustomer> = {}) {
  const cadence = await cadenceWith(fields);
  const clock = await clockAt(product, '2027-01-04T08:00:00Z');
  const person = { name: 'Ann', email: 'ann@example.com', test_clock: clock.id, chasing_cadence: cadence.id };
  const customer = await product.client.post('/customers', { ...person, ...over });
  return { cadence, clock, customer };
}

/** Due on Friday, January 8: three days later is Monday the 11th, ten days later Monday the 18th. */
const FRIDAY = { due_date: seconds('2027-01-08T09:00:00Z') };

const pay = (customer: number, invoice: { id: number }, amount: number) =>
  product.client.post('/payments', {
    customer,
    amount,
    applied_to: [{ type: 'invoice', invoice: invoice.id, amount }],
  });

const stepsIn = (clock: Parameters<typeof story>[0]) =>
  story(clock)
    .filter((line) => line.includes('chasing'))
    .map((line) => line.replace(/chasing \d+: |task \d+ /g, ''));

const subjectsTo = async (customer: number) =>
  (await product.client.get('/emails', { filter: { customer, template: 'late_payment_reminder_email' } })).map(
    ({ subject }) => subject,
  );

test('a customer that does not pay is asked step by step, and no more after the last step', async () => {
  const { clock, customer, cadence } = await chased();
  await invoiceFor(product, customer.id, 120, FRIDAY);
  const there = await advanceTo(product, clock, '2027-03-31T00:00:00Z');
  // January 8 + 20 = 28, a Thursday; + 30 = February 7, a Sunday: the 8th
  expect(stepsIn(there)).toEqual([
    '2027-01-11 09:00 step 1 of 4: asked for 120.00 usd by email',
    '2027-01-18 09:00 step 2 of 4: asked for 120.00 usd by email',
    '2027-01-28 09:00 step 3 of 4: (phone) about 120.00 usd',
    '2027-02-08 09:00 step 4 of 4: (review) about 120.00 usd',
  ]);
  const subject = 'Payment past due: $120.00 is open at Acme';
  expect(await subjectsTo(customer.id)).toEqual([subject, subject]);
  const tasks = await product.client.get('/tasks', { filter: { customer: customer.id } });
  expect(tasks.map(({ action, name, chase_step_id: step }) => [action, name, step])).toEqual([
    ['phone', 'Call: 120.00 usd', cadence.steps[2]?.id],
    ['review', 'Decide: 120.00 usd', cadence.steps[3]?.id],
  ]);
  expect(await product.client.get('/customers/{id}', { id: customer.id })).toMatchObject({ next_chase_step: null });
  const timeline = await product.client.get('/customers/{id}/timeline', { id: customer.id });
  const chasedEntries = timeline.filter(({ rule }) => rule === 'chased').map(({ what, why }) => `${what}: ${why}`);
  expect(chasedEntries.toSorted()).toEqual([
    expect.stringMatching(/^reminder mailed to \S+@\S+: its cadence came to this step$/),
    expect.stringMatching(/^reminder mailed to \S+@\S+: its cadence came to this step$/),
    expect.stringMatching(/^task \d+ made: (phone|escalate): its cadence came to this step$/),
    expect.stringMatching(/^task \d+ made: (phone|escalate): its cadence came to this step$/),
  ]);
  await expectSound(product);
});

test('a customer that has paid everything begins anew with its next invoice', async () => {
  const { clock, customer, cadence } = await chased();
  const first = await invoiceFor(product, customer.id, 100, FRIDAY);
  const asked = await advanceTo(product, clock, '2027-01-19T00:00:00Z');
  expect(stepsIn(asked)).toHaveLength(2);
  await pay(customer.id, first, 100);
  await invoiceFor(product, customer.id, 50, { due_date: seconds('2027-01-22T09:00:00Z') });
  const there = await advanceTo(product, clock, '2027-01-26T00:00:00Z');
  expect(stepsIn(there)).toEqual(['2027-01-25 09:00 step 1 of 4: asked for 50.00 usd by email']); // January 22 + 3
  const { next_chase_step: next } = await product.client.get('/customers/{id}', { id: customer.id });
  expect(next).toBe(cadence.steps[1]?.id);
});

test('a part of the debt: the next step asks for what is left of all invoices, without unapplied money', async () => {
  const { clock, customer } = await chased();
  const invoice = await invoiceFor(product, customer.id, 100, FRIDAY);
  await invoiceFor(product, customer.id, 40, { due_date: seconds('2027-03-31T09:00:00Z') });
  await advanceTo(product, clock, '2027-01-12T00:00:00Z');
  await pay(customer.id, invoice, 25);
  await product.client.post('/payments', { customer: customer.id, amount: 10 });
  const there = await advanceTo(product, clock, '2027-01-19T00:00:00Z');
  // 100 - 25 + 40 - 10 = 105
  expect(stepsIn(there)).toEqual(['2027-01-18 09:00 step 2 of 4: asked for 105.00 usd by email']);
});

test('nobody is asked for an invoice that AutoPay collects, that is promised, or that is below the minimum', async () => {
  const { clock, customer } = await chased({ min_balance: 20 });
  const promised = await invoiceFor(product, customer.id, 100, FRIDAY);
  const expected = { date: seconds('2027-01-20T09:00:00Z') };
  await product.client.patch('/invoices/{id}', { expected_payment_date: expected }, { id: promised.id });
  await invoiceFor(product, customer.id, 19, FRIDAY);
  const paying = await payingCustomer(product, 'tok_4242424242424242', { test_clock: clock.id });
  await invoiceFor(product, paying.id, 70);
  const there = await advanceTo(product, clock, '2027-01-22T00:00:00Z');
  // 19.00 is below 20.00; the promise is broken when January 20 ends: 100 + 19 on the 21st
  expect(stepsIn(there)).toEqual(['2027-01-21 09:00 step 1 of 4: asked for 119.00 usd by email']);
});

test('an invoice that AutoPay has given up is asked for as any other', async () => {
  const { clock, cadence } = await chased();
  const over = { test_clock: clock.id, chasing_cadence: cadence.id };
  const customer = await payingCustomer(product, 'tok_4000000000000002', over);
  await invoiceFor(product, customer.id, 70, { date: seconds('2027-01-04T08:00:00Z') });
  const there = await advanceTo(product, clock, '2027-02-20T00:00:00Z');
  // It is charged at once and declined for good. NET 30: January 4 + 30 = February 3; + 3 = 6, a Saturday: the 8th; + 10 = 13: the 15th
  expect(stepsIn(there)).toEqual([
    '2027-02-08 09:00 step 1 of 4: asked for 70.00 usd by email',
    '2027-02-15 09:00 step 2 of 4: asked for 70.00 usd by email',
  ]);
});

test('only the missed installments of a payment plan are asked for, and count from their dates', async () => {
  const { clock, customer } = await chased();
  const { id } = await invoiceFor(product, customer.id, 90, FRIDAY);
  const days = ['2027-01-15T09:00:00Z', '2027-01-20T09:00:00Z', '2027-06-15T09:00:00Z'];
  const installments = days.map((day) => ({ date: seconds(day), amount: 30 }));
  await product.client.put('/invoices/{id}/payment_plan', { installments }, { id });
  const there = await advanceTo(product, clock, '2027-01-26T00:00:00Z');
  expect(stepsIn(there)).toEqual([
    '2027-01-18 09:00 step 1 of 4: asked for 30.00 usd by email', // January 15 + 3
    '2027-01-25 09:00 step 2 of 4: asked for 60.00 usd by email', // January 15 + 10, 30 + 30
  ]);
});

test('a customer without an address is called', async () => {
  const { clock, customer } = await chased({}, { email: null });
  await invoiceFor(product, customer.id, 30, FRIDAY);
  const there = await advanceTo(product, clock, '2027-01-12T00:00:00Z');
  expect(stepsIn(there)).toEqual([
    '2027-01-11 09:00 step 1 of 4: (phone) about 30.00 usd, because there is no address',
  ]);
});

test('a retry, a renewal and a reminder at the same time: the reminder comes last, and asks for what is left', async () => {
  const { client } = product;
  await client.post('/plans', { id: 'daily', name: 'Daily', amount: 15, interval: 'day' });
  const { clock, customer } = await chased({
    time_of_day: 8,
    steps: [{ name: 'Ask', action: 'email', schedule: 'age:2' }],
  });
  await client.post('/subscriptions', { customer: customer.id, plan: 'daily' }); // renews at 08:00
  const there = await advanceTo(product, clock, '2027-01-06T09:00:00Z');
  const lines = story(there).filter((line) => line.startsWith('2027-01-06'));
  expect(lines.map((line) => line.replace(/ \d+: /, ': '))).toEqual([
    expect.stringMatching(/^2027-01-06 08:00 subscription: renewal 2: issued INV-\d+ for 15.00 usd$/),
    // Three periods of 15.00. It waits ten minutes if it finds the renewal due.
    expect.stringMatching(/^2027-01-06 08:[01]0 chasing: step 1 of 1: asked for 45.00 usd by email$/),
  ]);
});

test('a cadence that is changed while customers are in it: they go on with the step that comes next now', async () => {
  const { client } = product;
  const { clock, customer, cadence } = await chased();
  await invoiceFor(product, customer.id, 60, FRIDAY);
  await advanceTo(product, clock, '2027-01-12T00:00:00Z');
  const [first, , call] = cadence.steps;
  if (!first || !call) throw new Error('no steps');
  const sooner = { name: 'Sooner', action: 'letter' as const, schedule: 'past_due_age:5' };
  const steps = [first, sooner, call];
  await client.patch('/chasing_cadences/{id}', { steps, time_of_day: 11 }, { id: cadence.id });
  await product.row(
    `select planning_after as after from chasing_cadence where id = ${cadence.id}`,
    ({ after }) => after === null,
  );
  const there = await advanceTo(product, clock, '2027-01-29T00:00:00Z');
  expect(stepsIn(there)).toEqual([
    '2027-01-13 11:00 step 2 of 3: (letter) about 60.00 usd', // January 8 + 5
    '2027-01-28 11:00 step 3 of 3: (phone) about 60.00 usd', // + 20
  ]);
});

test('a cadence assigned by default or by conditions asks customers that owe something already', async () => {
  const { client } = product;
  const clock = await clockAt(product, '2027-01-04T08:00:00Z');
  const [gold, other] = [
    await client.post('/customers', { name: 'Gold', test_clock: clock.id, metadata: { tier: 'gold' } }),
    await client.post('/customers', { name: 'Other', test_clock: clock.id }),
  ];
  for (const { id } of [gold, other]) await invoiceFor(product, id, 80, FRIDAY);
  const call = (name: string) => [{ name, action: 'phone' as const, schedule: 'past_due_age:3' }];
  const conditions = [{ field: 'metadata.tier', operator: 'is' as const, value: 'GOLD' }];
  const assigned = { assignment_mode: 'conditions' as const, assignment_conditions: conditions };
  const special = await cadenceWith({ steps: call('Special'), ...assigned });
  const standard = await cadenceWith({ steps: call('Standard'), assignment_mode: 'default' });
  for (const { id } of [special, standard])
    await product.row(
      `select planning_after as after from chasing_cadence where id = ${id}`,
      ({ after }) => after === null,
    );
  await advanceTo(product, clock, '2027-01-12T00:00:00Z');
  const tasks = await Promise.all([gold, other].map(({ id }) => client.get('/tasks', { filter: { customer: id } })));
  expect(tasks.map((ofCustomer) => ofCustomer.map(({ name }) => name))).toEqual([
    ['Special: 80.00 usd'],
    ['Standard: 80.00 usd'],
  ]);
  await client.patch('/chasing_cadences/{id}', { assignment_mode: 'none' }, { id: standard.id });
});
