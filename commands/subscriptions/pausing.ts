import { checkResume } from '../../billing/latestPeriods.ts';
import { Refusal } from '../../billing/refusal.ts';
import { stretchesAtPause, stretchesAtResume } from '../../billing/stretches.ts';
import { hasCyclesToBegin, nextPeriodAfterPause, type ResumeMode } from '../../billing/subscription.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type LockedSubscription, stateOf } from '../aggregates/subscription.ts';
import type { WrittenBill } from '../bills/bills.ts';
import { differs } from '../kernel/changes.ts';
import { reanchor } from './anchor.ts';
import { billUsed } from './arrears.ts';
import { checkPause } from './pastPrices.ts';

/** A request to pause or resume. Absent fields stay as they are. */
export interface PauseChange {
  paused?: boolean;
  /** When it resumes by itself; null: never. */
  resumeAt?: Date | null;
  resumeMode?: ResumeMode;
}

/**
 * Pauses or resumes a subscription. Refuses a time to resume that has passed, or that no pause waits for, and a pause while the contract
 * waits for its renewal. Returns the bill that `resume` wrote.
 */
export async function changePause(
  em: EntityManager,
  at: LockedSubscription,
  { paused, resumeAt, resumeMode }: PauseChange,
): Promise<WrittenBill | null> {
  const { subscription, moment } = at;
  const isPaused = paused ?? subscription.paused;
  const isNewTime = resumeAt && differs(subscription, { resumeAt });
  if (resumeAt && !isPaused) throw new Refusal('Resume at needs paused: true', 'resume_at');
  if (isNewTime && resumeAt <= moment.now) throw new Refusal('Resume at must be in the future', 'resume_at');
  if (paused && subscription.pendingRenewal)
    throw new Refusal('Subscription waits for the renewal of its contract, and bills nothing before', 'paused');
  const begins = isPaused && !subscription.paused;
  if (begins) checkPause(at);
  if (isPaused || subscription.paused) subscription.resumeMode = resumeMode ?? subscription.resumeMode;
  if (resumeAt !== undefined || begins) subscription.resumeAt = resumeAt ?? null;
  checkEndOfPause(at, { isPaused, isChanged: Boolean(isNewTime || resumeMode), isNamed: resumeMode !== undefined });
  if (begins) pause(at);
  return subscription.paused && !isPaused ? resume(em, at, moment.now) : null;
}

/** Refuses an end of a pause, now or later, after which the next period would end after the latest allowed date. */
function checkEndOfPause(
  at: LockedSubscription,
  { isPaused, isChanged, isNamed }: { isPaused: boolean; isChanged: boolean; isNamed: boolean },
): void {
  const { subscription, moment } = at;
  const { resumeMode: mode, resumeAt } = subscription;
  if (isPaused && resumeAt && isChanged) checkResume(stateOf(at), { at: resumeAt.getTime(), mode }, 'resume_at');
  if (isPaused || !subscription.paused || mode !== 'new') return;
  checkResume(stateOf(at), { at: moment.now.getTime(), mode }, isNamed ? 'resume_mode' : 'paused');
}

/** Pauses a subscription. In arrears, remembers that it is not in use from now on. The caller records the event and replans. */
export function pause(at: LockedSubscription): void {
  const { subscription, moment } = at;
  const { billIn, periodOpen, periodStartAt, used = null } = subscription;
  if (billIn === 'arrears' && periodOpen && periodStartAt)
    subscription.used = stretchesAtPause(used, periodStartAt.getTime(), moment.now.getTime());
  subscription.paused = true;
}

/**
 * Resumes a paused subscription at a time. In arrears, the period in progress goes on, or it is billed if periods are counted anew. Returns
 * that bill. The caller records the event and replans.
 */
export async function resume(em: EntityManager, at: LockedSubscription, now: Date): Promise<WrittenBill | null> {
  const { subscription } = at;
  const state = stateOf(at);
  const startsAnew = subscription.resumeMode === 'new' && subscription.anchorAt < now && hasCyclesToBegin(state);
  const written = startsAnew ? await billUsed(em, at, { until: now }) : null;
  if (startsAnew) reanchor(at, now);
  else if (subscription.periodOpen) subscription.used = stretchesAtResume(subscription.used ?? null, now.getTime());
  else subscription.nextPeriod = nextPeriodAfterPause(state, now.getTime());
  Object.assign(subscription, { paused: false, resumeAt: null, resumeMode: 'continue' });
  return written;
}
