import { Refusal } from '../../billing/refusal.ts';
import { hasCyclesLeft, nextPeriodAfterPause, type ResumeMode } from '../../billing/subscription.ts';
import { type LockedSubscription, stateOf } from '../aggregates/subscription.ts';
import { differs } from '../kernel/changes.ts';
import { reanchor } from './anchor.ts';

/** A request to pause or resume. Absent fields stay as they are. */
export interface PauseChange {
  paused?: boolean;
  /** When it resumes by itself; null: never. */
  resumeAt?: Date | null;
  resumeMode?: ResumeMode;
}

/**
 * Pauses or resumes a subscription. Refuses a time to resume that has passed, or that no pause waits for, and a pause while the contract
 * waits for its renewal.
 */
export function changePause(at: LockedSubscription, { paused, resumeAt, resumeMode }: PauseChange): void {
  const { subscription, moment } = at;
  const isPaused = paused ?? subscription.paused;
  const isNewTime = resumeAt && differs(subscription, { resumeAt });
  if (resumeAt && !isPaused) throw new Refusal('Resume at needs paused: true', 'resume_at');
  if (isNewTime && resumeAt <= moment.now) throw new Refusal('Resume at must be in the future', 'resume_at');
  if (paused && subscription.pendingRenewal)
    throw new Refusal('Subscription waits for the renewal of its contract, and bills nothing before', 'paused');
  const begins = isPaused && !subscription.paused;
  if (isPaused || subscription.paused) subscription.resumeMode = resumeMode ?? subscription.resumeMode;
  if (resumeAt !== undefined || begins) subscription.resumeAt = resumeAt ?? null;
  if (subscription.paused && !isPaused) resume(at, moment.now);
  subscription.paused = isPaused;
}

/** Resumes a paused subscription at a time. The caller records the event and replans. */
export function resume(at: LockedSubscription, now: Date): void {
  const { subscription } = at;
  const state = stateOf(at);
  const startsAnew = subscription.resumeMode === 'new' && subscription.anchorAt < now && hasCyclesLeft(state);
  if (startsAnew) reanchor(at, now);
  else subscription.nextPeriod = nextPeriodAfterPause(state, now.getTime());
  Object.assign(subscription, { paused: false, resumeAt: null, resumeMode: 'continue' });
}
