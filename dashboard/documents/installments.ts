import { type CalendarDate, parseDate } from '@internationalized/date';

/** How often the installments of a plan are due. */
export type Every = 'week' | 'month';

/** An installment: its day as `2027-01-31`, and its amount in the smallest unit of the currency. */
export interface Installment {
  day: string;
  units: number;
}

/** The most installments that the dashboard draws. */
export const MOST_INSTALLMENTS = 36;

/**
 * Equal installments of an amount, from a day on. What cannot be divided is in the last one. A month later is the same day, or the last day of
 * a shorter month.
 */
export function installmentsOf(units: number, plan: { count: number; first: string; every: Every }): Installment[] {
  const first = parseDate(plan.first);
  const each = Math.floor(units / plan.count);
  return Array.from({ length: plan.count }, (_, index) => ({
    day: dayOf(first, index, plan.every).toString(),
    units: index === plan.count - 1 ? units - each * (plan.count - 1) : each,
  }));
}

const dayOf = (first: CalendarDate, index: number, every: Every): CalendarDate =>
  first.add(every === 'week' ? { weeks: index } : { months: index });
