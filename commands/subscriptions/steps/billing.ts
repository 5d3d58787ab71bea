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
export async function catchUp(em: EntityManager, at: LockedSubscription): Promise<WrittenBill[]> {
  const { bills, isDone } = await takeDueSteps(em, at);
  if (isDone) return bills;
  throw new Refusal('busy', 'Subscription is being billed for many periods; try again in a moment');
}

/**
 * Takes due steps, at most 24. `isDone`: none is left. `bills`: the bills that it wrote, whose documents the caller numbers at the end of the
 * transaction, before others. If one bills a period ahead, all of them have numbers already: the caller may take back that bill.
 */
export async function takeDueSteps(
  em: EntityManager,
  at: LockedSubscription,
): Promise<{ isDone: boolean; bills: WrittenBill[] }> {
  const { subscription, moment } = at;
  const nextDue = () => nextSubscriptionStep(stateOf(at), moment.now.getTime()).due;
  const bills: WrittenBill[] = [];
  let due = nextDue();
  for (let steps = 0; due && steps < MOST_AT_ONCE; steps++) {
    const written = await takeStep(em, at, due);
    if (written) bills.push(written);
    due = nextDue();
  }
  const isAhead = subscription.billIn === 'advance' && subscription.periodOpen;
  if (!isAhead) return { isDone: due === null, bills };
  for (const bill of bills) await numberBill(em, at, bill);
  return { isDone: due === null, bills: [] };
}

/** Takes a step. Returns the bill that it wrote, whose documents the caller numbers at the end of the transaction; null: it wrote none. */
export async function takeStep(
  em: EntityManager,
  at: LockedSubscription,
  step: SubscriptionStep,
): Promise<WrittenBill | null> {
  switch (step.kind) {
    case 'bill':
      return billAfterChange(em, at, step);
    case 'pause':
      return pauseAtEnd(em, at, new Date(step.at));
    case 'resume':
      return resumeAtEnd(em, at, new Date(step.at));
    case 'begin':
      return beginPeriod(em, at, step);
    case 'trial':
      beginTrial(em, at, step);
      break;
    case 'renew':
      await renewContract(em, at, { cycles: null, anchorAt: null });
      break;
    case 'await_renewal':
      return awaitRenewal(em, at, new Date(step.at));
    case 'late_usage':
      at.subscription.lateUsageAt = null;
      await billLateUsage(em, at);
      break;
    case 'cancel':
      return endSubscription(em, at, { status: 'canceled', at: new Date(step.at), cause: 'period_end' });
    case 'finish': {
      const reason = step.isLast ? 'latest_date' : 'cycles_billed';
      return endSubscription(em, at, { status: 'finished', at: new Date(step.at), reason });
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
  at: LockedSubscription,
  { cycles: chosen, anchorAt }: { cycles: number | null; anchorAt: Date | null },
): Promise<void> {
  const { subscription } = at;
  const before = subscriptionEventObject(at);
  const { cycles, renewalCycles, renewalMode } = subscription;
  if (!cycles) throw new Error(`subscription ${subscription.id} has no contract to renew`);
  const endsAt = new Date(periodAt(stateOf(at).schedule, firstUncounted(subscription)).startAt);
  const changed = await applyPendingChange(em, at);
  await updateRates(em, at, anchorAt ?? endsAt);
  if (anchorAt || changed?.isOtherInterval) reanchor(at, anchorAt ?? endsAt);
  const agreed = chosen ?? changed?.cycles ?? null;
  const next = nextContract({ cycles, renewalCycles: renewalCycles ?? null, renewalMode }, agreed);
  subscription.renewalMode = next.renewalMode;
  beginContract(at, next.cycles);
  recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'contract_renewed' });
}

/** Pauses a subscription at the end of its period or trial, and bills its usage. */
async function pauseAtEnd(em: EntityManager, at: LockedSubscription, end: Date): Promise<WrittenBill | null> {
  const before = subscriptionEventObject(at);
  const written = await billUsage(em, at, { until: end });
  pause(at);
  recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'paused' });
  return written;
}

/** Resumes a subscription at the end of its pause. */
async function resumeAtEnd(em: EntityManager, at: LockedSubscription, now: Date): Promise<WrittenBill | null> {
  const before = subscriptionEventObject(at);
  const written = await resume(em, at, { now });
  recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'resumed' });
  return written;
}

/** Ends a contract that has to be renewed by request, and a pause with it: after its usage, it bills nothing before. */
async function awaitRenewal(em: EntityManager, at: LockedSubscription, end: Date): Promise<WrittenBill | null> {
  const { subscription } = at;
  const before = subscriptionEventObject(at);
  const written = await billUsage(em, at, { until: end });
  Object.assign(subscription, { periodStartAt: null, periodEndAt: null, pendingRenewal: true });
  Object.assign(subscription, { paused: false, pauseAtPeriodEnd: false, resumeAt: null });
  recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'renewal_pending' });
  return written;
}

/** Bills a period, in advance after the pending change of a subscription without a contract. A new interval counts from its start. */
async function billAfterChange(em: EntityManager, at: LockedSubscription, step: BillStep): Promise<WrittenBill | null> {
  if (step.inArrears) return billInArrears(em, at, step);
  if (!at.subscription.pendingChange || at.subscription.cycles || step.keepsPending) return bill(em, at, step);
  const before = subscriptionEventObject(at);
  const changed = await applyPendingChange(em, at);
  await updateRates(em, at, new Date(step.startAt));
  if (changed?.isOtherInterval) reanchor(at, new Date(step.startAt));
  recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'change_applied' });
  const { due } = nextSubscriptionStep(stateOf(at), at.moment.now.getTime());
  if (!due) return null;
  return takeStep(em, at, due.kind === 'bill' ? { ...due, at: step.at } : due);
}

/** Bills a period at its start, which begins it, or some days before it. */
async function bill(em: EntityManager, at: LockedSubscription, step: BillStep): Promise<WrittenBill | null> {
  const { subscription } = at;
  const { period } = step;
  const before = subscriptionEventObject(at);
  const stretches = [wholeStretch(stateOf(at).schedule, period, step)];
  const isAhead = step.at < step.startAt;
  const usedUntil = isAhead ? null : new Date(step.startAt);
  const bill = await writePeriodBill(em, at, { period, stretches, date: new Date(step.at), usedUntil });
  subscription.nextPeriod = period + 1;
  if (isAhead) subscription.periodOpen = true;
  else {
    enterPeriod(at, step);
    await countPeriod(em, at, { period, stretches, bill });
    recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'period_started' });
  }
  if (bill.written) await holdBill(em, at, bill.written);
  return bill.written;
}
