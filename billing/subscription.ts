import { capAtLatest } from './calendar.ts';
import { endsTooLate, lastPeriodOf, type Period, periodAt, periodIndexAt, type Schedule } from './periods.ts';
import { Refusal } from './refusal.ts';
import type { NextStep, Reason } from './wait.ts';

export const subscriptionStatuses = ['not_started', 'active', 'past_due', 'finished', 'canceled'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** The statuses of a subscription that has ended. */
export const endedStatuses = ['canceled', 'finished'] as const satisfies SubscriptionStatus[];

/** Whether the status is final. */
export function isEnded(status: SubscriptionStatus): boolean {
  return endedStatuses.some((ended) => ended === status);
}

/** Input of the subscription rules. Times are epoch milliseconds. */
export interface SubscriptionState {
  status: SubscriptionStatus;
  schedule: Schedule;
  /** Index of the period to bill next, counted from 0 at the anchor. */
  nextPeriod: number;
  /** Number of billed periods. A short first period is not counted. */
  cyclesBilled: number;
  /** Number of periods of the contract; null: no end. */
  cycles: number | null;
  /** End of the current period; null: no period has begun, or the subscription has ended. */
  periodEndAt: number | null;
  cancelAtPeriodEnd: boolean;
  paused: boolean;
}

export type SubscriptionStep =
  | ({ kind: 'bill'; period: number } & Period)
  /** `isLast`: the next period would end after the latest allowed date. */
  | { kind: 'finish'; at: number; isLast?: true }
  | { kind: 'cancel'; at: number };

/** Maximum number of missed periods that are billed at creation. An earlier start date is probably a typo. */
const MOST_BACKFILLED = 12;

/** The step due at `now`, if any, and all pending waits. A finished or canceled subscription has none. */
export function nextSubscriptionStep(state: SubscriptionState, now: number): NextStep<SubscriptionStep> {
  if (isEnded(state.status)) return { due: null, waits: [] };
  const step = upcomingStep(state);
  if (!step) return { due: null, waits: [] };
  const at = step.kind === 'bill' ? step.startAt : step.at;
  return {
    due: at <= now ? step : null,
    waits: [{ rule: step.kind, at, step: inWords(step), reason: reasonFor(step) }],
  };
}

function upcomingStep(state: SubscriptionState): SubscriptionStep | null {
  const startAt = capAtLatest(startOf(state));
  const termEnded = state.cycles !== null && state.cyclesBilled >= state.cycles;
  const started = state.periodEndAt !== null;
  if (termEnded) return { kind: state.cancelAtPeriodEnd ? 'cancel' : 'finish', at: state.periodEndAt ?? startAt };
  if (state.cancelAtPeriodEnd && started && state.cycles === null)
    return { kind: 'cancel', at: state.periodEndAt ?? startAt };
  if (state.paused) return null;
  if (endsTooLate(state.schedule, state.nextPeriod)) return { kind: 'finish', at: startAt, isLast: true };
  return { kind: 'bill', period: state.nextPeriod, ...periodAt(state.schedule, state.nextPeriod) };
}

/** Describes the step for operators, in a timeline or a workflow. */
export function inWords(step: SubscriptionStep): string {
  switch (step.kind) {
    case 'bill':
      return step.period === 0 ? 'first bill' : `renewal ${step.period}`;
    case 'finish':
      return step.isLast ? 'finish' : 'finish at the end of the contract';
    case 'cancel':
      return 'cancel at the end of the period';
  }
}

/** Why the step is planned; null: for the usual reason of such a step. */
export function reasonFor(step: SubscriptionStep): Reason | null {
  return step.kind === 'finish' && step.isLast ? { code: 'latest_date', detail: null } : null;
}

/** Index of the period that a resumed subscription bills next. Periods that began during the pause are skipped. */
export function nextPeriodAfterPause(state: SubscriptionState, now: number): number {
  return Math.max(state.nextPeriod, periodIndexAt(state.schedule, now) + 1);
}

function startOf({ schedule, nextPeriod }: SubscriptionState): number {
  return periodAt(schedule, nextPeriod).startAt;
}

/**
 * Refuses a first period, or a contract of `cycles` periods, that ends after the latest allowed date. `param`: the request field that sets
 * the start.
 */
export function checkEnds(schedule: Schedule, cycles: number | null, param: 'start_date' | 'plan'): void {
  if (endsTooLate(schedule, 0)) throw new Refusal('The first period must end before 2200', param);
  if (cycles !== null && endsTooLate(schedule, lastPeriodOf(schedule, cycles)))
    throw new Refusal(`${cycles} cycles must end before 2200`, 'cycles');
}

/** Refuses a start date for which more than twelve missed periods would be billed at once. */
export function checkBackfill(schedule: Schedule, now: number): void {
  if (periodIndexAt(schedule, now) < MOST_BACKFILLED) return;
  throw new Refusal(`Start date would bill more than ${MOST_BACKFILLED} missed periods at once`, 'start_date');
}

/** The contract of a subscription with a number of cycles: from the anchor to the end of the last cycle. Null: it has no such number. */
export function contractPeriod(state: Pick<SubscriptionState, 'schedule' | 'cycles'>): Period | null {
  const { schedule, cycles } = state;
  if (cycles === null) return null;
  return { startAt: schedule.anchorAt, endAt: periodAt(schedule, lastPeriodOf(schedule, cycles)).endAt };
}
