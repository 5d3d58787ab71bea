import * as fields from '../../framework/shape.ts';

export const coupon = fields.shape('Coupon', 'Discount that can be attached to documents, lines and subscriptions', {
  id: fields.code('Id of the coupon: chosen at creation, otherwise generated', 'welcome'),
  name: fields.text('Name of the coupon, as printed on documents', 'Welcome discount'),
  currency: fields.nullable(
    fields.currency('Currency of documents and subscriptions that can have it; null: any'),
    null,
  ),
  value: fields.number('Discount: a percentage (`15` is 15 %), or an amount in major currency units', 15),
  is_percent: fields.flag('True: `value` is a percentage; false: an amount', true),
  exclusive: fields.flag('True: it cannot be combined with other coupons', false),
  expiration_date: fields.unset(fields.timestamp('Last time at which it can be attached; null: no limit')),
  max_redemptions: fields.integer('Maximum number of documents and subscriptions that can have it; 0: no limit', 100),
  duration: fields.integer('Number of billed periods of a subscription that it discounts; 0: all', 0),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
