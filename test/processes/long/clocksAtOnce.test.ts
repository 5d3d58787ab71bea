import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reconcile } from '../../../workers/reconcile.ts';
import { advanceTo, clockAt, dayOf, subscriberOn } from '../../support/clock.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { expectSound } from '../../support/soundness.ts';
import { payingCustomer } from '../../support/story.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.client.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  await product.client.post('/plans', { id: 'weekly', name: 'Weekly', amount: 3, interval: 'week' });
});
afterAll(() => product.close());

const CARD = 'tok_4242424242424242';

async function datesOf(customer: number): Promise<string[]> {
  const invoices = await product.client.get('/invoices', { filter: { customer } });
  return invoices.map(({ date }) => dayOf(date));
}

test('two clocks advance simultaneously, each with only its own customers', async () => {
  const [near, far] = [await clockAt(product, '2027-01-01T00:00:00Z'), await clockAt(product, '2040-06-30T12:00:00Z')];
  const first = await subscriberOn(product, near, { token: CARD, plan: 'weekly' });
  const second = await subscriberOn(product, far, { token: CARD, plan: 'gold' });
  const nowhere = await payingCustomer(product, CARD);
  await product.client.post('/subscriptions', { customer: nowhere.id, plan: 'gold' });

  const there = await Promise.all([
    advanceTo(product, near, '2027-01-29T00:00:00Z'),
    advanceTo(product, far, '2040-10-01T00:00:00Z'),
  ]);
  expect(there).toMatchObject([{ status: 'ready' }, { status: 'ready' }]);
  // A wake-up exactly at the target is included.
  const weeks = ['01', '08', '15', '22', '29'].map((day) => `2027-01-${day} 00:00`);
  expect(await datesOf(first.id)).toEqual(weeks);
  const months = ['06', '07', '08', '09'].map((month) => `2040-${month}-30 12:00`);
  expect(await datesOf(second.id)).toEqual(months);
  expect(await datesOf(nowhere.id)).toHaveLength(1);
  await expectSound(product);

  // Advances further.
  expect(await advanceTo(product, near, '2027-02-05T00:00:00Z')).toMatchObject({ status: 'ready' });
  expect(await datesOf(first.id)).toEqual([...weeks, '2027-02-05 00:00']);
  expect(await datesOf(second.id)).toEqual(months);
  await expectSound(product);
});

test('deleting a clock deletes its customers with all their objects, and nothing else', async () => {
  const counts = async () => (await product.rows(owned))[0];
  const [first, second] = await product.client.get('/test_clocks');
  const before = await counts();
  const [mine] = await product.client.get('/customers', { filter: { test_clock: first?.id ?? 0 } });
  const [other] = await product.client.get('/customers', { filter: { test_clock: second?.id ?? 0 } });
  await product.client.delete('/test_clocks/{id}', { id: first?.id ?? 0 });

  const gone = product.client.get('/customers/{id}', { id: mine?.id ?? 0 });
  await expect(gone).rejects.toMatchObject({ status: 404 });
  expect(await product.client.get('/test_clocks')).toMatchObject([{ id: second?.id }]);
  expect(
    await product.rows(`select 1 from event where subject_type = 'customer' and subject_id = '${mine?.id}'`),
  ).toEqual([]);
  // 6 of the 11 invoices belonged to the deleted clock. The ledger keeps their entries, plus one closing entry for each affected account.
  expect(before).toMatchObject({ invoices: 11, payments: 11, customers: 3 });
  expect(await counts()).toMatchObject({ invoices: 5, payments: 5, customers: 2, steps: 9 });
  expect(
    await product.rows('select ledger_account, sum(amount)::float8 as sum from ledger_entry group by 1 order by 1'),
  ).toEqual([
    { ledger_account: 'clearing:test', sum: 50 },
    { ledger_account: 'receivable', sum: 0 },
    { ledger_account: 'revenue', sum: -50 },
    { ledger_account: 'unapplied', sum: 0 },
  ]);
  await expectSound(product);
  expect(await datesOf(other?.id ?? 0)).toHaveLength(4);
});

test('a rebuild during advances does nothing twice, and the clocks arrive', async () => {
  const [near, far] = [await clockAt(product, '2031-01-01T00:00:00Z'), await clockAt(product, '2035-05-05T05:00:00Z')];
  const customers = [
    await subscriberOn(product, near, { token: CARD, plan: 'weekly' }),
    await subscriberOn(product, far, { token: CARD, plan: 'weekly' }),
  ];
  const sql = await product.deps.open();
  const state = { isThere: false, rebuilds: 0 };
  const rebuild = async (): Promise<void> => {
    for (; !state.isThere; state.rebuilds++) await reconcile(sql, product.deps.systemNow());
  };
  const rebuilding = rebuild();
  const there = await Promise.all([
    advanceTo(product, near, '2031-01-31T00:00:00Z'),
    advanceTo(product, far, '2035-06-04T05:00:00Z'),
  ]);
  state.isThere = true;
  await rebuilding;
  await sql.close();
  expect(there).toMatchObject([{ status: 'ready' }, { status: 'ready' }]);
  expect(state.rebuilds).toBeGreaterThan(5);
  await expectSound(product);
  // 30 days: an invoice on the first day and on each seventh day after, each paid once.
  for (const { id: customer } of customers) {
    const invoices = await product.client.get('/invoices', { filter: { customer } });
    expect(invoices.map(({ status, attempt_count }) => [status, attempt_count])).toEqual(Array(5).fill(['paid', 1]));
    expect(await product.client.get('/payments', { filter: { customer } })).toHaveLength(5);
  }
});

const owned = `select (select count(*)::int from invoice) as invoices, (select count(*)::int from payment) as payments,
  (select count(*)::int from customer) as customers, (select count(*)::int from test_clock_step) as steps`;
