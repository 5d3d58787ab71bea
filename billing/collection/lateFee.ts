import { europeanUnion } from '../country.ts';
import { exactAmount } from '../limits.ts';
import {
  add,
  compare,
  exactProduct,
  isPositive,
  type Money,
  minimum,
  multiply,
  roundMoney,
  subtract,
} from '../money/money.ts';
import { Refusal } from '../refusal.ts';
import { addDaysToDay, capAtLatest, endOfDay, LATEST, localDay, startOfDay } from '../time/calendar.ts';

/** The rate of late fees. */
export interface LateFeeRate {
  /** A percentage, or an amount in `currency`. Decimal text. */
  amount: string;
  isPercent: boolean;
  /** The most that the fees of one invoice come to, in `currency`; null: no limit. */
  cap: Money | null;
  currency: string;
}

/** Where a late fee stands: on a line of the overdue invoice, or on an invoice of its own. */
export type LateFeeDocument = 'line' | 'invoice';

/** Countries whose issued documents never change: those of the EU, the United Kingdom and Switzerland. */
export const keepsDocuments: ReadonlySet<string> = new Set([...europeanUnion, 'CH', 'GB']);

/** Type of the lines that charge late fees. Their amounts are no principal of later fees. */
export const LATE_FEE_LINE = 'late_fee';

const WHOLE = '100';

/**
 * Checks the rate of a late fee schedule. Refuses amounts that are not positive, percentages above 100, fractions of a minor unit, and a fee
 * above its cap.
 */
export function checkLateFeeRate({ amount, isPercent, cap, currency }: LateFeeRate): LateFeeRate {
  if (!isPositive(amount)) throw new Refusal('parameter_invalid', `Amount must be positive: ${amount}`, 'amount');
  if (isPercent && compare(amount, WHOLE) > 0)
    throw new Refusal('parameter_invalid', `Amount must be at most 100 percent: ${amount}`, 'amount');
  const fee = isPercent ? amount : exactAmount(amount, currency, 'amount');
  if (cap === null) return { amount: fee, isPercent, cap, currency };
  const most = exactAmount(cap, currency, 'cap');
  if (!isPositive(most)) throw new Refusal('parameter_invalid', `Cap must be positive: ${cap}`, 'cap');
  if (!isPercent && compare(fee, most) > 0)
    throw new Refusal('parameter_invalid', `The fee is above its cap: ${amount} is more than ${cap}`, 'cap');
  return { amount: fee, isPercent, cap: most, currency };
}

/** When and how much a schedule charges. */
export interface LateFeeTerms extends LateFeeRate {
  gracePeriodDays: number;
  /** Days from each fee to the next one; 0: one fee only. */
  recurringDays: number;
}

/** Reason why an overdue invoice gets no fee now. */
export type LateFeeHindrance = 'payment_pending' | 'promised' | 'disputed' | 'charged_automatically';

/** The facts about a past-due invoice that decide its late fee. Times are epoch milliseconds. */
export interface LateFeeFacts {
  /** When the fee is due. */
  at: number;
  zone: string;
  currency: string;
  /** The terms that apply now; null: none. */
  terms: LateFeeTerms | null;
  hindrance: LateFeeHindrance | null;
  /** The overdue amount without earlier fees. */
  principal: Money;
  /** Sum of its earlier fees. */
  charged: Money;
}

export type LateFeeStep =
  | { kind: 'charge'; fee: Money; nextAt: number | null }
  | { kind: 'postpone'; reason: LateFeeHindrance; nextAt: number | null }
  | { kind: 'none'; nextAt: number | null };

/** When an invoice gets its first late fee, if it has been overdue since the end of the day of `from`. */
export function firstLateFeeAt(from: number, { gracePeriodDays }: LateFeeTerms, zone: string): number {
  return capAtLatest(endOfDay(addDaysToDay(localDay(from, zone), gracePeriodDays), zone));
}

/**
 * Takes the step of a due fee: it is charged, or it is postponed by a day while something hinders it, or there is none. `nextAt`: when the
 * next one is due; null: never.
 */
export function lateFeeStep(facts: LateFeeFacts): LateFeeStep {
  const { at, zone, currency, terms, hindrance, principal } = facts;
  if (!terms || !isFor(terms, currency)) return { kind: 'none', nextAt: null };
  if (hindrance !== null) return { kind: 'postpone', reason: hindrance, nextAt: startOfDayAfter(at, 1, zone) };
  const room = terms.cap === null ? null : subtract(terms.cap, facts.charged);
  if (room !== null && !isPositive(room)) return { kind: 'none', nextAt: null };
  const { recurringDays } = terms;
  const nextAt = recurringDays === 0 ? null : startOfDayAfter(at, recurringDays, zone);
  // A payment of the principal can be taken back.
  if (!isPositive(principal)) return { kind: 'none', nextAt };
  const whole = feeOf(terms, principal, currency);
  const fee = room === null ? whole : minimum(whole, roundMoney(room, currency));
  return isPositive(fee) ? { kind: 'charge', fee, nextAt } : { kind: 'none', nextAt };
}

/** The start of the local day that many days later; null: it is after the latest date. */
function startOfDayAfter(at: number, days: number, zone: string): number | null {
  const start = startOfDay(addDaysToDay(localDay(at, zone), days), zone);
  return start > LATEST ? null : start;
}

/** A simple percentage of the principal, rounded once, or the amount. */
function feeOf({ amount, isPercent }: LateFeeRate, principal: Money, currency: string): Money {
  return isPercent ? multiply(principal, exactProduct(amount, '0.01'), currency) : roundMoney(amount, currency);
}

/** Whether terms can be applied to a currency: only those without an amount are for all. */
function isFor({ isPercent, cap, currency: own }: LateFeeTerms, currency: string): boolean {
  return own === currency || (isPercent && cap === null);
}

/** A late fee with the terms that it was computed from. Times are epoch milliseconds. */
export interface ChargedFee extends LateFeeRate {
  /** When it accrued. */
  at: number;
  recordedAt: number;
  principal: Money;
  fee: Money;
}

/** Money that pays an invoice. */
export interface RecordedPayment {
  date: number;
  recordedAt: number;
  amount: Money;
}

/**
 * The parts of an invoice's fees, oldest first, that are owed if payments count from their dates: one that was recorded after a fee, and
 * dated before it, lowers its principal.
 */
export function feesOwed(fees: readonly ChargedFee[], payments: readonly RecordedPayment[]): Money[] {
  let charged: Money = '0';
  return fees.map(({ at, recordedAt, ...of }) => {
    const early = payments.filter((payment) => payment.date < at && payment.recordedAt >= recordedAt);
    const principal = principalOf(of.principal, add('0', ...early.map(({ amount }) => amount)));
    const whole = isPositive(principal) ? minimum(of.fee, feeOf(of, principal, of.currency)) : '0';
    const owed = of.cap === null ? whole : minimum(whole, principalOf(of.cap, charged));
    charged = add(charged, owed);
    return owed;
  });
}

/** The principal in an overdue balance: the rest without the fees on the same document, which payments pay last. Never negative. */
export function principalOf(overdue: Money, fees: Money): Money {
  const rest = subtract(overdue, fees);
  return isPositive(rest) ? rest : '0';
}
