import { Refusal } from '../refusal.ts';
import { LATEST } from '../time/calendar.ts';
import { endsTooLate, lastPeriodOf, type Period, periodAt, periodIndexAt, startsShort } from '../time/periods.ts';
import { type BillTerms, billAt, firstUncounted, type Progress, periodsToBill } from './billIn.ts';

export const subscriptionStatuses = ['not_started', 'active', 'past_due', 'finished', 'canceled'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** The statuses of a subscription that has ended. */
export const endedStatuses = ['canceled', 'finished'] as const satisfies SubscriptionStatus[];

/**
 * Ways in which a subscription goes on after the end of a contract. `auto`: another one. `renew_once`: another one, then `none`. `manual`:
 * it waits for `POST /renew`. `none`: the subscription is finished.
 */
export const renewalModes = ['auto', 'manual', 'renew_once', 'none'] as const;
export type RenewalMode = (typeof renewalModes)[number];

/** Whether another contract follows without a request. */
export const renewsByItself = (mode: RenewalMode): boolean => mode === 'auto' || mode === 'renew_once';

/** Ways to bill after a pause: `continue`: the next period that begins; `new`: one that begins at once, from which it counts on. */
export const resumeModes = ['continue', 'new'] as const;
export type ResumeMode = (typeof resumeModes)[number];

/** Whether the status is final. */
export function isEnded(status: SubscriptionStatus): boolean {
  return endedStatuses.some((ended) => ended === status);
}

/** Input of the subscription rules. Times are epoch milliseconds. */
export interface SubscriptionState extends BillTerms, Progress {
  status: SubscriptionStatus;
  /** Number of billed periods of the contract that have begun. A short first period is not counted. */
  cyclesBilled: number;
  /** Number of periods of the contract; null: no end. */
  cycles: number | null;
  renewalMode: RenewalMode;
  /** Whether its contract has ended and waits to be renewed. */
  pendingRenewal: boolean;
  /** Whether a change takes effect with the next period or contract. */
  hasPendingChange: boolean;
  /** End of the current period or trial; null: none has begun, or the subscription has ended. */
  periodEndAt: number | null;
  cancelAtPeriodEnd: boolean;
  /** Whether it pauses at the end of the current period or trial. */
  pauseAtPeriodEnd: boolean;
  paused: boolean;
  /** When the pause ends that has begun or is planned; null: it waits for a request. */
  resumeAt: number | null;
  /** When usage is billed that was being reported while the subscription ended. Null: there is no such usage to bill. */
  lateUsageAt: number | null;
}

/** Maximum number of missed periods that are billed at creation. An earlier start date is probably a typo. */
const MOST_BACKFILLED = 12;

/** The next contract: its number of cycles, and its renewal mode. `chosen`: the number of cycles in a request; null: none. */
export function nextContract(
  { cycles, renewalCycles, renewalMode }: { cycles: number; renewalCycles: number | null; renewalMode: RenewalMode },
  chosen: number | null,
): { cycles: number; renewalMode: RenewalMode } {
  return {
    cycles: chosen ?? renewalCycles ?? cycles,
    renewalMode: renewalMode === 'renew_once' ? 'none' : renewalMode,
  };
}

/** Whether a cycle of its contract is still to be billed. True without a contract. */
export function hasCyclesLeft({ cycles, cyclesBilled }: Pick<SubscriptionState, 'cycles' | 'cyclesBilled'>): boolean {
  return cycles === null || cyclesBilled < cycles;
}

/** Number of cycles of its contract that have begun. In arrears, the cycle in progress has begun and is not billed. */
export function cyclesBegun(state: SubscriptionState): number {
  const { schedule, nextPeriod, cyclesBilled, billIn, periodOpen } = state;
  const isOpen = billIn === 'arrears' && periodOpen && !(nextPeriod === 0 && startsShort(schedule));
  return isOpen ? cyclesBilled + 1 : cyclesBilled;
}

/** Whether a cycle of its contract is still to begin. True without a contract. */
export function hasCyclesToBegin(state: SubscriptionState): boolean {
  return hasCyclesLeft({ cycles: state.cycles, cyclesBilled: cyclesBegun(state) });
}

/** Whether the pending change applies to the period that begins next. In a contract it waits for the next contract. */
export function appliesNext(state: SubscriptionState): boolean {
  return state.hasPendingChange && (state.cycles === null || !hasCyclesToBegin(state));
}

/**
 * Index of the period that a resumed subscription bills next. Periods that began during the pause are skipped, but not one that begins now.
 * A contract without cycles left has nothing to skip.
 */
export function nextPeriodAfterPause(state: SubscriptionState, now: number): number {
  if (!hasCyclesLeft(state)) return state.nextPeriod;
  return Math.max(state.nextPeriod, periodIndexAt(state.schedule, now - 1) + 1);
}

/** Refuses a start date for which more than twelve missed periods would be billed at once. */
export function checkBackfill(terms: BillTerms, now: number): void {
  if (periodsToBill(terms, now) <= MOST_BACKFILLED) return;
  throw new Refusal(
    'limit_exceeded',
    `Start date would bill more than ${MOST_BACKFILLED} missed periods at once`,
    'start_date',
  );
}

/**
 * Whether the next bill is of one of more than twelve periods that were over when the start was set (`backfill: true`). A request can stop
 * such a backfill.
 */
export function isBackfilling(state: SubscriptionState): boolean {
  if (isEnded(state.status) || state.pendingRenewal) return false;
  return periodsToBill(state, state.anchoredAt) > MOST_BACKFILLED && billAt(state, state.nextPeriod) < state.anchoredAt;
}

/** Input of `contractPeriod`. */
export interface ContractState extends Progress, Pick<SubscriptionState, 'schedule' | 'cyclesBilled' | 'cycles'> {
  /** Start of the contract, epoch milliseconds. */
  contractStartAt: number;
}

/** Index of the last period of a contract, if no further one is skipped. */
export function lastContractPeriod(
  state: Omit<ContractState, 'contractStartAt' | 'cycles'> & { cycles: number },
): number {
  const { schedule, cyclesBilled, cycles } = state;
  const left = cycles - cyclesBilled;
  const next = firstUncounted(state);
  return next === 0 ? lastPeriodOf(schedule, left) : next + left - 1;
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
  if (terms.renewalMode !== 'none')
    throw new Refusal('parameter_invalid', `Contract renewal mode ${without}`, 'contract_renewal_mode');
  if (terms.renewalCycles !== null)
    throw new Refusal('parameter_invalid', `Contract renewal cycles ${without}`, 'contract_renewal_cycles');
}
