import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, startRole } from '../../support/roles.ts';
import { invoiceFor } from '../../support/story.ts';
import { letLeasesEnd } from '../money/past.ts';
import { expectRecovered } from '../money/recovery.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ endpoint: true, worker: false });
  await product.client.patch('/account', { statement_hour: 0 });
});
afterEach(killRoles);
afterAll(() => product.close());

/** Makes the run of the first day of this month due, and wakes the process of the customer. */
const DUE = `with due as (update wakeup set at = date_trunc('month', now()), put_at = now() where rule = 'statement' and subject_id = ? returning *)
  insert into outbox (account_id, topic, subject_id, due_at) select account_id, 'chasing', subject_id, now() from due`;

test('a worker that is killed at any point of a statement: each customer gets one mail, or one task', async () => {
  const points = ['chase.before_commit', 'chasing.committed', 'relay.claimed', 'relay.woken'];
  const ids: number[] = [];
  for (const point of points) {
    const person = { name: point, email: `${point}@example.com` };
    const { id } = await product.client.post('/customers', person);
    await invoiceFor(product, id, 25);
    await dueNow(id);
    ids.push(id);
    const worker = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: `${point}=kill` });
    await worker.untilKilledAt(point);
    await letLeasesEnd(product);
  }
  const { id: silent } = await product.client.post('/customers', { name: 'No address' });
  await invoiceFor(product, silent, 25);
  await dueNow(silent);
  await product.startWorker();
  await product.row('select count(*)::int as sent from scheduled_statement', ({ sent }) => sent === points.length + 1);
  await expectRecovered(product);
  const mails = await product.rows(
    `select customer_id as customer, count(*)::int as mails from email where template = 'statement_email' group by 1 order by 1`,
  );
  expect(mails).toEqual(ids.map((customer) => ({ customer, mails: 1 })));
  expect(await product.rows('select customer_id as customer from task')).toEqual([{ customer: silent }]);
});

async function dueNow(id: number): Promise<void> {
  await product.client.patch('/customers/{id}', { statement_day: '1' }, { id });
  await product.rows(DUE, [id]);
}

test('the database refuses a second statement of a customer for the same month and currency', async () => {
  const again = `insert into scheduled_statement (account_id, customer_id, currency, month, type, ends_at, closing_balance, created_at)
    select account_id, customer_id, currency, month, type, ends_at, closing_balance, created_at from scheduled_statement limit 1`;
  await expect(product.rows(again)).rejects.toThrow('scheduled_statement_once');
});
