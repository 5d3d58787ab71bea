import { add, compare, isNegative, isPositive, isZero, minimum, parseDecimal, subtract } from '../money/money.ts';
import { Refusal } from '../refusal.ts';

export type PricingMode = 'per_unit' | 'volume' | 'tiered' | 'custom';

/**
 * A unit price for quantities above the previous tier's maximum, up to and including its own maximum. `minQuantity` is shown only: it is
 * the previous maximum plus 1, and null on the first tier. `maxQuantity` is null on the last tier. All three are decimal text.
 */
export interface Tier {
  minQuantity: string | null;
  maxQuantity: string | null;
  unitCost: string;
}

/** How the price of a plan depends on the quantity. For a custom plan, `amount` is that of the subscription. */
export interface Pricing {
  mode: PricingMode;
  /** Per unit and custom: the price of one. */
  amount: string | null;
  /** Volume and tiered: the tiers that `checkTiers` returned. */
  tiers: readonly Tier[] | null;
}

/** A billed line for a quantity of a plan. `tier`: the tier that it bills, if each tier has its own line. */
export interface PlanLine {
  quantity: string;
  unitCost: string;
  tier: Tier | null;
}

const MOST_TIERS = 100;

/**
 * The billed lines for a quantity of zero or more. Volume: the whole quantity at the price of its tier. Tiered: one line for each tier
 * reached, with that tier's part and price. A quantity of zero is one line of zero.
 */
export function planLines({ mode, amount, tiers }: Pricing, quantity: string): PlanLine[] {
  if (isNegative(quantity)) throw new Error(`a quantity of a plan is not negative: ${quantity}`);
  switch (mode) {
    case 'per_unit':
    case 'custom':
      return [{ quantity, unitCost: present(amount), tier: null }];
    case 'volume': {
      const tier = present(tiers).find(
        ({ maxQuantity }) => maxQuantity === null || compare(quantity, maxQuantity) <= 0,
      );
      return [{ quantity, unitCost: present(tier).unitCost, tier: null }];
    }
    case 'tiered':
      return tierLines(present(tiers), quantity);
  }
}

function tierLines(tiers: readonly Tier[], quantity: string): PlanLine[] {
  const lines: PlanLine[] = [];
  let before = '0';
  for (const tier of tiers) {
    if (lines.length > 0 && compare(quantity, before) <= 0) break;
    const upTo = tier.maxQuantity === null ? quantity : minimum(quantity, tier.maxQuantity);
    lines.push({ quantity: subtract(upTo, before), unitCost: tier.unitCost, tier });
    before = upTo;
  }
  return lines;
}

function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('a plan without the price of its mode');
  return value;
}

/**
 * Checks the tiers of a request and sets each `minQuantity`, which may be absent. Refuses gaps, overlaps, an open end before the last tier,
 * and a last tier with a maximum. The param is `tiers[i][…]`.
 */
export function checkTiers(tiers: readonly Tier[]): Tier[] {
  if (tiers.length === 0) throw new Refusal('parameter_missing', 'Tiers missing', 'tiers');
  if (tiers.length > MOST_TIERS) throw new Refusal('limit_exceeded', `A plan has at most ${MOST_TIERS} tiers`, 'tiers');
  let before: string | null = null;
  return tiers.map((tier, index) => {
    const start = minimumOf(tier, before, index);
    before = maximumOf(tier, before ?? '0', { index, last: index === tiers.length - 1 });
    return { ...tier, minQuantity: start };
  });
}

function minimumOf({ minQuantity }: Tier, before: string | null, index: number): string | null {
  const param = `tiers[${index}][min_qty]`;
  if (before === null) {
    if (minQuantity === null || isZero(minQuantity) || compare(minQuantity, '1') === 0) return null;
    throw new Refusal(
      'parameter_invalid',
      `The first tier starts at 0: omit min_qty, or send 0 or 1, not ${minQuantity}`,
      param,
    );
  }
  const limits = { maxDecimals: 10, maxSignificant: 15, param: `tiers[${index - 1}][max_qty]` };
  const start = parseDecimal(add(before, '1'), limits);
  if (minQuantity === null) return start;
  const side = compare(minQuantity, start);
  if (side === 0) return start;
  const fault = side > 0 ? 'leave a gap' : 'overlap';
  throw new Refusal(
    'parameter_invalid',
    `Tiers ${fault}: min_qty must be ${start}, the previous max_qty plus 1, not ${minQuantity}`,
    param,
  );
}

function maximumOf({ maxQuantity }: Tier, before: string, at: { index: number; last: boolean }): string | null {
  const param = `tiers[${at.index}][max_qty]`;
  if (at.last) {
    if (maxQuantity === null) return null;
    throw new Refusal(
      'parameter_invalid',
      `The last tier has no upper limit and must have no max_qty: ${maxQuantity}`,
      param,
    );
  }
  if (maxQuantity === null)
    throw new Refusal('parameter_missing', 'max_qty missing: only the last tier may omit it', param);
  if (isPositive(subtract(maxQuantity, before))) return maxQuantity;
  throw new Refusal(
    'parameter_invalid',
    `max_qty must be above ${before}, where the tier starts: ${maxQuantity}`,
    param,
  );
}
