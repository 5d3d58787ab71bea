import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { exact, tenantKey, timestamps } from './columns.ts';
import { partialIndex } from './indexes.ts';
import { Item } from './item.ts';
import { Plan } from './plan.ts';
import { Subscription } from './subscription.ts';

const SubscriptionAddonSchema = defineEntity({
  name: 'SubscriptionAddon',
  policies: tenantPolicies,
  comment: 'A plan or catalog item that a subscription bills besides its own plan',
  properties: {
    ...tenantKey,
    subscription: () => p.manyToOne(Subscription).joinColumns('account_id', 'subscription_id').deleteRule('cascade'),
    plan: () => p.manyToOne(Plan).joinColumns('account_id', 'plan_id').nullable().deleteRule('restrict'),
    item: () => p.manyToOne(Item).joinColumns('account_id', 'item_id').nullable().deleteRule('restrict'),
    quantity: p.integer(),
    /** Price of one unit, for a custom plan. */
    amount: exact().nullable(),
    /** Text on the lines that bill it. */
    description: p.text().nullable(),
    /** Place among the add-ons of the subscription, from 0. */
    position: p.integer(),
    /** When it was removed. The row stays, because billed lines refer to it. */
    removedAt: p.datetime().nullable(),
    ...timestamps,
  },
  indexes: [
    { name: 'subscription_addon_by_subscription', properties: ['accountId', 'subscription'] },
    partialIndex('subscription_addon', 'subscription_addon_current', [
      'account_id, subscription_id, position',
      'removed_at is null',
    ]),
  ],
  checks: [
    { name: 'subscription_addon_sold', expression: 'num_nonnulls(plan_id, item_id) = 1' },
    { name: 'subscription_addon_quantity', expression: 'quantity >= 0' },
    { name: 'subscription_addon_amount', expression: 'amount is null or plan_id is not null' },
  ],
});
export class SubscriptionAddon extends SubscriptionAddonSchema.class {}
SubscriptionAddonSchema.setClass(SubscriptionAddon);
