import { europeanUnion } from './country.ts';
import { type AppliedDiscount, type AppliedTax, ratesOf, taxesOn, totalsOf } from './document.ts';
import { add, compare, isNegative, isZero, type Money, minorUnits, negate, subtract, sum } from './money.ts';
import type { BillToSnapshot, PartySnapshot, SellerSnapshot } from './snapshot.ts';
import { isVatNumberOf, plainTaxId } from './taxId.ts';
import type { RateTotal } from './totals.ts';

/** VAT categories of EN 16931 (UNTDID 5305): standard rate, zero rate, reverse charge, exempt. */
export type VatCategory = 'S' | 'Z' | 'AE' | 'E';

export interface Vat {
  category: VatCategory;
  /** Percentage: decimal text. */
  percent: string;
  /** Why no tax is charged; null for S and Z. */
  reason: string | null;
}

/** A line as EN 16931 states it: quantity x price / basis - allowance = net. */
export interface EInvoiceLine {
  quantity: string;
  /** Never negative. */
  price: string;
  /** Number of units that have the price together. */
  basis: string;
  /** Sum of all discounts of the line, with its part of the document's. */
  allowance: Money;
  net: Money;
  vat: Vat;
}

export interface VatTotal {
  vat: Vat;
  base: Money;
  tax: Money;
}

/** The amounts of an e-invoice, all without tax but `tax` and `total`. */
export interface EInvoiceAmounts {
  lines: EInvoiceLine[];
  vat: VatTotal[];
  net: Money;
  tax: Money;
  total: Money;
}

export interface EInvoiceSource {
  currency: string;
  total: Money;
  discounts: readonly AppliedDiscount[];
  taxes: readonly AppliedTax[];
  lines: readonly {
    quantity: string;
    unitCost: string;
    discountable: boolean;
    taxable: boolean;
    discounts: AppliedDiscount[];
    taxes: AppliedTax[];
  }[];
}

/** Texts that say why no tax is charged. */
export interface TaxReasons {
  reverseCharge: string;
  /** For lines without tax on a document with tax rates. */
  untaxed: string;
  /** For documents without tax rates; null: nothing says why. */
  exempt: string | null;
}

/** Amounts of EN 16931 have at most two decimals. */
const MOST_DECIMALS = 2;

/** Reason why seller and buyer cannot have an e-invoice; null: they can. */
export function whyNoParties(seller: SellerSnapshot, buyer: BillToSnapshot | null): string | null {
  if (!seller.country || !europeanUnion.has(seller.country))
    return 'Only sellers in the European Union have e-invoices';
  if (!seller.taxId) return 'The account needs a tax_id for e-invoices';
  if (!buyer?.country) return 'The customer needs a country for e-invoices';
  return null;
}

type Party = Pick<PartySnapshot, 'country' | 'taxId'>;

/**
 * Reason why the categories of a document do not fit its buyer; null: they do. A rate of 0 is for buyers in the seller's country: supplies
 * within the EU and exports have other categories. Exemptions are as the seller's notes say.
 */
export function whyNoCategory(
  totals: readonly Pick<VatTotal, 'vat'>[],
  { seller, buyer }: { seller: Pick<Party, 'country'>; buyer: Party },
): string | null {
  const categories = new Set(totals.map(({ vat }) => vat.category));
  const isInUnion = buyer.country !== null && europeanUnion.has(buyer.country);
  if (categories.has('AE') && !(isInUnion && vatNumberOf(buyer)))
    return 'With reverse charge, e-invoices need a customer in the European Union with its VAT number';
  if (categories.has('Z') && buyer.country !== seller.country)
    return 'E-invoices cannot state a tax rate of 0 for a customer in another country: nothing says why no tax is charged';
  return null;
}

/** A party's VAT number as e-invoices write it; null: it has none of its country. */
export function vatNumberOf({ taxId, country }: Party): string | null {
  return taxId && country && isVatNumberOf(taxId, country) ? plainTaxId(taxId) : null;
}

/**
 * The amounts of a document by the rules of EN 16931, or the reason why these rules cannot state them. Discounts of the document are parts of
 * the lines' allowances. Prices that contain tax are stated without it.
 */
export function eInvoiceAmounts(source: EInvoiceSource, reasons: TaxReasons): EInvoiceAmounts | string {
  const { currency, lines, taxes } = source;
  if (minorUnits(currency) > MOST_DECIMALS)
    return `E-invoices cannot state ${currency.toUpperCase()}: it has three decimals`;
  const all = [...taxes, ...lines.flatMap((line) => line.taxes)];
  if (all.some(isFlat)) return 'E-invoices cannot state taxes that are no percentage';
  const open = { ...source, lines: [...lines], discounts: [...source.discounts], taxes: [...taxes] };
  const { lines: computed, total } = totalsOf(open, { mayBeNegative: true });
  if (compare(total, source.total) !== 0) return 'E-invoices cannot state amounts that were rounded one by one';
  const isTaxed = all.some(({ taxRate }) => taxRate !== null);
  const vats = lines.map((line) => vatOf(line, { taxes, reasons, isTaxed }));
  const wrong = vats.find((vat) => typeof vat === 'string');
  if (wrong !== undefined) return wrong;
  const stated = lines.map((line, index) => {
    const vat = vats[index];
    const amounts = computed[index];
    if (!amounts || !vat || typeof vat === 'string') throw new Error(`no amounts of line ${index}`);
    return { ...priced(line, amounts), net: amounts.net, vat };
  });
  const vat = vatTotals(stated, ratesOf(open));
  const net = sum(
    stated.map((line) => line.net),
    currency,
  );
  return {
    lines: stated,
    vat,
    net,
    tax: sum(
      vat.map(({ tax }) => tax),
      currency,
    ),
    total,
  };
}

/** A tax that is no percentage. An amount of 0 without a rate is no tax at all. */
function isFlat({ taxRate, amount }: AppliedTax): boolean {
  return taxRate ? !taxRate.is_percent : !isZero(amount);
}

function vatOf(
  line: EInvoiceSource['lines'][number],
  { taxes, reasons, isTaxed }: { taxes: readonly AppliedTax[]; reasons: TaxReasons; isTaxed: boolean },
): Vat | string {
  const rates = taxesOn(line, taxes).flatMap(({ taxRate }) => taxRate ?? []);
  const [rate, ...more] = rates;
  if (rate && rates.every((one) => one.reverse_charge === true)) {
    return { category: 'AE', percent: '0', reason: reasons.reverseCharge };
  }
  if (more.length > 0) return 'E-invoices cannot state a line with more than one tax';
  if (rate) return { category: rate.value > 0 ? 'S' : 'Z', percent: String(rate.value), reason: null };
  const reason = isTaxed ? reasons.untaxed : reasons.exempt;
  if (reason !== null) return { category: 'E', percent: '0', reason };
  return 'Nothing says why no tax is charged: e-invoices need a tax rate of 0, a small_business_note or an exemption_note';
}

function priced(
  { quantity, unitCost }: { quantity: string; unitCost: string },
  { amount, discounted, net }: { amount: Money; discounted: Money; net: Money },
): Pick<EInvoiceLine, 'quantity' | 'price' | 'basis' | 'allowance'> {
  const isCredit = isNegative(unitCost);
  const shown = isCredit ? negate(quantity) : quantity;
  const containsTax = compare(discounted, net) !== 0;
  if (containsTax) return { quantity: shown, price: absolute(net), basis: quantity, allowance: zeroed(amount) };
  return { quantity: shown, price: absolute(unitCost), basis: '1', allowance: subtract(amount, discounted) };
}

const absolute = (value: string): string => (isNegative(value) ? negate(value) : value);
/** Zero with the decimals of an amount. */
const zeroed = (amount: Money): Money => subtract(amount, amount);

/** The base and the tax of each category and percentage, in the order of the lines. */
function vatTotals(lines: readonly EInvoiceLine[], rates: readonly RateTotal[]): VatTotal[] {
  const groups = Map.groupBy(lines, ({ vat }) => `${vat.category} ${vat.percent}`);
  const ratesOfPercent = Map.groupBy(rates, ({ term }) => String(Number(term.value)));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { vat, net } = first;
    const charged = vat.category === 'S' ? (ratesOfPercent.get(vat.percent) ?? []) : [];
    const tax = add(zeroed(net), ...charged.map(({ amount }) => amount));
    return [{ vat, base: add(zeroed(net), ...group.map((line) => line.net)), tax }];
  });
}
