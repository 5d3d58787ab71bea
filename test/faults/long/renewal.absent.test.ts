import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../../support/product.ts';
import { until } from '../../support/wait.ts';
import { dueAgain } from '../money/past.ts';
import { expectRecovered } from '../money/recovery.ts';

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
  total: number;
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
  const after = await product.startWorker();
  for (const id of [byHand, byAutopay]) {
    await product.row(`select 1 from invoice where subscription_id = ${id} and period = 3`);
    await product.row(`select 1 from wakeup where process = 'subscription' and subject_id = ${id} and at > now()`);
    const anchorAt = await anchorOf(id);
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
  await after.close();
});

interface Terms {
  terms: string;
  body: object;
  /** Change for the next contract. */
  change?: object;
  /** Number of bills before the absence. */
  before: number;
  /** Totals of all bills, in order of their periods. */
  totals: number[];
  /** Days from the start of a period to the date of its bill. */
  days(period: number): number;
  /** Weeks from the start of the subscription to begin and end of the contract. */
  contract?: [number, number];
  after: object;
}

const atStart = () => 0;

const all: Terms[] = [
  {
    terms: 'in arrears',
    body: { bill_in: 'arrears' },
    before: 0,
    totals: [10, 10, 10],
    days: () => 7,
    after: { status: 'active' },
  },
  {
    terms: 'three days ahead',
    body: { bill_in_advance_days: 3 },
    before: 1,
    totals: [10, 10, 10, 10],
    days: (period) => (period === 0 ? 0 : -3),
    after: { status: 'active' },
  },
  {
    terms: 'a contract that renews itself, with a pending change',
    body: { cycles: 2, contract_renewal_mode: 'auto' },
    change: { quantity: 3 },
    before: 1,
    totals: [10, 10, 30, 30], // 3 x 10 from the second contract on
    days: atStart,
    contract: [2, 4],
    after: { status: 'active', quantity: 3, pending_change: null },
  },
  {
    terms: 'a contract of a week that renews itself',
    body: { cycles: 1, contract_renewal_mode: 'auto' },
    before: 1,
    totals: [10, 10, 10, 10],
    days: atStart,
    contract: [3, 4],
    after: { status: 'active' },
  },
  {
    terms: 'a contract of a week that renews itself once, in arrears',
    body: { cycles: 1, contract_renewal_mode: 'renew_once', bill_in: 'arrears' },
    before: 0,
    totals: [10, 10],
    days: () => 7,
    after: { status: 'finished', contract_renewal_mode: 'none', period_start: null },
  },
  {
    terms: 'a contract that waits to be renewed',
    body: { cycles: 2, contract_renewal_mode: 'manual' },
    before: 1,
    totals: [10, 10],
    days: atStart,
    contract: [0, 2],
    after: { status: 'active', pending_renewal: true, period_start: null },
  },
];

test('an absence for three periods delays no date of other terms and contracts, and bills nothing twice', async () => {
  const ids: number[] = [];
  for (const { terms, body, change } of all) {
    const id = await subscribe({ name: terms, payment_terms: 'NET 7' }, body);
    if (change) await product.call('PATCH', `/subscriptions/${id}`, { ...change, when: 'renewal' });
    ids.push(id);
  }
  const before = await product.startWorker();
  await product.row('select count(*)::int as left from outbox', ({ left }) => left === 0);
  await before.close();
  for (const [index, one] of all.entries()) expect(await billsOf(ids[index] ?? 0)).toHaveLength(one.before);

  for (const id of ids) await dueAgain(product, id, { weeks: 3 });
  const backAt = Date.now();
  await product.startWorker();
  for (const [index, one] of all.entries()) await expectCaughtUp(ids[index] ?? 0, one, backAt);
  await expectRecovered(product);
  for (const [index, { totals }] of all.entries()) expect(await billsOf(ids[index] ?? 0)).toHaveLength(totals.length);
});

async function expectCaughtUp(id: number, one: Terms, backAt: number): Promise<void> {
  const { terms, totals, days, contract, after } = one;
  const look = async () => {
    expect((await billsOf(id)).map(({ total }) => total)).toEqual(totals);
    const shown = await product.call('GET', `/subscriptions/${id}`);
    expect(shown).toMatchObject(after);
    return shown;
  };
  const shown = await until(look, { what: `all bills: ${terms}` });
  const anchorAt = await anchorOf(id);
  const startOf = (period: number) => anchorAt + period * WEEK_MILLISECONDS;
  const bills = await billsOf(id);
  expect([...bills.map(({ number }) => number)].sort()).toEqual(bills.map(({ number }) => number));
  const seen = bills.map(({ period, date, lineFrom, lineTo }) => [period, ...[date, lineFrom, lineTo].map(Number)]);
  const due = totals.map((_, period) => {
    const date = startOf(period) + days(period) * DAY_MILLISECONDS;
    return [period, date, startOf(period), startOf(period + 1)];
  });
  expect({ terms, seen }).toEqual({ terms, seen: due });
  for (const { issuedAt, dueAt } of bills.slice(one.before)) {
    expect(Number(issuedAt)).toBeGreaterThanOrEqual(backAt);
    expect(Number(dueAt)).toBeGreaterThanOrEqual(Number(issuedAt) + 7 * DAY_MILLISECONDS);
  }
  if (!contract) return;
  const inSeconds = (weeks: number) => Math.floor(startOf(weeks) / 1000);
  const [begin, end] = contract.map(inSeconds);
  expect({ terms, ...shown }).toMatchObject({ terms, contract_period_start: begin, contract_period_end: end });
}

async function subscribe(who: Record<string, unknown>, body: object = {}): Promise<number> {
  const customer = await product.call('POST', '/customers', who);
  return (await product.call('POST', '/subscriptions', { customer: customer.id, plan: 'weekly', ...body })).id;
}

/** The first start of a subscription that counts no periods anew, epoch milliseconds. */
async function anchorOf(id: number): Promise<number> {
  const sql = `select anchor_at as anchor from subscription where id = ${id}`;
  const [subscription] = await product.rows<{ anchor: Date }>(sql);
  return new Date(subscription?.anchor ?? 0).getTime();
}

async function billsOf(subscription: number): Promise<Billed[]> {
  const rows = await product.rows<Billed>(
    `select i.period, i.number, i.total::float8 as total, i.date, l.period_start_at as "lineFrom", l.period_end_at as "lineTo", i.issued_at as "issuedAt",
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
