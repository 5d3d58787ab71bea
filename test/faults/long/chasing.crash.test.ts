import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, startRole } from '../../support/roles.ts';
import { invoiceFor } from '../../support/story.ts';
import { letLeasesEnd } from '../money/past.ts';
import { expectRecovered } from '../money/recovery.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ endpoint: true, worker: false });
  await product.call('PATCH', '/account', { chasing_days: 'every' });
});
afterEach(killRoles);
afterAll(() => product.close());

test('a worker that is killed at any point of a step: each customer is asked once, by mail and by task', async () => {
  const points = ['chase.before_commit', 'chasing.committed', 'relay.claimed', 'relay.woken'];
  // A run of this hour has begun and can be made up.
  const time_of_day = new Date().getUTCHours();
  const steps = (['email', 'phone'] as const).map((action) => ({ name: action, action, schedule: 'age:0' }));
  const cadence = await product.client.post('/chasing_cadences', { name: 'Now', time_of_day, steps });
  const customers: number[] = [];
  for (const point of points) {
    const person = { name: point, email: `${point}@example.com`, chasing_cadence: cadence.id };
    const { id } = await product.client.post('/customers', person);
    await invoiceFor(product, id, 25);
    customers.push(id);
    const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: `${point}=kill` });
    await worker.untilKilledAt(point);
    await letLeasesEnd(product);
  }
  await product.startWorker();
  await product.row('select count(*)::int as asked from reminder', ({ asked }) => asked === points.length);
  await expectRecovered(product);
  const mails = await product.rows<{ customer: number; mails: number }>(
    `select customer_id as customer, count(*)::int as mails from email
     where template = 'late_payment_reminder_email' group by customer_id order by customer_id`,
  );
  expect(mails).toEqual(customers.map((customer) => ({ customer, mails: 1 })));
  // The second step is one of the next day, also for a customer that gets another invoice.
  await invoiceFor(product, customers[0] ?? 0, 5);
  await expectRecovered(product);
  expect(await product.rows('select 1 from task')).toEqual([]);
  expect(await product.rows("select 1 from wakeup where process = 'chasing' and at < now()")).toEqual([]);
});

test('the database refuses a second reminder of a customer for the same day and channel', async () => {
  const [first] = await product.rows<{ id: number }>('select id from reminder order by id limit 1');
  const again = `insert into reminder (account_id, customer_id, day, channel, cadence_id, step_id, created_at)
    select account_id, customer_id, day, channel, cadence_id, step_id, created_at from reminder where id = ${first?.id}`;
  await expect(product.rows(again)).rejects.toThrow('reminder_once');
});
