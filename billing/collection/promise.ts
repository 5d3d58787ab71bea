import { Refusal } from '../refusal.ts';
import { addDaysToDay, capAtLatest, endOfDay, localDay } from '../time/calendar.ts';

/** State of a promised payment. */
export const promiseStates = ['promised', 'kept', 'broken'] as const;
export type PromiseState = (typeof promiseStates)[number];

/**
 * Something that happens to a promise. `promised`: it was made, or moved to another day. `withdrawn`: it was taken back. `paid_in_time`, `paid_late`: the
 * invoice was paid by the end of the promised day, or after it. `owed_again`: the payment was taken back. `day_ended`: the promised day ended.
 */
export type PromiseInput = 'promised' | 'withdrawn' | 'paid_in_time' | 'paid_late' | 'owed_again' | 'day_ended';

/**
 * The next state, by the current one (`none`: there is no promise) and the input. An input without an entry changes nothing; null ends the
 * promise.
 */
const MOVES: Readonly<Record<PromiseState | 'none', Partial<Record<PromiseInput, PromiseState | null>>>> = {
  none: { promised: 'promised' },
  promised: { withdrawn: null, paid_in_time: 'kept', paid_late: 'broken', day_ended: 'broken' },
  kept: { owed_again: 'promised' },
  // A payment that is recorded later, but dated in time, keeps the promise after all.
  broken: { promised: 'promised', withdrawn: null, paid_in_time: 'kept' },
};

/** The state of a promise after an input. */
export function promiseAfter(state: PromiseState | null, input: PromiseInput): PromiseState | null {
  const next = MOVES[state ?? 'none'][input];
  return next === undefined ? state : next;
}

/** A promise of an invoice. Times are epoch milliseconds. */
export interface PromisedPayment {
  promise: PromiseState | null;
  expectedAt: number | null;
  zone: string;
}

/** When a promise ends that is not kept: at the end of the promised day; null: no payment is promised. */
export function promiseEndsAt({ promise, expectedAt, zone }: PromisedPayment): number | null {
  if (promise !== 'promised' || expectedAt === null) return null;
  return capAtLatest(endOfDay(localDay(expectedAt, zone), zone));
}

/** Whether money of that date comes by the end of the promised day. */
export function isInTime({ expectedAt, zone }: PromisedPayment, paidAt: number): boolean {
  return expectedAt !== null && localDay(paidAt, zone) <= localDay(expectedAt, zone);
}

/** The most days ahead at which a payment can be promised. */
const MOST_DAYS = 366;

/** Refuses a promised day that has passed or is more than a year ahead. Times are epoch milliseconds. */
export function checkPromisedDay(expectedAt: number, now: number, zone: string): void {
  const [day, today] = [localDay(expectedAt, zone), localDay(now, zone)];
  const param = 'expected_payment_date[date]';
  if (day < today)
    throw new Refusal('parameter_invalid', `The payment cannot be expected on a day that has passed: ${day}`, param);
  const last = addDaysToDay(today, MOST_DAYS);
  if (day > last)
    throw new Refusal(
      'parameter_invalid',
      `The payment must be expected by ${last}, within ${MOST_DAYS} days: ${day}`,
      param,
    );
}

/** What decides whether a customer may promise a payment itself. */
export interface CustomersPromise {
  /** Local day of the promise. */
  day: string;
  today: string;
  /** Days ahead that the account allows; 0: none. */
  days: number;
  /** The promise of the invoice. */
  promise: PromiseState | null;
  /** Whether a promise of an open invoice of the customer was broken. */
  hasBroken: boolean;
}

/**
 * Refuses a promise that a customer may not make itself: a second one for an invoice while the first is open, one after a broken promise of
 * an open invoice, and a day beyond those that the account allows.
 */
export function checkCustomersPromise({ day, today, days, promise, hasBroken }: CustomersPromise): void {
  if (days === 0) throw new Refusal('state_conflict', 'Customers of this account cannot promise a payment themselves');
  if (promise === 'promised') throw new Refusal('state_conflict', 'A payment of this invoice is promised already');
  if (hasBroken)
    throw new Refusal('state_conflict', 'A promise was broken: the customer cannot promise a payment itself any more');
  const last = addDaysToDay(today, days);
  if (day < today) throw new Refusal('parameter_invalid', `The day has passed: ${day}`, 'date');
  if (day > last)
    throw new Refusal('parameter_invalid', `The payment must come by ${last}, within ${days} days: ${day}`, 'date');
}
