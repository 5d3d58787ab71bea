import type { PendingAddon, PendingChange } from '../../billing/subscriptions/pendingChange.ts';
import { contractPeriod, isEnded } from '../../billing/subscriptions/subscription.ts';
import { isInTrial, trialOf } from '../../billing/subscriptions/trial.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Item } from '../../db/schema/item.ts';
import type { Plan } from '../../db/schema/plan.ts';
import type { Subscription, SubscriptionAddon } from '../../db/schema/subscription.ts';
import { presentPlan } from '../catalog/products.ts';
import { presentShipTo } from '../documents/lineItem.ts';
import { subscriptionUrl } from '../kernel/links.ts';
import { number, numberOrNull, orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';

type Code = { code: string } | null | undefined;

/** An add-on with the codes of its plan or item. An entity is one, if both are loaded. */
interface CodedAddon
  extends Pick<Plain<SubscriptionAddon>, 'id' | 'quantity' | 'amount' | 'description' | 'createdAt' | 'updatedAt'> {
  plan?: Code;
  item?: Code;
}

function presentAddon(addon: CodedAddon): Presented {
  return {
    id: addon.id,
    object: 'subscription_addon',
    plan: orNull(addon.plan?.code),
    catalog_item: orNull(addon.item?.code),
    quantity: addon.quantity,
    amount: numberOrNull(addon.amount),
    description: orNull(addon.description),
    created_at: unix(addon.createdAt),
    updated_at: unix(addon.updatedAt),
  };
}

/** The plan of a subscription, and its current add-ons in their order. */
export interface SoldBySubscription {
  plan: Plain<Plan>;
  addons: readonly CodedAddon[];
}

/** A subscription. Its field `plan` is the plan's id; in events it is the whole plan. */
export function presentSubscription(
  subscription: Plain<Subscription>,
  { plan, addons }: SoldBySubscription,
): Presented {
  const { billIn } = subscription;
  const earnsNothing = isEnded(subscription.status) || isInTrial({ ...subscription, trial: trialOf(subscription) });
  return {
    id: subscription.id,
    object: 'subscription',
    customer: subscription.customer.id,
    plan: plan.code,
    amount: numberOrNull(subscription.amount),
    start_date: unix(startOf(subscription)),
    trial_end: unixOrNull(subscription.trialEndAt),
    bill_in: billIn,
    bill_in_advance_days: subscription.advanceDays,
    quantity: subscription.quantity,
    addons: addons.map(presentAddon),
    discounts: subscription.discounts.map(({ coupon }) => coupon),
    cycles: subscription.cycles ?? null,
    period_start: unixOrNull(subscription.periodStartAt),
    period_end: unixOrNull(subscription.periodEndAt),
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    canceled_at: unixOrNull(subscription.canceledAt),
    cancellation_reason: orNull(subscription.cancellationReason),
    cancellation_comment: orNull(subscription.cancellationComment),
    status: subscription.status,
    paused: subscription.paused,
    pause_at_period_end: subscription.pauseAtPeriodEnd,
    resume_at: unixOrNull(subscription.resumeAt),
    resume_mode: subscription.resumeMode,
    ...presentContract(subscription, plan),
    contract_renewal_cycles: subscription.renewalCycles ?? null,
    contract_renewal_mode: subscription.renewalMode,
    pending_renewal: subscription.pendingRenewal,
    taxes: subscription.taxes.map(({ taxRate }) => taxRate),
    usage_thresholds: (subscription.usageThresholds ?? []).map(({ planCode, quantity }) => ({
      plan: planCode,
      quantity: number(quantity),
    })),
    pending_change: presentPendingChange(subscription.pendingChange),
    ship_to: presentShipTo(subscription.shipTo),
    recurring_total: number(subscription.recurringTotal),
    mrr: earnsNothing ? 0 : number(subscription.mrr),
    url: subscriptionUrl(subscription),
    snap_to_nth_day: subscription.snapDay ?? null,
    created_at: unix(subscription.createdAt),
    updated_at: unix(subscription.updatedAt),
    metadata: subscription.metadata,
  };
}

function startOf({ startAt, anchorAt }: Plain<Subscription>): Date {
  return startAt ?? anchorAt;
}

function presentContract(subscription: Plain<Subscription>, { interval, intervalCount }: Plain<Plan>): Presented {
  const contract = contractPeriod({
    billIn: subscription.billIn,
    nextPeriod: subscription.nextPeriod,
    periodOpen: subscription.periodOpen,
    contractStartAt: (subscription.contractStartAt ?? startOf(subscription)).getTime(),
    cyclesBilled: subscription.cyclesBilled,
    cycles: subscription.cycles ?? null,
    schedule: {
      anchorAt: subscription.anchorAt.getTime(),
      zone: subscription.timeZone,
      interval,
      intervalCount,
      snapDay: subscription.snapDay ?? null,
    },
  });
  return {
    contract_period_start: contract ? Math.floor(contract.startAt / 1000) : null,
    contract_period_end: contract ? Math.floor(contract.endAt / 1000) : null,
  };
}

function presentPendingAddon({ id, plan, item, quantity, amount, description }: PendingAddon): Presented {
  return { id, plan, catalog_item: item, quantity, amount: numberOrNull(amount), description };
}

/** The fields of a pending change that differ from now. Null: none is pending. */
export function presentPendingChange(pending: PendingChange | null | undefined): Presented | null {
  if (!pending) return null;
  const { plan, quantity, amount, cycles, addons, discounts, taxes } = pending;
  const fields = {
    plan: plan?.code,
    quantity,
    amount: amount === undefined ? undefined : numberOrNull(amount),
    cycles,
    addons: addons?.map(presentPendingAddon),
    discounts: discounts?.map(({ coupon }) => coupon),
    taxes: taxes?.map(({ taxRate }) => taxRate),
  };
  const present = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(present);
}

/** A subscription with its whole plan, as events contain it. `item`: the item of that plan; null: none. */
export function presentSubscriptionWithPlan(
  subscription: Plain<Subscription>,
  { item, ...sold }: SoldBySubscription & { item: Plain<Item> | null },
): Presented {
  return { ...presentSubscription(subscription, sold), plan: presentPlan(sold.plan, item) };
}
