import { stepText, stepTexts } from '../stepTexts.ts';
import { capAtLatest } from '../time/calendar.ts';
import { endsTooLate, type Period, periodAt } from '../time/periods.ts';
import type { NextStep, Reason } from '../wait.ts';
import { billAt, firstUncounted } from './billIn.ts';
import { hasCyclesLeft, isEnded, type SubscriptionState } from './subscription.ts';
import { isInTrial } from './trial.ts';

/**
 * Time at which `pause_at_period_end` and `cancel_at_period_end` take effect, epoch milliseconds: the end of the period or trial, before the
 * start that of the first one. Between two periods, after a pause, it is the start of the next period that is billed.
 */
export function periodEndOf(state: SubscriptionState): number {
  const { schedule, billIn, periodOpen, periodEndAt } = state;
  const { startAt, endAt } = periodAt(schedule, firstUncounted(state));
  const hasBegun = periodEndAt !== null || isInTrial(state);
  const isBilledAtEnd = billIn === 'arrears' && periodOpen;
  return capAtLatest(hasBegun && !isBilledAtEnd ? startAt : endAt);
}

/** The bill of a period. `at`: before the period starts, at its start, or in arrears at its end. */
export interface BillStep extends Period {
  kind: 'bill';
  period: number;
  at: number;
  inArrears: boolean;
  /** A change of now begins the period: the pending change waits for a later one. */
  keepsPending?: true;
  /** Days before its periods at which the subscription bills. */
  advanceDays: number;
}

/** The start of a period that is billed before or after it. */
export interface BeginStep extends Period {
  kind: 'begin';
  period: number;
  at: number;
  /** As for a bill. */
  keepsPending?: true;
}

export type SubscriptionStep =
  | BillStep
  | BeginStep
  | ({ kind: 'trial'; at: number } & Period)
  /** `isLast`: the next period would end after the latest allowed date. */
  | { kind: 'finish'; at: number; isLast?: true }
  | PauseStep
  | { kind: 'resume'; at: number }
  | { kind: 'renew'; at: number }
  | { kind: 'await_renewal'; at: number }
  | { kind: 'late_usage'; at: number }
  | { kind: 'cancel'; at: number };

/** The start of a pause at the end of a period or trial. */
interface PauseStep {
  kind: 'pause';
  at: number;
}

type EndKind = 'finish' | 'renew' | 'await_renewal' | 'cancel';

interface UpcomingEnd {
  kind: EndKind;
  at: number;
}

/** The step due at `now`, if any, and all pending waits. A finished or canceled subscription at most bills late usage. */
export function nextSubscriptionStep(state: SubscriptionState, now: number): NextStep<SubscriptionStep> {
  const step = isEnded(state.status) ? lateUsageStep(state) : upcomingStep(state);
  if (!step) return { due: null, waits: [] };
  const { at } = step;
  return {
    due: at <= now ? step : null,
    waits: [{ rule: step.kind, at, step: inWords(step), reason: reasonFor(step) }],
  };
}

function lateUsageStep({ lateUsageAt }: SubscriptionState): SubscriptionStep | null {
  return lateUsageAt === null ? null : { kind: 'late_usage', at: lateUsageAt };
}

function upcomingStep(state: SubscriptionState): SubscriptionStep | null {
  const { trial } = state;
  if (trial && isInTrial(state) && state.periodEndAt === null)
    return resumeBefore(state, trial.startAt) ?? { kind: 'trial', at: trial.startAt, ...trial };
  const end = upcomingEnd(state);
  const pause = state.billIn === 'arrears' && state.periodOpen ? null : upcomingPause(state, end);
  if (pause) return pause;
  if (state.periodOpen) return stepOfOpenPeriod(state, end);
  const resume = resumeBefore(state, end?.at ?? null);
  if (resume) return resume;
  if (end) return billBefore(state, end) ?? (state.pendingRenewal && end.kind === 'await_renewal' ? null : end);
  if (state.paused) return null;
  if (endsTooLate(state.schedule, state.nextPeriod)) {
    const { startAt } = periodAt(state.schedule, state.nextPeriod);
    return { kind: 'finish', at: capAtLatest(startAt), isLast: true };
  }
  return state.billIn === 'arrears' ? beginStep(state, state.nextPeriod) : billStep(state);
}

/** In arrears: the bill, also during a pause. In advance: the start, after the renewal of a contract that ends before. */
function stepOfOpenPeriod(state: SubscriptionState, end: UpcomingEnd | null): SubscriptionStep {
  if (state.billIn === 'advance') return end ?? beginStep(state, state.nextPeriod - 1);
  const bill = billStep(state);
  return resumeBefore(state, bill.at) ?? bill;
}

/** The end of a pause that comes first. `at` null: nothing else comes. */
function resumeBefore({ paused, resumeAt }: SubscriptionState, at: number | null): SubscriptionStep | null {
  if (!paused || resumeAt === null || (at !== null && resumeAt > at)) return null;
  return { kind: 'resume', at: resumeAt };
}

/**
 * The bill for the first period of the next contract, which follows automatically, if it is due before this contract ends. A pending change
 * applies first, at that end.
 */
function billBefore(state: SubscriptionState, end: UpcomingEnd): BillStep | null {
  if (end.kind !== 'renew' || state.paused || state.hasPendingChange || endsTooLate(state.schedule, state.nextPeriod))
    return null;
  const bill = billStep(state);
  return bill.at < end.at ? bill : null;
}

/** The next period's bill. If a pending change applies when the period starts, the bill is due then, and not ahead of the period. */
function billStep(state: SubscriptionState): BillStep {
  const { schedule, nextPeriod: period, billIn, advanceDays } = state;
  const { startAt, endAt } = periodAt(schedule, period);
  const isChanged = state.hasPendingChange && state.cycles === null && billIn === 'advance';
  const at = isChanged ? startAt : billAt(state, period);
  return { kind: 'bill', period, at, startAt, endAt, inArrears: billIn === 'arrears', advanceDays };
}

function beginStep({ schedule }: SubscriptionState, period: number): BeginStep {
  const { startAt, endAt } = periodAt(schedule, period);
  return { kind: 'begin', period, at: startAt, startAt, endAt };
}

/** Whether the period that is billed ahead will not begin as it is billed: the subscription is paused, ends or changes before. */
export function isRevoked(state: SubscriptionState): boolean {
  if (state.billIn === 'arrears' || !state.periodOpen) return false;
  const end = upcomingEnd(state);
  const isPaused = state.paused || upcomingPause(state, end) !== null;
  return isPaused || (end !== null && (end.kind !== 'renew' || state.hasPendingChange));
}

/**
 * The pause at the end of the period or trial. Null: none is asked for, or the subscription or its contract ends then and bills no further.
 */
function upcomingPause(state: SubscriptionState, end: UpcomingEnd | null): PauseStep | null {
  if (!state.pauseAtPeriodEnd || state.periodEndAt === null || (end && end.kind !== 'renew')) return null;
  return { kind: 'pause', at: periodEndOf(state) };
}

/** The end of the contract whose cycles are billed, or of the period or trial in which the subscription is to be canceled. */
function upcomingEnd(state: SubscriptionState): UpcomingEnd | null {
  if (!hasCyclesLeft(state)) {
    const at = state.periodEndAt ?? capAtLatest(periodAt(state.schedule, firstUncounted(state)).startAt);
    return { kind: atContractEnd(state), at };
  }
  const isEndless = state.cycles === null || isInTrial(state);
  const endsWithPeriod = state.cancelAtPeriodEnd && isEndless && state.periodEndAt !== null;
  return endsWithPeriod ? { kind: 'cancel', at: periodEndOf(state) } : null;
}

function atContractEnd({ cancelAtPeriodEnd, renewalMode }: SubscriptionState): EndKind {
  if (cancelAtPeriodEnd) return 'cancel';
  const steps = { auto: 'renew', renew_once: 'renew', manual: 'await_renewal', none: 'finish' } as const;
  return steps[renewalMode];
}

/** Describes the step for operators, in a timeline or a workflow. */
export function inWords(step: SubscriptionStep): string {
  switch (step.kind) {
    case 'bill':
      if (step.period === 0) return stepTexts.first_bill;
      return stepText(step.inArrears ? 'bill_period' : 'renewal', { number: step.period });
    case 'begin':
      return step.period === 0 ? stepTexts.begin_first : stepText('begin_period', { number: step.period });
    case 'trial':
      return stepTexts.begin_trial;
    case 'finish':
      return step.isLast ? stepTexts.finish : stepTexts.finish_contract;
    default:
      return stepTexts[step.kind];
  }
}

/** Why the step is planned; null: for the usual reason of such a step. */
export function reasonFor(step: SubscriptionStep): Reason | null {
  if (step.kind === 'finish' && step.isLast) return { code: 'latest_date', detail: null };
  if (step.kind !== 'bill') return null;
  if (step.inArrears) return { code: 'in_arrears', detail: null };
  return step.at < step.startAt ? { code: 'ahead_of_period', detail: String(step.advanceDays) } : null;
}
