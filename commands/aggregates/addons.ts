import type { EntityManager } from '../../db/orm.ts';
import { type Subscription, SubscriptionAddon } from '../../db/schema/subscription.ts';

/**
 * The current add-ons of locked subscriptions of one account, with their plans and items, by subscription and in their order. One query,
 * and none if no subscription has any.
 */
export async function addonsOfEach(
  em: EntityManager,
  subscriptions: readonly Subscription[],
): Promise<Map<number, SubscriptionAddon[]>> {
  const having = subscriptions.filter(({ hasAddons }) => hasAddons);
  const [first] = having;
  if (!first) return new Map();
  const { accountId } = first;
  const subscription = { id: { $in: having.map(({ id }) => id) } };
  const addons: SubscriptionAddon[] = await em.find(
    SubscriptionAddon,
    { accountId, subscription, removedAt: null },
    { populate: ['plan.item', 'item'], orderBy: { position: 'asc' } },
  );
  return Map.groupBy(addons, (addon) => addon.subscription.id);
}

/** The current add-ons of a locked subscription. */
export async function addonsOf(em: EntityManager, subscription: Subscription): Promise<SubscriptionAddon[]> {
  return (await addonsOfEach(em, [subscription])).get(subscription.id) ?? [];
}
