import { capAtLatest, LATEST } from './calendar.ts';
import { endsTooLate, lastPeriodOf, type Period, periodAt, periodIndexAt, type Schedule } from './periods.ts';
import { Refusal } from './refusal.ts';
import type { NextStep, Reason } from './wait.ts';

export const subscriptionStatuses = ['not_started', 'active', 'past_due', 'finished', 'canceled'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** The statuses of a subscription that has ended. */
export const endedStatuses = ['canceled', 'finished'] as const satisfies SubscriptionStatus[];

/**
 * Ways in which a subscription goes on after the end of a contract. `auto`: another one. `renew_once`: another one, then `none`. `manual`: it waits for `POST /renew`.
 * `none`: the subscription is finished.
 */
export const renewalModes = ['auto', 'manual', 'renew_once', 'none'] as const;
export type RenewalMode = (typeof renewalModes)[number];

/** Ways to bill after a pause: `continue`: the next period that begins; `new`: one that begins at once, from which it counts on. */
export const resumeModes = ['continue', 'new'] as const;
export type ResumeMode = (typeof resumeModes)[number];

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
  /** Number of billed periods of the contract. A short first period is not counted. */
  cyclesBilled: number;
  /** Number of periods of the contract; null: no end. */
  cycles: number | null;
  renewalMode: RenewalMode;
  /** Whether its contract has ended and waits to be renewed. */
  pendingRenewal: boolean;
  /** End of the current period; null: no period has begun, or the subscription has ended. */
  periodEndAt: number | null;
  cancelAtPeriodEnd: boolean;
  paused: boolean;
  /** When a paused one resumes; null: it waits for a request. */
  resumeAt: number | null;
}

export type SubscriptionStep =
  | ({ kind: 'bill'; period: number } & Period)
  /** `isLast`: the next period would end after the latest allowed date. */
  | { kind: 'finish'; at: number; isLast?: true }
  | { kind: 'resume'; at: number }
  | { kind: 'renew'; at: number }
  | { kind: 'await_renewal'; at: number }
  | { kind: 'cancel'; at: number };

type EndKind = 'finish' | 'renew' | 'await_renewal' | 'cancel';

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
  const { paused, resumeAt } = state;
  const end = upcomingEnd(state);
  if (paused && resumeAt !== null && (!end || resumeAt <= end.at)) return { kind: 'resume', at: resumeAt };
  if (end) return state.pendingRenewal && end.kind === 'await_renewal' ? null : end;
  if (paused) return null;
  const period = periodAt(state.schedule, state.nextPeriod);
  if (endsTooLate(state.schedule, state.nextPeriod))
    return { kind: 'finish', at: capAtLatest(period.startAt), isLast: true };
  return { kind: 'bill', period: state.nextPeriod, ...period };
}

/** The end of the contract whose cycles are billed, or of the period in which the subscription is to be canceled. */
function upcomingEnd(state: SubscriptionState): { kind: EndKind; at: number } | null {
  const at = state.periodEndAt ?? capAtLatest(periodAt(state.schedule, state.nextPeriod).startAt);
  if (!hasCyclesLeft(state)) return { kind: atContractEnd(state), at };
  const endsWithPeriod = state.cancelAtPeriodEnd && state.cycles === null && state.periodEndAt !== null;
  return endsWithPeriod ? { kind: 'cancel', at } : null;
}

function atContractEnd({ cancelAtPeriodEnd, renewalMode }: SubscriptionState): EndKind {
  if (cancelAtPeriodEnd) return 'cancel';
  const steps = { auto: 'renew', renew_once: 'renew', manual: 'await_renewal', none: 'finish' } as const;
  return steps[renewalMode];
}

/** The contract that follows one that ends: its cycles, and what follows it. `chosen`: the cycles in a request. */
export function nextContract(
  { cycles, renewalCycles, renewalMode }: { cycles: number; renewalCycles: number | null; renewalMode: RenewalMode },
  chosen: number | null,
): { cycles: number; renewalMode: RenewalMode } {
  return {
    cycles: chosen ?? renewalCycles ?? cycles,
    renewalMode: renewalMode === 'renew_once' ? 'none' : renewalMode,
  };
}

/** Describes the step for operators, in a timeline or a workflow. */
export function inWords(step: SubscriptionStep): string {
  switch (step.kind) {
    case 'bill':
      return step.period === 0 ? 'first bill' : `renewal ${step.period}`;
    case 'finish':
      return step.isLast ? 'finish' : 'finish at the end of the contract';
    case 'resume':
      return 'resume';
    case 'renew':
      return 'renew the contract';
    case 'await_renewal':
      return 'wait for the renewal of the contract';
    case 'cancel':
      return 'cancel at the end of the period';
  }
}

/** Why the step is planned; null: for the usual reason of such a step. */
export function reasonFor(step: SubscriptionStep): Reason | null {
  return step.kind === 'finish' && step.isLast ? { code: 'latest_date', detail: null } : null;
}

/** Whether a cycle of its contract is still to be billed. True without a contract. */
export function hasCyclesLeft({ cycles, cyclesBilled }: Pick<SubscriptionState, 'cycles' | 'cyclesBilled'>): boolean {
  return cycles === null || cyclesBilled < cycles;
}

/**
 * Index of the period that a resumed subscription bills next. Periods that began during the pause are skipped, but not one that begins now.
 * A contract without cycles left has nothing to skip.
 */
export function nextPeriodAfterPause(state: SubscriptionState, now: number): number {
  if (!hasCyclesLeft(state)) return state.nextPeriod;
  return Math.max(state.nextPeriod, periodIndexAt(state.schedule, now - 1) + 1);
}

/**
 * Refuses a first whole period, or a contract of `cycles` periods, that ends after the latest allowed date. `param`: the request field that
 * sets the start.
 */
export function checkEnds(schedule: Schedule, cycles: number | null, param: 'start_date' | 'plan'): void {
  if (endsTooLate(schedule, lastPeriodOf(schedule, 1)))
    throw new Refusal('The first period must end before 2200', param);
  if (cycles !== null && endsTooLate(schedule, lastPeriodOf(schedule, cycles)))
    throw new Refusal(`${cycles} cycles must end before 2200`, 'cycles');
}

/** Refuses a start date for which more than twelve missed periods would be billed at once. */
export function checkBackfill(schedule: Schedule, now: number): void {
  if (periodIndexAt(schedule, now) < MOST_BACKFILLED) return;
  throw new Refusal(`Start date would bill more than ${MOST_BACKFILLED} missed periods at once`, 'start_date');
}

/** Input of `contractPeriod`. */
export interface ContractState extends Pick<SubscriptionState, 'schedule' | 'nextPeriod' | 'cyclesBilled' | 'cycles'> {
  /** Start of the contract, epoch milliseconds. */
  contractStartAt: number;
}

/** Index of the last period of a contract, if no further one is skipped. */
export function lastContractPeriod(
  state: Omit<ContractState, 'contractStartAt' | 'cycles'> & { cycles: number },
): number {
  const { schedule, nextPeriod, cyclesBilled, cycles } = state;
  const left = cycles - cyclesBilled;
  return nextPeriod === 0 ? lastPeriodOf(schedule, left) : nextPeriod + left - 1;
}

/**
 * The contract of a subscription: from its start to the end of the last cycle that is still to be billed. Paused periods lengthen it. Null:
 * it has no number of cycles.
 */
export function contractPeriod({ contractStartAt: startAt, cycles, ...state }: ContractState): Period | null {
  if (cycles === null) return null;
  const last = lastContractPeriod({ ...state, cycles });
  return { startAt, endAt: endsTooLate(state.schedule, last) ? LATEST : periodAt(state.schedule, last).endAt };
}

/** Refuses terms of renewal for a subscription that has no contract. */
export function checkRenewal(terms: {
  cycles: number | null;
  renewalMode: RenewalMode;
  renewalCycles: number | null;
}): void {
  if (terms.cycles !== null) return;
  const without = 'needs cycles: a subscription without cycles has no contract that ends';
  if (terms.renewalMode !== 'none') throw new Refusal(`Contract renewal mode ${without}`, 'contract_renewal_mode');
  if (terms.renewalCycles !== null) throw new Refusal(`Contract renewal cycles ${without}`, 'contract_renewal_cycles');
}
