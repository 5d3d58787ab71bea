import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { dueAgain } from './money/past.ts';
import { expectRecovered } from './money/recovery.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ endpoint: true, worker: false });
  await product.call('POST', '/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
});
afterAll(() => product.close());

const WEEK_MILLISECONDS = 7 * 24 * 3600 * 1000;
const DAY_MILLISECONDS = WEEK_MILLISECONDS / 7;

interface Billed {
  period: number;
  number: string;
  date: Date;
  lineFrom: Date;
  lineTo: Date;
  issuedAt: Date;
  dueAt: Date | null;
  nextPaymentAttemptAt: Date | null;
}

test('a worker absent for three due periods bills each once, in order, with its due date, payable from now', async () => {
  const byHand = await subscribe({ name: 'NET 7', payment_terms: 'NET 7' });
  const byAutopay = await subscribe({ name: 'AutoPay in 2 days', autopay: true, autopay_delay_days: 2 });
  const before = await product.startWorker();
  for (const id of [byHand, byAutopay]) await product.row(`select 1 from invoice where subscription_id = ${id}`);
  await product.row('select count(*)::int as left from outbox', ({ left }) => left === 0);
  await before.close();

  for (const id of [byHand, byAutopay]) await dueAgain(product, id, { weeks: 3 });
  const backAt = Date.now();
  await product.startWorker();
  for (const id of [byHand, byAutopay]) {
    await product.row(`select 1 from invoice where subscription_id = ${id} and period = 3`);
    await product.row(`select 1 from wakeup where process = 'subscription' and subject_id = ${id} and at > now()`);
    const [subscription] = await product.rows<{ anchor: Date }>(
      `select anchor_at as anchor from subscription where id = ${id}`,
    );
    const anchorAt = new Date(subscription?.anchor ?? 0).getTime();
    const bills = await billsOf(id);
    expect(bills.map(({ period }) => period)).toEqual([0, 1, 2, 3]);
    expect([...bills.map(({ number }) => number)].sort()).toEqual(bills.map(({ number }) => number));
    for (const { period, date, lineFrom, lineTo, issuedAt } of bills) {
      const startAt = anchorAt + period * WEEK_MILLISECONDS;
      expect([date, lineFrom, lineTo].map(Number)).toEqual([startAt, startAt, startAt + WEEK_MILLISECONDS]);
      if (period > 0) expect(Number(issuedAt)).toBeGreaterThanOrEqual(backAt);
    }
    for (const bill of bills.slice(1)) {
      const payableAt = id === byHand ? bill.dueAt : bill.nextPaymentAttemptAt;
      const days = id === byHand ? 7 : 2;
      expect(Number(payableAt)).toBeGreaterThanOrEqual(Number(bill.issuedAt) + days * DAY_MILLISECONDS);
      expect(Number(payableAt)).toBeLessThan(Number(bill.issuedAt) + (days + 1) * DAY_MILLISECONDS);
    }
  }
  await expectRecovered(product);
});

async function subscribe(who: Record<string, unknown>): Promise<number> {
  const customer = await product.call('POST', '/customers', who);
  return (await product.call('POST', '/subscriptions', { customer: customer.id, plan: 'weekly' })).id;
}

async function billsOf(subscription: number): Promise<Billed[]> {
  const rows = await product.rows<Billed>(
    `select i.period, i.number, i.date, l.period_start_at as "lineFrom", l.period_end_at as "lineTo", i.issued_at as "issuedAt",
            i.due_at as "dueAt", i.next_payment_attempt_at as "nextPaymentAttemptAt"
     from invoice i join line_item l on l.account_id = i.account_id and l.invoice_id = i.id
     where i.subscription_id = ${subscription} order by i.id`,
  );
  return rows.map((row) => ({
    ...row,
    date: new Date(row.date),
    lineFrom: new Date(row.lineFrom),
    lineTo: new Date(row.lineTo),
    issuedAt: new Date(row.issuedAt),
    dueAt: row.dueAt && new Date(row.dueAt),
    nextPaymentAttemptAt: row.nextPaymentAttemptAt && new Date(row.nextPaymentAttemptAt),
  }));
}
