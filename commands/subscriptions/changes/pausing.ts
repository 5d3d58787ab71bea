import { Refusal } from '../../../billing/refusal.ts';
import {
  hasCyclesToBegin,
  isBackfilling,
  nextPeriodAfterPause,
  type ResumeMode,
} from '../../../billing/subscriptions/subscription.ts';
import { periodEndOf } from '../../../billing/subscriptions/subscriptionSteps.ts';
import { isInTrial } from '../../../billing/subscriptions/trial.ts';
import { checkResume } from '../../../billing/time/latestPeriods.ts';
import { stretchesAtPause, stretchesAtResume } from '../../../billing/time/stretches.ts';
import type { EntityManager } from '../../../db/orm.ts';
import {
  type LockedSubscription,
  recordSubscription,
  stateOf,
  subscriptionEventObject,
} from '../../aggregates/subscription.ts';
import type { WrittenBill } from '../../bills/bills.ts';
import { differs } from '../../kernel/changes.ts';
import { checkPause } from '../prices/pastPrices.ts';
import { reanchor } from '../steps/anchor.ts';
import { billUsed } from '../steps/arrears.ts';

/** A request to pause or resume. Absent fields stay as they are. */
export interface PauseChange {
  paused?: boolean;
  /** Whether it pauses at the end of the current period or trial. */
  pauseAtPeriodEnd?: boolean;
  /** When it resumes by itself; null: never. */
  resumeAt?: Date | null;
  resumeMode?: ResumeMode;
  /** Whether a pause that stopped a backfill ends with the bills that are missing. */
  backfill?: boolean;
}

/**
 * Pauses or resumes a subscription, or plans a pause for the end of its period. Refuses a time to resume that has passed, or that no pause
 * waits for, and what `checkPlannedPause` refuses. Returns the bill that `resume` wrote.
 */
export async function changePause(
  em: EntityManager,
  locked: LockedSubscription,
  change: PauseChange,
): Promise<WrittenBill | null> {
  const { subscription, moment } = locked;
  const { paused, resumeAt, resumeMode } = change;
  checkPlannedPause(locked, change);
  const isPaused = paused ?? subscription.paused;
  const isPlanned = !isPaused && (change.pauseAtPeriodEnd ?? subscription.pauseAtPeriodEnd);
  const isNewTime = resumeAt && differs(subscription, { resumeAt });
  if (resumeAt && !isPaused && !isPlanned)
    throw new Refusal('parameter_invalid', 'Resume at needs paused: true or pause_at_period_end: true', 'resume_at');
  if (isNewTime && resumeAt <= moment.now)
    throw new Refusal('parameter_invalid', 'Resume at must be in the future', 'resume_at');
  const begins = isPaused && !subscription.paused;
  if (begins) checkPause(locked);
  if (begins || isPlanned !== subscription.pauseAtPeriodEnd)
    Object.assign(subscription, { pauseAtPeriodEnd: isPlanned, resumeAt: null, resumeMode: 'continue' });
  if (isPaused || isPlanned || subscription.paused) subscription.resumeMode = resumeMode ?? subscription.resumeMode;
  if (resumeAt !== undefined) subscription.resumeAt = resumeAt;
  const pauses = isPaused || isPlanned;
  checkEndOfPause(locked, { pauses, isChanged: Boolean(isNewTime || resumeMode), isNamed: resumeMode !== undefined });
  if (begins) pause(locked);
  if (!subscription.paused || isPaused) return null;
  if (hasStoppedBackfill(locked) && subscription.resumeMode === 'continue' && change.backfill === undefined)
    throw new Refusal(
      'parameter_missing',
      'The pause stopped a backfill: send backfill true to bill the missed periods, or false to leave them out',
      'backfill',
    );
  return resume(em, locked, { now: moment.now, backfills: change.backfill });
}

/**
 * Stops the bills of past periods for a request that ends or pauses the subscription. The period in progress in arrears is one of them. Returns
 * whether there was anything to stop: due steps are taken otherwise.
 */
export function stopBackfill(locked: LockedSubscription): boolean {
  if (!isBackfilling(stateOf(locked))) return false;
  Object.assign(locked.subscription, { periodOpen: false, used: null, pastPrices: null });
  return true;
}

/** Whether a pause stopped a backfill. One that began with the subscription stopped nothing. */
function hasStoppedBackfill(locked: LockedSubscription): boolean {
  return Boolean(locked.subscription.periodStartAt) && isBackfilling(stateOf(locked));
}

/** Ends a backfill whose customer has become inactive. Returns whether there was one. The caller replans. */
export function endBackfillOfInactive(em: EntityManager, locked: LockedSubscription): boolean {
  const before = subscriptionEventObject(locked);
  if (locked.customer.active || !stopBackfill(locked)) return false;
  locked.subscription.nextPeriod = nextPeriodAfterPause(stateOf(locked), locked.moment.now.getTime());
  recordSubscription(em, locked, { type: 'subscription.updated', before, reason: 'customer_inactive' });
  return true;
}

/** Refuses an end of a pause, now or later, after which the next period would end after the latest allowed date. */
function checkEndOfPause(
  locked: LockedSubscription,
  { pauses, isChanged, isNamed }: { pauses: boolean; isChanged: boolean; isNamed: boolean },
): void {
  const { subscription, moment } = locked;
  const { resumeMode: mode, resumeAt } = subscription;
  if (pauses && resumeAt && isChanged) checkResume(stateOf(locked), { at: resumeAt.getTime(), mode }, 'resume_at');
  if (pauses || !subscription.paused || mode !== 'new') return;
  checkResume(stateOf(locked), { at: moment.now.getTime(), mode }, isNamed ? 'resume_mode' : 'paused');
}

/**
 * Refuses a pause while the contract waits for its renewal, and one at the end of the period of a subscription that is paused or is to be
 * canceled.
 */
function checkPlannedPause({ subscription }: LockedSubscription, { paused, pauseAtPeriodEnd }: PauseChange): void {
  if ((paused || pauseAtPeriodEnd) && subscription.pendingRenewal) {
    const param = pauseAtPeriodEnd ? 'pause_at_period_end' : 'paused';
    throw new Refusal(
      'state_conflict',
      'Subscription waits for the renewal of its contract, and bills nothing before',
      param,
    );
  }
  if (pauseAtPeriodEnd && (paused || subscription.paused)) throw notPaused();
  const isPlanned = !paused && (pauseAtPeriodEnd ?? subscription.pauseAtPeriodEnd);
  if (isPlanned && subscription.cancelAtPeriodEnd)
    throw pausedAndCanceled(pauseAtPeriodEnd ? 'pause_at_period_end' : 'cancel_at_period_end');
}

/** Refuses a new subscription that is paused, or is to be canceled, and is to pause at the end of its period as well. */
export function checkPauseOfNew(asked: {
  paused: boolean;
  cancelAtPeriodEnd: boolean;
  pauseAtPeriodEnd?: boolean;
}): void {
  if (!asked.pauseAtPeriodEnd) return;
  if (asked.paused) throw notPaused();
  if (asked.cancelAtPeriodEnd) throw pausedAndCanceled('pause_at_period_end');
}

function notPaused(): Refusal {
  return new Refusal(
    'state_conflict',
    'Pause at period end needs a subscription that is not paused',
    'pause_at_period_end',
  );
}

/** The refusal of a pause and a cancellation at the end of the same period. */
function pausedAndCanceled(param: 'pause_at_period_end' | 'cancel_at_period_end'): Refusal {
  return new Refusal(
    'parameter_invalid',
    'Subscription can be paused or canceled at the end of its period, not both',
    param,
  );
}

/** Refuses a time to resume that is not after the end of the period at which a planned pause begins. */
export function checkPlannedResume(locked: LockedSubscription): void {
  const { pauseAtPeriodEnd, resumeAt } = locked.subscription;
  if (!pauseAtPeriodEnd || !resumeAt || resumeAt.getTime() > periodEndOf(stateOf(locked))) return;
  throw new Refusal(
    'parameter_invalid',
    'Resume at must be after the end of the period, at which the pause begins',
    'resume_at',
  );
}

/**
 * Counts the periods that have begun during a pause as skipped, so that a cancellation at the end of the period waits for the next one
 * instead of taking effect in the past. In a contract, only those after a trial that ended during the pause.
 */
export function skipPausedPeriods(locked: LockedSubscription): void {
  const { subscription, moment } = locked;
  const { paused, periodOpen, periodEndAt, cycles } = subscription;
  if (!paused || periodOpen || !periodEndAt || periodEndAt > moment.now) return;
  const state = stateOf(locked);
  if (cycles && !isInTrial(state)) return;
  subscription.nextPeriod = nextPeriodAfterPause(state, moment.now.getTime());
}

/** Pauses a subscription. In arrears, remembers that it is not in use from now on. The caller records the event and replans. */
export function pause(locked: LockedSubscription): void {
  const { subscription, moment } = locked;
  const { billIn, periodOpen, periodStartAt, used = null } = subscription;
  if (billIn === 'arrears' && periodOpen && periodStartAt)
    subscription.used = stretchesAtPause(used, periodStartAt.getTime(), moment.now.getTime());
  Object.assign(subscription, { paused: true, pauseAtPeriodEnd: false });
}

/**
 * Resumes a paused subscription at a time. In arrears, the period in progress goes on, or it is billed if periods are counted anew. Returns
 * that bill. `backfills`: a backfill that the pause stopped goes on. The caller records the event and replans.
 */
export async function resume(
  em: EntityManager,
  locked: LockedSubscription,
  { now, backfills = false }: { now: Date; backfills?: boolean | undefined },
): Promise<WrittenBill | null> {
  const { subscription } = locked;
  const state = stateOf(locked);
  const startsAnew = subscription.resumeMode === 'new' && subscription.anchorAt < now && hasCyclesToBegin(state);
  const written = startsAnew ? await billUsed(em, locked, { until: now }) : null;
  if (startsAnew) reanchor(locked, now);
  else if (subscription.periodOpen) subscription.used = stretchesAtResume(subscription.used ?? null, now.getTime());
  else if (!backfills || !hasStoppedBackfill(locked))
    subscription.nextPeriod = nextPeriodAfterPause(state, now.getTime());
  Object.assign(subscription, { paused: false, resumeAt: null, resumeMode: 'continue' });
  return written;
}
