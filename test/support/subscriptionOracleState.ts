import type { Rational } from './rational.ts';
import { type Choices, defaultChoices } from './subscriptionOracleChoices.ts';
import type { Invoice, Line } from './subscriptionOracleInvoice.ts';
import {
  daysBefore,
  lastSnapDay,
  type Period,
  periodOf,
  type Schedule,
  startsShort,
} from './subscriptionOraclePeriods.ts';
import type { Instant, Prices } from './subscriptionOracleRests.ts';
import {
  type Addon,
  attach,
  type Coupon,
  type Plan,
  sameInterval,
  type TaxRate,
  type Terms,
} from './subscriptionOracleTerms.ts';

// The state of one subscription of the oracle.

export type RenewalMode = 'auto' | 'manual' | 'renew_once' | 'none';
export type ResumeMode = 'continue' | 'new';

/** A new subscription. Instants are epoch milliseconds. */
export interface Sold {
  currency: string;
  zone: string;
  /** Default: the start. */
  createdAt?: number;
  start: number;
  trialEnd?: number;
  plan: Plan;
  quantity?: string;
  amount?: string;
  addons?: readonly Addon[];
  discounts?: readonly Coupon[];
  taxes?: readonly TaxRate[];
  snapDay?: number;
  billIn?: 'advance' | 'arrears';
  billInAdvanceDays?: number;
  cycles?: number;
  renewalMode?: RenewalMode;
  renewalCycles?: number;
  paused?: boolean;
  /** Something is applied to each invoice, so that a cancellation credits what it would have voided. */
  invoicesArePaid?: boolean;
}

/** Fields that a change replaces. Absent fields stay. */
export interface Fields {
  plan?: Plan;
  quantity?: string;
  amount?: string;
  addons?: readonly Addon[];
  discounts?: readonly Coupon[];
  taxes?: readonly TaxRate[];
  cycles?: number;
  renewalMode?: RenewalMode;
  renewalCycles?: number | null;
}

/** Time with the same terms. It ends where the next stretch begins. */
export interface Stretch {
  from: number;
  terms: Terms;
  active: boolean;
  /** Whether a request paused the subscription at `from`: after the steps of that instant, such as the start of a period. */
  isAfterSteps?: boolean;
}

export interface BilledPeriod extends Period {
  invoice: Invoice;
  /** The coupons of its bill. */
  coupons: readonly Coupon[];
  /** The prices that it charges now. */
  prices: Prices;
  /** Its last prorated changes. */
  instant: Instant | null;
}

/** The billed or pending price of a component from `from` until `to`. */
export interface Cover {
  component: string;
  product: string;
  from: number;
  /** A credit ends it earlier. */
  to: number;
  /** The span of its lines. */
  readonly start: number;
  readonly end: number;
  lines: readonly Line[];
  /** In minor units, after discounts. */
  net: Rational;
  taxes: readonly TaxRate[];
  /** Null while its lines are pending. */
  invoice: Invoice | null;
}

export interface State {
  readonly sold: Sold;
  readonly choices: Choices;
  now: number;
  start: number;
  status: 'live' | 'canceled' | 'finished';
  terms: Terms;
  stretches: Stretch[];
  segment: number;
  schedule: Schedule;
  /** The schedule of the segment before. */
  former: Schedule | null;
  /** Number of the next period to bill. */
  next: number;
  /** No bill of the segment is due earlier. */
  segmentSince: number;
  billableSince: number;
  billed: BilledPeriod[];
  /** The period that is billed and has not begun, if such periods are open. */
  ahead: BilledPeriod | null;
  covers: Cover[];
  pending: Line[];
  invoices: Invoice[];
  creditBalance: bigint;
  /** Effective time of the last change. */
  lastChange: number;
  /** Null without a contract. */
  cyclesLeft: number | null;
  termCycles: number | null;
  termStart: number;
  renewalMode: RenewalMode;
  renewalCycles: number | null;
  pendingRenewal: boolean;
  pausedSince: number | null;
  pauseAt: number | null;
  resumeAt: number | null;
  resumeMode: ResumeMode;
  cancelAtPeriodEnd: boolean;
  pendingChange: Fields | null;
  /** Coupons that the subscription had when the pending change was requested. */
  attachedAtRequest: readonly string[];
}

export function openState(sold: Sold, choices: Partial<Choices> = {}): State {
  const { plan, zone, start, trialEnd, cycles = null } = sold;
  const terms: Terms = {
    plan,
    quantity: sold.quantity ?? '1',
    amount: sold.amount ?? null,
    addons: sold.addons ?? [],
    coupons: attach(sold.discounts ?? []),
    taxes: sold.taxes ?? [],
  };
  const { interval, intervalCount } = plan;
  const snapDay = sold.snapDay ?? null;
  const anchor = trialEnd ?? start;
  const since = Math.min(sold.createdAt ?? start, start);
  return {
    sold,
    choices: { ...defaultChoices, ...choices },
    now: since,
    start,
    status: 'live',
    terms,
    stretches: [{ from: since, terms, active: !sold.paused }],
    segment: 0,
    schedule: { zone, anchor, interval, intervalCount, snapDay },
    former: null,
    next: 0,
    segmentSince: since,
    billableSince: since,
    billed: [],
    ahead: null,
    covers: [],
    pending: [],
    invoices: [],
    creditBalance: 0n,
    lastChange: since,
    cyclesLeft: cycles,
    termCycles: cycles,
    termStart: anchor,
    renewalMode: sold.renewalMode ?? 'none',
    renewalCycles: sold.renewalCycles ?? null,
    pendingRenewal: false,
    pausedSince: sold.paused ? since : null,
    pauseAt: null,
    resumeAt: null,
    resumeMode: 'continue',
    cancelAtPeriodEnd: false,
    pendingChange: null,
    attachedAtRequest: [],
  };
}

export const isArrears = ({ sold }: State): boolean => sold.billIn === 'arrears';
export const nextPeriod = ({ schedule, next }: State): Period => periodOf(schedule, next);

/** Number of the first period that has not begun, or that is not billed. */
const firstOpen = ({ next, ahead }: State): number => (ahead ? next - 1 : next);

/** Start of the first period that has not begun, or that is not billed. */
export const boundaryOf = (state: State): number => periodOf(state.schedule, firstOpen(state)).start;

/** Whether nothing has begun that is billed: before the start, or in the trial. */
export const isBeforeAnchor = ({ segment, now, schedule }: State): boolean => segment === 0 && now < schedule.anchor;

/** The period that contains an instant, a trial too. Null before the start. */
export function periodAt(state: State, at: number): Pick<Period, 'start' | 'end'> | null {
  const { start, schedule, former, next } = state;
  if (at >= schedule.anchor) return periodAround(schedule, at, next);
  if (former) return periodAround(former, at, 0);
  return at < start ? null : { start, end: schedule.anchor };
}

function periodAround(schedule: Schedule, at: number, near: number): Pick<Period, 'start' | 'end'> {
  let n = near;
  while (n > 0 && periodOf(schedule, n).start > at) n -= 1;
  while (periodOf(schedule, n).end <= at) n += 1;
  const { start, end } = periodOf(schedule, n);
  return { start, end };
}

/** The time at which the next period is billed, if it is: its start, if a kept change applies then. */
export function nextBillAt(state: State): number {
  const { sold, choices, schedule } = state;
  const { start, end } = nextPeriod(state);
  if (isArrears(state)) return end;
  if (choices.aheadOpens && state.pendingChange !== null && state.cyclesLeft === null) return start;
  const endsTrial = state.segment === 0 && state.next === 0 && sold.trialEnd !== undefined;
  if (endsTrial && !choices.trialBillsAhead) return Math.max(start, state.billableSince);
  const ahead = daysBefore(schedule.zone, start, sold.billInAdvanceDays ?? 0);
  if (choices.aheadOpens) {
    const { next, segment, segmentSince } = state;
    const began = segment === 0 && endsTrial ? Math.max(segmentSince, state.start) : segmentSince;
    return Math.max(ahead, next > 0 ? periodOf(schedule, next - 1).start : Math.min(start, began));
  }
  return Math.max(ahead, state.segmentSince, state.billableSince);
}

/** Whether a period that starts then began unpaused. */
export function beganActive({ stretches }: State, start: number): boolean {
  const around = stretches.findLast(({ from, isAfterSteps }) => from < start || (from === start && !isAfterSteps));
  return around?.active === true;
}

/** The end of the present term, if no pause lengthens it. */
export function termEnd(state: State): number | null {
  const { cyclesLeft, schedule } = state;
  if (cyclesLeft === null) return null;
  const { start } = nextPeriod(state);
  const isSkipped =
    state.choices.arrearsPause === 'stretchOfStarted' && start < state.now && !beganActive(state, start);
  const first = firstOpen(state) + (isArrears(state) && isSkipped ? 1 : 0);
  const shortPeriods = first === 0 && startsShort(schedule) ? 1 : 0;
  return periodOf(schedule, first + cyclesLeft + shortPeriods).start;
}

/** Begins a new segment with its first period at an instant. Nothing billed after that instant is prorated any more. */
export function openSegment(state: State, at: number, plan: Plan): void {
  const { schedule, choices } = state;
  const rule = sameInterval(state.terms.plan, plan) ? choices.snapOnNewAnchor : choices.snapOnIntervalChange;
  const { interval, intervalCount } = plan;
  const snapDay = rule === 'keep' && (schedule.snapDay ?? 0) <= lastSnapDay(interval) ? schedule.snapDay : null;
  state.former = schedule;
  state.schedule = { zone: schedule.zone, anchor: at, interval, intervalCount, snapDay };
  state.segment += 1;
  state.next = 0;
  state.segmentSince = Math.min(at, state.now);
  state.billed = state.billed.filter(({ end }) => end <= at);
  state.covers = state.covers.filter(({ to }) => to <= at);
}
