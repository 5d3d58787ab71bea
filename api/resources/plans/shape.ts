import * as fields from '../../shape.ts';

export const plan = fields.shape('Plan', 'A price that recurs: what subscriptions are for', {
  id: fields.code('Chosen at creation, else made up', 'gold'),
  catalog_item: fields.nullable(fields.code('The item it belongs to', 'support-hour'), null),
  name: fields.text('Title on documents', 'Gold plan'),
  currency: fields.currency(),
  amount: fields.number('Price of one for an interval', 49),
  pricing_mode: fields.choice('How the price follows the quantity', 'per_unit', 'volume', 'tiered', 'custom'),
  quantity_type: fields.choice('Whether the quantity is agreed or measured', 'constant', 'usage'),
  interval: fields.choice('Unit of its interval', 'month', 'day', 'week', 'year'),
  interval_count: fields.integer('Units between two bills', 1),
  tiers: fields.nullable(fields.emptyList('Prices by quantity; null when it is not tiered'), null),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
