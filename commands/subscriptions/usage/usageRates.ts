import { isDeepStrictEqual } from 'node:util';
import { exactProduct } from '../../../billing/money/money.ts';
import { MOST_AHEAD, type UsageComponent } from '../../../billing/usage/usage.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { UsageRate } from '../../../db/schema/usage.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { type Component, usageComponentsOf } from '../changes/components.ts';

/**
 * Keeps the rates of a subscription equal to its plan and add-ons that bill usage: from an instant on, new prices count, and those of
 * removed components end.
 */
export async function updateRates(em: EntityManager, locked: LockedSubscription, from: Date): Promise<void> {
  const { subscription } = locked;
  const components = usageComponentsOf(locked).map(usageComponent);
  if (components.length === 0 && !subscription.hasUsage) return;
  const open = await openRates(em, locked);
  subscription.hasUsage = true;
  const { now } = locked.moment;
  const kept = open.filter((rate) => components.some((component) => isSamePrice(rate.component, component)));
  const ended = open.filter((rate) => !kept.includes(rate));
  const ends = new Map(ended.map((rate) => [rate.addonId ?? null, endRate(em, rate, { at: from, now })]));
  for (const component of components) {
    const known = kept.find((rate) => isSamePrice(rate.component, component));
    if (known) known.component = component;
    else {
      const { accountId } = subscription;
      const { addonId } = component;
      em.create(UsageRate, { accountId, subscription, addonId, fromAt: ends.get(addonId) ?? from, component });
    }
  }
}

/** Moves the start of the rates of a subscription that has not started. */
export async function moveRates(em: EntityManager, locked: LockedSubscription, from: Date): Promise<void> {
  if (!locked.subscription.hasUsage) return;
  for (const rate of await openRates(em, locked)) rate.fromAt = from;
}

/** Ends all rates of a subscription that ends. */
export async function endRates(em: EntityManager, locked: LockedSubscription, end: Date): Promise<void> {
  for (const rate of await openRates(em, locked)) endRate(em, rate, { at: end, now: locked.moment.now });
}

/** The rates of a subscription that still count. */
async function openRates(em: EntityManager, { subscription }: LockedSubscription): Promise<UsageRate[]> {
  if (!subscription.hasUsage) return [];
  await em.write();
  return em.find(UsageRate, { accountId: subscription.accountId, subscription, untilAt: null });
}

/**
 * Ends a rate, but not before what bills have taken. One that cannot have usage yet is deleted. Returns its end. `now`: the customer's time.
 */
function endRate(em: EntityManager, rate: UsageRate, { at, now }: { at: Date; now: Date }): Date {
  if (rate.fromAt.getTime() > now.getTime() + MOST_AHEAD) {
    em.remove(rate);
    return rate.fromAt;
  }
  const end = Math.max(at.getTime(), rate.fromAt.getTime(), rate.billedUntil?.getTime() ?? 0);
  rate.untilAt = new Date(end);
  return rate.untilAt;
}

function isSamePrice(one: UsageComponent, other: UsageComponent): boolean {
  const priceOf = ({ addonId, planCode, pricing }: UsageComponent) => ({ addonId, planCode, pricing });
  return isDeepStrictEqual(priceOf(one), priceOf(other));
}

/** A component as it is kept with its rate. The text of its price does not depend on whether the database has returned it. */
function usageComponent({ addonId, pricing, description, taxRateIds, line }: Component): UsageComponent {
  const { mode, tiers } = pricing;
  const amount = pricing.amount === null ? null : exactProduct(pricing.amount, '1');
  const { name, planCode, itemCode = null, glAccount = null, discountable = true, taxable = true } = line;
  if (!name || !planCode) throw new Error('a component that bills usage has a plan');
  const sold = { name, planCode, itemCode, glAccount, discountable, taxable };
  return { addonId, pricing: { mode, amount, tiers }, description, taxRateIds, ...sold };
}
