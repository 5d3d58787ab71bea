import { Refusal } from '../../../billing/refusal.ts';
import { type BillIn, checkAdvanceDays } from '../../../billing/subscriptions/billIn.ts';
import { checkBackfill } from '../../../billing/subscriptions/subscription.ts';
import { nextSubscriptionStep } from '../../../billing/subscriptions/subscriptionSteps.ts';
import { checkTrialEnd, isInTrial, trialEnd } from '../../../billing/subscriptions/trial.ts';
import { checkEnds, courseFrom, type StartParam } from '../../../billing/time/latestPeriods.ts';
import { checkSnapDay, startsShort } from '../../../billing/time/periods.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Plan } from '../../../db/schema/plan.ts';
import { type LockedSubscription, stateOf } from '../../aggregates/subscription.ts';
import type { WrittenBill } from '../../bills/bills.ts';
import { isSameSecond } from '../../kernel/changes.ts';
import { moveRates } from '../usage/usageRates.ts';
import { takeStep } from './billing.ts';

/** The start of a subscription, its trial and its terms of billing, in a request. */
export interface StartAsked {
  /** Start of the trial or the first period; null: now. */
  startAt: Date | null;
  /** Number of days of the trial; null: not given. */
  trialDays?: number | null;
  /** End of the trial; null: not given. */
  trialEndAt?: Date | null;
  /** Number of periods of the contract; null: no end. */
  cycles: number | null;
  /** Day of the week, month or year on which periods start; null: they are counted from the start. */
  snapDay?: number | null;
  billIn?: BillIn;
  /** Days before the start of a period at which it is billed. */
  advanceDays?: number;
  /** Whether to bill more than twelve missed periods. */
  backfill?: boolean;
}

/**
 * The calendar of a new subscription. Refuses a snap day, a trial, days of billing ahead, a start and a contract that its plan cannot have,
 * and a start that missed more than twelve periods.
 */
export function calendarOf(asked: StartAsked, plan: Plan, { now, zone }: { now: Date; zone: string }) {
  const { cycles, trialDays = null, trialEndAt = null, snapDay = null, billIn = 'advance', advanceDays = 0 } = asked;
  const { interval, intervalCount } = plan;
  const startAt = asked.startAt ?? now;
  checkSnapDay(snapDay, interval);
  checkAdvanceDays({ billIn, advanceDays }, plan);
  const asTrial = { days: trialDays, endAt: trialEndAt?.getTime() ?? null };
  const endOfTrial = trialEnd(asTrial, startAt.getTime(), zone);
  const anchorAt = endOfTrial === null ? startAt : new Date(endOfTrial);
  const trial = endOfTrial === null ? null : { startAt: startAt.getTime(), endAt: endOfTrial };
  const schedule = { anchorAt: anchorAt.getTime(), zone, interval, intervalCount, snapDay };
  checkEnds(courseFrom(schedule, cycles), { period: startParam(asked), contract: 'cycles' });
  const terms = { schedule, billIn, advanceDays, anchoredAt: now.getTime(), trial };
  if (!asked.backfill) checkBackfill(terms, now.getTime());
  const ofTrial = trial && { startAt, trialEndAt: anchorAt, contractStartAt: anchorAt };
  const start = { anchorAt, timeZone: zone, snapDay, startsShort: startsShort(schedule), billIn, advanceDays };
  return { ...start, ...ofTrial, status: startAt > now ? ('not_started' as const) : ('active' as const) };
}

/** The field that sets when the first period starts. */
function startParam({ startAt, trialDays, trialEndAt }: StartAsked): StartParam {
  if (trialEndAt) return 'trial_end';
  if (trialDays) return 'trial_days';
  return startAt ? 'start_date' : 'plan';
}

/** A request to move the start of a subscription, or the end of its trial. Absent fields stay as they are. */
export interface StartChange {
  startAt?: Date;
  trialEndAt?: Date | null;
  backfill?: boolean;
}

/** Whether a request moves the start of a subscription, or the end of its trial. */
export function movesStart(locked: LockedSubscription, { startAt, trialEndAt }: StartChange): boolean {
  return isOtherTime(startAt, startOf(locked)) || isOtherTime(trialEndAt, locked.subscription.trialEndAt ?? null);
}

/**
 * Moves the start of a subscription that has not started, and the end of a trial. Refuses a start that has come, a trial that is over, one
 * that would end in the past or before its start, and a start that `calendarOf` refuses. The caller has taken back a bill ahead, and replans.
 */
export async function moveStart(
  em: EntityManager,
  locked: LockedSubscription,
  { startAt, trialEndAt, backfill }: StartChange,
): Promise<void> {
  const { subscription, moment } = locked;
  const isWaiting = subscription.status === 'not_started';
  const isOtherStart = isOtherTime(startAt, startOf(locked));
  if (isOtherStart && !isWaiting)
    throw new Refusal('state_conflict', 'Subscription has started: its start date cannot be changed', 'start_date');
  const start = isOtherStart && startAt ? startAt : startOf(locked);
  const isOtherEnd = isOtherTime(trialEndAt, subscription.trialEndAt ?? null);
  const end = isOtherEnd ? newTrialEnd(locked, trialEndAt ?? null) : stateOf(locked).trial && subscription.anchorAt;
  if (end && isOtherEnd) checkTrialEnd(end.getTime(), start.getTime());
  else if (end && start >= end)
    throw new Refusal('parameter_invalid', 'Start date must be before the end of the trial', 'start_date');
  if (end) Object.assign(subscription, { startAt: start, trialEndAt: end });
  subscription.contractStartAt = end;
  if (end && subscription.periodEndAt) subscription.periodEndAt = end;
  Object.assign(subscription, { anchorAt: end ?? start, anchoredAt: moment.now });
  if (start <= moment.now && isWaiting) subscription.status = 'active';
  const state = stateOf(locked);
  subscription.startsShort = startsShort(state.schedule);
  const param = isOtherEnd ? 'trial_end' : 'start_date';
  checkEnds(state, { period: param, contract: param });
  if (!backfill) checkBackfill(state, moment.now.getTime());
  if (isWaiting) await moveRates(em, locked, startOf(locked));
}

/** The start that responses show: that of the trial, or of the first period. */
function startOf({ subscription }: LockedSubscription): Date {
  return subscription.startAt ?? subscription.anchorAt;
}

/** Whether a request asks for another time. Undefined: it does not name one. */
function isOtherTime(wanted: Date | null | undefined, current: Date | null): boolean {
  if (wanted === undefined) return false;
  return wanted === null || current === null ? wanted !== current : !isSameSecond(wanted, current);
}

/** The new end of a trial. Refuses it for a subscription that is in no trial, and a time that has passed. */
function newTrialEnd(locked: LockedSubscription, end: Date | null): Date {
  if (!isInTrial(stateOf(locked)))
    throw new Refusal('state_conflict', 'Subscription has no trial, or it is over', 'trial_end');
  if (end === null)
    throw new Refusal('parameter_invalid', 'Trial end cannot be removed: send an earlier one', 'trial_end');
  if (end <= locked.moment.now) throw new Refusal('parameter_invalid', 'Trial end must be in the future', 'trial_end');
  return end;
}

/**
 * Takes the first step of a subscription as its process would, if it is due; the process takes the others. A bill that must be held becomes a
 * draft; any other refusal refuses the request. `keepsPending`: periods restart by a change of now, and the pending change waits for their
 * renewal. Returns the bill, which the caller numbers after it replanned.
 */
export async function takeFirstStep(
  em: EntityManager,
  locked: LockedSubscription,
  { keepsPending = false }: { keepsPending?: boolean } = {},
): Promise<WrittenBill | null> {
  const { due } = nextSubscriptionStep(stateOf(locked), locked.moment.now.getTime());
  if (!due) return null;
  const isPeriod = due.kind === 'bill' || due.kind === 'begin';
  return takeStep(em, locked, keepsPending && isPeriod ? { ...due, keepsPending } : due);
}
