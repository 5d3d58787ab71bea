import { type AppliedDiscount, type AppliedTax, totalsOf } from '../../billing/document.ts';
import { isZero, negate, subtract, sum } from '../../billing/money.ts';
import type { InvoiceFacts } from '../../db/queries/explanation.ts';
import { columns, spelled, unlike } from './words.ts';

/** Discounts and taxes of a document, those of lines first, and how its total comes about. Nothing where it has none. */
export function adjustments({ invoice, lines }: InvoiceFacts): string[] {
  const { currency } = invoice;
  const owners = [...lines, invoice];
  if (!owners.some(({ discounts, taxes }) => discounts.length + taxes.length > 0)) return [];
  const { discounts, taxes } = invoice;
  const totals = totalsOf({ currency, lines, discounts, taxes }, { mayBeNegative: true });
  const computed = [...totals.lines, totals];
  const where = (index: number) => (index < lines.length ? `line ${index + 1}` : 'document');
  const rows = (of: 'discounts' | 'taxes') =>
    owners.flatMap((owner, place) =>
      owner[of].map((one, index) => {
        const amount = computed[place]?.[of][index] ?? one.amount;
        return [where(place), nameOf(one), `${howMuch(one)}${amount}${unlike(one.amount, amount)}`];
      }),
    );
  const prices = sum(
    totals.lines.map((line) => line.amount),
    currency,
  );
  const within = subtract(prices, totals.subtotal);
  const less = isZero(within) ? '' : `${spelled([prices, negate(within)], currency)} in the prices = `;
  const parts = [totals.subtotal, negate(totals.discountTotal), totals.taxTotal];
  const total = `${spelled(parts, currency)} = ${totals.total} ${currency}`;
  return [
    ...['', 'Discounts and taxes, those of lines first'],
    ...columns([
      ...rows('discounts'),
      ...rows('taxes'),
      ['', 'Subtotal', `${less}${totals.subtotal} ${currency}${unlike(invoice.subtotal, totals.subtotal)}`],
      ['', 'Total', `${total}${unlike(invoice.total, totals.total)}`],
    ]),
  ];
}

type Adjustment = AppliedDiscount | AppliedTax;

function nameOf(one: Adjustment): string {
  if ('taxRate' in one) return `tax ${one.taxRate?.id ?? 'of an amount'}`;
  return `discount ${one.coupon?.id ?? 'of an amount'}`;
}

/** What a percentage is of, in words: `10 % = `. Nothing for an amount. */
function howMuch(one: Adjustment): string {
  const rate = 'taxRate' in one ? one.taxRate : one.coupon;
  const within = 'taxRate' in one && one.taxRate?.inclusive ? 'in the price: ' : '';
  return rate?.is_percent ? `${within}${rate.value} % = ` : within;
}
