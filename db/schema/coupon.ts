import { defineEntity, p } from '@mikro-orm/core';
import type { DocumentTable } from '../../billing/documents/document.ts';
import { tenantPolicies } from '../tenant.ts';
import { exact, longId, metadata, tenantKey, timestamps } from './columns.ts';
import { CATALOG_KEYS, metadataIndex, partialIndex, searchIndex } from './indexes.ts';

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
    searchIndex('coupon', CATALOG_KEYS),
  ],
  checks: [
    { name: 'coupon_value', expression: 'value >= 0 and (not is_percent or value <= 100)' },
    { name: 'coupon_currency', expression: 'is_percent or currency is not null' },
    { name: 'coupon_limits', expression: 'max_redemptions >= 0 and duration >= 0' },
  ],
});
export class Coupon extends CouponSchema.class {}
CouponSchema.setClass(Coupon);

/** Types of objects that coupons are attached to. `line_item`: a pending line, which is on no document yet. */
export type RedeemerType = DocumentTable | 'line_item' | 'subscription';

const CouponRedemptionSchema = defineEntity({
  name: 'CouponRedemption',
  policies: tenantPolicies,
  comment: 'A coupon attached to a document or subscription, which counts once however often it is attached again',
  properties: {
    ...tenantKey,
    coupon: () => p.manyToOne(Coupon).joinColumns('account_id', 'coupon_id').deleteRule('restrict'),
    redeemerType: p.string().length(12).$type<RedeemerType>(),
    redeemerId: longId(),
    /** Number of this redemption among those of a coupon with a limit, from 1; null without a limit. */
    ordinal: p.integer().nullable(),
    createdAt: p.datetime(),
  },
  uniques: [
    {
      name: 'coupon_redemption_redeemer',
      properties: ['accountId', 'redeemerType', 'redeemerId', 'coupon'],
    },
    { name: 'coupon_redemption_ordinal', properties: ['accountId', 'coupon', 'ordinal'] },
  ],
});
export class CouponRedemption extends CouponRedemptionSchema.class {}
CouponRedemptionSchema.setClass(CouponRedemption);
