import type { AppliedDiscount, AppliedTax, OpenDiscount, OpenTax } from '../../billing/documents/document.ts';
import { exactAmount } from '../../billing/limits.ts';
import { compare, isNegative, type Money } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Coupon } from '../../db/schema/coupon.ts';
import type { TaxRate } from '../../db/schema/taxRate.ts';
import { presentCoupon, presentTaxRate } from '../../present/catalog/products.ts';
import type { NamedCode } from './codes.ts';

/** A discount or tax in a request: the code of its coupon or rate, an amount, or the id of an existing discount or tax. */
export interface RequestedAdjustment {
  id: number | null;
  code: string | null;
  amount: Money | null;
}

/** A requested discount or tax: an existing one, the code of a coupon or rate to be looked up, or an amount. */
type Chosen<Applied> = { kept: Applied } | NamedCode | { fixed: Money };
export type ChosenDiscount = Chosen<OpenDiscount>;
/** A tax that a request names, a tax rate of an item (by id), or a loaded rate of the customer or its place. */
export type ChosenTax = Chosen<OpenTax> | { rateId: number } | { rate: Plain<TaxRate> };

/** The path of a list in the request, and the currency of the document. */
export interface ListPlace {
  path: string;
  currency: string;
}

interface Kept {
  id: number;
  amount: Money;
  fixed: Money | null;
}

/**
 * The discounts that a request asks for. `before`: the existing ones; null: the line or document is new, and ids are ignored. Refuses
 * unknown and repeated ids, negative amounts, and entries with neither code nor amount.
 */
export function chooseDiscounts(
  requested: readonly RequestedAdjustment[],
  before: readonly AppliedDiscount[] | null,
  place: ListPlace,
): ChosenDiscount[] {
  const known = before?.map((discount) => ({ ...discount, code: discount.coupon?.id ?? null })) ?? null;
  return choose(requested, known, { ...place, what: 'Discount' }).map((one) =>
    'kept' in one ? { kept: openDiscount(one.kept) } : one,
  );
}

/** The taxes that a request asks for. Parameters and refusals are those of `chooseDiscounts`. */
export function chooseTaxes(
  requested: readonly RequestedAdjustment[],
  before: readonly AppliedTax[] | null,
  place: ListPlace,
): ChosenTax[] {
  const known = before?.map((tax) => ({ ...tax, code: tax.taxRate?.id ?? null })) ?? null;
  return choose(requested, known, { ...place, what: 'Tax' }).map((one) =>
    'kept' in one ? { kept: openTax(one.kept) } : one,
  );
}

function choose<Applied extends Kept & { code: string | null }>(
  requested: readonly RequestedAdjustment[],
  before: readonly Applied[] | null,
  { what, path, currency }: ListPlace & { what: string },
): ({ kept: Applied } | NamedCode | { fixed: Money })[] {
  const named = new Set<number>();
  return requested.map(({ id, code, amount }, index) => {
    const param = `${path}[${index}]`;
    const known = before?.find((one) => one.id === id);
    if (before && id !== null) {
      if (!known) throw new Refusal('resource_missing', `${what} was not found: ${id}`, `${param}[id]`);
      if (named.has(id)) throw new Refusal('parameter_invalid', `${what} is named twice: ${id}`, `${param}[id]`);
      named.add(id);
    }
    if (known && (code === null || code === known.code))
      return { kept: withAmount(known, amount, { currency, param }) };
    if (code !== null) return { code, param };
    if (amount === null)
      throw new Refusal('parameter_missing', `${what} needs the id of a coupon or tax rate, or an amount`, param);
    return { fixed: ownAmount(amount, { currency, param }) };
  });
}

/**
 * Changes the amount of an existing discount or tax. Ignores its computed amount, which clients send back, and any amount for one with a
 * coupon or rate.
 */
function withAmount<Applied extends Kept>(
  known: Applied,
  amount: Money | null,
  { currency, param }: { currency: string; param: string },
): Applied {
  if (amount === null || known.fixed === null || compare(amount, known.amount) === 0) return known;
  return { ...known, fixed: ownAmount(amount, { currency, param }) };
}

/** Refuses a negative amount, and more decimals than the currency has. */
function ownAmount(amount: Money, { currency, param }: { currency: string; param: string }): Money {
  const path = `${param}[amount]`;
  if (isNegative(amount)) throw new Refusal('parameter_invalid', 'Amount must not be negative', path);
  return exactAmount(amount, currency, path);
}

/** A discount without its amount, which is computed again. */
export function openDiscount({ id, fixed, coupon, percent, expiresAt }: AppliedDiscount): OpenDiscount {
  return { id, fixed, coupon, expiresAt, ...(percent !== undefined && { percent }) };
}

/** A tax without its amount, which is computed again. */
export function openTax({ id, fixed, taxRate, rateKey, given }: AppliedTax): OpenTax {
  return { id, fixed, taxRate, rateKey, ...(given !== undefined && { given }) };
}

/** The same tax on another document, where its amount is computed. */
export function copiedTax({ fixed, taxRate, rateKey }: AppliedTax): OpenTax {
  return { id: null, fixed, taxRate, rateKey };
}

/** A new discount with a copy of a coupon. */
export function discountOfCoupon(coupon: Coupon): OpenDiscount {
  const { code: id, isPercent: is_percent, exclusive } = coupon;
  const known = { id, is_percent, exclusive, value: Number(coupon.value), currency: coupon.currency ?? null };
  return { id: null, fixed: null, coupon: { ...presentCoupon(coupon), ...known }, expiresAt: null };
}

/** A new tax with a copy of a tax rate. `reverseCharge`: a rule made the buyer owe it, which the copy tells. */
export function taxOfRate(rate: Plain<TaxRate> & { reverseCharge?: boolean }): OpenTax {
  const { code: id, isPercent: is_percent, inclusive } = rate;
  const known = { id, is_percent, inclusive, value: Number(rate.value), currency: rate.currency ?? null };
  const copy = { ...presentTaxRate(rate), ...known };
  const taxRate = rate.reverseCharge ? { ...copy, reverse_charge: true } : copy;
  return { id: null, fixed: null, taxRate, rateKey: rate.id };
}
