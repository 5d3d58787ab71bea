import type { OpenDiscount, OpenTax } from '../../../billing/documents/document.ts';
import { checkRoom } from '../../../billing/documents/documentRoom.ts';
import { whyUntaxed } from '../../../billing/documents/tax.ts';
import { isForCurrency } from '../../../billing/money/rate.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { checkComponentLines } from '../../../billing/subscriptions/addon.ts';
import { proratedPrice } from '../../../billing/subscriptions/proration.ts';
import {
  newDiscount,
  openDiscounts,
  openTaxes,
  recurring,
  type SubscriptionDiscount,
  type SubscriptionTax,
} from '../../../billing/subscriptions/recurring.ts';
import type { Share } from '../../../billing/time/periods.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Customer } from '../../../db/schema/customer.ts';
import type { Plan } from '../../../db/schema/plan.ts';
import { labelsOf } from '../../../words/labels/words.ts';
import { discountOfCoupon, taxOfRate } from '../../catalog/adjustments.ts';
import { namedCodes } from '../../catalog/codes.ts';
import { attachCoupons } from '../../catalog/couponRedemptions.ts';
import { findTaxRates, taxRatesById } from '../../catalog/taxRates.ts';
import { matchingTaxRates } from '../../catalog/taxRules.ts';
import { saleTo } from '../../documents/automaticTaxRates.ts';
import type { DocumentLine } from '../../documents/lines.ts';
import type { LockedCustomer } from '../../kernel/lockedCustomer.ts';
import { type Component, componentLines, componentsOf, type Sold } from './components.ts';

/** A subscription with its locked customer, its plan, add-ons and items. It may be new. */
interface Subscribed extends LockedCustomer, Sold {}

/** The content of a subscription's bill. */
export interface SubscriptionContent {
  lines: DocumentLine[];
  discounts: OpenDiscount[];
  /** Null: the automatic tax rates, of the customer or of its place. */
  taxes: OpenTax[] | null;
}

/**
 * What the next bill contains: lines for the plan and the add-ons, with the ledger codes and taxes of their items, and the subscription's
 * discounts and taxes.
 */
export async function contentOf(em: EntityManager, locked: Subscribed): Promise<SubscriptionContent> {
  const { discounts, taxes } = locked.subscription;
  return contentWith(em, locked, { plan: locked.plan, components: componentsOf(locked), discounts, taxes });
}

/** The content of a bill with these components, discounts and taxes. */
export async function contentWith(
  em: EntityManager,
  locked: LockedCustomer,
  {
    plan,
    components,
    discounts,
    taxes,
  }: { plan: Plan; components: readonly Component[] } & Pick<Sold['subscription'], 'discounts' | 'taxes'>,
): Promise<SubscriptionContent> {
  const isTaxed = whyUntaxed(locked.customer, true) === null;
  const rates = await taxesOfComponents(em, { customer: locked.customer, plan }, components);
  const labels = labelsOf(locked.customer.language ?? locked.moment.caller.account.language);
  const lines = components.flatMap((component) => componentLines(component, { rates, labels }));
  const own = taxes.length > 0 ? openTaxes(taxes) : null;
  return { lines, discounts: openDiscounts(discounts), taxes: isTaxed ? own : [] };
}

/** The taxes on components, by id of the rate: those of their items, in the subscription's currency. None if it is not taxed. */
export async function taxesOfComponents(
  em: EntityManager,
  { customer, plan }: { customer: Customer; plan: Plan },
  components: readonly Pick<Component, 'taxRateIds'>[],
): Promise<Map<number, OpenTax>> {
  return whyUntaxed(customer, true) === null ? ratesOf(em, plan, components) : new Map();
}

/** The tax rates of the components' items in the currency of the subscription, by id. */
async function ratesOf(
  em: EntityManager,
  { accountId, currency }: Plan,
  components: readonly Pick<Component, 'taxRateIds'>[],
): Promise<Map<number, OpenTax>> {
  const ids = components.flatMap(({ taxRateIds }) => taxRateIds);
  const rates = [...(await taxRatesById(em, { accountId, ids })).values()];
  return new Map(rates.filter((rate) => isForCurrency(rate, currency)).map((rate) => [rate.id, taxOfRate(rate)]));
}

/**
 * Makes the lines for a share of a period from those for the whole one: one line with the price of each component. Without a share, they
 * stay as they are.
 */
export function proratedLines(locked: Sold, lines: readonly DocumentLine[], share: Share | null): DocumentLine[] {
  if (!share) return [...lines];
  const descriptions = new Map(componentsOf(locked).map(({ addonId, description }) => [addonId, description]));
  return [...Map.groupBy(lines, ({ addonId }) => addonId)].flatMap(([addonId, whole]) => {
    const unitCost = proratedPrice(whole, share, locked.plan.currency);
    const description = descriptions.get(addonId) ?? null;
    return whole.slice(0, 1).map((line) => ({ ...line, description, quantity: '1', unitCost, prorated: true }));
  });
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

/** Sets the recurring total and the MRR of a changed subscription. Looks up automatic tax rates. Refuses amounts that are too large. */
export async function reprice(em: EntityManager, locked: Subscribed): Promise<void> {
  await priceContent(em, locked, await contentOf(em, locked));
}

/**
 * The same for a subscription whose plan or add-ons a request sets. Refuses amounts and bills that are too large, and a negative total.
 * Names the quantity that makes an amount too large, otherwise `addons`, or `quantity` without add-ons.
 */
export async function repriceComponents(em: EntityManager, locked: Subscribed): Promise<void> {
  const content = await contentOf(em, locked);
  const addonIds = locked.addons.map(({ id }) => id);
  checkComponentLines(content.lines, { addonIds, currency: locked.plan.currency });
  try {
    checkRoom(content.lines);
    await priceContent(em, locked, content);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, error.message, addonIds.length > 0 ? 'addons' : 'quantity');
  }
}

async function priceContent(
  em: EntityManager,
  locked: Subscribed,
  { lines, taxes }: SubscriptionContent,
): Promise<void> {
  priceSubscription(locked, { lines, taxes: taxes ?? (await automaticTaxes(em, locked)) });
}

/** The tax rates of a bill if the subscription has none: the customer's, else those of its place. */
export async function automaticTaxes(em: EntityManager, locked: Subscribed): Promise<OpenTax[]> {
  const { taxRates = [] } = locked.customer;
  const { currency } = locked.plan;
  const sale = { ...saleTo(locked, locked.subscription.shipTo), currency };
  const rates = taxRates.length > 0 ? taxRates : await matchingTaxRates(em, sale);
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
  locked: LockedCustomer,
  { codes, known, currency, id }: Chosen<SubscriptionDiscount> & { id: number },
): Promise<SubscriptionDiscount[]> {
  const current = new Map(known.map((discount) => [discount.coupon.id, discount]));
  const named = namedCodes(codes, 'discounts');
  const kept = named.flatMap(({ code }) => current.get(code) ?? []);
  const coupons = await attachCoupons(em, locked, {
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
  locked: LockedCustomer,
  { codes, known, currency }: Chosen<SubscriptionTax>,
): Promise<SubscriptionTax[]> {
  const chosen = new Map(known.map((tax) => [tax.taxRate.id, tax]));
  const named = namedCodes(codes, 'taxes');
  const fresh = named.filter(({ code }) => !chosen.has(code));
  const untaxed = whyUntaxed(locked.customer, true);
  if (fresh[0] && untaxed !== null) throw new Refusal('state_conflict', untaxed, fresh[0].param);
  const rates = await findTaxRates(em, { accountId: locked.customer.accountId, codes: fresh, currency });
  for (const rate of rates) {
    const { taxRate } = taxOfRate(rate);
    if (taxRate) chosen.set(rate.code, { rateKey: rate.id, taxRate });
  }
  return named.flatMap(({ code }) => chosen.get(code) ?? []);
}
