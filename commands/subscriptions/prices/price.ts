import { totalsOf } from '../../../billing/documents/document.ts';
import { checkRoom } from '../../../billing/documents/documentRoom.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { checkAddonInterval, checkComponentLines } from '../../../billing/subscriptions/addon.ts';
import { checkAgreedAmount, checkPlanQuantity, isSameAmount } from '../../../billing/subscriptions/plan.ts';
import type { Proration } from '../../../billing/subscriptions/proration.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { Plan } from '../../../db/schema/plan.ts';
import { labelsOf } from '../../../words/labels/words.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { differs } from '../../kernel/changes.ts';
import {
  changeAddons,
  chooseAddons,
  hasOtherAddons,
  type RequestedAddon,
  type WantedAddon,
} from '../changes/addons.ts';
import { componentLines, componentsWanted } from '../changes/components.ts';
import { findPlan } from '../steps/plans.ts';

/** A requested change of the price of a subscription. Absent fields stay as they are. */
export interface PriceChange {
  planCode?: string;
  quantity?: number;
  /** Unit price of a custom plan. */
  amount?: string | null;
  /** All add-ons. */
  addons?: readonly RequestedAddon[];
  /** Number of periods of the contract; null: there is none. */
  cycles?: number | null;
  prorate?: Proration;
  /** Instant from which on the change is prorated, and from which on a period that ends with it is credited; absent: now. */
  prorationDate?: Date;
}

/** A change of the price of a subscription whose plan and add-ons are found. Absent fields stay as they are. */
export interface FoundPriceChange extends Omit<PriceChange, 'planCode' | 'addons'> {
  plan?: Plan;
  addons?: WantedAddon[];
}

/**
 * Finds plan and add-ons of a change. Refuses an unknown or archived plan, unless the subscription has it, one in another currency, and
 * add-ons that `chooseAddons` refuses.
 */
export async function findPriceChange(
  em: EntityManager,
  locked: LockedSubscription,
  { planCode, addons: requested, ...rest }: PriceChange,
): Promise<FoundPriceChange> {
  const plan = planCode === undefined || planCode === locked.plan.code ? null : await planNamed(em, locked, planCode);
  const { addons: current } = locked;
  const wanted = requested && (await chooseAddons(em, { plan: plan ?? locked.plan, requested, current }));
  const addons = wanted && hasOtherAddons(current, wanted) ? { addons: wanted } : {};
  return { ...rest, ...(plan ? { plan } : {}), ...addons };
}

/** The plan that a change names. Refuses one in another currency. */
async function planNamed(em: EntityManager, locked: LockedSubscription, code: string): Promise<Plan> {
  const plan = await findPlan(em, { accountId: locked.subscription.accountId, code });
  const { currency } = locked.plan;
  if (plan.currency === currency) return plan;
  throw new Refusal('currency_mismatch', `Plan ${code} is priced in ${plan.currency}, not ${currency}`, 'plan');
}

/** Whether a change has any effect. */
export function isPriceChange({ subscription }: LockedSubscription, change: FoundPriceChange): boolean {
  const { plan, quantity, amount, cycles, addons } = change;
  const isNewAmount = amount !== undefined && !isSameAmount(amount, subscription.amount ?? null);
  return plan !== undefined || addons !== undefined || isNewAmount || differs(subscription, { quantity, cycles });
}

/** Whether two plans bill at different intervals. */
export function isOtherInterval(one: Plan, other: Plan): boolean {
  return one.interval !== other.interval || one.intervalCount !== other.intervalCount;
}

/** Sets plan, quantity, amount and add-ons. Refuses an amount that does not fit the plan, and add-ons of another interval. */
export async function applyPrice(
  em: EntityManager,
  locked: LockedSubscription,
  { plan, quantity, amount, addons }: FoundPriceChange,
): Promise<void> {
  const { subscription } = locked;
  const agreed = amount === undefined && !plan ? (subscription.amount ?? null) : (amount ?? null);
  checkAgreedAmount(plan ?? locked.plan, agreed, 'amount');
  if (!isSameAmount(agreed, subscription.amount ?? null)) subscription.amount = agreed;
  const sold = plan ?? locked.plan;
  if (quantity !== undefined) checkPlanQuantity(sold, quantity, 'quantity');
  if (sold.quantityType === 'usage') subscription.quantity = 1;
  else if (quantity !== undefined) subscription.quantity = quantity;
  if (plan) {
    subscription.plan = plan;
    locked.plan = plan;
  }
  if (addons) await changeAddons(em, locked, addons);
  else checkAddonsFit(locked, locked.plan);
}

/** Refuses a plan of another interval than the add-ons. */
function checkAddonsFit({ addons }: Pick<LockedSubscription, 'addons'>, plan: Plan): void {
  for (const addon of addons) if (addon.plan) checkAddonInterval(plan, addon.plan, 'plan');
}

/** Refuses a price whose lines have amounts that are too large, or that are too many for a bill. */
export function checkPrice(
  plan: Plan,
  { quantity, amount, addons }: { quantity: number; amount: string | null; addons: readonly WantedAddon[] },
): void {
  const lines = componentsWanted(plan, { quantity, amount, addons }).flatMap((component) =>
    componentLines(component, { rates: new Map(), labels: labelsOf('en') }),
  );
  checkComponentLines(lines, { addonIds: addons.map((_, index) => index), currency: plan.currency });
  checkRoom(lines);
  totalsOf({ lines, discounts: [], taxes: [], currency: plan.currency }, { mayBeNegative: true });
}
