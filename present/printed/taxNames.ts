import type { AppliedDiscount, AppliedTax } from '../../billing/document.ts';
import type { Json } from '../../billing/json.ts';
import type { Pen } from './head.ts';

/** Name of a discount: "Spring sale 10%". For a fixed amount, only the name. */
export function discountName(
  { coupon, percent }: Pick<AppliedDiscount, 'coupon' | 'percent'>,
  { labels, formats, own }: Pen,
): string {
  if (percent !== undefined) return `${labels.earlyDiscount} ${formats.percent(Number(percent))}`;
  if (coupon === null) return labels.discount;
  const name = own(textOf(coupon.name) ?? labels.discount);
  return coupon.is_percent ? `${name} ${formats.percent(coupon.value)}` : name;
}

/** Name of a tax: "VAT 19%". */
export function taxName({ taxRate }: Pick<AppliedTax, 'taxRate'>, { labels, formats, own }: Pen): string {
  if (taxRate === null) return labels.tax;
  const name = own(textOf(taxRate.name) ?? labels.tax);
  return taxRate.is_percent ? `${name} ${formats.percent(taxRate.value)}` : name;
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
