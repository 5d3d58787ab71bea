import { Refusal } from '../refusal.ts';

/** How much of its address a sign-up page asks a visitor for. */
export const askedAddresses = ['none', 'country', 'full'] as const;
export type AskedAddress = (typeof askedAddresses)[number];

/** An add-on that a sign-up page offers: a plan or an item, by its code. */
export interface SoldAddon {
  plan: string | null;
  item: string | null;
  /** The largest quantity that a visitor can choose; the smallest is 0. */
  maxQuantity: number;
}

/** What a visitor of a sign-up page chooses. */
export interface Choice {
  plan: string;
  quantity: number;
  /** Add-ons by their place on the page. */
  addons: { index: number; quantity: number }[];
  coupon: string | null;
}

interface Offer {
  plans: readonly string[];
  addons: readonly SoldAddon[];
  minQuantity: number;
  maxQuantity: number;
  takesCoupons: boolean;
}

/** Refuses what a page does not offer: another plan, a quantity outside its bounds, an add-on that it does not sell, and a coupon. */
export function checkChoice(choice: Choice, offer: Offer): void {
  const { minQuantity: least, maxQuantity: most } = offer;
  if (!offer.plans.includes(choice.plan)) throw refused(`Plan is not offered: ${choice.plan}`, 'plan');
  if (!isWithin(choice.quantity, least, most)) throw refused(`Quantity must be from ${least} to ${most}`, 'quantity');
  const chosen = new Set<number>();
  for (const { index, quantity } of choice.addons) {
    const addon = offer.addons[index];
    if (!addon || chosen.has(index) || !isWithin(quantity, 1, addon.maxQuantity))
      throw refused(`Add-on ${index} is not offered in this quantity: ${quantity}`, 'addons');
    chosen.add(index);
  }
  if (choice.coupon !== null && !offer.takesCoupons) throw refused('Coupons are not accepted', 'coupon');
}

const isWithin = (quantity: number, least: number, most: number): boolean =>
  Number.isInteger(quantity) && quantity >= least && quantity <= most;

const refused = (message: string, param: string) => new Refusal('parameter_invalid', message, param);

/** The text by which the trials of an address are counted. */
export function trialAddress(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase();
}

/**
 * The address to which a page leads back: the one that the visitor's link names, if it is registered exactly so, else the first one. Null: there
 * is none.
 */
export function returnUrlOf(registered: readonly string[], asked: string | null): string | null {
  if (asked !== null && registered.includes(asked)) return asked;
  return registered[0] ?? null;
}

/** Refuses an address of a page that is no absolute URL of `https`, or of `http` on this machine, or that has credentials. */
export function checkPageUrl(text: string, param: string): void {
  const url = URL.parse(text);
  const isLocal = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1';
  const isSafe = url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal));
  if (isSafe && url.username === '' && url.password === '' && !/[\s\\]/.test(text)) return;
  throw refused('Address must be an absolute https URL without credentials', param);
}
