import type { OpenDiscount, OpenTax } from '../../billing/document.ts';
import type { Share } from '../../billing/periods.ts';
import { pricingOf, tierWords } from '../../billing/plan.ts';
import { planLines } from '../../billing/pricing.ts';
import { proratedPrice } from '../../billing/proration.ts';
import { isForCurrency } from '../../billing/rate.ts';
import {
  newDiscount,
  openDiscounts,
  openTaxes,
  recurring,
  type SubscriptionDiscount,
  type SubscriptionTax,
} from '../../billing/recurring.ts';
import { Refusal } from '../../billing/refusal.ts';
import { taxedPlace } from '../../billing/shipTo.ts';
import { whyUntaxed } from '../../billing/tax.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Plan } from '../../db/schema/plan.ts';
import type { Subscription } from '../../db/schema/subscription.ts';
import { discountOfCoupon, taxOfRate } from '../catalog/adjustments.ts';
import { namedCodes } from '../catalog/codes.ts';
import { attachCoupons } from '../catalog/couponRedemptions.ts';
import { findTaxRates, taxRatesById } from '../catalog/taxRates.ts';
import { matchingTaxRates } from '../catalog/taxRules.ts';
import { type DocumentLine, newLine } from '../documents/lines.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';

/** A subscription with its locked customer, its plan and the plan's item. It may be new. */
interface Subscribed extends LockedCustomer {
  subscription: Subscription;
  plan: Plan;
}

/** The content of a subscription's bill. */
export interface SubscriptionContent {
  lines: DocumentLine[];
  discounts: OpenDiscount[];
  /** Null: the automatic tax rates, of the customer or of its place. */
  taxes: OpenTax[] | null;
}

/** The content of the next bill: lines of the plan, with ledger code and taxes of its item, and the subscription's discounts and taxes. */
export async function contentOf(em: EntityManager, at: Subscribed): Promise<SubscriptionContent> {
  const { subscription, plan } = at;
  const { item, currency, name } = plan;
  const { discountable = true, taxable = true, taxRateIds: ids = [] } = item ?? {};
  const isTaxed = whyUntaxed(at.customer, true) === null;
  const rates = isTaxed && taxable ? await taxRatesById(em, { accountId: plan.accountId, ids }) : new Map();
  const taxes = ids
    .flatMap((id) => rates.get(id) ?? [])
    .filter((rate) => isForCurrency(rate, currency))
    .map(taxOfRate);
  const sold = { planCode: plan.code, itemCode: item?.code ?? null, glAccount: item?.glAccount ?? null };
  const priced = planLines(pricingOf(plan, subscription.amount), String(subscription.quantity));
  const lines = priced.map(({ quantity, unitCost, tier }) => {
    const description = tier ? tierWords(tier) : null;
    return newLine({ ...sold, type: 'plan', name, description, quantity, unitCost, discountable, taxable, taxes });
  });
  const own = subscription.taxes.length > 0 ? openTaxes(subscription.taxes) : null;
  return { lines, discounts: openDiscounts(subscription.discounts), taxes: isTaxed ? own : [] };
}

/** The content of a bill for a share of a period: one line with its price. Null: the whole period. */
export function prorated({ plan }: Subscribed, content: SubscriptionContent, share: Share | null): SubscriptionContent {
  const [first] = content.lines;
  if (!share || !first) return content;
  const unitCost = proratedPrice(content.lines, share, plan.currency);
  return { ...content, lines: [{ ...first, description: null, quantity: '1', unitCost, prorated: true }] };
}

/** Sets the recurring total and the MRR of a subscription. `taxes`: the taxes of its bills. Refuses amounts that are too large. */
export function priceSubscription(
  { subscription, plan }: Subscribed,
  bill: { lines: DocumentLine[]; taxes: OpenTax[] },
): void {
  const { currency, interval, intervalCount } = plan;
  const { discounts } = subscription;
  const { total, mrr } = recurring({ ...bill, currency, discounts, interval, intervalCount });
  Object.assign(subscription, { recurringTotal: total, mrr });
}

/**
 * Sets the recurring total and the MRR of a new or changed subscription. Looks up the automatic tax rates. Refuses amounts that are too
 * large.
 */
export async function reprice(em: EntityManager, at: Subscribed): Promise<void> {
  const { lines, taxes } = await contentOf(em, at);
  priceSubscription(at, { lines, taxes: taxes ?? (await automaticTaxes(em, at)) });
}

/** The tax rates of a bill that the subscription has none for: those of the customer, else of its place. */
export async function automaticTaxes(em: EntityManager, at: Subscribed): Promise<OpenTax[]> {
  const { accountId, taxRates = [] } = at.customer;
  const { currency } = at.plan;
  const place = taxedPlace(at.subscription.shipTo, at.customer);
  const rates = taxRates.length > 0 ? taxRates : await matchingTaxRates(em, { accountId, currency, ...place });
  return rates.filter((rate) => isForCurrency(rate, currency)).map(taxOfRate);
}

interface Chosen<Known> {
  /** Codes in a request. */
  codes: readonly string[];
  /** The subscription's current ones. */
  known: readonly Known[];
  currency: string;
}

/** The coupons that a request names. Keeps current ones and attaches others. Refuses what `attachCoupons` refuses. */
export async function chooseCoupons(
  em: EntityManager,
  at: LockedCustomer,
  { codes, known, currency, id }: Chosen<SubscriptionDiscount> & { id: number },
): Promise<SubscriptionDiscount[]> {
  const current = new Map(known.map((discount) => [discount.coupon.id, discount]));
  const named = namedCodes(codes, 'discounts');
  const kept = named.flatMap(({ code }) => current.get(code) ?? []);
  const coupons = await attachCoupons(em, at, {
    codes: named.filter(({ code }) => !current.has(code)),
    currency,
    redeemer: { type: 'subscription', id },
    kept: kept.map(({ coupon }) => ({ code: coupon.id, exclusive: coupon.exclusive })),
  });
  const fresh = coupons.flatMap((coupon) => {
    const snapshot = discountOfCoupon(coupon).coupon;
    return snapshot ? [newDiscount(snapshot, coupon.duration)] : [];
  });
  const all = new Map([...kept, ...fresh].map((discount) => [discount.coupon.id, discount]));
  return named.flatMap(({ code }) => all.get(code) ?? []);
}

/** The tax rates that a request names. Keeps current ones. Refuses unknown rates, and new ones for a customer that is not taxable. */
export async function chooseRates(
  em: EntityManager,
  at: LockedCustomer,
  { codes, known, currency }: Chosen<SubscriptionTax>,
): Promise<SubscriptionTax[]> {
  const chosen = new Map(known.map((tax) => [tax.taxRate.id, tax]));
  const named = namedCodes(codes, 'taxes');
  const fresh = named.filter(({ code }) => !chosen.has(code));
  const untaxed = whyUntaxed(at.customer, true);
  if (fresh[0] && untaxed !== null) throw new Refusal(untaxed, fresh[0].param);
  const rates = await findTaxRates(em, { accountId: at.customer.accountId, codes: fresh, currency });
  for (const rate of rates) {
    const { taxRate } = taxOfRate(rate);
    if (taxRate) chosen.set(rate.code, { rateKey: rate.id, taxRate });
  }
  return named.flatMap(({ code }) => chosen.get(code) ?? []);
}
