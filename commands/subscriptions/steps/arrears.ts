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
  at: LockedSubscription,
  step: BillStep,
): Promise<WrittenBill | null> {
  const before = subscriptionEventObject(at);
  const used = usedOf(at, step.endAt);
  const { startAt } = step;
  const unused = { startAt, endAt: startAt, share: { numerator: 0, denominator: 1 } };
  const stretches = used.length > 0 ? used : [unused];
  const bill = { period: step.period, date: new Date(step.at), stretches, usedUntil: new Date(step.endAt) };
  const isFinal = endsWith(at, step, stretches);
  if (isFinal) await endRates(em, at, new Date(step.endAt));
  const written = await billPeriod(em, at, { ...bill, isFinal });
  const { due } = nextSubscriptionStep(stateOf(at), step.at);
  if (due?.kind === 'begin') await beginInArrears(em, at, due);
  recordSubscription(em, at, { type: 'subscription.updated', before, reason: 'period_ended' });
  if (written) await holdBill(em, at, written);
  return written;
}

/** Whether the subscription ends with a period that is to be billed. */
function endsWith(
  at: LockedSubscription,
  { period, at: time }: BillStep,
  stretches: readonly BilledStretch[],
): boolean {
  const state = stateOf(at);
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
  at: LockedSubscription,
  { until, date = until, isFinal = false }: { until: Date; date?: Date; isFinal?: boolean },
): Promise<WrittenBill | null> {
  const { subscription } = at;
  if (subscription.billIn === 'advance' || !subscription.periodOpen) return null;
  const stretches = usedOf(at, until.getTime());
  if (stretches.length === 0) {
    Object.assign(subscription, { periodOpen: false, used: null, pastPrices: null });
    return null;
  }
  const period = subscription.nextPeriod;
  const usedUntil = until < date ? until : date;
  if (isFinal) await endRates(em, at, usedUntil);
  const written = await billPeriod(em, at, { period, date, stretches, usedUntil, endsEarly: true, isFinal });
  if (written) await holdBill(em, at, written);
  return written;
}

async function billPeriod(
  em: EntityManager,
  at: LockedSubscription,
  bill: Parameters<typeof writePeriodBill>[2],
): Promise<WrittenBill | null> {
  const { subscription } = at;
  const { period, stretches } = bill;
  const written = await writePeriodBill(em, at, bill);
  Object.assign(subscription, { nextPeriod: period + 1, periodOpen: false, used: null, pastPrices: null });
  await countPeriod(em, at, { period, stretches, bill: written });
  return written.written;
}

/** The parts of the period in progress during which the subscription was not paused. */
function usedOf(at: LockedSubscription, until: number) {
  const { schedule, nextPeriod: n } = stateOf(at);
  return usedStretches(schedule, { n, period: periodAt(schedule, n), until }, at.subscription.used ?? null);
}
