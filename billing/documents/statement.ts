import { add, isZero, type Money, subtract, sum, zero } from '../money/money.ts';
import { Refusal } from '../refusal.ts';
import { daysBetween, endOfDay, localDay, startOfDay } from '../time/calendar.ts';

/** `balance_forward`: all movements of a range after the balance before it. `open_item`: all that is open at the end of a range. */
export const statementTypes = ['balance_forward', 'open_item'] as const;
export type StatementType = (typeof statementTypes)[number];

/** The items of an open item statement: all, or the invoices that are past due. */
export const statementItems = ['open', 'past_due'] as const;
export type StatementItems = (typeof statementItems)[number];

/** What moves a customer's account. `transfer`: money or credit of one customer pays another customer's invoice. */
export const movementTypes = [
  'invoice',
  'late_fee',
  'credit_note',
  'payment',
  'convenience_fee',
  'transfer',
  'refund',
  'dispute',
  'return',
  'adjustment',
  'write_off',
  'forfeit',
] as const;
export type MovementType = (typeof movementTypes)[number];

/** Kinds of open items. Credit and money are negative amounts. */
export const openItemTypes = ['invoice', 'credit_note', 'payment', 'credit_balance', 'deposit'] as const;
export type OpenItemType = (typeof openItemTypes)[number];

/** Most lines of a statement. Earlier ones are summed up, so that a customer with any number of entries has a statement. */
export const MOST_STATEMENT_LINES = 1000;

/** The days of a statement in the account's time zone: from the start of one day to the end of another, or to now. */
export interface StatementRange {
  /** Null: since the first movement. */
  from: Date | null;
  until: Date;
  /** Last day of the range: `2027-03-31`. */
  lastDay: string;
}

interface AskedRange {
  type: StatementType;
  start: Date | null;
  end: Date | null;
  now: Date;
  zone: string;
}

/**
 * The days from the day of `start` to the day of `end`. The last day is today at the latest; the range then ends now. Without `end`, the last day
 * is today. Without `start`, a balance forward statement starts on the first day of the month of its last day, and an open item statement
 * has no start. Refuses a range that ends before it begins, and one that begins after today.
 */
export function statementRange({ type, start, end, now, zone }: AskedRange): StatementRange {
  const today = localDay(now.getTime(), zone);
  const asked = end ? localDay(end.getTime(), zone) : today;
  const [lastDay = today] = [asked, today].sort();
  const firstOfMonth = type === 'balance_forward' ? `${lastDay.slice(0, 7)}-01` : null;
  const firstDay = start ? localDay(start.getTime(), zone) : firstOfMonth;
  if (firstDay !== null && firstDay > asked)
    throw new Refusal(
      'parameter_invalid',
      `The range ends on ${asked}, before it begins on ${firstDay}`,
      end ? 'end' : 'start',
    );
  if (firstDay !== null && firstDay > today)
    throw new Refusal(
      'parameter_invalid',
      `The range begins on ${firstDay}, which has not come yet: today is ${today}`,
      'start',
    );
  const until = new Date(Math.min(endOfDay(lastDay, zone), now.getTime() + 1));
  return { from: firstDay === null ? null : new Date(startOfDay(firstDay, zone)), until, lastDay };
}

/** Sums of a customer's account in one currency, as signed by the ledger: what it owes is positive, its money and credit is negative. */
export interface AccountSums {
  receivable: Money;
  credits: Money;
  unapplied: Money;
  deposits: Money;
}

/** One movement or open item, with the balance after it. */
export interface StatementLine {
  type: MovementType | OpenItemType;
  /** Null: it has no date of its own, as a credit balance. */
  date: Date | null;
  dueAt: Date | null;
  /** Days past due of an open item at the end of the range; null: it has no due date. Not positive: it is not past due. */
  daysPastDue: number | null;
  number: string | null;
  /** Method of a payment; null: it is none. */
  method: string | null;
  /** Whether its number is the reference of a gateway, which means nothing to the customer. */
  isGatewayReference: boolean;
  /** The payer's reference of a payment that `number` does not show. Unset: there is none. */
  reference?: string | null;
  invoiceId: number | null;
  paymentId: number | null;
  creditNoteId: number | null;
  /** The refund that no gateway sent. */
  refundId: number | null;
  amount: Money;
  balance: Money;
}

/** Rows that a statement is computed from, in order. */
export interface StatementFacts {
  type: StatementType;
  items: StatementItems;
  currency: string;
  range: StatementRange;
  /** Sum of all movements before the range, or of all items from before it. */
  opening: Money;
  /** Number and sum of the earliest lines, which are too many to be listed. */
  earlier: { count: number; amount: Money };
  lines: readonly (Omit<StatementLine, 'balance' | 'daysPastDue'> & { dueOn: string | null })[];
  /** Sums at the end of the range. */
  sums: AccountSums;
  /** What is open on invoices and installments at the end of the range, by due day; null for those without a due date. */
  owed: readonly { day: string | null; amount: Money }[];
  /** The invoices of which something is past due at the end of the range, with that amount: their number and sum, and the longest due ones one by one. */
  late: { count: number; amount: Money; listed: readonly (Omit<LateInvoice, 'days'> & { dueOn: string })[] };
  /** The longest due of the open invoices that can be paid now; null: there is none. */
  payable: PayableInvoice | null;
}

/** An invoice with the secret part of its address. */
export interface PayableInvoice {
  id: number;
  token: string;
  number: string | null;
}

/** An invoice of which something is past due: of one on a payment plan, the missed installments. */
export interface LateInvoice extends PayableInvoice {
  dueAt: Date;
  /** Days since its due date. */
  days: number;
  amount: Money;
  /** Whether it can be paid now. */
  isPayable: boolean;
}

/** Most past-due invoices that a statement lists. The others are summed up. */
export const MOST_LATE_INVOICES = 50;

/** The open balances of invoices by days past due. */
export interface Ages {
  current: Money;
  days1To30: Money;
  days31To60: Money;
  days61To90: Money;
  over90: Money;
}

export interface Statement
  extends Pick<StatementFacts, 'type' | 'items' | 'currency' | 'range' | 'earlier' | 'payable'> {
  opening: Money;
  lines: StatementLine[];
  closing: Money;
  /** The debt of the customer at the end of the range, and its credit, unapplied money and deposits. All are positive. */
  outstanding: Money;
  credits: Money;
  unapplied: Money;
  deposits: Money;
  ages: Ages;
  late: { count: number; amount: Money; listed: LateInvoice[] };
}

/** Computes a statement: opening balance, lines with running balance, closing balance, and what is open by age. */
export function statementOf(facts: StatementFacts): Statement {
  const { type, items, currency, range, opening, earlier, sums, late, payable } = facts;
  const isOpenItem = type === 'open_item';
  let balance = add(zero(currency), opening, earlier.amount);
  const lines = facts.lines.map(({ dueOn, ...line }) => {
    balance = add(balance, line.amount);
    const daysPastDue = isOpenItem && dueOn !== null ? daysBetween(dueOn, range.lastDay) : null;
    return { ...line, balance, daysPastDue };
  });
  const has = (amount: Money) => subtract(zero(currency), amount);
  return {
    type,
    items,
    currency,
    range,
    opening: add(zero(currency), opening),
    earlier,
    lines,
    closing: balance,
    outstanding: add(zero(currency), sums.receivable),
    credits: has(sums.credits),
    unapplied: has(sums.unapplied),
    deposits: has(sums.deposits),
    ages: agesOf(facts),
    late: {
      ...late,
      listed: late.listed.map(({ dueOn, ...one }) => ({ ...one, days: daysBetween(dueOn, range.lastDay) })),
    },
    payable,
  };
}

function agesOf({ owed, currency, range: { lastDay } }: StatementFacts): Ages {
  const aged = (least: number, most: number) =>
    sum(
      owed.flatMap(({ day, amount }) => {
        const days = day === null ? 0 : Math.max(0, daysBetween(day, lastDay));
        return days >= least && days <= most ? [amount] : [];
      }),
      currency,
    );
  return {
    current: aged(0, 0),
    days1To30: aged(1, 30),
    days31To60: aged(31, 60),
    days61To90: aged(61, 90),
    over90: aged(91, Number.POSITIVE_INFINITY),
  };
}

/** Whether a statement has anything to tell: a balance before or after its range, or a movement within it. */
export function hasContent({ opening, closing, lines, earlier }: Statement): boolean {
  return !isZero(opening) || !isZero(closing) || lines.length > 0 || earlier.count > 0;
}
