import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { advanceTo, clockAt } from '../../support/clock.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { fastSweepConfig, steppedTime, stepTo } from '../../support/steppedTime.ts';
import { invoiceFor } from '../../support/story.ts';
import { until } from '../../support/wait.ts';

/** A cadence that is edited while more customers stand in it than one transaction plans anew. */

const CUSTOMERS = 510;
const AT_ONCE = 10;
/** A sweep wakes all overdue processes again. With hundreds of them, frequent sweeps take most of the CPU. */
const SELDOM = { sweepIntervalMilliseconds: 10_000 };
/** Each customer has two processes. Processes that the worker does not keep are replayed at each of their steps. */
const ALL_PROCESSES = { WORKER_CACHE: '2000' };
const BEGIN = '2027-01-04T08:00:00Z'; // a Monday
let time: ReturnType<typeof steppedTime>;
let product: Product;

beforeEach(async () => {
  time = steppedTime(BEGIN);
  product = await startProduct({
    systemNow: time.systemNow,
    config: { ...fastSweepConfig, ...SELDOM },
    env: ALL_PROCESSES,
  });
});
afterEach(() => product.close());

/** The time of the customers: their fields, and a function that moves it. */
interface Stage {
  on: { test_clock?: number };
  go(at: string): Promise<unknown>;
}

const stages: readonly [string, () => Promise<Stage>][] = [
  ['in real time', async () => ({ on: {}, go: (at) => stepTo(product, time, at) })],
  [
    'on a test clock',
    async () => {
      const clock = await clockAt(product, BEGIN);
      return { on: { test_clock: clock.id }, go: (at) => advanceTo(product, clock, at) };
    },
  ],
];

/** Number of customers that were asked on each day, by step, as "2027-01-05 First: 510". */
async function asked(): Promise<string[]> {
  const rows = await product.rows<{ day: string; name: string; count: number }>(
    `select r.day::text as day, s ->> 'name' as name, count(*)::int as count from reminder r
     join chasing_cadence k on k.account_id = r.account_id and k.id = r.cadence_id, jsonb_array_elements(k.steps) s
     where (s ->> 'id')::int = r.step_id group by 1, 2 order by 1, 2`,
  );
  return rows.map(({ day, name, count }) => `${day} ${name}: ${count}`);
}

const left = () =>
  product.rows<{ rule: string; at: string; count: number }>(
    `select rule, at at time zone 'UTC' as at, count(*)::int as count from wakeup where process = 'chasing' group by 1, 2 order by 2`,
  );

test.each(stages)(
  'a cadence that is edited amid 510 customers %s: each is planned anew once, and none is asked twice in a day',
  async (_, begin) => {
    const { client } = product;
    const { on, go } = await begin();
    const steps = [
      { name: 'First', action: 'email' as const, schedule: 'age:1' },
      { name: 'Call', action: 'phone' as const, schedule: 'age:10' },
    ];
    const fields = { name: 'Usual', time_of_day: 9, assignment_mode: 'default' as const };
    const cadence = await client.post('/chasing_cadences', { ...fields, steps });
    const owe = async (n: number) => {
      const { id } = await client.post('/customers', { name: `Customer ${n}`, email: `c${n}@example.com`, ...on });
      await invoiceFor(product, id, 100);
    };
    const numbers = Array.from({ length: CUSTOMERS }, (_, n) => n);
    for (let n = 0; n < CUSTOMERS; n += AT_ONCE) await Promise.all(numbers.slice(n, n + AT_ONCE).map(owe));
    await go('2027-01-05T10:00:00Z');
    expect(await asked()).toEqual([`2027-01-05 First: ${CUSTOMERS}`]);

    // A second mail comes before the call, which is earlier now.
    const [first, call] = cadence.steps.map(({ id }) => id);
    const edited = [
      { id: first ?? 0, name: 'First', action: 'email' as const, schedule: 'age:1' },
      { name: 'Second', action: 'email' as const, schedule: 'age:2' },
      { id: call ?? 0, name: 'Call', action: 'phone' as const, schedule: 'age:4' },
    ];
    const { planning } = await client.patch('/chasing_cadences/{id}', { steps: edited }, { id: cadence.id });
    const progress = [planning?.customers];
    await until(
      async () => {
        const now = await client.get('/chasing_cadences/{id}', { id: cadence.id });
        if (now.planning) progress.push(now.planning.customers);
        return now.planning === null || null;
      },
      { what: 'all customers to be planned anew', every: 5 },
    );
    expect(progress[0]).toBe(0);
    expect(progress).toEqual(progress.toSorted((one = 0, other = 0) => one - other));
    const planned = 'select planned_count as count from chasing_cadence';
    expect(await product.rows(planned)).toEqual([{ count: CUSTOMERS }]);
    await until(async () => (await left()).every(({ rule }) => rule === 'chase') || null, { what: 'their next steps' });
    expect(await left()).toMatchObject([{ rule: 'chase', count: CUSTOMERS }]);

    await go('2027-01-05T23:00:00Z');
    expect(await asked()).toEqual([`2027-01-05 First: ${CUSTOMERS}`]); // nobody twice on that day
    await go('2027-01-15T10:00:00Z');
    expect(await asked()).toEqual([
      `2027-01-05 First: ${CUSTOMERS}`, // January 4 + 1
      `2027-01-06 Second: ${CUSTOMERS}`, // + 2
      `2027-01-08 Call: ${CUSTOMERS}`, // + 4
    ]);
    const mails = `select count(*)::int as count from email where template = 'late_payment_reminder_email'`;
    expect(await product.rows(mails)).toEqual([{ count: 2 * CUSTOMERS }]);
    expect(await product.audit()).toEqual([]);
  },
);
