import { archiveCoupon, createCoupon, updateCoupon } from '../../commands/catalog/coupons.ts';
import { searchWords } from '../../db/queries/kernel/search.ts';
import { condition } from '../../db/queries/kernel/sql.ts';
import { Coupon } from '../../db/schema/coupon.ts';
import { CATALOG_KEYS, CATALOG_WORDS } from '../../db/schema/indexes.ts';
import { presentCoupon } from '../../present/catalog/products.ts';
import * as fields from '../body/fields.ts';
import { LARGEST_ID } from '../body/readers.ts';
import { object } from '../body/request.ts';
import { column, filtered, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';

export const coupon = shown.shape('Coupon', 'Discount that can be attached to documents, lines and subscriptions', {
  id: shown.code('Id of the coupon: chosen at creation, otherwise generated', 'welcome'),
  name: shown.text('Name of the coupon, as printed on documents', 'Welcome discount'),
  currency: shown.nullable(shown.currency('Currency of documents and subscriptions that can have it; null: any'), null),
  value: shown.number('Discount: a percentage (`15` is 15 %), or an amount in major currency units', 15),
  is_percent: shown.flag('True: `value` is a percentage; false: an amount', true),
  exclusive: shown.flag('True: it cannot be combined with other coupons', false),
  expiration_date: shown.unset(shown.timestamp('Last time at which it can be attached; null: no limit')),
  max_redemptions: shown.integer('Maximum number of documents and subscriptions that can have it; 0: no limit', 100),
  duration: shown.integer('Number of billed periods of a subscription that it discounts; 0: all', 0),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
  metadata: shown.metadata,
});

const readOnly = ['object', 'created_at', 'updated_at'];
const MOST_CYCLES = 1200;

const newCoupon = object(
  {
    id: fields.newCode,
    name: fields.required(fields.name),
    currency: fields.currency,
    value: fields.required(fields.unitPrice),
    is_percent: fields.withDefault(fields.boolean, true),
    exclusive: fields.withDefault(fields.boolean, false),
    expiration_date: fields.timestamp,
    max_redemptions: fields.withDefault(fields.wholeNumber(0, LARGEST_ID), 0),
    duration: fields.withDefault(fields.wholeNumber(0, MOST_CYCLES), 0),
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly },
);

const fixed = ['id', 'value', 'is_percent', 'currency', 'exclusive', 'expiration_date', 'max_redemptions', 'duration'];

const couponChange = object(
  { name: fields.kept(fields.name), metadata: fields.resettable(fields.metadata, {}) },
  { readOnly, fixed },
);

export const coupons: Resource<Coupon, 'code'> = {
  name: 'Coupon',
  area: 'catalog',
  shape: coupon,
  row: Coupon,
  idColumn: 'code',
  metadata: true,
  searchable: searchWords(
    { words: CATALOG_WORDS, keys: CATALOG_KEYS, columns: { name: 'name', id: 'code' } },
    '`name` and `id`',
  ),
  exists: condition('archived_at is null'),
  columns: {
    id: column('code', fields.code),
    name: column('name', fields.text()),
    currency: filtered('currency', fields.currency),
    is_percent: filtered('is_percent', fields.boolean),
    exclusive: filtered('exclusive', fields.boolean),
    expiration_date: sorted('expires_at'),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
  present: async (_reading, rows) => rows.map(presentCoupon),
};

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
