import { checkTiers, type Pricing, type PricingMode, type Tier } from '../documents/pricing.ts';
import { compare } from '../money/money.ts';
import { Refusal } from '../refusal.ts';

/** Sources of a billed quantity. `constant`: the subscription has it. `usage`: it is the sum of reported usage. */
export const quantityTypes = ['constant', 'usage'] as const;
export type QuantityType = (typeof quantityTypes)[number];

/** The price of a plan as it is stored. */
export interface PlanPrice {
  pricingMode: PricingMode;
  /** Per unit: the price of one. */
  amount?: string | null | undefined;
  /** Volume and tiered. */
  tiers?: readonly Tier[] | null | undefined;
}

/** Checks the price of a new plan. Refuses fields that its pricing mode does not use, and missing fields that it needs. */
export function newPlanPrice({ pricingMode, amount, tiers }: PlanPrice): {
  pricingMode: PricingMode;
  amount: string | null;
  tiers: Tier[] | null;
} {
  const hasTiers = pricingMode === 'volume' || pricingMode === 'tiered';
  const given = amount ?? null;
  if (pricingMode === 'per_unit' && given === null) throw new Refusal('parameter_missing', 'Amount missing', 'amount');
  if (pricingMode === 'custom' && given !== null)
    throw new Refusal('parameter_invalid', 'A custom plan has no amount: each subscription has its own', 'amount');
  if (hasTiers && given !== null)
    throw new Refusal('parameter_invalid', `A ${pricingMode} plan has no amount: its tiers have prices`, 'amount');
  if (!hasTiers && (tiers ?? []).length > 0)
    throw new Refusal('parameter_invalid', `Tiers need the pricing mode volume or tiered`, 'pricing_mode');
  return { pricingMode, amount: given, tiers: hasTiers ? checkTiers(tiers ?? []) : null };
}

/** The price of a subscription. `agreed` is the subscription's own amount, for a custom plan. */
export function pricingOf({ pricingMode, amount, tiers }: PlanPrice, agreed: string | null | undefined): Pricing {
  return { mode: pricingMode, amount: (pricingMode === 'custom' ? agreed : amount) ?? null, tiers: tiers ?? null };
}

/** Refuses a custom plan without an agreed amount, and any other plan with one. `param`: the field of the amount. */
export function checkAgreedAmount(
  { code, pricingMode }: Pick<PlanPrice, 'pricingMode'> & { code: string },
  amount: string | null,
  param: string,
): void {
  const isCustom = pricingMode === 'custom';
  if (isCustom && amount === null)
    throw new Refusal('parameter_missing', `Amount missing: plan ${code} has a custom price`, param);
  if (!isCustom && amount !== null)
    throw new Refusal('parameter_invalid', `Plan ${code} has a price: omit amount`, param);
}

/** Refuses a quantity for a plan that bills usage. `param`: the field of the quantity. */
export function checkPlanQuantity(
  { code, quantityType }: { code: string; quantityType: QuantityType },
  quantity: number,
  param: string,
): void {
  if (quantityType === 'constant' || quantity === 1) return;
  throw new Refusal('parameter_invalid', `Plan ${code} bills usage: omit quantity`, param);
}

/** Whether two agreed amounts are the same, whatever their text. Null: none is agreed. */
export function isSameAmount(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : compare(one, other) === 0;
}
