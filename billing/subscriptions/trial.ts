import { Refusal } from '../refusal.ts';
import { addDays } from '../time/calendar.ts';
import type { Period } from '../time/periods.ts';
import { type Progress, periodsBegun } from './billIn.ts';

/** A trial in a request: its number of days or its end, epoch milliseconds. Null: not given. */
export interface TrialAsked {
  days: number | null;
  endAt: number | null;
}

/** End of the trial that a request asks for; null: none. Refuses both ways at once, and an end that is not after the start. */
export function trialEnd({ days, endAt }: TrialAsked, startAt: number, zone: string): number | null {
  if (days !== null && endAt !== null)
    throw new Refusal('parameter_invalid', 'Send either trial_days or trial_end', 'trial_end');
  if (endAt !== null) {
    checkTrialEnd(endAt, startAt);
    return endAt;
  }
  return days === null || days === 0 ? null : addDays(startAt, days, zone);
}

/** Refuses a trial that ends before it starts. */
export function checkTrialEnd(endAt: number, startAt: number): void {
  if (endAt <= startAt) throw new Refusal('parameter_invalid', 'Trial end must be after the start', 'trial_end');
}

/**
 * The trial of a subscription whose periods are counted from the trial's end. Null: it has none, or its periods were counted anew since, even
 * from the same instant.
 */
export function trialOf(subscription: {
  segment: number;
  anchorAt: Date;
  startAt?: Date | null | undefined;
  trialEndAt?: Date | null | undefined;
}): Period | null {
  const { segment, anchorAt, startAt, trialEndAt } = subscription;
  if (segment > 0 || !startAt || !trialEndAt || trialEndAt.getTime() !== anchorAt.getTime()) return null;
  return { startAt: startAt.getTime(), endAt: trialEndAt.getTime() };
}

/** Whether the first period after a trial is still to begin. */
export function isInTrial(state: Progress & { trial: Period | null }): boolean {
  return state.trial !== null && periodsBegun(state) === 0;
}
