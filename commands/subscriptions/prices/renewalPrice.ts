import { discountsApplied, type PendingChange } from '../../../billing/subscriptions/pendingChange.ts';
import { recurring } from '../../../billing/subscriptions/recurring.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Plan } from '../../../db/schema/plan.ts';
import type { MailedPrice } from '../../../present/emails/subscription.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { type Component, componentsWanted, usageComponentsOf, usageWanted } from '../changes/components.ts';
import { automaticTaxes, contentWith } from '../changes/content.ts';
import { soldAfter } from '../changes/pendingChange.ts';

/** The price of a subscription after its pending change. Null: its present price. Changes nothing. */
export async function priceAfter(
  em: EntityManager,
  locked: LockedSubscription,
  pending: PendingChange | null,
): Promise<MailedPrice> {
  if (!pending) return presentPrice(locked);
  const { subscription } = locked;
  const { plan, ...sold } = await soldAfter(em, locked, pending);
  const { currency, interval, intervalCount } = plan;
  const { taxes = subscription.taxes } = pending;
  const discounts = pending.discounts
    ? discountsApplied(pending.discounts, subscription.discounts)
    : subscription.discounts;
  const [components, usage] = [componentsWanted(plan, sold), usageWanted(plan, sold)];
  const content = await contentWith(em, locked, { plan, components, discounts, taxes });
  const rates = content.taxes ?? (await automaticTaxes(em, locked));
  const { total } = recurring({ lines: content.lines, discounts, taxes: rates, currency, interval, intervalCount });
  return priceOf(plan, { quantity: sold.quantity, price: total, usage });
}

/** The present price of a subscription. */
export function presentPrice(locked: LockedSubscription): MailedPrice {
  const { quantity, recurringTotal } = locked.subscription;
  return priceOf(locked.plan, { quantity, price: recurringTotal, usage: usageComponentsOf(locked) });
}

function priceOf(
  { name, interval, intervalCount, quantityType }: Plan,
  { quantity, price, usage }: { quantity: number; price: string; usage: readonly Component[] },
): MailedPrice {
  return {
    plan: name,
    quantity: quantityType === 'usage' ? null : quantity,
    price,
    interval,
    intervalCount,
    usage: usage.map(({ line, pricing }) => ({ plan: line.name ?? '', pricing })),
  };
}
