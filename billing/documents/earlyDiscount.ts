import {
  add,
  allocate,
  compare,
  isNegative,
  isPositive,
  isZero,
  type Money,
  roundMoney,
  subtract,
} from '../money/money.ts';
import { addDaysToDay, capAtLatest, endOfDay, localDay } from '../time/calendar.ts';
import { storedTerms } from '../time/terms.ts';
import {
  type AppliedTax,
  type OpenDiscount,
  type OpenDocument,
  type OpenLine,
  rateKeyOf,
  taxesOn,
  totalsOf,
} from './document.ts';

/** A discount for those who pay until a time, epoch milliseconds. */
export interface EarlyDiscount {
  /** Decimal text. */
  percent: string;
  endsAt: number;
}

/** The facts about an invoice that decide which discount its terms offer. Times are epoch milliseconds. */
export interface OfferFacts {
  paymentTerms: string | null | undefined;
  /** AutoPay collects it. */
  autopay: boolean;
  date: number;
  /** When it was issued; of a draft, its date. */
  issuedAt: number;
  zone: string;
}

/**
 * The discount that the terms of an invoice offer; null: none. It ends when the local day has ended that is its number of days after the date,
 * or after the issue if that is later. An invoice that AutoPay collects offers none.
 */
export function offeredDiscount({ paymentTerms, autopay, date, issuedAt, zone }: OfferFacts): EarlyDiscount | null {
  const terms = storedTerms(paymentTerms);
  if (autopay || terms?.kind !== 'net' || !terms.discount) return null;
  const { percent, days } = terms.discount;
  const lastDay = addDaysToDay(localDay(Math.max(date, issuedAt), zone), days);
  return { percent, endsAt: capAtLatest(endOfDay(lastDay, zone)) };
}

/** The fields of an invoice that decide which discount its terms offer. */
export interface TermedInvoice {
  paymentTerms?: string | null | undefined;
  autopay: boolean;
  date: Date;
  issuedAt?: Date | null | undefined;
  timeZone: string;
}

/** The early-payment discount that the terms of an invoice offer; null: none. While a payment plan is active, its terms offer none. */
export function offerOf(invoice: TermedInvoice): EarlyDiscount | null {
  const { paymentTerms, autopay, date, issuedAt, timeZone: zone } = invoice;
  const times = { date: date.getTime(), issuedAt: (issuedAt ?? date).getTime() };
  return offeredDiscount({ paymentTerms, autopay, ...times, zone });
}

/** The early-payment discount that is on a document; null: none is. */
export function includedDiscount<Discount extends OpenDiscount>(
  discounts: readonly Discount[],
): (Discount & { percent: string; expiresAt: number }) | null {
  const included = discounts.find(({ percent }) => percent !== undefined);
  if (included?.percent === undefined || included.expiresAt === null) return null;
  return { ...included, percent: included.percent, expiresAt: included.expiresAt };
}

/** A new early-payment discount of a document. It comes after all others. */
export function newEarlyDiscount({ percent, endsAt: expiresAt }: EarlyDiscount): OpenDiscount {
  return { id: null, fixed: null, coupon: null, percent, expiresAt };
}

/** The discounts of a document without that for early payment. */
export function withoutEarly<Discount extends OpenDiscount>(discounts: readonly Discount[]): Discount[] {
  return discounts.filter(({ percent }) => percent === undefined);
}

/** A document, priced with and without its early-payment discount. */
function bothWays(document: OpenDocument, percent: string) {
  const discounts = withoutEarly(document.discounts);
  const discount = { id: null, fixed: null, coupon: null, percent, expiresAt: null };
  const how = { mayBeNegative: true };
  const without = { ...document, discounts };
  return { full: totalsOf(without, how), less: totalsOf({ ...without, discounts: [...discounts, discount] }, how) };
}

/** The amount by which an early-payment discount lowers the total, taxes included. */
export function discountValue(document: OpenDocument, percent: string): Money {
  const { full, less } = bothWays(document, percent);
  return subtract(full.total, less.total);
}

/** The revenue and taxes that an early-payment discount takes off. */
export interface DiscountParts {
  /** By general ledger account and tax rate. `amount` contains inclusive taxes, `net` does not. */
  revenue: RevenuePart[];
  /** One for each rate, with the amount that its tax loses. Empty if the parts of the revenue name different rates themselves. */
  taxes: AppliedTax[];
  total: Money;
}

interface RevenuePart {
  glAccount: string | null;
  amount: Money;
  net: Money;
  /** The part of each tax that it names itself. */
  taxes: AppliedTax[];
}

/** A document with the ledger accounts of its lines. */
export interface PostedDocument extends OpenDocument {
  lines: (Omit<OpenLine, 'taxes'> & { glAccount?: string | null | undefined; taxes: AppliedTax[] })[];
  taxes: AppliedTax[];
}

/**
 * The parts of an early-payment discount, which add up to `discountValue` exactly. If the document credits more than it charges on a ledger
 * account, all of the revenue is in one part.
 */
export function discountParts(document: PostedDocument, percent: string): DiscountParts {
  const { full, less } = bothWays(document, percent);
  const parts = new Map<string, Omit<RevenuePart, 'taxes'> & { rates: string[] }>();
  const byRate = new Map<string, AppliedTax>();
  const lose = (tax: AppliedTax, amount: Money) => {
    const key = rateKeyOf(tax);
    const known = byRate.get(key) ?? { ...tax, amount: '0' };
    byRate.set(key, { ...known, amount: add(known.amount, amount) });
  };
  for (const [index, line] of document.lines.entries()) {
    const { glAccount = null, taxes } = line;
    const [was, is] = [full.lines[index], less.lines[index]];
    if (!was || !is) continue;
    const rates = taxesOn(line, document.taxes).map(rateKeyOf).toSorted();
    const key = JSON.stringify([glAccount, rates]);
    const part = parts.get(key) ?? { glAccount, rates, amount: '0', net: '0' };
    const amount = add(part.amount, subtract(was.discounted, is.discounted));
    parts.set(key, { ...part, amount, net: add(part.net, subtract(was.net, is.net)) });
    for (const [place, tax] of taxes.entries()) lose(tax, lost(was.taxes[place], is.taxes[place]));
  }
  for (const [place, tax] of document.taxes.entries()) lose(tax, lost(full.taxes[place], less.taxes[place]));
  const revenue = [...parts.values()].filter(({ amount, net }) => !isZero(amount) || !isZero(net));
  const used = new Set(revenue.flatMap(({ rates }) => rates));
  const taxes = [...byRate.entries()].flatMap(([key, tax]) =>
    !isZero(tax.amount) || (tax.taxRate && used.has(key)) ? [tax] : [],
  );
  const total = subtract(full.total, less.total);
  const own = ownTaxes(revenue, taxes, document.currency);
  if (own) return { revenue: own, taxes: [], total };
  return { revenue: together(byAccount(revenue)), taxes, total };
}

const lost = (was: Money | undefined, is: Money | undefined): Money => subtract(was ?? '0', is ?? '0');

type OpenPart = Omit<RevenuePart, 'taxes'> & { rates: readonly string[] };

/**
 * The parts with their own taxes, so that each says its rate, as tax law and e-invoices want it. Null: all have the same rates, one has more than
 * one rate or none is positive.
 */
function ownTaxes(parts: readonly OpenPart[], taxes: readonly AppliedTax[], currency: string): RevenuePart[] | null {
  const isOne = new Set(parts.map(({ rates }) => rates.join())).size < 2;
  if (isOne || parts.some(({ rates }) => rates.length > 1) || parts.some(isCredit)) return null;
  const shares = new Map<OpenPart, AppliedTax[]>();
  for (const tax of taxes) {
    const touched = parts.filter(({ rates }) => rates.includes(rateKeyOf(tax)));
    const contained = touched.map(({ amount, net }) => subtract(amount, net));
    const spread = () =>
      allocate(
        roundMoney(tax.amount, currency),
        touched.map(({ net }) => net),
        currency,
      );
    const amounts = tax.taxRate?.inclusive ? contained : spread();
    for (const [index, part] of touched.entries()) shares.set(part, [{ ...tax, amount: amounts[index] ?? '0' }]);
  }
  return parts.map((part) => {
    const { glAccount, amount, net } = part;
    return { glAccount, amount, net, taxes: shares.get(part) ?? [] };
  });
}

function byAccount(parts: readonly OpenPart[]): RevenuePart[] {
  return [...Map.groupBy(parts, ({ glAccount }) => glAccount)].map(([glAccount, same]) => {
    const amount = add('0', ...same.map((part) => part.amount));
    return { glAccount, amount, net: add('0', ...same.map((part) => part.net)), taxes: [] };
  });
}

const isCredit = ({ amount, net }: Pick<RevenuePart, 'amount' | 'net'>) => isNegative(amount) || isNegative(net);

function together(parts: RevenuePart[]): RevenuePart[] {
  if (!parts.some(isCredit)) return parts;
  const [largest] = parts.toSorted((one, other) => compare(other.amount, one.amount));
  const amount = add('0', ...parts.map((part) => part.amount));
  const net = add('0', ...parts.map((part) => part.net));
  return [{ glAccount: largest?.glAccount ?? null, amount, net, taxes: [] }];
}

/** Whether an early-payment discount was earned: the money that came in time pays everything but the discount. Late fees do not count. */
export function isEarned(of: { total: Money; fees: Money; value: Money; paidInTime: Money }): boolean {
  if (!isPositive(of.value)) return false;
  return compare(of.paidInTime, subtract(subtract(of.total, of.fees), of.value)) >= 0;
}

/** An early-payment discount as a reader of the invoice sees it. */
export interface ShownDiscount extends EarlyDiscount {
  /** The amount by which it lowers the total, taxes included. */
  value: Money;
  /** Whether total and balance contain it. */
  isIncluded: boolean;
}

/** The early-payment discount that an invoice can still earn or lose; null: there is none, or it is paid but for the discount. */
export function shownDiscount(
  invoice: TermedInvoice & Omit<OpenDocument, 'lines'> & { balance: Money },
  lines: OpenLine[],
): ShownDiscount | null {
  const offer = offerOf(invoice);
  if (!offer) return null;
  const { currency, discounts, taxes, balance } = invoice;
  const value = discountValue({ currency, lines, discounts, taxes }, offer.percent);
  const isIncluded = includedDiscount(discounts) !== null;
  const left = isIncluded ? balance : subtract(balance, value);
  return isPositive(value) && isPositive(left) ? { ...offer, value, isIncluded } : null;
}

/** The amount that pays an invoice with its early-payment discount, where that is less than the balance; null: there is none now. */
export function earlyAmount(shown: ShownDiscount | null, balance: Money, now: number): Money | null {
  return shown && !shown.isIncluded && now < shown.endsAt ? subtract(balance, shown.value) : null;
}
