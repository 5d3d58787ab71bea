import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { seconds } from '../support/story.ts';
import { until } from '../support/wait.ts';

/** Chasing of an invoice of which the customer disputes a line: it waits for the end of the hold, or for the answer. */

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  await product.client.patch('/account', { portal_disputes: true, dispute_hold_days: 5, chasing_days: 'every' });
});
afterAll(() => product.close());

/** An invoice that a cadence asks for on the third and the tenth day, and a line of it that is disputed on the first. */
async function disputed(name: string) {
  const { client } = product;
  const clock = await clockAt(product, '2027-01-10T09:00:00Z');
  const steps = [
    { name: 'First', action: 'phone', schedule: 'age:2' },
    { name: 'Second', action: 'phone', schedule: 'age:9' },
  ] as const;
  const cadence = await client.post('/chasing_cadences', {
    name,
    time_of_day: 7,
    frequency: 'daily',
    steps: [...steps],
  });
  const fields = { name, email: `${name}@example.com`, chasing_cadence: cadence.id, test_clock: clock.id };
  const customer = (await client.post('/customers', fields)).id;
  const items = [
    { name: 'Hour', unit_cost: 120 },
    { name: 'Travel', unit_cost: 60 },
  ];
  const { id, items: lines } = await client.post('/invoices', { customer, items });
  const dispute = (line: number) =>
    client.post('/invoices/{id}/dispute', { line_item: lines[line]?.id ?? 0, reason: 'Returned' }, { id });
  await dispute(0);
  const tasks = async (asked: string) =>
    (await client.get('/tasks', { filter: { customer } })).filter(
      ({ action, complete }) => action === asked && !complete,
    );
  return { clock, id, dispute, tasks };
}

const told = (entries: Parameters<typeof story>[0]) =>
  story(entries).map((line) => line.replace(/customer \d+/, 'customer'));

test('chasing waits until the hold is over, and then goes on', async () => {
  const { clock } = await disputed('waits');
  expect(
    told(await advanceTo(product, clock, '2027-01-16T06:00:00Z')).filter((line) => line.includes('First')),
  ).toEqual([]);
  const after = told(await advanceTo(product, clock, '2027-01-20T09:00:00Z'));
  expect(after.map((line) => line.slice(0, 16))).toEqual(['2027-01-16 07:00', '2027-01-19 07:00']);
  await expectSound(product);
});

test('the answer to the last disputed line ends the hold: the step of that morning is taken', async () => {
  const { clock, id, dispute, tasks } = await disputed('answered');
  await dispute(1);
  await advanceTo(product, clock, '2027-01-13T08:00:00Z');
  const [one, other] = await tasks('review');
  await product.client.patch('/tasks/{id}', { complete: true }, { id: one?.id ?? 0 });
  const held = await product.client.get('/invoices/{id}', { id });
  expect(held.dispute_hold_until).toBe(seconds('2027-01-16T00:00:00Z'));
  await product.client.patch('/tasks/{id}', { complete: true }, { id: other?.id ?? 0 });
  expect((await product.client.get('/invoices/{id}', { id })).dispute_hold_until).toBeLessThanOrEqual(
    seconds('2027-01-13T08:00:00Z'),
  );
  await until(async () => (await tasks('phone')).length === 1, { what: 'the first step' });
  expect(told(await advanceTo(product, clock, '2027-01-15T09:00:00Z'))).toEqual([]);
  await expectSound(product);
});
