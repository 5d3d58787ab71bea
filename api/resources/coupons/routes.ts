import { archiveCoupon, createCoupon, updateCoupon } from '../../../commands/catalog/coupons.ts';
import { presentCoupon } from '../../../present/catalog/coupon.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { coupons } from './resource.ts';
import { couponChange, newCoupon } from './schema.ts';

const path = '/coupons';
const present = presentCoupon;

export const couponRoutes: Route[] = [
  createRoute({
    path,
    resource: coupons,
    summary: 'Create a coupon',
    body: newCoupon,
    present,
    example: { id: 'welcome', name: 'Welcome discount', value: 15, max_redemptions: 100 },
    command: (em, { caller, body }, now) => {
      const { id, name, currency = null, value, exclusive, duration, metadata } = body;
      const { is_percent: isPercent, expiration_date: expiresAt = null, max_redemptions: maxRedemptions } = body;
      const fields = { name, currency, value, isPercent, exclusive, expiresAt, maxRedemptions, duration, metadata };
      return createCoupon(em, { caller, code: id ?? null, fields }, now);
    },
  }),
  listRoute({ path, resource: coupons, summary: 'List coupons' }),
  readRoute({ path, resource: coupons, summary: 'Read a coupon' }),
  updateRoute({
    path,
    resource: coupons,
    summary: 'Change a coupon: name or metadata',
    present,
    body: couponChange,
    example: { name: 'Welcome back' },
    command: (em, { caller, code, body }, now) => updateCoupon(em, { caller, code, fields: body }, now),
  }),
  deleteRoute({
    path,
    resource: coupons,
    command: archiveCoupon,
    summary: 'Archive a coupon; existing objects keep it',
  }),
];
