import { defineEntity, p } from '@mikro-orm/core';
import type { CollectedUsage, UsageComponent } from '../../billing/usage.ts';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey } from './columns.ts';
import { Subscription } from './subscription.ts';

const UsageRateSchema = defineEntity({
  name: 'UsageRate',
  policies: tenantPolicies,
  comment: 'A price at which the usage of a plan or add-on counts for some time; those of one component do not overlap',
  properties: {
    ...tenantKey,
    subscription: () => p.manyToOne(Subscription).joinColumns('account_id', 'subscription_id').deleteRule('cascade'),
    /** Null: the plan of the subscription. */
    addonId: p.integer().nullable(),
    fromAt: p.datetime(),
    /** Null: it still counts. */
    untilAt: p.datetime().nullable(),
    /** End of the usage that a bill has taken; null: none has. Later rows of earlier usage are late. */
    billedUntil: p.datetime().nullable(),
    /** Usage for the next bill, by span, that was collected ahead because there is much of it. Null if there is none. */
    collected: p.json().$type<CollectedUsage[]>().nullable(),
    component: p.json().$type<UsageComponent>(),
  },
  indexes: [{ name: 'usage_rate_by_subscription', properties: ['accountId', 'subscription', 'addonId', 'fromAt'] }],
  checks: [{ name: 'usage_rate_time', expression: 'until_at is null or until_at >= from_at' }],
});
export class UsageRate extends UsageRateSchema.class {}
UsageRateSchema.setClass(UsageRate);
