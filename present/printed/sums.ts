import type { AppliedDiscount, AppliedTax } from '../../billing/document.ts';
import type { Json } from '../../billing/json.ts';
import { add } from '../../billing/money.ts';
import type { PrintedSum } from './document.ts';
import type { Pen } from './head.ts';
import { fill } from './labels.ts';

/** The fields of a document from which its sums are computed. */
export interface Summed {
  subtotal: string;
  total: string;
  discounts: readonly AppliedDiscount[];
  taxes: readonly AppliedTax[];
  lines: readonly { discounts: readonly AppliedDiscount[]; taxes: readonly AppliedTax[] }[];
}

/** The sums from subtotal to total. Discounts and taxes with the same name are added up over all lines and the document. */
export function sumsOf(document: Summed, pen: Pen): PrintedSum[] {
  const { lines, subtotal, total } = document;
  const discounts = [...lines.flatMap((line) => line.discounts), ...document.discounts];
  const taxes = [...lines.flatMap((line) => line.taxes), ...document.taxes];
  const off = grouped(discounts.map((discount) => ({ ...discount, name: discountName(discount, pen) })));
  const on = grouped(taxes.map((tax) => ({ ...tax, name: taxName(tax, pen) })));
  const { labels, formats } = pen;
  const plain = [
    { label: labels.subtotal, value: formats.money(subtotal) },
    ...off.map(({ name, amount }) => ({ label: name, value: formats.less(amount) })),
    ...on.map(({ name, amount }) => ({ label: name, value: formats.money(amount) })),
  ];
  const parts = plain.length > 1 ? plain : [];
  return [
    ...parts.map((sum) => ({ ...sum, weight: 'plain' as const })),
    { label: labels.total, value: formats.money(total), weight: 'total' },
  ];
}

/** Name of a discount: "Spring sale 10%". For a fixed amount, only the name. */
export function discountName({ coupon }: AppliedDiscount, { labels, formats, own }: Pen): string {
  if (coupon === null) return labels.discount;
  const name = own(textOf(coupon.name) ?? labels.discount);
  return coupon.is_percent ? `${name} ${formats.percent(coupon.value)}` : name;
}

function taxName({ taxRate }: AppliedTax, { labels, formats, own }: Pen): string {
  if (taxRate === null) return labels.tax;
  const name = own(textOf(taxRate.name) ?? labels.tax);
  const rate = taxRate.is_percent ? `${name} ${formats.percent(taxRate.value)}` : name;
  return taxRate.inclusive ? fill(labels.included, { name: rate }) : rate;
}

/** Adds up the amounts with the same name. The names keep the order of their first appearance. */
function grouped(parts: readonly { name: string; amount: string }[]): { name: string; amount: string }[] {
  const byName = Map.groupBy(parts, ({ name }) => name);
  return [...byName].map(([name, [first, ...rest]]) => ({
    name,
    amount: add(first?.amount ?? '0', ...rest.map(({ amount }) => amount)),
  }));
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
