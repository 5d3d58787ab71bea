import { defineEntity, p } from '@mikro-orm/core';
import type { PricingMode, Tier } from '../../billing/documents/pricing.ts';
import type { QuantityType } from '../../billing/subscriptions/plan.ts';
import type { PortalChanges } from '../../billing/subscriptions/selfService.ts';
import { tenantPolicies } from '../tenant.ts';
import { eventCount, exact, metadata, tenantKey, timestamps } from './columns.ts';
import { CATALOG_KEYS, metadataIndex, partialIndex, searchIndex } from './indexes.ts';
import { Item } from './item.ts';

const LIVE = 'archived_at is null';

const PlanSchema = defineEntity({
  name: 'Plan',
  policies: tenantPolicies,
  comment: 'Price and interval of a subscription; `code` is the public id and can be reused after archiving',
  properties: {
    ...tenantKey,
    code: p.string().length(64),
    item: () => p.manyToOne(Item).joinColumns('account_id', 'item_id').nullable().deleteRule('restrict'),
    name: p.string().length(255),
    currency: p.string().length(3),
    /** The price of one unit; null for plans with tiers and custom plans. */
    amount: exact().nullable(),
    pricingMode: p.string().length(8).$type<PricingMode>(),
    tiers: p.json().$type<Tier[]>().nullable(),
    quantityType: p.string().length(8).$type<QuantityType>(),
    interval: p.string().length(5).$type<'day' | 'week' | 'month' | 'year'>(),
    intervalCount: p.integer(),
    /** Changes that its customers make themselves; what is absent is as the account says. Null: all is. */
    portalChanges: p.json().$type<Partial<PortalChanges>>().nullable(),
    metadata,
    archivedAt: p.datetime().nullable(),
    eventCount,
    ...timestamps,
  },
  indexes: [
    { name: 'plan_by_code', properties: ['accountId', 'code'] }, // archived ones too: rows that refer to them find them by it
    {
      name: 'plan_code',
      expression: 'create unique index "plan_code" on "plan" ("account_id", "code") where archived_at is null',
    },
    { name: 'plan_by_item', properties: ['accountId', 'item', 'id'] },
    partialIndex('plan', 'plan_live', ['account_id, id', LIVE]),
    partialIndex('plan', 'plan_by_name', ['account_id, name, id', LIVE]),
    partialIndex('plan', 'plan_by_currency', ['account_id, currency, id', LIVE]),
    partialIndex('plan', 'plan_by_interval', ['account_id, "interval", id', LIVE]),
    partialIndex('plan', 'plan_by_pricing_mode', ['account_id, pricing_mode, id', LIVE]),
    partialIndex('plan', 'plan_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('plan', 'plan_by_updated', ['account_id, updated_at, id', LIVE]),
    metadataIndex('plan'),
    searchIndex('plan', CATALOG_KEYS),
  ],
  checks: [
    { name: 'plan_interval', expression: "interval in ('day', 'week', 'month', 'year')" },
    { name: 'plan_pricing_mode', expression: "pricing_mode in ('per_unit', 'volume', 'tiered', 'custom')" },
    {
      name: 'plan_price',
      expression:
        "(amount is not null) = (pricing_mode = 'per_unit') and (tiers is not null) = (pricing_mode in ('volume', 'tiered'))",
    },
    { name: 'plan_interval_count', expression: 'interval_count > 0' },
  ],
});
export class Plan extends PlanSchema.class {}
PlanSchema.setClass(Plan);
