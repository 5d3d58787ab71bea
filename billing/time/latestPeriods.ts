import { Refusal } from '../refusal.ts';
import { firstUncounted, type Progress, periodsBegun } from '../subscriptions/billIn.ts';
import {
  cyclesBegun,
  hasCyclesToBegin,
  lastContractPeriod,
  nextPeriodAfterPause,
  type ResumeMode,
  type SubscriptionState,
} from '../subscriptions/subscription.ts';
import { endsTooLate, lastPeriodOf, periodAt, type Schedule } from './periods.ts';

// Requests may not lead to periods that end after the latest allowed date. A running subscription finishes before such a period.

/** The periods that follow a request. */
type Course = Progress & Pick<SubscriptionState, 'schedule' | 'cycles' | 'cyclesBilled'>;

/** Fields of a request that set when the first period starts. */
export type StartParam = 'start_date' | 'plan' | 'trial_days' | 'trial_end';

/** Fields of a request that set when a period or a contract ends. */
type EndParam = StartParam | 'cycles' | 'resume_at' | 'resume_mode' | 'paused';

/** The periods of a subscription that has none yet. */
export function courseFrom(schedule: Schedule, cycles: number | null): Course {
  return { schedule, cycles, cyclesBilled: 0, billIn: 'advance', nextPeriod: 0, periodOpen: false };
}

/**
 * Refuses a next whole period, or a contract, that ends after the latest allowed date. `period` and `contract`: the request fields that set
 * them.
 */
export function checkEnds(course: Course, { period, contract }: { period: EndParam; contract: EndParam }): void {
  const { schedule } = course;
  const next = Math.max(firstUncounted(course), lastPeriodOf(schedule, 1));
  const which = course.nextPeriod === 0 ? 'first' : 'next';
  if (endsTooLate(schedule, next))
    throw new Refusal('parameter_invalid', `The ${which} period must end before 2200`, period);
  checkContractEnd(course, contract);
}

/** Refuses a contract that ends after the latest allowed date. */
export function checkContractEnd({ cycles, ...course }: Course, param: EndParam): void {
  if (cycles !== null && endsTooLate(course.schedule, lastContractPeriod({ ...course, cycles })))
    throw new Refusal('parameter_invalid', `${cycles} cycles must end before 2200`, param);
}

/** Refuses the end of a pause after which the next period or the contract would end after the latest allowed date. */
export function checkResume(
  state: SubscriptionState,
  { at, mode }: { at: number; mode: ResumeMode },
  param: 'resume_at' | 'resume_mode' | 'paused',
): void {
  if (!hasCyclesToBegin(state)) return;
  const { schedule } = state;
  const course = { ...state, nextPeriod: periodsBegun(state), cyclesBilled: cyclesBegun(state), periodOpen: false };
  const resumed =
    mode === 'new' && schedule.anchorAt < at
      ? { ...course, schedule: { ...schedule, anchorAt: at }, nextPeriod: 0 }
      : { ...course, nextPeriod: nextPeriodAfterPause(course, at) };
  checkEnds(resumed, { period: param, contract: param });
}

/** A change of the interval or of the next contract that applies when the next period or contract begins. */
interface ChangeOfPeriods extends Pick<Schedule, 'interval' | 'intervalCount'> {
  /** Number of periods of the next contract; null: those agreed for renewals. */
  cycles: number | null;
}

/** Refuses a pending change after which the next period or contract would end after the latest allowed date. */
export function checkEndsAfterChange(state: SubscriptionState, { cycles, ...intervals }: ChangeOfPeriods): void {
  const { schedule } = state;
  const first = firstAfterChange(state);
  if (first > 0 && endsTooLate(schedule, first - 1)) return;
  const isSame = schedule.interval === intervals.interval && schedule.intervalCount === intervals.intervalCount;
  const course = { ...state, cycles, cyclesBilled: 0, periodOpen: false };
  const anchorAt = periodAt(schedule, first).startAt;
  const params = { period: 'plan', contract: 'cycles' } as const;
  if (isSame) checkContractEnd({ ...course, nextPeriod: first }, 'cycles');
  else checkEnds({ ...course, schedule: { ...schedule, ...intervals, anchorAt }, nextPeriod: 0 }, params);
}

/** Index of the first period to which a pending change applies. */
function firstAfterChange({ cycles, ...state }: SubscriptionState): number {
  if (cycles !== null) return lastContractPeriod({ ...state, cycles }) + 1;
  return state.billIn === 'arrears' && state.periodOpen ? state.nextPeriod + 1 : state.nextPeriod;
}
