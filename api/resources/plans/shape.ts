import * as fields from '../../framework/shape.ts';

const tier = fields.sometimes(
  fields.value('PlanTier', 'A price of quantities above the tier before', {
    unit_cost: fields.number('Price of one', 5),
  }),
  {
    min_qty: fields.number('The max_qty before it plus 1; not on the first tier', 11),
    max_qty: fields.number('The largest quantity of the tier; not on the last', 20),
  },
);

export const plan = fields.shape('Plan', 'A price that recurs: what subscriptions are for', {
  id: fields.code('Chosen at creation, else made up', 'gold'),
  catalog_item: fields.nullable(fields.code('The item it belongs to', 'support-hour'), null),
  name: fields.text('Title on documents', 'Gold plan'),
  currency: fields.currency(),
  amount: fields.nullable(fields.number('Price of one for an interval; null where tiers or subscriptions have it', 49)),
  pricing_mode: fields.choice('How the price follows the quantity', 'per_unit', 'volume', 'tiered', 'custom'),
  quantity_type: fields.choice('Whether the quantity is agreed or measured', 'constant', 'usage'),
  interval: fields.choice('Unit of its interval', 'month', 'day', 'week', 'year'),
  interval_count: fields.integer('Units between two bills', 1),
  tiers: fields.nullable(fields.listOf(tier, 'Prices by quantity; null when it is not tiered'), null),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
