import type { Tier } from '../../billing/pricing.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Item } from '../../db/schema/item.ts';
import type { Plan } from '../../db/schema/plan.ts';
import { number, numberOrNull, type Presented, unix } from '../kernel/values.ts';

/** A plan. `item`: its item; null if it has none. */
export function presentPlan(plan: Plain<Plan>, item: Plain<Item> | null): Presented {
  return {
    id: plan.code,
    object: 'plan',
    catalog_item: item?.code ?? null,
    name: plan.name,
    currency: plan.currency,
    amount: numberOrNull(plan.amount),
    pricing_mode: plan.pricingMode,
    quantity_type: plan.quantityType,
    interval: plan.interval,
    interval_count: plan.intervalCount,
    tiers: plan.tiers?.map(presentTier) ?? null,
    created_at: unix(plan.createdAt),
    updated_at: unix(plan.updatedAt),
    metadata: plan.metadata,
  };
}

/** The first tier has no `min_qty`, the last no `max_qty`. */
function presentTier({ minQuantity, maxQuantity, unitCost }: Tier): Presented {
  return {
    ...(minQuantity === null ? {} : { min_qty: number(minQuantity) }),
    ...(maxQuantity === null ? {} : { max_qty: number(maxQuantity) }),
    unit_cost: number(unitCost),
  };
}
