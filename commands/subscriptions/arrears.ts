import { periodAt } from '../../billing/periods.ts';
import { usedStretches } from '../../billing/stretches.ts';
import { type BeginStep, type BillStep, nextSubscriptionStep } from '../../billing/subscriptionSteps.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  type LockedSubscription,
  recordSubscription,
  stateOf,
  subscriptionEventObject,
} from '../aggregates/subscription.ts';
import type { WrittenBill } from '../bills/bills.ts';
import { holdBill } from '../bills/heldBills.ts';
import { reanchor } from './anchor.ts';
import { enterPeriod, openPeriod } from './beginning.ts';
import { applyPendingChange } from './pendingChange.ts';
import { countPeriod, writePeriodBill } from './periodBills.ts';

/**
 * Bills a period that has ended, and begins the next one, unless the subscription is paused or ends. A period that was paused as it began
 * is billed with a line of zero.
 */
export async function billInArrears(em: EntityManager, at: LockedSubscription, step: BillStep): Promise<WrittenBill> {
  const before = subscriptionEventObject(at);
  const used = usedOf(at, step.endAt);
  const { startAt } = step;
  const unused = { startAt, endAt: startAt, share: { numerator: 0, denominator: 1 } };
  const bill = { period: step.period, date: new Date(step.at), stretches: used.length > 0 ? used : [unused] };
  const written = await billPeriod(em, at, bill);
  await enterNextPeriod(em, at, step.at);
  recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'period_ended' });
  await holdBill(em, at, written);
  return written;
}

/** Begins a period that is billed when it ends. */
export async function beginInArrears(em: EntityManager, at: LockedSubscription, step: BeginStep): Promise<void> {
  const before = subscriptionEventObject(at);
  await enterNextPeriod(em, at, step.at);
  recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'period_began' });
}

async function enterNextPeriod(em: EntityManager, at: LockedSubscription, now: number): Promise<void> {
  const next = await nextPeriodAfterChange(em, at, now);
  if (!next) return;
  enterPeriod(at, next);
  openPeriod(at);
}

/** The period that begins now, after the pending change of a subscription without a contract. Null: none begins. */
async function nextPeriodAfterChange(em: EntityManager, at: LockedSubscription, now: number): Promise<BeginStep | null> {
  const { due } = nextSubscriptionStep(stateOf(at), now);
  if (due?.kind !== 'begin') return null;
  if (!at.subscription.pendingChange || at.subscription.cycles) return due;
  const changed = await applyPendingChange(em, at);
  if (!changed?.isOtherInterval) return due;
  reanchor(at, new Date(due.startAt));
  const restarted = nextSubscriptionStep(stateOf(at), now).due;
  return restarted?.kind === 'begin' ? restarted : null;
}

/**
 * Bills what was used of the period in progress, before the subscription is canceled or its periods are counted anew. Null: nothing is to be
 * billed. The caller records the subscription's event.
 */
export async function billUsed(em: EntityManager, at: LockedSubscription, until: Date): Promise<WrittenBill | null> {
  const { subscription } = at;
  if (subscription.billIn === 'advance' || !subscription.periodOpen) return null;
  const stretches = usedOf(at, until.getTime());
  if (stretches.length === 0) {
    Object.assign(subscription, { periodOpen: false, used: null, pastPrices: null });
    return null;
  }
  const written = await billPeriod(em, at, { period: subscription.nextPeriod, date: until, stretches });
  await holdBill(em, at, written);
  return written;
}

async function billPeriod(
  em: EntityManager,
  at: LockedSubscription,
  bill: Parameters<typeof writePeriodBill>[2],
): Promise<WrittenBill> {
  const { subscription } = at;
  const { period } = bill;
  const written = await writePeriodBill(em, at, bill);
  Object.assign(subscription, { nextPeriod: period + 1, periodOpen: false, used: null, pastPrices: null });
  countPeriod(at, period, written);
  return written.written;
}

/** The parts of the period in progress during which the subscription was not paused. */
function usedOf(at: LockedSubscription, until: number) {
  const { schedule, nextPeriod: n } = stateOf(at);
  return usedStretches(schedule, { n, period: periodAt(schedule, n), until }, at.subscription.used ?? null);
}
