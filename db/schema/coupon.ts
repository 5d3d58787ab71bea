import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { exact, metadata, tenantKey, timestamps } from './columns.ts';
import { metadataIndex, partialIndex } from './indexes.ts';

const LIVE = 'archived_at is null';

const CouponSchema = defineEntity({
  name: 'Coupon',
  policies: tenantPolicies,
  comment: 'A discount; `code` is the public id and can be reused after archiving',
  properties: {
    ...tenantKey,
    code: p.string().length(64),
    name: p.string().length(255),
    value: exact(),
    isPercent: p.boolean(),
    /** Null: valid for all currencies. */
    currency: p.string().length(3).nullable(),
    exclusive: p.boolean(),
    expiresAt: p.datetime().nullable(),
    /** 0: unlimited. */
    maxRedemptions: p.integer(),
    /** Number of a subscription's billing cycles that it discounts; 0: all. */
    duration: p.integer(),
    metadata,
    archivedAt: p.datetime().nullable(),
    ...timestamps,
  },
  indexes: [
    { name: 'coupon_by_code', properties: ['accountId', 'code'] }, // archived ones too
    {
      name: 'coupon_code',
      expression: 'create unique index "coupon_code" on "coupon" ("account_id", "code") where archived_at is null',
    },
    partialIndex('coupon', 'coupon_live', ['account_id, id', LIVE]),
    partialIndex('coupon', 'coupon_by_name', ['account_id, name, id', LIVE]),
    partialIndex('coupon', 'coupon_by_currency', ['account_id, currency, id', LIVE]),
    partialIndex('coupon', 'coupon_by_is_percent', ['account_id, is_percent, id', LIVE]),
    partialIndex('coupon', 'coupon_by_exclusive', ['account_id, exclusive, id', LIVE]),
    partialIndex('coupon', 'coupon_by_expiration', ['account_id, expires_at, id', LIVE]),
    partialIndex('coupon', 'coupon_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('coupon', 'coupon_by_updated', ['account_id, updated_at, id', LIVE]),
    metadataIndex('coupon'),
  ],
  checks: [
    { name: 'coupon_value', expression: 'value >= 0 and (not is_percent or value <= 100)' },
    { name: 'coupon_currency', expression: 'is_percent or currency is not null' },
    { name: 'coupon_limits', expression: 'max_redemptions >= 0 and duration >= 0' },
  ],
});
export class Coupon extends CouponSchema.class {}
CouponSchema.setClass(Coupon);
