import { europeanUnion } from '../country.ts';
import {
  add,
  compare,
  exactProduct,
  isNegative,
  isZero,
  type Money,
  minorUnits,
  multiply,
  negate,
  roundMoney,
  subtract,
  sum,
  zero,
} from '../money/money.ts';
import { type AppliedTax, type TaxRateSnapshot, taxesOn } from './document.ts';
import type { BillToSnapshot, PartySnapshot, SellerSnapshot } from './snapshot.ts';
import { isVatNumberOf, plainTaxId } from './taxId.ts';

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
  /** Number of units that have the price together. Always positive. */
  basis: string;
  /** Everything that is discounted from the line, including its share of the document's discounts. */
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

/** A document with its stored amounts: the nets of the lines and all taxes add up to the total. */
export interface EInvoiceSource {
  currency: string;
  total: Money;
  taxes: readonly AppliedTax[];
  lines: readonly EInvoiceSourceLine[];
}

export interface EInvoiceSourceLine {
  quantity: string;
  unitCost: string;
  /** quantity x unit cost. */
  amount: Money;
  /** The amount less all discounts and the taxes that the price contains. */
  net: Money;
  taxable: boolean;
  taxes: AppliedTax[];
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
const ONE = '1';

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
 * the lines' allowances. Prices that contain tax are stated without it. Amounts are the stored ones, so a tax may differ by cents from the
 * rounded product of base and rate.
 */
export function eInvoiceAmounts(source: EInvoiceSource, reasons: TaxReasons): EInvoiceAmounts | string {
  const { currency, lines, taxes, total } = source;
  if (minorUnits(currency) > MOST_DECIMALS)
    return `E-invoices cannot state ${currency.toUpperCase()}: it has three decimals`;
  const all = [...taxes, ...lines.flatMap((line) => line.taxes)];
  if (all.some(isFlat)) return 'E-invoices cannot state taxes that are no percentage';
  const isTaxed = all.some(({ taxRate }) => taxRate !== null);
  const stated: EInvoiceLine[] = [];
  for (const line of lines) {
    const vat = vatOf(line, { taxes, reasons, isTaxed });
    if (typeof vat === 'string') return vat;
    stated.push({
      ...priced(line, containsTax(line, taxes) || !isProduct(line, currency)),
      net: roundMoney(line.net, currency),
      vat,
    });
  }
  const vat = vatTotals(stated, all, currency);
  const net = sum(
    stated.map((line) => line.net),
    currency,
  );
  const tax = sum(
    vat.map((of) => of.tax),
    currency,
  );
  const isWhole = compare(add(net, tax), total) === 0 && vat.every((of) => isClose(of));
  return isWhole
    ? { lines: stated, vat, net, tax, total: roundMoney(total, currency) }
    : 'E-invoices cannot state amounts that were rounded apart';
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
  if (rate) return { category: rate.value > 0 ? 'S' : 'Z', percent: percentOf(rate), reason: null };
  const reason = isTaxed ? reasons.untaxed : reasons.exempt;
  if (reason !== null) return { category: 'E', percent: '0', reason };
  return 'Nothing says why no tax is charged: e-invoices need a tax rate of 0, a small_business_note or an exemption_note';
}

/** The percentage of a rate, without exponent. */
const percentOf = ({ value }: TaxRateSnapshot): string => plain(String(value));

function containsTax(line: EInvoiceSourceLine, ofDocument: readonly AppliedTax[]): boolean {
  return taxesOn(line, ofDocument).some(({ taxRate }) => taxRate?.inclusive === true && taxRate.value > 0);
}

/** Whether a line is its quantity x price. One of a credit note that takes what rounding leaves of its invoice is not. */
function isProduct({ quantity, unitCost, amount }: EInvoiceSourceLine, currency: string): boolean {
  return compare(amount, multiply(quantity, unitCost, currency)) === 0;
}

function priced(
  { quantity, unitCost, amount, net }: EInvoiceSourceLine,
  asNet: boolean,
): Pick<EInvoiceLine, 'quantity' | 'price' | 'basis' | 'allowance'> {
  const shown = isNegative(unitCost) ? negate(quantity) : quantity;
  const stated = { quantity: plain(shown), basis: ONE };
  if (!asNet) return { ...stated, price: plain(absolute(unitCost)), allowance: subtract(amount, net) };
  const basis = isZero(quantity) ? ONE : plain(absolute(quantity));
  return { ...stated, basis, price: plain(absolute(net)), allowance: '0' };
}

/** A price or quantity without trailing zeros. */
const plain = (value: string): string => exactProduct(value, ONE);

const absolute = (value: string): string => (isNegative(value) ? negate(value) : value);

/** The base and the tax of each category and percentage, in the order of the lines. */
function vatTotals(lines: readonly EInvoiceLine[], taxes: readonly AppliedTax[], currency: string): VatTotal[] {
  const groups = Map.groupBy(lines, ({ vat }) => `${vat.category} ${vat.percent}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { vat } = first;
    const charged = taxes.filter(
      ({ taxRate }) => vat.category === 'S' && taxRate !== null && percentOf(taxRate) === vat.percent,
    );
    const base = sum(
      group.map((line) => line.net),
      currency,
    );
    return [{ vat, base, tax: add(zero(currency), ...charged.map(({ amount }) => roundMoney(amount, currency))) }];
  });
}

/** Whether a tax is close enough to the product of base and rate: the rules allow a difference below 1. */
function isClose({ vat, base, tax }: VatTotal): boolean {
  const exact = exactProduct(exactProduct(base, vat.percent), '0.01');
  return compare(absolute(subtract(tax, exact)), '1') < 0;
}
