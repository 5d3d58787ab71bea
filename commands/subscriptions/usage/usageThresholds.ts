import { add, exactProduct } from '../../../billing/money/money.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { reachedThresholds, type UsageThreshold } from '../../../billing/usage/usageThresholds.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { unbilledUsage } from '../../../db/queries/usage/taking.ts';
import { number, unix } from '../../../present/kernel/values.ts';
import { type LockedSubscription, subjectOf, subscriptionEventObject } from '../../aggregates/subscription.ts';
import { record } from '../../kernel/record.ts';
import { usageComponentsOf } from '../changes/components.ts';
import { addonOf, ratesOf, timesOf } from './usageSpans.ts';

/** A threshold in a request. */
export interface RequestedThreshold {
  /** Code of the metered plan; null: the plan of the subscription. */
  planCode: string | null;
  quantity: string;
}

/** The thresholds that a request asks for. `planCode`: the plan that the subscription will have. Null: none. */
export function askedThresholds(
  requested: readonly RequestedThreshold[] | null,
  planCode: string,
): UsageThreshold[] | null {
  if (!requested || requested.length === 0) return null;
  return requested.map((one) => ({ planCode: one.planCode ?? planCode, quantity: exactProduct(one.quantity, '1') }));
}

/** The thresholds that a change asks for; undefined: they stay. */
export function thresholdsOfChange(
  { plan }: LockedSubscription,
  { usageThresholds, planCode }: { usageThresholds?: readonly RequestedThreshold[] | null; planCode?: string },
): UsageThreshold[] | null | undefined {
  return usageThresholds === undefined ? undefined : askedThresholds(usageThresholds, planCode ?? plan.code);
}

/** Sets thresholds. Refuses a new one of a plan that the subscription does not have, or that bills no usage. */
export function setThresholds(locked: LockedSubscription, asked: UsageThreshold[] | null): void {
  const before = locked.subscription.usageThresholds ?? [];
  const known = [
    ...usageComponentsOf(locked).map(({ line }) => line.planCode),
    ...before.map(({ planCode }) => planCode),
  ];
  for (const [index, { planCode }] of (asked ?? []).entries()) {
    if (known.includes(planCode)) continue;
    const message = `Plan was not found among the metered plans of the subscription: ${planCode}`;
    throw new Refusal('resource_missing', message, `usage_thresholds[${index}][plan]`);
  }
  locked.subscription.usageThresholds = asked;
}

/**
 * Records an event for each threshold that the usage of the current period has reached, once for each period. Returns the thresholds in
 * words; null: none is reached.
 */
export async function tellThresholds(em: EntityManager, locked: LockedSubscription): Promise<string | null> {
  const { subscription, moment } = locked;
  const { usageThresholds = null, periodStartAt = null } = subscription;
  if (!usageThresholds || !periodStartAt) return null;
  const usage = await usageInPeriod(em, locked);
  const told = subscription.usageTold ?? null;
  const start = periodStartAt.getTime();
  const reached = reachedThresholds(usageThresholds, { usage, told, periodStartAt: start });
  if (reached.length === 0) return null;
  const before = told?.periodStartAt === start ? told.thresholds : [];
  subscription.usageTold = { periodStartAt: start, thresholds: [...before, ...reached] };
  for (const { planCode, quantity } of reached) {
    const sum = usage.get(planCode) ?? '0';
    const shown = { plan: planCode, quantity: number(quantity), usage: Number(sum), period_start: unix(periodStartAt) };
    const object = { ...subscriptionEventObject(locked), usage_threshold: shown };
    record(em, moment, { type: 'subscription.usage_threshold', subject: subjectOf(subscription), object });
  }
  return reached.map(({ planCode, quantity }) => `${quantity} of ${planCode}`).join(', ');
}

/** The usage of the current period that no bill has taken, by the code of its plan, also at earlier prices. Decimal text. */
async function usageInPeriod(em: EntityManager, locked: LockedSubscription): Promise<Map<string, string>> {
  const { accountId, id: subscriptionId, periodEndAt } = locked.subscription;
  const rates = (await ratesOf(em, locked)).filter(
    ({ untilAt, billedUntil }) => !untilAt || !billedUntil || billedUntil < untilAt,
  );
  const ranges = rates.map((rate) => {
    const { fromAt, untilAt, billedUntil } = timesOf(rate);
    return { addonId: addonOf(rate), startAt: billedUntil ?? fromAt, endAt: untilAt ?? periodEndAt?.getTime() ?? null };
  });
  const unbilled = await unbilledUsage(em, { accountId, subscriptionId }, ranges);
  const usage = new Map<string, string>();
  for (const [index, { component, collected }] of rates.entries()) {
    const { planCode } = component;
    const counted = (collected ?? []).filter(({ turn }) => turn === 0).map(({ quantity }) => quantity);
    usage.set(planCode, add(usage.get(planCode) ?? '0', unbilled[index]?.quantity ?? '0', ...counted));
  }
  return usage;
}
