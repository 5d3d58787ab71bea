import * as fields from '../../framework/shape.ts';

export const coupon = fields.shape('Coupon', 'What takes something off documents and subscriptions', {
  id: fields.code('Chosen at creation, else made up', 'welcome'),
  name: fields.text('Title on documents', 'Welcome discount'),
  currency: fields.nullable(fields.currency('The only currency of what can have it; null: any'), null),
  value: fields.number('The percentage, or an amount', 15),
  is_percent: fields.flag('The value is a percentage', true),
  exclusive: fields.flag('No other coupon can be used together with it', false),
  expiration_date: fields.unset(fields.timestamp('Until when it can be attached')),
  max_redemptions: fields.integer('How many documents and subscriptions can have it; 0: any number', 100),
  duration: fields.integer('Billing cycles of a subscription that it is taken off; 0: all', 0),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
