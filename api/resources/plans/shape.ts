import { quantityTypes } from '../../../billing/plan.ts';
import * as fields from '../../framework/shape.ts';

const tier = fields.sometimes(
  fields.value('PlanTier', 'Price tier: quantities above the previous `max_qty`, up to its own', {
    unit_cost: fields.money('Price per unit in this tier', 5),
  }),
  {
    min_qty: fields.number('Smallest whole quantity: the previous `max_qty` plus 1; absent from the first tier', 11),
    max_qty: fields.number('Largest quantity of the tier; absent from the last tier', 20),
  },
);

export const plan = fields.shape('Plan', 'Plan: a recurring price for subscriptions', {
  id: fields.code('Id of the plan: chosen at creation, otherwise generated', 'gold'),
  catalog_item: fields.nullable(fields.code('Id of the item that it belongs to; null: none', 'support-hour'), null),
  name: fields.text('Name of the plan, as printed on documents', 'Gold plan'),
  currency: fields.currency(),
  amount: fields.nullable(
    fields.money('Price per unit and period; null: tiers or the subscription have the price', 49),
  ),
  pricing_mode: fields.choice(
    '`per_unit`: quantity x `amount`; `volume`: the whole quantity at the price of its tier; `tiered`: each part at the price of its tier; `custom`: quantity x the amount of the subscription',
    'per_unit',
    'volume',
    'tiered',
    'custom',
  ),
  quantity_type: fields.choice(
    '`constant`: the subscription has the quantity; `usage`: the usage that `POST /subscriptions/{id}/usage` reports, billed at the end of its period',
    ...quantityTypes,
  ),
  interval: fields.choice('Unit of the billing period', 'month', 'day', 'week', 'year'),
  interval_count: fields.integer('Length of the billing period in `interval` units; 3 with `month` is a quarter', 1),
  tiers: fields.nullable(fields.listOf(tier, 'Price tiers; null for `per_unit` and `custom`'), null),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
