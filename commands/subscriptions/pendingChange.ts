import { checkAdvanceDays } from '../../billing/billIn.ts';
import { checkSnapDay } from '../../billing/periods.ts';
import { checkAgreedAmount } from '../../billing/plan.ts';
import { mergedChange, type PendingAddon, type PendingChange, withoutFields } from '../../billing/pendingChange.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Item } from '../../db/schema/item.ts';
import { Plan } from '../../db/schema/plan.ts';
import type { LockedSubscription } from '../aggregates/subscription.ts';
import { assignChanges } from '../kernel/changes.ts';
import type { WantedAddon } from './addons.ts';
import { reprice } from './content.ts';
import { applyPrice, checkAddonsFit, type FoundPriceChange, isOtherInterval } from './priceChange.ts';

/** A requested change for the next period or contract. `dropsPending`: it replaces an earlier one as a whole. */
interface LaterChange extends Pick<PendingChange, 'discounts' | 'taxes'> {
  price: FoundPriceChange;
  dropsPending: boolean;
}

/**
 * Keeps a change until the next period begins, in a contract until the next contract. Fields of an earlier pending change stay unless they
 * change again. Refuses an amount that does not fit the plan, and a change of the interval without the cycles of the next contract.
 */
export async function keepChange(
  em: EntityManager,
  at: LockedSubscription,
  { price, discounts, taxes, dropsPending }: LaterChange,
): Promise<void> {
  const { subscription } = at;
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
  const defined = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const earlier = dropsPending ? null : (subscription.pendingChange ?? null);
  const pending = mergedChange(plan ? withoutFields(earlier, ['plan']) : earlier, defined);
  const next = plan ?? (await planOf(em, at, pending));
  checkAgreedAmount(next, agreedFor(at, pending, next), 'amount');
  if (!pending.addons) checkAddonsFit(at, next);
  if (isOtherInterval(at.plan, next)) {
    checkSnapDay(subscription.snapDay ?? null, next.interval, 'plan');
    checkAdvanceDays(subscription, next, 'plan');
    if (subscription.cycles && pending.cycles === undefined)
      throw new Refusal('Cycles missing: the next contract counts periods of another interval', 'cycles');
  }
  if (!subscription.cycles && pending.cycles !== undefined) throw new Refusal('Subscription has no contract', 'cycles');
  subscription.pendingChange = pending;
}

/** A pending change that was applied. */
export interface AppliedChange {
  /** Number of periods of the next contract; null: those agreed for renewals. */
  cycles: number | null;
  isOtherInterval: boolean;
}

/** Applies the pending change of a subscription. An archived plan still applies. Null: there is none. The caller records the event. */
export async function applyPendingChange(em: EntityManager, at: LockedSubscription): Promise<AppliedChange | null> {
  const { subscription, plan: before } = at;
  const pending = subscription.pendingChange ?? null;
  if (!pending) return null;
  const plan = await planOf(em, at, pending);
  const { quantity, discounts, taxes, cycles = null } = pending;
  const amount = agreedFor(at, pending, plan);
  const addons = pending.addons && (await wantedAddons(em, at, pending.addons));
  await applyPrice(em, at, {
    amount,
    ...(plan === before ? {} : { plan }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(addons ? { addons } : {}),
  });
  assignChanges(subscription, { discounts, taxes });
  subscription.pendingChange = null;
  await reprice(em, at);
  return { cycles, isOtherInterval: isOtherInterval(before, plan) };
}

/** The plan that a pending change leads to. */
async function planOf(em: EntityManager, at: LockedSubscription, { plan }: PendingChange): Promise<Plan> {
  if (!plan || plan.key === at.plan.id) return at.plan;
  const { accountId } = at.subscription;
  return em.findOneOrFail(Plan, { accountId, id: plan.key }, { populate: ['item'] });
}

/** The amount of a pending change. One for a plan without a custom price is dropped with an immediate change of the plan. */
function agreedFor({ subscription, plan }: LockedSubscription, pending: PendingChange, next: Plan): string | null {
  if (pending.amount !== undefined) return pending.amount;
  return next === plan ? (subscription.amount ?? null) : null;
}

function pendingAddon({ kept, plan, item, values }: WantedAddon): PendingAddon {
  const sold = { planKey: plan?.id ?? null, itemKey: item?.id ?? null, plan: plan?.code ?? null, item: item?.code ?? null };
  return { id: kept?.id ?? null, ...sold, ...values };
}

/** The add-ons of a pending change. One of an archived plan or item still applies. */
async function wantedAddons(
  em: EntityManager,
  at: LockedSubscription,
  pending: readonly PendingAddon[],
): Promise<WantedAddon[]> {
  const { accountId } = at.subscription;
  const planIds = pending.flatMap(({ planKey }) => planKey ?? []);
  const itemIds = pending.flatMap(({ itemKey }) => itemKey ?? []);
  const plans = await em.find(Plan, { accountId, id: { $in: planIds } }, { populate: ['item'] });
  const items = await em.find(Item, { accountId, id: { $in: itemIds } });
  return pending.map(({ id, planKey, itemKey, quantity, amount, description }) => ({
    kept: at.addons.find((addon) => addon.id === id) ?? null,
    plan: plans.find((plan) => plan.id === planKey) ?? null,
    item: items.find((item) => item.id === itemKey) ?? null,
    values: { quantity, amount, description },
  }));
}
