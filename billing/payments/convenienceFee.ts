import {
  add,
  allocate,
  compare,
  exactProduct,
  isPositive,
  type Money,
  minimum,
  minorUnits,
  roundMoney,
  subtract,
  zero,
} from '../money/money.ts';
import { decimalText } from '../money/units.ts';

/** Highest fees that card brands allow for paying by credit card, in percent. A brand that is not listed gets none. */
const CAPS: ReadonlyMap<string, string> = new Map([
  ['visa', '3'],
  ['mastercard', '4'],
  ['amex', '4'],
  ['americanexpress', '4'],
  ['discover', '4'],
]);

/** The highest of the caps. */
export const MOST_PERCENT = 4;

/** The card that pays, as its gateway describes it. */
export interface PayingCard {
  type: string;
  brand?: string | null | undefined;
  funding?: string | null | undefined;
}

/** The percentage of an account, the places where it takes a fee, and the payer. */
export interface FeeCase {
  /** Decimal text; zero: the account takes no fee. */
  percent: string;
  /** Codes of countries, such as DE, and of states, such as US-TX. */
  places: readonly string[];
  payer: { country?: string | null | undefined; state?: string | null | undefined };
  /** Null: the gateway does not tell what a token stands for. */
  card: PayingCard | null;
}

/** Percentages of a card, decimal text: that of the fee, and the brand's cap, which it never exceeds. */
export interface FeeRate {
  percent: string;
  cap: string;
}

/** The rate of the fee, or why there is none. */
export function feeRate({ percent, places, payer, card }: FeeCase): FeeRate | { refused: string } {
  if (!isPositive(percent)) return { refused: 'this account takes none: its convenience_fee_percent is 0' };
  if (!isListed(places, payer)) return { refused: `convenience_fee_places does not list ${placeInWords(payer)}` };
  if (card?.type === 'bank_account') return { refused: 'only cards pay one, not bank accounts' };
  if (card?.funding !== 'credit') return { refused: `only credit cards pay one, not ${fundingInWords(card)}` };
  const cap = CAPS.get((card.brand ?? '').toLowerCase().replaceAll(/[^a-z]/g, ''));
  if (cap === undefined) return { refused: `no cap is known for cards of ${card.brand ?? 'an unknown brand'}` };
  return { percent: minimum(percent, cap), cap };
}

function isListed(places: readonly string[], { country, state }: FeeCase['payer']): boolean {
  if (!country) return false;
  const listed = new Set(places.map((place) => place.toLowerCase()));
  const whole = country.toLowerCase();
  return listed.has(whole) || (Boolean(state) && listed.has(`${whole}-${state}`.toLowerCase()));
}

function placeInWords({ country, state }: FeeCase['payer']): string {
  if (!country) return 'a customer without a country';
  return state ? `${country} or ${country}-${state}` : country;
}

function fundingInWords(card: PayingCard | null): string {
  if (!card) return 'a card of which the gateway does not tell the funding';
  return card.funding === 'debit' || card.funding === 'prepaid' ? `${card.funding} cards` : 'cards of unknown funding';
}

/** The highest fee of an amount: the percentage, rounded to minor units of the currency, but never above the cap. */
export function feeOf(amount: Money, { percent, cap }: FeeRate, currency: string): Money {
  const fee = roundMoney(percentOf(amount, percent), currency);
  const unit = decimalText(1n, minorUnits(currency));
  return compare(fee, percentOf(amount, cap)) > 0 ? subtract(fee, unit) : fee;
}

/** Exact, not rounded. */
function percentOf(amount: Money, percent: string): string {
  return exactProduct(exactProduct(amount, percent), '0.01');
}

/** A fee in the course of its refunds. */
export interface ChargedFee {
  /** The fee and the charged amount, of which it is a part. */
  fee: Money;
  of: Money;
  /** The part of the charged amount that has left already, by refunds and lost disputes, and the part of the fee that has not. */
  gone: Money;
  kept: Money;
}

/**
 * The part of the fee in money that leaves a charge. All parts together are in proportion to all that has left, rounded once, so the whole
 * charge takes the whole fee.
 */
export function feePart({ fee, of, gone, kept }: ChargedFee, amount: Money, currency: string): Money {
  const all = minimum(add(gone, amount), of);
  const [due = zero(currency)] = allocate(roundMoney(fee, currency), [all, subtract(of, all)], currency);
  const part = minimum(subtract(due, subtract(fee, kept)), amount);
  return isPositive(part) ? roundMoney(part, currency) : zero(currency);
}
