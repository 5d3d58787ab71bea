import { type AppliedDiscount, type AppliedTax, rateKeyOf, ratesOf } from '../../billing/documents/document.ts';
import { shownSubtotal } from '../../billing/documents/documentSums.ts';
import { add, compare, subtract } from '../../billing/money/money.ts';
import { storedRounding } from '../../billing/money/storedAmounts.ts';
import { fill } from '../../words/text.ts';
import type { PrintedSum } from './document.ts';
import type { Pen } from './head.ts';
import type { PrintableLine } from './lines.ts';
import { discountName, taxName } from './taxes.ts';

/** The fields of a document from which its sums are computed. */
export interface Summed {
  currency: string;
  total: string;
  /** It is a credit note, whose lines and rates are not always rounded by themselves. */
  isCorrection?: boolean;
  discounts: readonly AppliedDiscount[];
  taxes: readonly AppliedTax[];
  lines: readonly Pick<
    PrintableLine,
    'quantity' | 'unitCost' | 'amount' | 'discountable' | 'taxable' | 'discounts' | 'taxes'
  >[];
}

/**
 * The sums from subtotal to total. The subtotal is what the printed lines and their discounts add up to. Taxes that the prices contain follow
 * the total, with the net amount. Discounts and taxes with the same name are added up.
 */
export function sumsOf(document: Summed, pen: Pen): PrintedSum[] {
  const { lines, total, taxes: ofDocument, discounts } = document;
  const all = [...ofDocument, ...lines.flatMap((line) => line.taxes)].map(({ amount }) => amount);
  const hasLineDiscounts = lines.some((line) => line.discounts.length > 0);
  const subtotal = shownSubtotal(lines);
  const net = subtract(total, totalOf(all));
  return sumRows({ subtotal, discounts, taxes: taxesIn(document, pen), net, total, hasLineDiscounts }, pen);
}

/** The parts of the sums from subtotal to total. */
interface SumParts {
  subtotal: string;
  discounts: readonly Pick<AppliedDiscount, 'coupon' | 'percent' | 'amount'>[];
  taxes: readonly NamedTax[];
  /** The total without taxes. */
  net: string;
  total: string;
  hasLineDiscounts: boolean;
}

/** The sums from subtotal to total in words. Without discounts and taxes, the lines add up to the total, which then stands alone. */
export function sumRows({ subtotal, taxes, net, total, hasLineDiscounts, ...parts }: SumParts, pen: Pen): PrintedSum[] {
  const { labels, formats, accounting } = pen;
  const off = grouped(parts.discounts.map((discount) => ({ ...discount, name: discountName(discount, pen) })));
  const before = [
    { label: labels.subtotal, value: formats.money(subtotal) },
    ...off.map(({ name, amount }) => ({ label: name, value: formats.less(amount) })),
    ...taxes.filter((tax) => !tax.inclusive).map(({ name, amount }) => ({ label: name, value: formats.money(amount) })),
  ];
  const inside = taxes.filter((tax) => tax.inclusive);
  const after = inside.map(({ name, amount }) => ({
    label: fill(accounting.ofWhich, { name }),
    value: formats.money(amount),
  }));
  const isPlain = before.length === 1 && after.length === 0 && !hasLineDiscounts;
  const plain = (sum: { label: string; value: string }) => ({ ...sum, weight: 'plain' as const });
  return [
    ...(isPlain ? [] : before.map(plain)),
    { label: labels.total, value: formats.money(total), weight: 'total' },
    ...(after.length > 0 ? [...after, { label: accounting.net, value: formats.money(net) }].map(plain) : []),
  ];
}

/** A tax of a document, with its name in words. */
export interface NamedTax {
  name: string;
  amount: string;
  inclusive: boolean;
}

/** The taxes of a document by name. A percentage names the amount that it is computed from: "VAT 19% on $2,445.93". */
function taxesIn(document: Summed, pen: Pen): NamedTax[] {
  const all = [...document.lines.flatMap((line) => line.taxes), ...document.taxes];
  const byName = Map.groupBy(all, (tax) => `${tax.taxRate?.inclusive ?? false} ${taxName(tax, pen)}`);
  const rates = new Map(ratesIn(document).map((rate) => [rate.term.key, rate]));
  return [...byName.values()].map((taxes) => {
    const amount = totalOf(taxes.map((tax) => tax.amount));
    const { taxRate = null } = taxes[0] ?? {};
    const name = taxName({ taxRate }, pen);
    const keys = [...new Set(taxes.map(rateKeyOf))];
    const used = keys.flatMap((key) => rates.get(key) ?? []);
    // Amounts that were not computed as one document, such as those of a consolidated invoice, have no common base.
    const isComputed = used.length === keys.length && compare(totalOf(used.map((rate) => rate.amount)), amount) === 0;
    const base = totalOf(used.map((rate) => rate.base));
    const isBased = taxRate?.is_percent === true && isComputed;
    return {
      name: isBased ? fill(pen.accounting.taxOn, { name, base: pen.formats.money(base) }) : name,
      amount,
      inclusive: taxRate?.inclusive ?? false,
    };
  });
}

function ratesIn({ lines, discounts, taxes, currency, isCorrection }: Summed): ReturnType<typeof ratesOf> {
  const parts = lines.map(({ quantity, unitCost, discountable, taxable, ...line }) => {
    return { quantity, unitCost, discountable, taxable, discounts: [...line.discounts], taxes: [...line.taxes] };
  });
  const how = isCorrection ? { rounding: storedRounding({ lines, taxes, currency }) } : {};
  return ratesOf({ lines: parts, discounts: [...discounts], taxes: [...taxes], currency }, how);
}

/** Adds up the amounts with the same name. The names keep the order of their first appearance. */
function grouped(parts: readonly { name: string; amount: string }[]): { name: string; amount: string }[] {
  const byName = Map.groupBy(parts, ({ name }) => name);
  return [...byName].map(([name, same]) => ({ name, amount: totalOf(same.map(({ amount }) => amount)) }));
}

const totalOf = (amounts: readonly string[]): string => add('0', ...amounts);
