import { discountsApplied, type PendingChange } from '../../billing/pendingChange.ts';
import { recurring } from '../../billing/recurring.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { MailedPrice } from '../../present/emails/subscription.ts';
import type { LockedSubscription } from '../aggregates/subscription.ts';
import { componentsWanted } from './components.ts';
import { automaticTaxes, contentWith } from './content.ts';
import { soldAfter } from './pendingChange.ts';

/** The price of a subscription after its pending change. Null: its present price. Changes nothing. */
export async function priceAfter(
  em: EntityManager,
  at: LockedSubscription,
  pending: PendingChange | null,
): Promise<MailedPrice> {
  const { subscription } = at;
  if (!pending) {
    const { name: plan, interval, intervalCount } = at.plan;
    return { plan, quantity: subscription.quantity, price: subscription.recurringTotal, interval, intervalCount };
  }
  const { plan, ...sold } = await soldAfter(em, at, pending);
  const { currency, interval, intervalCount } = plan;
  const { taxes = subscription.taxes } = pending;
  const discounts = pending.discounts
    ? discountsApplied(pending.discounts, subscription.discounts)
    : subscription.discounts;
  const content = await contentWith(em, at, { plan, components: componentsWanted(plan, sold), discounts, taxes });
  const rates = content.taxes ?? (await automaticTaxes(em, at));
  const { total } = recurring({ lines: content.lines, discounts, taxes: rates, currency, interval, intervalCount });
  return { plan: plan.name, quantity: sold.quantity, price: total, interval, intervalCount };
}
