import type { Presented } from '../../../billing/json.ts';
import { condition } from '../../../db/queries/kernel/condition.ts';
import type { Plain } from '../../../db/queries/kernel/plain.ts';
import type { Reading } from '../../../db/queries/kernel/reading.ts';
import { Item } from '../../../db/schema/item.ts';
import { Plan } from '../../../db/schema/plan.ts';
import type { Subscription } from '../../../db/schema/subscription.ts';
import { SubscriptionAddon } from '../../../db/schema/subscriptionAddon.ts';
import { presentSubscription } from '../../../present/subscriptions/subscription.ts';
import type { Part, PresentedKind, Relation } from '../../framework/kind.ts';
import type { Resource } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { items } from '../items/resource.ts';
import { plans } from '../plans/resource.ts';
import { subscriptionAddon } from './shape.ts';

/**
 * Presents subscriptions with their plans and current add-ons. Statements: one for plans, and one each for add-ons and items if there are
 * any.
 */
export async function presentSubscriptions(
  reading: Reading,
  rows: readonly Plain<Subscription>[],
): Promise<Presented[]> {
  const addons = await reading.children(SubscriptionAddon, {
    column: 'subscription_id',
    ids: rows.filter(({ hasAddons }) => hasAddons).map(({ id }) => id),
    orderBy: 'position',
    where: condition('removed_at is null'),
  });
  const all = [...addons.values()].flat();
  const planById = await reading.byId(
    Plan,
    [...rows, ...all].flatMap(({ plan }) => (plan ? [plan.id] : [])),
  );
  const itemById = await reading.byId(
    Item,
    all.flatMap(({ item }) => (item ? [item.id] : [])),
  );
  return rows.flatMap((row) => {
    const plan = planById.get(row.plan.id);
    const coded = (addons.get(row.id) ?? []).map((addon) => ({
      ...addon,
      plan: planById.get(addon.plan?.id ?? 0),
      item: itemById.get(addon.item?.id ?? 0),
    }));
    return plan ? [presentSubscription(row, { plan, addons: coded })] : [];
  });
}

/** The plan or item that an add-on has, found through its row: another object may have its code by now. */
function soldBy<Target extends object>(
  to: () => Resource<Target>,
  idOf: (addon: Plain<SubscriptionAddon>) => number | undefined,
): Relation<Presented> {
  const sold = relation(to, (id: number) => id);
  return {
    to,
    keyOf: ({ id }) => (typeof id === 'number' ? id : null),
    load: async (reading, keys, wanted) => {
      const rows = await reading.byId(
        SubscriptionAddon,
        keys.filter((key) => typeof key === 'number'),
      );
      const ids = new Map([...rows].map(([id, row]) => [id, idOf(row) ?? 0]));
      const found = await sold.load(reading, [...ids.values()], wanted);
      const entries = [...ids].map(([id, soldId]) => ({ id, object: found.get(soldId) }));
      return new Map(entries.flatMap(({ id, object }) => (object ? [[id, object] as const] : [])));
    },
  };
}

const addon: PresentedKind = {
  shape: subscriptionAddon,
  relations: {
    plan: soldBy(
      () => plans,
      ({ plan }) => plan?.id,
    ),
    catalog_item: soldBy(
      () => items,
      ({ item }) => item?.id,
    ),
  },
};

/** The add-ons of a subscription. */
export const addons: Part = { to: () => addon };
