import { Refusal } from '../refusal.ts';
import { addDays, type Interval } from '../time/calendar.ts';
import { type Period, periodAt, periodIndexAt, type Schedule } from '../time/periods.ts';

/** Times of the bill of a period. `advance`: its start, or some days before it. `arrears`: its end. */
export const billTimes = ['advance', 'arrears'] as const;
export type BillIn = (typeof billTimes)[number];

/** Terms of a subscription that decide when its periods are billed. Times are epoch milliseconds. */
export interface BillTerms {
  schedule: Schedule;
  billIn: BillIn;
  /** Days before the start of a period at which it is billed. */
  advanceDays: number;
  /** Time at which the anchor was set: at creation, or by a later change of it. The first period is not billed before. */
  anchoredAt: number;
  /** The trial, which ends at the anchor; null: none. */
  trial: Period | null;
}

/** The progress of a subscription through its periods. */
export interface Progress {
  billIn: BillIn;
  /** Index of the period to bill next, counted from 0 at the anchor. */
  nextPeriod: number;
  /**
   * Whether a period has only one of its two steps. In advance: the period before `nextPeriod` is billed and has not begun. In arrears:
   * `nextPeriod` has begun and is not billed.
   */
  periodOpen: boolean;
}

/**
 * Time at which period n is billed: not before the previous period begins. The first one is not billed before the anchor is set or the
 * trial begins.
 */
export function billAt(terms: BillTerms, n: number): number {
  const { schedule, billIn, advanceDays } = terms;
  const { startAt, endAt } = periodAt(schedule, n);
  if (billIn === 'arrears') return endAt;
  if (advanceDays === 0) return startAt;
  const wanted = addDays(startAt, -advanceDays, schedule.zone);
  return Math.max(wanted, n > 0 ? periodAt(schedule, n - 1).startAt : Math.min(startAt, earliest(terms)));
}

function earliest({ anchoredAt, trial }: BillTerms): number {
  return trial ? Math.max(anchoredAt, trial.startAt) : anchoredAt;
}

/** Number of periods that are to be billed by `now`, counted from the anchor. */
export function periodsToBill(terms: BillTerms, now: number): number {
  const current = periodIndexAt(terms.schedule, now);
  if (terms.billIn === 'arrears') return Math.max(current, 0);
  return current + 1 + (billAt(terms, current + 1) <= now ? 1 : 0);
}

/** Number of periods that have begun since the anchor, with those that a pause skipped. */
export function periodsBegun({ billIn, nextPeriod, periodOpen }: Progress): number {
  if (!periodOpen) return nextPeriod;
  return billIn === 'arrears' ? nextPeriod + 1 : nextPeriod - 1;
}

/** Index of the first period that is not counted among the billed cycles: a period that is billed ahead is counted when it begins. */
export function firstUncounted({ billIn, nextPeriod, periodOpen }: Progress): number {
  return billIn === 'advance' && periodOpen ? nextPeriod - 1 : nextPeriod;
}

/** A lower limit for the number of days in any one interval. February has 28. */
const FEWEST_DAYS = { day: 1, week: 7, month: 28, year: 365 } as const;

/** Refuses days before periods that a period of the plan may not have, and such days for bills in arrears. */
export function checkAdvanceDays(
  { billIn, advanceDays }: Pick<BillTerms, 'billIn' | 'advanceDays'>,
  { interval, intervalCount }: { interval: Interval; intervalCount: number },
  param: 'bill_in_advance_days' | 'plan' = 'bill_in_advance_days',
): void {
  if (advanceDays === 0) return;
  if (billIn === 'arrears')
    throw new Refusal('parameter_invalid', 'Bill in advance days must be 0 with bill_in arrears', param);
  const days = FEWEST_DAYS[interval] * intervalCount;
  if (advanceDays < days) return;
  throw new Refusal(
    'parameter_invalid',
    `Bill in advance days must be below ${days}, the days of a short period of its plan`,
    param,
  );
}
