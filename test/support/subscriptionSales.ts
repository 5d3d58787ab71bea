import { DateTime } from 'luxon';
import { lastSnapDay, shortestDays } from './subscriptionOraclePeriods.ts';
import type { RenewalMode, Sold } from './subscriptionOracleState.ts';
import { addonBy, amountFor, chosen, EVERY, planBy, RATES, someOf } from './subscriptionProducts.ts';
import type { Features } from './subscriptionSpace.ts';

// Random new subscriptions.

/** The draws of a new subscription. */
export interface RawSale {
  start: { year: number; month: number; day: number; hour: number; second: number };
  seeds: number[];
}

export function soldBy({ start: local, seeds }: RawSale, space: Features): Sold {
  const by = (index: number) => seeds[index] ?? 0;
  const every = chosen(space.intervals ? EVERY : EVERY.slice(0, 2), by(0));
  const plan = planBy(by(1), every);
  const zone = chosen(space.zones, by(2));
  const start = instantOf(local, zone);
  const billIn = chosen(space.billIn, by(3));
  const addons = Array.from({ length: space.addons ? by(4) % 4 : 0 }, (_, at) => addonBy(`a${at}`, by(5) + at, every));
  return {
    currency: chosen(space.currencies, by(6)),
    zone,
    start,
    plan,
    quantity: `${1 + (by(7) % 25)}`,
    ...amountFor(plan, by(7)),
    addons,
    discounts: someOf(space.coupons, by(8)),
    taxes: space.taxes ? someOf(RATES, by(9)) : [],
    billIn,
    ...datesBy({ by, every, billIn, start }, space),
    ...(space.contracts && by(13) % 3 === 0 ? contractBy(by(13)) : {}),
  };
}

interface Dated {
  by: (index: number) => number;
  every: (typeof EVERY)[number];
  billIn: 'advance' | 'arrears';
  start: number;
}

const DAY = 86_400_000;

/** Snap day, trial, future start and days in advance. */
function datesBy({ by, every, billIn, start }: Dated, space: Features): Partial<Sold> {
  const lastDay = lastSnapDay(every.interval);
  const snaps = space.snapDays && lastDay > 0 && by(10) % 3 === 0;
  const tries = space.trials && by(11) % 5 === 0;
  const isFuture = space.futureStarts && by(11) % 5 === 1;
  const days = billIn === 'advance' ? chosen(space.advanceDays, by(12)) : 0;
  const fits = days < shortestDays(every);
  return {
    ...(snaps ? { snapDay: 1 + (by(10) % lastDay) } : {}),
    ...(tries ? { trialEnd: start + (1 + (by(12) % 40)) * DAY } : {}),
    ...(isFuture ? { createdAt: start - (1 + (by(12) % 40)) * DAY } : {}),
    ...(days > 0 && fits ? { billInAdvanceDays: days } : {}),
  };
}

const MODES: readonly RenewalMode[] = ['auto', 'manual', 'renew_once', 'none'];

function contractBy(by: number): Partial<Sold> {
  const renewalCycles = by % 4 === 0 ? { renewalCycles: 1 + (by % 5) } : {};
  return { cycles: 2 + (by % 4), renewalMode: chosen(MODES, by >> 2), ...renewalCycles };
}

/** A local time. A day that the month lacks is its last. */
function instantOf({ year, month, day, hour, second }: RawSale['start'], zone: string): number {
  const first = DateTime.fromObject({ year, month, day: 1, hour }, { zone });
  const days = Math.min(day, first.daysInMonth ?? 28);
  return first.set({ day: days }).toMillis() + second * 1000;
}
