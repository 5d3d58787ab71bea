import { Refusal } from '../../../billing/refusal.ts';
import { firstUncounted } from '../../../billing/subscriptions/billIn.ts';
import { nextContract } from '../../../billing/subscriptions/subscription.ts';
import {
  type BillStep,
  nextSubscriptionStep,
  type SubscriptionStep,
} from '../../../billing/subscriptions/subscriptionSteps.ts';
import { periodAt } from '../../../billing/time/periods.ts';
import { wholeStretch } from '../../../billing/time/stretches.ts';
import type { EntityManager } from '../../../db/orm.ts';
import {
  type LockedSubscription,
  recordSubscription,
  stateOf,
  subscriptionEventObject,
} from '../../aggregates/subscription.ts';
import { numberBill, type WrittenBill } from '../../bills/bills.ts';
import { holdBill } from '../../bills/heldBills.ts';
import { pause, resume } from '../changes/pausing.ts';
import { applyPendingChange } from '../changes/pendingChange.ts';
import { billLateUsage } from '../usage/lateUsage.ts';
import { updateRates } from '../usage/usageRates.ts';
import { beginContract, reanchor } from './anchor.ts';
import { billInArrears } from './arrears.ts';
import { beginPeriod, beginTrial, enterPeriod } from './beginning.ts';
import { billUsage, endSubscription } from './final.ts';
import { countPeriod, writePeriodBill } from './periodBills.ts';

/** Maximum number of due steps that are taken in one transaction. */
const MOST_AT_ONCE = 24;

/**
 * Takes all due steps before a request changes the subscription, so that the result does not depend on whether worker or request comes
 * first. (`pending_change: null` comes before due steps: it drops a kept change that has not applied.) Returns the bills that it wrote, as
 * `takeDueSteps` does. Refuses if not all steps can be taken in one transaction.
 */
export async function catchUp(em: EntityManager, locked: LockedSubscription): Promise<WrittenBill[]> {
  const { bills, isDone } = await takeDueSteps(em, locked);
  if (isDone) return bills;
  throw new Refusal('busy', 'Subscription is being billed for many periods; try again in a moment');
}

/**
 * Takes due steps, at most 24. `isDone`: none is left. `bills`: the bills that it wrote, whose documents the caller numbers at the end of the
 * transaction, before others. If one bills a period ahead, all of them have numbers already: the caller may take back that bill.
 */
export async function takeDueSteps(
  em: EntityManager,
  locked: LockedSubscription,
): Promise<{ isDone: boolean; bills: WrittenBill[] }> {
  const { subscription, moment } = locked;
  const nextDue = () => nextSubscriptionStep(stateOf(locked), moment.now.getTime()).due;
  const bills: WrittenBill[] = [];
  let due = nextDue();
  for (let steps = 0; due && steps < MOST_AT_ONCE; steps++) {
    const written = await takeStep(em, locked, due);
    if (written) bills.push(written);
    due = nextDue();
  }
  const isAhead = subscription.billIn === 'advance' && subscription.periodOpen;
  if (!isAhead) return { isDone: due === null, bills };
  for (const bill of bills) await numberBill(em, locked, bill);
  return { isDone: due === null, bills: [] };
}

/** Takes a step. Returns the bill that it wrote, whose documents the caller numbers at the end of the transaction; null: it wrote none. */
export async function takeStep(
  em: EntityManager,
  locked: LockedSubscription,
  step: SubscriptionStep,
): Promise<WrittenBill | null> {
  switch (step.kind) {
    case 'bill':
      return billAfterChange(em, locked, step);
    case 'pause':
      return pauseAtEnd(em, locked, new Date(step.at));
    case 'resume':
      return resumeAtEnd(em, locked, new Date(step.at));
    case 'begin':
      return beginPeriod(em, locked, step);
    case 'trial':
      beginTrial(em, locked, step);
      break;
    case 'renew':
      await renewContract(em, locked, { cycles: null, anchorAt: null });
      break;
    case 'await_renewal':
      return awaitRenewal(em, locked, new Date(step.at));
    case 'late_usage':
      locked.subscription.lateUsageAt = null;
      await billLateUsage(em, locked);
      break;
    case 'cancel':
      return endSubscription(em, locked, { status: 'canceled', at: new Date(step.at), cause: 'period_end' });
    case 'finish': {
      const reason = step.isLast ? 'latest_date' : 'cycles_billed';
      return endSubscription(em, locked, { status: 'finished', at: new Date(step.at), reason });
    }
  }
  return null;
}

/**
 * Begins the contract that follows one whose cycles are billed. If `cycles` is null, it has those agreed for renewals. If `anchorAt` is
 * null, it starts when the contract before ends.
 */
export async function renewContract(
  em: EntityManager,
  locked: LockedSubscription,
  { cycles: chosen, anchorAt }: { cycles: number | null; anchorAt: Date | null },
): Promise<void> {
  const { subscription } = locked;
  const before = subscriptionEventObject(locked);
  const { cycles, renewalCycles, renewalMode } = subscription;
  if (!cycles) throw new Error(`subscription ${subscription.id} has no contract to renew`);
  const endsAt = new Date(periodAt(stateOf(locked).schedule, firstUncounted(subscription)).startAt);
  const changed = await applyPendingChange(em, locked);
  await updateRates(em, locked, anchorAt ?? endsAt);
  if (anchorAt || changed?.isOtherInterval) reanchor(locked, anchorAt ?? endsAt);
  const agreed = chosen ?? changed?.cycles ?? null;
  const next = nextContract({ cycles, renewalCycles: renewalCycles ?? null, renewalMode }, agreed);
  subscription.renewalMode = next.renewalMode;
  beginContract(locked, next.cycles);
  recordSubscription(em, locked, { type: 'subscription.updated', before, reason: 'contract_renewed' });
}

/** Pauses a subscription at the end of its period or trial, and bills its usage. */
async function pauseAtEnd(em: EntityManager, locked: LockedSubscription, end: Date): Promise<WrittenBill | null> {
  const before = subscriptionEventObject(locked);
  const written = await billUsage(em, locked, { until: end });
  pause(locked);
  recordSubscription(em, locked, { type: 'subscription.updated', before, reason: 'paused' });
  return written;
}

/** Resumes a subscription at the end of its pause. */
async function resumeAtEnd(em: EntityManager, locked: LockedSubscription, now: Date): Promise<WrittenBill | null> {
  const before = subscriptionEventObject(locked);
  const written = await resume(em, locked, { now });
  recordSubscription(em, locked, { type: 'subscription.updated', before, reason: 'resumed' });
  return written;
}

/** Ends a contract that has to be renewed by request, and a pause with it: after its usage, it bills nothing before. */
async function awaitRenewal(em: EntityManager, locked: LockedSubscription, end: Date): Promise<WrittenBill | null> {
  const { subscription } = locked;
  const before = subscriptionEventObject(locked);
  const written = await billUsage(em, locked, { until: end });
  Object.assign(subscription, { periodStartAt: null, periodEndAt: null, pendingRenewal: true });
  Object.assign(subscription, { paused: false, pauseAtPeriodEnd: false, resumeAt: null });
  recordSubscription(em, locked, { type: 'subscription.updated', before, reason: 'renewal_pending' });
  return written;
}

/** Bills a period, in advance after the pending change of a subscription without a contract. A new interval counts from its start. */
async function billAfterChange(
  em: EntityManager,
  locked: LockedSubscription,
  step: BillStep,
): Promise<WrittenBill | null> {
  if (step.inArrears) return billInArrears(em, locked, step);
  if (!locked.subscription.pendingChange || locked.subscription.cycles || step.keepsPending)
    return bill(em, locked, step);
  const before = subscriptionEventObject(locked);
  const changed = await applyPendingChange(em, locked);
  await updateRates(em, locked, new Date(step.startAt));
  if (changed?.isOtherInterval) reanchor(locked, new Date(step.startAt));
  recordSubscription(em, locked, { type: 'subscription.updated', before, reason: 'change_applied' });
  const { due } = nextSubscriptionStep(stateOf(locked), locked.moment.now.getTime());
  if (!due) return null;
  return takeStep(em, locked, due.kind === 'bill' ? { ...due, at: step.at } : due);
}

/** Bills a period at its start, which begins it, or some days before it. */
async function bill(em: EntityManager, locked: LockedSubscription, step: BillStep): Promise<WrittenBill | null> {
  const { subscription } = locked;
  const { period } = step;
  const before = subscriptionEventObject(locked);
  const stretches = [wholeStretch(stateOf(locked).schedule, period, step)];
  const isAhead = step.at < step.startAt;
  const usedUntil = isAhead ? null : new Date(step.startAt);
  const bill = await writePeriodBill(em, locked, { period, stretches, date: new Date(step.at), usedUntil });
  subscription.nextPeriod = period + 1;
  if (isAhead) subscription.periodOpen = true;
  else {
    enterPeriod(locked, step);
    await countPeriod(em, locked, { period, stretches, bill });
    recordSubscription(em, locked, { type: 'subscription.updated', before, reason: 'period_started' });
  }
  if (bill.written) await holdBill(em, locked, bill.written);
  return bill.written;
}
