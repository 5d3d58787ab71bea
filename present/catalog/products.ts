import type { CouponSnapshot, TaxRateSnapshot } from '../../billing/documents/document.ts';
import type { Tier } from '../../billing/documents/pricing.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Coupon } from '../../db/schema/coupon.ts';
import type { CustomField } from '../../db/schema/customField.ts';
import type { Item } from '../../db/schema/item.ts';
import type { Plan } from '../../db/schema/plan.ts';
import type { TaxRate, TaxRule } from '../../db/schema/taxRate.ts';
import { presentPortalChanges } from '../accounts/portalChanges.ts';
import { number, numberOrNull, orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';

/** A tax rate. Documents store this object as a snapshot when the rate is attached. */
export function presentTaxRate(taxRate: Plain<TaxRate>): TaxRateSnapshot {
  return {
    id: taxRate.code,
    object: 'tax_rate',
    name: taxRate.name,
    value: number(taxRate.value),
    is_percent: taxRate.isPercent,
    inclusive: taxRate.inclusive,
    currency: orNull(taxRate.currency),
    created_at: unix(taxRate.createdAt),
    updated_at: unix(taxRate.updatedAt),
    metadata: taxRate.metadata,
  };
}

/** A tax rate with what its snapshots leave out. */
export function presentWholeTaxRate(taxRate: Plain<TaxRate>): Presented {
  return { ...presentTaxRate(taxRate), gl_account: orNull(taxRate.glAccount) };
}

/** An item. `taxRates`: the tax rates that it refers to, by id. */
export function presentItem(item: Plain<Item>, taxRates: ReadonlyMap<number, Plain<TaxRate>>): Presented {
  const taxes = item.taxRateIds.flatMap((id) => taxRates.get(id) ?? []);
  return {
    id: item.code,
    object: 'item',
    name: item.name,
    currency: orNull(item.currency),
    unit_cost: number(item.unitCost),
    description: orNull(item.description),
    type: orNull(item.type),
    taxable: item.taxable,
    taxes: taxes.map(presentTaxRate),
    taxengine_tax_code: orNull(item.taxengineTaxCode),
    taxengine_location_code: orNull(item.taxengineLocationCode),
    gl_account: orNull(item.glAccount),
    discountable: item.discountable,
    created_at: unix(item.createdAt),
    updated_at: unix(item.updatedAt),
    metadata: item.metadata,
  };
}

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
    portal_changes: presentPortalChanges(plan.portalChanges),
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

/** A coupon. Documents store this object as a snapshot when the coupon is attached. */
export function presentCoupon(coupon: Plain<Coupon>): CouponSnapshot {
  return {
    id: coupon.code,
    object: 'coupon',
    name: coupon.name,
    currency: orNull(coupon.currency),
    value: number(coupon.value),
    is_percent: coupon.isPercent,
    exclusive: coupon.exclusive,
    expiration_date: unixOrNull(coupon.expiresAt),
    max_redemptions: coupon.maxRedemptions,
    duration: coupon.duration,
    created_at: unix(coupon.createdAt),
    updated_at: unix(coupon.updatedAt),
    metadata: coupon.metadata,
  };
}

/** A tax rule. `taxRate`: its rate. */
export function presentTaxRule(rule: Plain<TaxRule>, taxRate: Pick<TaxRate, 'code'>): Presented {
  return {
    id: rule.id,
    object: 'tax_rule',
    tax_rate: taxRate.code,
    country: orNull(rule.country),
    state: orNull(rule.state),
    reverse_charge: rule.reverseCharge,
    created_at: unix(rule.createdAt),
    updated_at: unix(rule.updatedAt),
  };
}

/** A custom field. Its `object` is the kind of objects that have it. */
export function presentCustomField(field: Plain<CustomField>): Presented {
  return {
    id: field.code,
    object: field.object,
    name: field.name,
    type: field.type,
    choices: [...field.choices],
    external: field.isExternal,
    created_at: unix(field.createdAt),
    updated_at: unix(field.updatedAt),
  };
}
