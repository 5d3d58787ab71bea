import { defineEntity, p } from '@mikro-orm/core';
import type { DocumentTable } from '../../billing/documentTypes.ts';
import { tenantPolicies } from '../tenant.ts';
import { longId, tenantKey } from './columns.ts';
import { Coupon } from './coupon.ts';

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
