import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { startApi, successBody, type TestApi } from '../../support/api.ts';
import { type Due, rowsOf, type TakenStep, takeDueWork } from '../../support/dueWork.ts';

/** A renewal, a retry, an installment, a late fee and a reminder of one customer at the same instant, in several orders of their wake-ups. */

const WEEK = 7 * 86_400;
/** A Monday, at midnight. All work is due a week later. */
let begin = Date.parse('2027-01-04T00:00:00Z') / 1000;
let now = begin;
let api: TestApi;
let cadence: number;

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  const { sandbox } = api;
  const collecting = { autopay_retry_days: [7], autopay_final_action: 'cancel', autopay_minimum_delay: 0 };
  const asking = { time_zone: 'UTC', late_fee_document: 'line', chasing_days: 'every' };
  successBody(await sandbox.patch('/account', { ...collecting, ...asking }));
  await sandbox.make('/plans', { id: 'weekly', name: 'Weekly', amount: 10, interval: 'week' });
  await sandbox.make('/late_fee_schedules', { name: 'Late', amount: 10, default: true });
  const steps = [{ name: 'Call', action: 'phone', schedule: 'past_due_age:1' }];
  cadence = (await sandbox.make('/chasing_cadences', { name: 'Usual', time_of_day: 0, steps })).id;
});
afterAll(async () => {
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  await api.close();
});

const works = ['renewal', 'retry', 'installment', 'fee', 'reminder'] as const;
type Work = (typeof works)[number];

const rotations = works.map((_, place) => [...works.slice(place), ...works.slice(0, place)]);
const orders = [...rotations, ...rotations.map((order) => order.toReversed())];

/** The work of one customer, by the process that takes it. */
type Owed = Map<string, Work>;

/** A customer whose card always declines. Its work is due a week after `begin`. */
async function owing(): Promise<{ customer: number; owed: Owed }> {
  const { sandbox } = api;
  now = begin;
  const person = { name: 'Ann', email: 'ann@example.com', autopay: true, chasing_cadence: cadence };
  const customer: number = (await sandbox.make('/customers', person)).id;
  const card = { method: 'credit_card', gateway_token: 'tok_script_soft', make_default: true };
  successBody(await sandbox.post(`/customers/${customer}/payment_sources`, card));
  const { id: subscription } = await sandbox.make('/subscriptions', { customer, plan: 'weekly' });
  const items = (amount: number) => ({ customer, items: [{ unit_cost: amount }] });
  const { id: fined } = await sandbox.make('/invoices', {
    ...items(100),
    autopay: false,
    due_date: begin + WEEK - 86_400,
  });
  const { id: planned } = await sandbox.make('/invoices', items(60));
  const installments = [1, 5].map((weeks) => ({ date: begin + weeks * WEEK, amount: 30 }));
  successBody(await sandbox.post(`/invoices/${planned}/payment_plan`, { installments }));
  await work([...works], new Map());
  const [bill] = successBody(await sandbox.get(`/invoices?filter[subscription]=${subscription}`));
  const owed: Owed = new Map([
    [`subscription ${subscription}`, 'renewal'],
    [`invoice ${bill.id}`, 'retry'],
    [`invoice ${planned}`, 'installment'],
    [`invoice ${fined}`, 'fee'],
    [`chasing ${customer}`, 'reminder'],
  ]);
  return { customer, owed };
}

const nameOf = ({ process, id }: Due) => `${process} ${id}`;

/** Takes all work that is due, as far as possible in an order. A process that waits for another one is asked again later. Returns the steps. */
async function work(order: readonly Work[], owed: Owed): Promise<TakenStep[]> {
  const taken: TakenStep[] = [];
  let waiting: string[] = [];
  const rank = (one: Due) => {
    const of = owed.get(nameOf(one));
    return waiting.indexOf(nameOf(one)) * 100 + (of ? order.indexOf(of) : order.length);
  };
  await takeDueWork(api, {
    accountId: api.sandbox.account.id,
    now: () => now,
    choose: (due) => due.toSorted((one, other) => rank(one) - rank(other))[0],
    around: async (take) => {
      const step = await take();
      waiting = step.did === null ? [...waiting, nameOf(step)] : [];
      if (step.did !== null) taken.push(step);
    },
  });
  return taken;
}

/** The outcome of the instant, without ids and numbers. Times count from `begin`. */
async function leftOf(customer: number): Promise<object> {
  const { sandbox } = api;
  const invoices = successBody(await sandbox.get(`/invoices?filter[customer]=${customer}&sort=id`));
  const tasks = successBody(await sandbox.get(`/tasks?filter[customer]=${customer}`));
  const of = (column: string, table: string) =>
    rowsOf<{ it: string }>(api, `select ${column} as it from ${table} where customer_id = ? order by 1`, [customer]);
  const mails = await of('template', 'email');
  const subscriptions = await of('status', 'subscription');
  return {
    subscriptions: subscriptions.map(({ it }) => it),
    invoices: invoices.map((one: { total: number; attempt_count: number; next_payment_attempt: number | null }) => {
      const { total, attempt_count: attempts, next_payment_attempt: next } = one;
      return { total, attempts, next: next && (next - begin) / WEEK };
    }),
    tasks: tasks.map(({ name }: { name: string }) => name),
    mails: mails.map(({ it }) => it),
  };
}

test.each(orders.map((order) => [order.join(', '), order] as const))('wake-ups in the order %s', async (_, order) => {
  const { customer, owed } = await owing();
  now = begin + WEEK;
  const steps = await work(order, owed);
  now += 600; // a reminder that found other work waits ten minutes
  steps.push(...(await work(order, owed)));
  // A bill that the renewal issued is charged at once, after it.
  const taken = steps.map((step) => owed.get(nameOf(step)) ?? 'first charge');
  expect([taken[0], taken.at(-1)]).toEqual(['renewal', 'reminder']);
  expect(taken.toSorted()).toEqual(
    ['fee', 'fee', 'first charge', 'installment', 'reminder', 'renewal', 'retry'], // past due, then the fee
  );
  expect(await leftOf(customer)).toEqual({
    subscriptions: ['canceled'], // after the last retry of its first bill
    invoices: [
      { total: 10, attempts: 2, next: null },
      { total: 110, attempts: 0, next: null }, // 100 and a fee of 10 %
      { total: 60, attempts: 1, next: 2 },
      { total: 10, attempts: 1, next: 2 }, // billed before the end of its subscription
    ],
    tasks: ['Call: 120.00 usd'], // 110 and the bill of 10 that AutoPay has given up
    mails: [
      ...Array.from({ length: 4 }, () => 'auto_payment_failed_email'),
      'payment_plan_email',
      'subscription_canceled_email',
      'subscription_confirmation_email',
    ],
  });
  begin += 52 * WEEK;
});
