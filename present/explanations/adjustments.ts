import {
  type AppliedDiscount,
  type AppliedTax,
  type OpenDocument,
  type OpenTax,
  rateKeyOf,
  ratesOf,
  totalsOf,
} from '../../billing/documents/document.ts';
import type { TaxTerm } from '../../billing/documents/totals.ts';
import { isZero, negate, subtract, sum } from '../../billing/money/money.ts';
import { storedRounding } from '../../billing/money/storedAmounts.ts';
import type { ExplainedInvoice, ExplainedLine } from '../../db/queries/events/explanation.ts';
import { columns, spelled, unlike } from './words.ts';

/** A document whose amounts are explained. */
interface Explained extends Pick<ExplainedInvoice, 'currency' | 'discounts' | 'taxes' | 'subtotal' | 'total'> {
  /** It corrects an invoice, so that its lines and rates are rounded with those of other credit notes. */
  isCorrection?: boolean;
}

/**
 * Explains the discounts and taxes of a document, those of lines first, with the base of each rate and the calculation of each total. Empty
 * when the document has none.
 */
export function adjustments({
  document: explained,
  lines,
}: {
  document: Explained;
  lines: readonly ExplainedLine[];
}): string[] {
  const { currency, isCorrection } = explained;
  const owners = [...lines, explained];
  if (!owners.some(({ discounts, taxes }) => discounts.length + taxes.length > 0)) return [];
  const { discounts, taxes } = explained;
  const document = { currency, lines: [...lines], discounts, taxes };
  const how = isCorrection ? { rounding: storedRounding(document) } : {};
  const totals = totalsOf(document, { mayBeNegative: true, ...how });
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
    '',
    'Discounts and taxes, those of lines first',
    ...columns([...rows('discounts'), ...rows('taxes')]),
    ...rates(document, how),
    '',
    'Total',
    ...columns([
      ['Subtotal', `${less}${totals.subtotal} ${currency}${unlike(explained.subtotal, totals.subtotal)}`],
      ['Total', `${total}${unlike(explained.total, totals.total)}`],
    ]),
  ];
}

/** Each tax rate with its base. A rate is computed once, on the net amount of everything that it applies to. */
function rates(document: OpenDocument, how: Parameters<typeof ratesOf>[1]): string[] {
  const named = [...document.lines, document].flatMap(({ taxes }) => taxes);
  const rows = ratesOf(document, how).flatMap(({ term, base, amount }) => {
    const tax = named.find((one) => one.taxRate && isOf(one, term));
    if (!tax?.taxRate) return [];
    const value = term.isPercent ? `${term.value} % of` : `${term.value}, on`;
    return [[namedRate(tax.taxRate), `${value} ${base} = ${amount}${term.inclusive ? ', in the price' : ''}`]];
  });
  return rows.length === 0 ? [] : ['', 'Tax rates: each once, on the net of all that it taxes', ...columns(rows)];
}

/** Whether a tax has this rate. After a change of its value, a rate counts as another one, although its key is the same. */
function isOf(tax: OpenTax, term: TaxTerm): boolean {
  const { value, is_percent: isPercent, inclusive } = tax.taxRate ?? {};
  const isSame = String(value) === term.value && isPercent === term.isPercent && inclusive === term.inclusive;
  return isSame && rateKeyOf(tax) === term.key;
}

type Adjustment = AppliedDiscount | AppliedTax;

function isEarly(one: Adjustment): one is AppliedDiscount & { percent: string } {
  return 'percent' in one && one.percent !== undefined;
}

function nameOf(one: Adjustment): string {
  if (isEarly(one)) return 'early-payment discount';
  if ('taxRate' in one) return `tax ${one.taxRate ? namedRate(one.taxRate) : 'of an amount'}`;
  return `discount ${one.coupon ? namedRate(one.coupon) : 'of an amount'}`;
}

/** Name of a coupon or tax rate, with its id if that differs: "VAT (vat-20)". */
export function namedRate({ id, name }: { id: string; name?: unknown }): string {
  return typeof name === 'string' && name !== '' && name !== id ? `${name} (${id})` : id;
}

/** Prefix of an amount: `10 % = ` for a percentage, `in the price: ` for an inclusive rate, both, or nothing. */
function howMuch(one: Adjustment): string {
  if (isEarly(one)) return `${one.percent} % = `;
  const rate = 'taxRate' in one ? one.taxRate : one.coupon;
  const within = 'taxRate' in one && one.taxRate?.inclusive ? 'in the price: ' : '';
  return rate?.is_percent ? `${within}${rate.value} % = ` : within;
}
