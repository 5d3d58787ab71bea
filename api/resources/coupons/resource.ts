import { condition } from '../../../db/queries/kernel/condition.ts';
import { Coupon } from '../../../db/schema/coupon.ts';
import { presentCoupon } from '../../../present/catalog/coupon.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { coupon } from './shape.ts';

export const coupons: Resource<Coupon, 'code'> = {
  name: 'Coupon',
  shape: coupon,
  row: Coupon,
  idColumn: 'code',
  metadata: true,
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
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentCoupon),
};
