import { expect, test } from '@jest/globals';
import { contractPeriod } from '../../billing/subscriptions/subscription.ts';
import { type Interval, LATEST } from '../../billing/time/calendar.ts';
import { migrationSql, rowsToMigrate } from '../support/migrations.ts';

/** The migration gives contracts of earlier versions the end that the API computes. */

const update = /^update .*?;$/ms.exec(migrationSql('0010_subscription_mails'))?.[0] ?? '';
const { transaction } = rowsToMigrate();

interface Contract {
  anchor: string;
  zone: string;
  interval: Interval;
  intervalCount: number;
  nextPeriod: number;
  cyclesBilled: number;
  cycles: number | null;
}

/** Inserts a subscription with its plan, migrates it, and returns the end of its contract. */
function migrated({ anchor, zone, interval, intervalCount, ...of }: Contract, snapDay: number | null = null) {
  return transaction(async (em) => {
    await em.execute('delete from subscription');
    await em.execute('delete from plan');
    await em.execute(
      `insert into plan (account_id, id, code, name, currency, amount, pricing_mode, quantity_type, interval, interval_count,
         metadata, created_at, updated_at)
       values (1, 1, 'gold', 'Gold', 'usd', 10, 'per_unit', 'constant', ?, ?, '{}', now(), now())`,
      [interval, intervalCount],
    );
    await em.execute(
      `insert into subscription (account_id, id, customer_id, plan_id, status, quantity, anchor_at, time_zone, snap_day, next_period,
         cycles_billed, cycles, cancel_at_period_end, paused, discounts, taxes, recurring_total, mrr, metadata, created_at, updated_at)
       values (1, 1, 1, 1, 'active', 1, ?, ?, ?, ?, ?, ?, false, false, '[]', '[]', 10, 10, '{}', now(), now())`,
      [new Date(anchor), zone, snapDay, of.nextPeriod, of.cyclesBilled, of.cycles],
    );
    await em.execute(update);
    const [row] = await em.execute<{ at: number | null }[]>(
      'select extract(epoch from contract_end_at)::float8 * 1000 as at from subscription',
    );
    return row?.at ?? null;
  });
}

const monthly: Contract = {
  anchor: '2027-01-31T10:00:00Z',
  zone: 'UTC',
  interval: 'month',
  intervalCount: 1,
  nextPeriod: 0,
  cyclesBilled: 0,
  cycles: 1,
};

test.each<[string, Partial<Contract>]>([
  ['not begun', {}],
  ['begun', { nextPeriod: 1, cyclesBilled: 1, cycles: 13 }],
  ['whose cycles are billed', { nextPeriod: 2, cyclesBilled: 2, cycles: 2 }],
  ['with periods skipped by a pause', { nextPeriod: 5, cyclesBilled: 2, cycles: 12 }],
  ['by the quarter', { intervalCount: 3, cycles: 4 }],
  ['by the week', { interval: 'week', intervalCount: 2, cycles: 5, zone: 'America/St_Johns' }],
  ['by the day, over a change of the clocks', { interval: 'day', cycles: 90, zone: 'Europe/Berlin' }],
  ['by the year, from a leap day', { anchor: '2028-02-29T10:00:00Z', interval: 'year', zone: 'Asia/Kathmandu' }],
])('a contract %s gets its end', async (_, change) => {
  const of = { ...monthly, ...change };
  const { zone, interval, intervalCount } = of;
  const anchorAt = Date.parse(of.anchor);
  const schedule = { anchorAt, zone, interval, intervalCount, snapDay: null };
  expect(await migrated(of)).toBe(
    contractPeriod({ ...of, schedule, billIn: 'advance', periodOpen: false, contractStartAt: anchorAt })?.endAt,
  );
});

test('a contract beyond the latest date ends with it; without cycles, or with a snap day, there is no end', async () => {
  expect(await migrated({ ...monthly, cycles: 10_000 })).toBe(LATEST);
  expect(await migrated({ ...monthly, interval: 'year', intervalCount: 365, cycles: 10_000 })).toBe(LATEST);
  expect(await migrated({ ...monthly, cycles: null })).toBeNull();
  expect(await migrated(monthly, 5)).toBeNull();
});
