import { Big } from 'big.js';
import type { Money } from '../money/money.ts';

/** Decimals of days and shares. */
const DECIMALS = 2;
const SHARE_DECIMALS = 4;

/** Days sales outstanding by the simple formula: receivables / sales x days. Null without sales. Decimal text. */
export function simpleDso({
  receivables,
  sales,
  days,
}: {
  receivables: Money;
  sales: Money;
  days: number;
}): string | null {
  const divisor = new Big(sales);
  if (divisor.lte(0)) return null;
  return new Big(receivables).times(days).div(divisor).round(DECIMALS, Big.roundHalfUp).toString();
}

/** A part of a whole, as a share. Null without a whole. Decimal text. */
export function shareOf(part: string, whole: string): string | null {
  const divisor = new Big(whole);
  return divisor.lte(0) ? null : new Big(part).div(divisor).round(SHARE_DECIMALS, Big.roundHalfUp).toString();
}

/** A mean of a sum over a number of things. Null without any. Decimal text. */
export function meanOf(sum: string, count: number): string | null {
  return count === 0 ? null : new Big(sum).div(count).round(DECIMALS, Big.roundHalfUp).toString();
}

/** A month, or the part of it before the end of the days, and what was invoiced in it. */
export interface MonthOfSales {
  sales: Money;
  days: number;
}

/**
 * Days sales outstanding by countback: the receivables are what was invoiced last, month by month backwards; the days of a month count in
 * full if all of it is open, else in proportion. Null if the receivables exceed the sales of all months.
 */
export function countbackDso(receivables: Money, latestFirst: readonly MonthOfSales[]): string | null {
  let left = new Big(receivables);
  let counted = new Big(0);
  for (const { sales, days } of latestFirst) {
    if (left.lte(0)) break;
    const sold = new Big(sales);
    if (sold.lte(left)) counted = counted.plus(days);
    else counted = counted.plus(left.times(days).div(sold));
    left = left.minus(sold.lte(0) ? 0 : sold);
  }
  return left.gt(0) ? null : counted.round(DECIMALS, Big.roundHalfUp).toString();
}

/**
 * Collection effectiveness: (opening + invoiced - closing) / (opening + invoiced - closing that is not due): the share of what could be
 * collected that was. Null when nothing could.
 */
export function effectiveness(of: { opening: Money; invoiced: Money; closing: Money; notDue: Money }): string | null {
  const all = new Big(of.opening).plus(of.invoiced);
  const collectable = all.minus(of.notDue);
  if (collectable.eq(0)) return null;
  return all.minus(of.closing).div(collectable).round(SHARE_DECIMALS, Big.roundHalfUp).toString();
}

/** What became of a promised payment. `replaced`: it was moved or withdrawn before its day was over. */
export const promiseOutcomes = ['kept', 'broken', 'replaced', 'open'] as const;
export type PromiseOutcome = (typeof promiseOutcomes)[number];

/**
 * What became of an invoice whose payment failed. `lost`: it was written off, credited or voided, or AutoPay has stopped and it is still
 * open. `open`: it is still collected.
 */
export const recoveryOutcomes = ['recovered', 'lost', 'open'] as const;
export type RecoveryOutcome = (typeof recoveryOutcomes)[number];
