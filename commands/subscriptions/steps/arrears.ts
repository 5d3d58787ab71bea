import { type BillStep, nextSubscriptionStep } from '../../../billing/subscriptions/subscriptionSteps.ts';
import { periodAt, shareOfPeriod } from '../../../billing/time/periods.ts';
import { type BilledStretch, hasTime, usedStretches } from '../../../billing/time/stretches.ts';
import type { EntityManager } from '../../../db/orm.ts';
import {
  type LockedSubscription,
  recordSubscription,
  stateOf,
  subscriptionEventObject,
} from '../../aggregates/subscription.ts';
import type { WrittenBill } from '../../bills/bills.ts';
import { holdBill } from '../../bills/heldBills.ts';
import { endRates } from '../usage/usageRates.ts';
import { beginInArrears } from './beginning.ts';
import { countPeriod, writePeriodBill } from './periodBills.ts';

/**
 * Bills a period that has ended, and begins the next one, unless the subscription is paused or ends. A period that was paused as it began
 * is billed with a line of zero, and is no cycle.
 */
export async function billInArrears(
  em: EntityManager,
  locked: LockedSubscription,
  step: BillStep,
): Promise<WrittenBill | null> {
  const before = subscriptionEventObject(locked);
  const used = usedOf(locked, step.endAt);
  const { startAt } = step;
  const unused = { startAt, endAt: startAt, share: { numerator: 0, denominator: 1 } };
  const stretches = used.length > 0 ? used : [unused];
  const bill = { period: step.period, date: new Date(step.at), stretches, usedUntil: new Date(step.endAt) };
  const isFinal = endsWith(locked, step, stretches);
  if (isFinal) await endRates(em, locked, new Date(step.endAt));
  const written = await billPeriod(em, locked, { ...bill, isFinal });
  const { due } = nextSubscriptionStep(stateOf(locked), step.at);
  if (due?.kind === 'begin') await beginInArrears(em, locked, due);
  recordSubscription(em, locked, { type: 'subscription.updated', before, reason: 'period_ended' });
  if (written) await holdBill(em, locked, written);
  return written;
}

/** Whether the subscription ends with a period that is to be billed. */
function endsWith(
  locked: LockedSubscription,
  { period, at: time }: BillStep,
  stretches: readonly BilledStretch[],
): boolean {
  const state = stateOf(locked);
  const isCycle = hasTime(stretches) && !shareOfPeriod(state.schedule, period);
  const cyclesBilled = state.cyclesBilled + (isCycle ? 1 : 0);
  const { due } = nextSubscriptionStep({ ...state, nextPeriod: period + 1, periodOpen: false, cyclesBilled }, time);
  return due?.kind === 'cancel' || due?.kind === 'finish';
}

/**
 * Bills what was used of the period in progress, before the subscription is canceled or its periods are counted anew. Null: nothing is to be
 * billed. `isFinal`: the subscription ends, and the bill has all usage, whatever its time. The caller records the subscription's event.
 */
export async function billUsed(
  em: EntityManager,
  locked: LockedSubscription,
  { until, date = until, isFinal = false }: { until: Date; date?: Date; isFinal?: boolean },
): Promise<WrittenBill | null> {
  const { subscription } = locked;
  if (subscription.billIn === 'advance' || !subscription.periodOpen) return null;
  const stretches = usedOf(locked, until.getTime());
  if (stretches.length === 0) {
    Object.assign(subscription, { periodOpen: false, used: null, pastPrices: null });
    return null;
  }
  const period = subscription.nextPeriod;
  const usedUntil = until < date ? until : date;
  if (isFinal) await endRates(em, locked, usedUntil);
  const written = await billPeriod(em, locked, { period, date, stretches, usedUntil, endsEarly: true, isFinal });
  if (written) await holdBill(em, locked, written);
  return written;
}

async function billPeriod(
  em: EntityManager,
  locked: LockedSubscription,
  bill: Parameters<typeof writePeriodBill>[2],
): Promise<WrittenBill | null> {
  const { subscription } = locked;
  const { period, stretches } = bill;
  const written = await writePeriodBill(em, locked, bill);
  Object.assign(subscription, { nextPeriod: period + 1, periodOpen: false, used: null, pastPrices: null });
  await countPeriod(em, locked, { period, stretches, bill: written });
  return written.written;
}

/** The parts of the period in progress during which the subscription was not paused. */
function usedOf(locked: LockedSubscription, until: number) {
  const { schedule, nextPeriod: n } = stateOf(locked);
  return usedStretches(schedule, { n, period: periodAt(schedule, n), until }, locked.subscription.used ?? null);
}
