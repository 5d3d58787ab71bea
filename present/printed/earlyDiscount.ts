import type { ShownDiscount } from '../../billing/earlyDiscount.ts';
import { add, subtract } from '../../billing/money.ts';
import type { Pen } from './head.ts';
import { fill } from './labels.ts';

/** A sentence about the early-payment discount of an invoice: until when to pay, how much it is, and what is to be paid with or without it. */
export function earlyDiscountInWords(
  { percent, endsAt, value, isIncluded }: ShownDiscount,
  balance: string,
  { labels, formats }: Pick<Pen, 'labels' | 'formats'>,
): string {
  // The last instant of the last day.
  const day = formats.day(new Date(endsAt - 1));
  const named = { percent: formats.percent(Number(percent)), amount: formats.money(value), day };
  if (isIncluded) return fill(labels.earlyIncluded, { ...named, full: formats.money(add(balance, value)) });
  return fill(labels.earlyOffered, { ...named, rest: formats.money(subtract(balance, value)) });
}
