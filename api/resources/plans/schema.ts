import type { z } from 'zod';
import { quantityTypes } from '../../../billing/plan.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const readOnly = ['object', 'created_at', 'updated_at'];

/** Maximum number of intervals between two bills. */
const MOST_INTERVALS = 365;

const MOST_TIERS = 100;

const tier = object({
  min_qty: fields.described(fields.unitPrice, 'Smallest whole quantity: the previous `max_qty` plus 1; may be omitted'),
  max_qty: fields.described(fields.unitPrice, 'Largest quantity of the tier; omitted only in the last tier'),
  unit_cost: fields.required(
    fields.described(fields.unitPrice, 'Price per unit in this tier; in major currency units'),
  ),
});

export const newPlan = object(
  {
    id: fields.newCode,
    name: fields.required(fields.name),
    catalog_item: fields.code,
    currency: fields.currency,
    pricing_mode: fields.withDefault(fields.choice('per_unit', 'volume', 'tiered', 'custom'), 'per_unit'),
    amount: fields.described(
      fields.unitPrice,
      'Price per unit and period; required for `per_unit`, refused for other modes; in major currency units',
    ),
    tiers: fields.list(tier, MOST_TIERS),
    quantity_type: fields.withDefault(fields.choice(...quantityTypes), 'constant'),
    interval: fields.required(fields.choice('day', 'week', 'month', 'year')),
    interval_count: fields.withDefault(fields.wholeNumber(1, MOST_INTERVALS), 1),
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly },
);

const fixed = [
  'id',
  'catalog_item',
  'currency',
  'amount',
  'pricing_mode',
  'quantity_type',
  'interval',
  'interval_count',
  'tiers',
];

export const planChange = object(
  { name: fields.kept(fields.name), metadata: fields.resettable(fields.metadata, {}) },
  { readOnly, fixed },
);

/** Converts the price fields of a request to the input of commands. */
export function priceOf({ pricing_mode: pricingMode, amount, tiers }: z.output<typeof newPlan>) {
  const kept = tiers?.map(({ min_qty, max_qty, unit_cost: unitCost }) => ({
    minQuantity: min_qty ?? null,
    maxQuantity: max_qty ?? null,
    unitCost,
  }));
  return { pricingMode, amount, tiers: kept };
}
