import { compare, type Money } from '../money/money.ts';
import { Refusal } from '../refusal.ts';
import type { Interval } from '../time/calendar.ts';

/** When a change of a customer takes effect. `none`: customers cannot make it. */
export const changeTimes = ['now', 'renewal', 'none'] as const;
export type ChangeTime = (typeof changeTimes)[number];

/** An add-on that customers choose themselves: a plan or a catalog item, by its id. */
export interface OfferedAddon {
  plan: string | null;
  item: string | null;
  maxQuantity: number;
}

/** The changes of a subscription that its customer makes without anybody's help. */
export interface PortalChanges {
  /** Ids of the plans to choose from. */
  plans: string[];
  addons: OfferedAddon[];
  minQuantity: number;
  /** 0: the quantity cannot be changed. */
  maxQuantity: number;
  upgrade: ChangeTime;
  downgrade: ChangeTime;
}

/** Without a word of the account, customers change nothing. */
const NOTHING: PortalChanges = {
  plans: [],
  addons: [],
  minQuantity: 1,
  maxQuantity: 0,
  upgrade: 'now',
  downgrade: 'renewal',
};

/** The changes that a plan allows: its own word first, then that of the account. */
export function portalChangesOf(
  account: Partial<PortalChanges> | null | undefined,
  plan?: Partial<PortalChanges> | null | undefined,
): PortalChanges {
  return { ...NOTHING, ...account, ...plan };
}

/** Refuses bounds of quantities that no quantity can meet. `inherited`: the bounds of the account, for those of a plan. */
export function checkPortalChanges(
  changes: Partial<PortalChanges>,
  inherited: Partial<PortalChanges> | null = null,
): void {
  const { minQuantity, maxQuantity } = portalChangesOf(inherited, changes);
  if (maxQuantity === 0 || minQuantity <= maxQuantity) return;
  throw new Refusal(
    'parameter_invalid',
    `The smallest quantity is above the largest one: ${minQuantity} and ${maxQuantity}`,
    'portal_changes[min_quantity]',
  );
}

/** What a subscription of a customer has, and what it is asked to have. */
export interface QuantityChange {
  before: number;
  after: number;
  /** Whether the plan changes, too. Its bounds then bind a quantity that stays. */
  isOtherPlan: boolean;
}

/** Refuses a quantity outside the bounds of the plan that it is for. */
export function checkCustomersQuantity(
  { minQuantity, maxQuantity }: PortalChanges,
  { before, after, isOtherPlan }: QuantityChange,
): void {
  if (after !== before && maxQuantity === 0)
    throw new Refusal('state_conflict', 'The quantity of this plan cannot be changed by the customer', 'quantity');
  if (maxQuantity === 0 || (after === before && !isOtherPlan)) return;
  if (after < minQuantity)
    throw new Refusal('parameter_invalid', `The quantity must be at least ${minQuantity}: ${after}`, 'quantity');
  if (after > maxQuantity)
    throw new Refusal('parameter_invalid', `The quantity must be at most ${maxQuantity}: ${after}`, 'quantity');
}

/** Refuses a plan that the customer cannot choose. */
export function checkCustomersPlan({ plans }: PortalChanges, code: string): void {
  if (plans.includes(code)) return;
  throw new Refusal('state_conflict', `Plan ${code} is not one that the customer can choose`, 'plan');
}

/** Refuses an add-on that the customer cannot choose, or more of it than it can have. */
export function checkCustomersAddon(
  { addons }: PortalChanges,
  { plan, item, quantity }: { plan: string | null; item: string | null; quantity: number },
  param: string,
): void {
  const code = plan ?? item ?? '';
  const offered = addons.find((one) => one.plan === plan && one.item === item);
  if (!offered) throw new Refusal('state_conflict', `Add-on ${code} is not one that the customer can choose`, param);
  if (quantity > offered.maxQuantity)
    throw new Refusal(
      'parameter_invalid',
      `The quantity of ${code} must be at most ${offered.maxQuantity}: ${quantity}`,
      `${param}[quantity]`,
    );
}

/** A regular price: per month, and the period for which it is paid. */
export interface RegularPrice {
  monthly: Money;
  interval: Interval;
  intervalCount: number;
}

/**
 * When a change takes effect. A longer period is an upgrade and a shorter one a downgrade; with the same period, a lower price per month is a
 * downgrade, any other one an upgrade. Refuses what the account does not allow.
 */
export function timeOfChange(
  { upgrade, downgrade }: PortalChanges,
  { before, after, param }: { before: RegularPrice; after: RegularPrice; param: string },
): 'now' | 'renewal' {
  const longer = daysOf(after) - daysOf(before);
  const isLess = longer === 0 ? compare(after.monthly, before.monthly) < 0 : longer < 0;
  const time = isLess ? downgrade : upgrade;
  if (time !== 'none') return time;
  const words = isLess ? 'a lower price or a shorter period' : 'a higher price or a longer period';
  throw new Refusal('state_conflict', `The customer cannot change to ${words} itself`, param);
}

const DAYS: Record<Interval, number> = { day: 1, week: 7, month: 30, year: 360 };

/** Days of a period, by which periods are compared. Twelve months are a year. */
const daysOf = ({ interval, intervalCount }: RegularPrice) => DAYS[interval] * intervalCount;

/** Reasons that customers give for a cancellation. */
export const cancellationReasons = [
  'too_expensive',
  'missing_features',
  'quality',
  'unused',
  'switched',
  'temporary',
  'other',
] as const;
export type CancellationReason = (typeof cancellationReasons)[number];

/** Why a customer cancels, and in its own words. */
export interface GivenReason {
  reason: CancellationReason | null;
  comment: string | null;
}

/** What a customer itself has planned or done. It can take back only that. */
export const customersChoices = ['change', 'cancellation', 'pause'] as const;
export type CustomersChoice = (typeof customersChoices)[number];

/** The values of a subscription by which its choices differ. */
export interface ChoiceFacts {
  change: unknown;
  cancellation: unknown;
  pause: unknown;
}

/** The customer's choices after a change of a subscription: what the customer changed becomes its choice, what others changed is none. */
export function choicesAfter(
  known: readonly CustomersChoice[],
  { before, after, isOfCustomer }: { before: ChoiceFacts; after: ChoiceFacts; isOfCustomer: boolean },
): CustomersChoice[] {
  return customersChoices.filter((choice) => {
    const isChanged = JSON.stringify(before[choice]) !== JSON.stringify(after[choice]);
    const isPlanned = Boolean(after[choice]);
    return isPlanned && (isChanged ? isOfCustomer : known.includes(choice));
  });
}

/** Longest time between a preview and its confirmation, in milliseconds. The change counts from the time of the preview. */
export const PREVIEW_LASTS = 60 * 60 * 1000;

/** The time from which a confirmed change counts. Refuses a preview that is too old or from the future. Epoch milliseconds. */
export function checkPreviewedAt(previewedAt: number, now: number): void {
  if (previewedAt <= now && previewedAt > now - PREVIEW_LASTS) return;
  throw new Refusal('state_conflict', 'The preview is older than an hour: preview the change again', 'proration_date');
}

/** Whether two name the same plan or catalog item. */
export function isSameAddon(
  one: { plan: string | null; item: string | null },
  other: { plan: string | null; item: string | null },
): boolean {
  return one.plan === other.plan && one.item === other.item;
}
