import { Refusal } from '../../../billing/refusal.ts';
import { checkAddonInterval } from '../../../billing/subscriptions/addon.ts';
import { checkAdvanceDays } from '../../../billing/subscriptions/billIn.ts';
import {
  discountsApplied,
  mergedChange,
  type PendingAddon,
  type PendingChange,
  withoutFields,
} from '../../../billing/subscriptions/pendingChange.ts';
import { checkAgreedAmount, checkPlanQuantity } from '../../../billing/subscriptions/plan.ts';
import { checkEndsAfterChange } from '../../../billing/time/latestPeriods.ts';
import { checkSnapDay } from '../../../billing/time/periods.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { Item } from '../../../db/schema/item.ts';
import { Plan } from '../../../db/schema/plan.ts';
import type { SubscriptionAddon } from '../../../db/schema/subscription.ts';
import { type LockedSubscription, stateOf } from '../../aggregates/subscription.ts';
import { assignChanges } from '../../kernel/changes.ts';
import { applyPrice, checkPrice, type FoundPriceChange, isOtherInterval } from '../prices/price.ts';
import type { WantedAddon } from './addons.ts';
import { reprice } from './content.ts';

/** A change that becomes pending. `dropped`: fields whose requested value is the present one. They leave the pending change. */
export interface KeptChange extends Pick<PendingChange, 'discounts' | 'taxes'> {
  price: FoundPriceChange;
  dropped: readonly string[];
}

/**
 * Keeps a change until the next period begins, in a contract until the next contract. Fields of an earlier pending change stay unless they
 * change again. Refuses what `checkPending` refuses.
 */
export async function keepChange(
  em: EntityManager,
  locked: LockedSubscription,
  { price, dropped, discounts, taxes }: KeptChange,
): Promise<void> {
  const { subscription } = locked;
  const { plan, quantity, amount, cycles } = price;
  const asked = {
    plan: plan && { key: plan.id, code: plan.code },
    quantity,
    amount,
    cycles: cycles ?? undefined,
    addons: price.addons?.map(pendingAddon),
    discounts,
    taxes,
  };
  const kept = Object.entries(asked).filter(([name, value]) => value !== undefined && !dropped.includes(name));
  const earlier = withoutFields(subscription.pendingChange ?? null, plan ? ['plan', ...dropped] : dropped);
  const pending = mergedChange(earlier, Object.fromEntries(kept));
  subscription.pendingChange = Object.keys(pending).length === 0 ? null : pending;
  await checkPending(em, locked);
}

/**
 * Refuses a pending change that could not be applied: an amount that does not fit the plan, add-ons of another interval, an interval without
 * the cycles of the next contract, periods that end after the latest allowed date, and amounts that are too large.
 */
export async function checkPending(em: EntityManager, locked: LockedSubscription): Promise<void> {
  const { subscription } = locked;
  const pending = subscription.pendingChange ?? null;
  if (!pending) return;
  const { plan, quantity, amount, addons } = await soldAfter(em, locked, pending);
  checkAgreedAmount(plan, amount, 'amount');
  checkPlanQuantity(plan, pending.quantity ?? 1, 'quantity');
  for (const addon of addons) if (addon.plan) checkAddonInterval(plan, addon.plan, pending.addons ? 'addons' : 'plan');
  if (isOtherInterval(locked.plan, plan)) {
    checkSnapDay(subscription.snapDay ?? null, plan.interval, 'plan');
    checkAdvanceDays(subscription, plan, 'plan');
    if (subscription.cycles && pending.cycles === undefined)
      throw new Refusal(
        'parameter_missing',
        'Cycles missing: the next contract counts periods of another interval',
        'cycles',
      );
  }
  if (!subscription.cycles && pending.cycles !== undefined)
    throw new Refusal('state_conflict', 'Subscription has no contract', 'cycles');
  const { interval, intervalCount } = plan;
  checkEndsAfterChange(stateOf(locked), { interval, intervalCount, cycles: pending.cycles ?? null });
  checkPrice(plan, { quantity, amount, addons });
}

/** The plan and the add-ons that a subscription has after its pending change. */
export interface SoldAfter {
  plan: Plan;
  quantity: number;
  amount: string | null;
  addons: WantedAddon[];
}

/** The plan and the add-ons that a pending change leads to. */
export async function soldAfter(
  em: EntityManager,
  locked: LockedSubscription,
  pending: PendingChange,
): Promise<SoldAfter> {
  const plan = await planOf(em, locked, pending);
  return {
    plan,
    quantity: pending.quantity ?? locked.subscription.quantity,
    amount: agreedFor(locked, pending, plan),
    addons: pending.addons ? await wantedAddons(em, locked, pending.addons) : locked.addons.map(asWanted),
  };
}

/** A pending change that was applied. */
export interface AppliedChange {
  /** Number of periods of the next contract; null: those agreed for renewals. */
  cycles: number | null;
  isOtherInterval: boolean;
}

/** Applies the pending change of a subscription. An archived plan still applies. Null: there is none. The caller records the event. */
export async function applyPendingChange(em: EntityManager, locked: LockedSubscription): Promise<AppliedChange | null> {
  const { subscription, plan: before } = locked;
  const pending = subscription.pendingChange ?? null;
  if (!pending) return null;
  const plan = await planOf(em, locked, pending);
  const { quantity, discounts, taxes, cycles = null } = pending;
  const amount = agreedFor(locked, pending, plan);
  const addons = pending.addons && (await wantedAddons(em, locked, pending.addons));
  await applyPrice(em, locked, {
    amount,
    ...(plan === before ? {} : { plan }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(addons ? { addons } : {}),
  });
  assignChanges(subscription, { discounts: discounts && discountsApplied(discounts, subscription.discounts), taxes });
  subscription.pendingChange = null;
  await reprice(em, locked);
  return { cycles, isOtherInterval: isOtherInterval(before, plan) };
}

/** The plan that a pending change leads to. */
async function planOf(em: EntityManager, locked: LockedSubscription, { plan }: PendingChange): Promise<Plan> {
  if (!plan || plan.key === locked.plan.id) return locked.plan;
  const { accountId } = locked.subscription;
  return em.findOneOrFail(Plan, { accountId, id: plan.key }, { populate: ['item'] });
}

/** The amount of a pending change. One for a plan without a custom price is dropped with an immediate change of the plan. */
function agreedFor({ subscription, plan }: LockedSubscription, pending: PendingChange, next: Plan): string | null {
  if (pending.amount !== undefined) return pending.amount;
  return next === plan ? (subscription.amount ?? null) : null;
}

/** A current add-on as one that stays as it is. */
export function asWanted(addon: SubscriptionAddon): WantedAddon {
  const { quantity, amount = null, description = null, plan = null, item = null } = addon;
  return { kept: addon, plan, item, values: { quantity, amount, description } };
}

function pendingAddon({ kept, plan, item, values }: WantedAddon): PendingAddon {
  const sold = {
    planKey: plan?.id ?? null,
    itemKey: item?.id ?? null,
    plan: plan?.code ?? null,
    item: item?.code ?? null,
  };
  return { id: kept?.id ?? null, ...sold, ...values };
}

/** The add-ons of a pending change. One of an archived plan or item still applies. */
async function wantedAddons(
  em: EntityManager,
  locked: LockedSubscription,
  pending: readonly PendingAddon[],
): Promise<WantedAddon[]> {
  const { accountId } = locked.subscription;
  const planIds = pending.flatMap(({ planKey }) => planKey ?? []);
  const itemIds = pending.flatMap(({ itemKey }) => itemKey ?? []);
  const plans = await em.find(Plan, { accountId, id: { $in: planIds } }, { populate: ['item'] });
  const items = await em.find(Item, { accountId, id: { $in: itemIds } });
  return pending.map(({ id, planKey, itemKey, quantity, amount, description }) => ({
    kept: locked.addons.find((addon) => addon.id === id) ?? null,
    plan: plans.find((plan) => plan.id === planKey) ?? null,
    item: items.find((item) => item.id === itemKey) ?? null,
    values: { quantity, amount, description },
  }));
}
