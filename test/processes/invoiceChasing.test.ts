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

type NewCadence = Body<'post', '/invoice_chasing_cadences'>;

const cadenceWith = (steps: NewCadence['steps'], fields: Partial<NewCadence> = {}) =>
  product.client.post('/invoice_chasing_cadences', { name: 'Invoices', time_of_day: 9, steps, ...fields });

const email = (schedule: string) => ({ name: 'Ask', action: 'email' as const, schedule });

/** A customer on a clock at Monday, January 4, 2027. */
async function customerOnClock(fields: Partial<Body<'post', '/customers'>> = {}) {
  const clock = await clockAt(product, '2027-01-04T08:00:00Z');
  const person = { name: 'Ann', email: 'ann@example.com', test_clock: clock.id, ...fields };
  return { clock, customer: await product.client.post('/customers', person) };
}

/** Due on Friday, January 15. */
const DUE = { due_date: seconds('2027-01-15T09:00:00Z') };

const stepsIn = (clock: Parameters<typeof story>[0]) =>
  story(clock)
    .filter((line) => line.includes('chasing'))
    .map((line) => line.replace(/chasing \d+: |task \d+ /g, ''));

test('an invoice is asked for at its issue, before and after it is due, on a date, and again until it is paid', async () => {
  const { clock, customer } = await customerOnClock();
  const steps = ['issue', 'after_issue:2', 'before_due:2', 'after_due:3', 'on:2027-01-26', 'every:10'].map(email);
  const cadence = await cadenceWith(steps);
  const invoice = await invoiceFor(product, customer.id, 120, { ...DUE, chasing_cadence: cadence.id });
  const there = await advanceTo(product, clock, '2027-02-17T00:00:00Z');
  expect(stepsIn(there)).toEqual([
    '2027-01-04 09:00 1 invoice step: asked for 120.00 usd by email',
    '2027-01-06 09:00 1 invoice step: asked for 120.00 usd by email', // issue + 2
    '2027-01-13 09:00 1 invoice step: asked for 120.00 usd by email', // due on the 15th - 2
    '2027-01-18 09:00 1 invoice step: asked for 120.00 usd by email', // + 3
    '2027-01-26 09:00 1 invoice step: asked for 120.00 usd by email',
    '2027-02-05 09:00 1 invoice step: asked for 120.00 usd by email', // January 26 + 10
    '2027-02-15 09:00 1 invoice step: asked for 120.00 usd by email', // + 10
  ]);
  const applied_to = [{ type: 'invoice' as const, invoice: invoice.id, amount: 120 }];
  await product.client.post('/payments', { customer: customer.id, amount: 120, applied_to });
  expect(stepsIn(await advanceTo(product, clock, '2027-03-31T00:00:00Z'))).toEqual([]);
  await expectSound(product);
});

test('steps of a day and channel become one reminder, with the step of the customer', async () => {
  const { client } = product;
  const ofCustomer = await client.post('/chasing_cadences', {
    name: 'Customer',
    time_of_day: 9,
    steps: [{ name: 'Ask', action: 'email', schedule: 'past_due_age:3' }],
  });
  const { clock, customer } = await customerOnClock({ chasing_cadence: ofCustomer.id });
  const call = { name: 'Call', action: 'phone' as const, schedule: 'after_due:3' };
  const cadence = await cadenceWith([email('after_due:3'), call], { time_of_day: 11 });
  for (const amount of [30, 40])
    await invoiceFor(product, customer.id, amount, { ...DUE, chasing_cadence: cadence.id });
  await invoiceFor(product, customer.id, 100, DUE);
  const there = await advanceTo(product, clock, '2027-01-31T00:00:00Z');
  expect(stepsIn(there)).toEqual([
    // The mail of 09:00 takes the steps of 11:00 with it: 100 + 30 + 40
    '2027-01-18 09:00 step 1 of 1 and 2 invoice steps: asked for 170.00 usd by email',
    '2027-01-18 11:00 2 invoice steps: (phone) about 70.00 usd',
  ]);
  const mails = await client.get('/emails', {
    filter: { customer: customer.id, template: 'late_payment_reminder_email' },
  });
  expect(mails.map(({ subject }) => subject)).toEqual(['Payment past due: $170.00 is open at Acme']);
});

test('a reminder that loses the day comes on the next one; of the due steps of a channel the latest is taken', async () => {
  const { client } = product;
  const ofCustomer = await client.post('/chasing_cadences', {
    name: 'Customer',
    time_of_day: 9,
    steps: [{ name: 'Ask', action: 'email', schedule: 'past_due_age:3' }],
  });
  const { clock, customer } = await customerOnClock({ chasing_cadence: ofCustomer.id });
  await invoiceFor(product, customer.id, 100, DUE);
  expect(stepsIn(await advanceTo(product, clock, '2027-01-18T10:00:00Z'))).toHaveLength(1);
  const cadence = await cadenceWith(['issue', 'after_issue:0', 'after_due:20'].map(email));
  await invoiceFor(product, customer.id, 50, { ...DUE, chasing_cadence: cadence.id });
  const there = await advanceTo(product, clock, '2027-02-15T00:00:00Z');
  expect(stepsIn(there)).toEqual([
    '2027-01-19 09:00 1 invoice step: asked for 50.00 usd by email',
    '2027-02-08 09:00 1 invoice step: asked for 50.00 usd by email', // issued on January 18: due then, + 20 is a Sunday
  ]);
});

test('an invoice that is promised, or covered by unapplied money, is not asked for', async () => {
  const { client } = product;
  const { clock, customer } = await customerOnClock();
  const cadence = await cadenceWith([email('after_due:3')]);
  const on = { ...DUE, chasing_cadence: cadence.id };
  const promised = await invoiceFor(product, customer.id, 100, on);
  const expected = { date: seconds('2027-01-20T09:00:00Z') };
  await client.patch('/invoices/{id}', { expected_payment_date: expected }, { id: promised.id });
  expect(stepsIn(await advanceTo(product, clock, '2027-01-22T00:00:00Z'))).toEqual([
    '2027-01-21 09:00 1 invoice step: asked for 100.00 usd by email',
  ]);
  const covered = await customerOnClock();
  await invoiceFor(product, covered.customer.id, 100, on);
  await client.post('/payments', { customer: covered.customer.id, amount: 100 });
  const there = await advanceTo(product, covered.clock, '2027-01-31T00:00:00Z');
  expect([there.status, ...stepsIn(there)]).toEqual(['ready']);
});

test('a cadence that is changed while invoices are on it, and an invoice that leaves it', async () => {
  const { client } = product;
  const call = [{ name: 'Call', action: 'phone' as const, schedule: 'age:300' }];
  const ofCustomer = await client.post('/chasing_cadences', { name: 'Customer', steps: call });
  const { clock, customer } = await customerOnClock({ chasing_cadence: ofCustomer.id });
  const cadence = await cadenceWith([email('after_due:3'), email('after_due:30')]);
  const on = { ...DUE, chasing_cadence: cadence.id };
  const invoice = await invoiceFor(product, customer.id, 60, on);
  expect(stepsIn(await advanceTo(product, clock, '2027-01-19T00:00:00Z'))).toHaveLength(1);
  const [first] = cadence.steps;
  if (!first) throw new Error('no step');
  const sooner = { name: 'Sooner', action: 'letter' as const, schedule: 'after_due:5' };
  const steps = [first, sooner, { ...sooner, schedule: 'after_due:14' }];
  await client.patch('/invoice_chasing_cadences/{id}', { steps, time_of_day: 11 }, { id: cadence.id });
  await product.row(
    `select planning_after as after from chasing_cadence where id = ${cadence.id}`,
    ({ after }) => after === null,
  );
  const plannedAnew = await product.rows('select planned_count as planned from chasing_cadence where id = ?', [
    cadence.id,
  ]);
  expect(plannedAnew).toEqual([{ planned: 1 }]); // others owe something too
  const there = await advanceTo(product, clock, '2027-01-21T00:00:00Z');
  expect(stepsIn(there)).toEqual(['2027-01-20 11:00 1 invoice step: (letter) about 60.00 usd']); // due on the 15th + 5
  await client.patch('/invoices/{id}', { chasing_cadence: null }, { id: invoice.id });
  expect(stepsIn(await advanceTo(product, clock, '2027-02-28T00:00:00Z'))).toEqual([]);
});

test('an invoice of an account with a default cadence gets it when it is issued', async () => {
  const { client } = product;
  const { clock, customer } = await customerOnClock();
  const cadence = await cadenceWith([{ name: 'Call', action: 'phone', schedule: 'issue' }], { default: true });
  const draft = await invoiceFor(product, customer.id, 60, { ...DUE, draft: true });
  expect(draft.chasing_cadence).toBeNull();
  const issued = await client.patch('/invoices/{id}', { draft: false }, { id: draft.id });
  expect(issued.chasing_cadence).toBe(cadence.id);
  expect(stepsIn(await advanceTo(product, clock, '2027-01-05T00:00:00Z'))).toEqual([
    '2027-01-04 09:00 1 invoice step: (phone) about 60.00 usd',
  ]);
  await client.patch('/invoice_chasing_cadences/{id}', { default: false }, { id: cadence.id });
});
