import { checkAddonInterval } from '../../billing/addon.ts';
import { checkAdvanceDays } from '../../billing/billIn.ts';
import { compare } from '../../billing/money.ts';
import { checkSnapDay, endsTooLate } from '../../billing/periods.ts';
import { checkAgreedAmount } from '../../billing/plan.ts';
import { changedComponents, checkProrationDate, type Proration } from '../../billing/proration.ts';
import { Refusal } from '../../billing/refusal.ts';
import { checkEnds, lastContractPeriod } from '../../billing/subscription.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Plan } from '../../db/schema/plan.ts';
import { type LockedSubscription, stateOf } from '../aggregates/subscription.ts';
import type { WrittenBill } from '../bills/bills.ts';
import type { WrittenCreditNote } from '../creditNotes/issuing.ts';
import { differs } from '../kernel/changes.ts';
import { changeAddons, chooseAddons, hasOtherAddons, type RequestedAddon, type WantedAddon } from './addons.ts';
import { beginContract, reanchor } from './anchor.ts';
import { billUsed } from './arrears.ts';
import { pricesOf } from './components.ts';
import { contentOf } from './content.ts';
import { keepPastPrices } from './pastPrices.ts';
import { findPlan } from './plans.ts';
import { writeProration } from './proration.ts';
import { revokeAhead } from './revoking.ts';

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
  /** Instant from which on the change is prorated; absent: now. */
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
  at: LockedSubscription,
  { planCode, addons: requested, ...rest }: PriceChange,
): Promise<FoundPriceChange> {
  const plan = planCode === undefined || planCode === at.plan.code ? null : await planNamed(em, at, planCode);
  const { addons: current } = at;
  const wanted = requested && (await chooseAddons(em, { plan: plan ?? at.plan, requested, current }));
  const addons = wanted && hasOtherAddons(current, wanted) ? { addons: wanted } : {};
  return { ...rest, ...(plan ? { plan } : {}), ...addons };
}

/** The plan that a change names. Refuses one in another currency. */
async function planNamed(em: EntityManager, at: LockedSubscription, code: string): Promise<Plan> {
  const plan = await findPlan(em, { accountId: at.subscription.accountId, code });
  const { currency } = at.plan;
  if (plan.currency === currency) return plan;
  throw new Refusal(`Plan ${code} is priced in ${plan.currency}, not ${currency}`, 'plan');
}

/** Whether a change has any effect. */
export function isPriceChange({ subscription }: LockedSubscription, change: FoundPriceChange): boolean {
  const { plan, quantity, amount, cycles, addons } = change;
  const isNewAmount = amount !== undefined && !isSameAmount(amount, subscription.amount ?? null);
  return plan !== undefined || addons !== undefined || isNewAmount || differs(subscription, { quantity, cycles });
}

function isSameAmount(one: string | null, other: string | null): boolean {
  return one === null || other === null ? one === other : compare(one, other) === 0;
}

/** A change of the price, with the documents that it wrote and the caller numbers. */
export interface PricedChange {
  /** Whether it wrote pending lines. */
  isProrated: boolean;
  /** Whether periods are counted anew from now. */
  restarts: boolean;
  /** The bill of what was used in arrears, before periods restart; null: none. */
  used: WrittenBill | null;
  /** The credit note for a period that was billed ahead, before periods restart; null: none. */
  credit: WrittenCreditNote | null;
}

/**
 * Changes the price of a locked subscription, and prorates it with pending lines; in arrears the bill of the period has lines for each price
 * instead. A plan of another interval re-anchors: its first period begins now. The caller has taken due steps, then reprices, records the
 * event and bills. Refuses an amount that does not fit the plan, a proration date outside the current period, and a contract that the change
 * would make invalid.
 */
export async function changePrice(
  em: EntityManager,
  at: LockedSubscription,
  change: FoundPriceChange,
): Promise<PricedChange> {
  const { subscription, moment } = at;
  const before = pricesOf(at);
  const from = change.prorationDate ?? moment.now;
  if (change.prorationDate) checkProrationDate(from.getTime(), limitsOf(at));
  const isArrears = subscription.billIn === 'arrears';
  const prorates = (change.prorate ?? true) !== false;
  const isNewInterval = isOtherInterval(at.plan, change.plan ?? at.plan);
  const restarts = isNewInterval && subscription.anchorAt <= moment.now;
  const used = restarts ? await billUsed(em, at, moment.now) : null;
  const credit = restarts ? await revokeAhead(em, at) : null;
  const old = isArrears && prorates && !restarts ? await contentOf(em, at) : null;
  const isCredited = prorates && restarts && (await writeProration(em, at, { ended: before, begun: [], from }));
  await applyPrice(em, at, change);
  if (isNewInterval) beginInterval(at, { restarts, cycles: change.cycles ?? null });
  else changeCycles(at, change.cycles);
  const changed = changedComponents(before, pricesOf(at));
  if (changed.ended.length + changed.begun.length === 0) return { isProrated: isCredited, restarts, used, credit };
  subscription.changedAt = from;
  if (old) keepPastPrices(at, { ...changed, lines: old.lines, from: from.getTime() });
  const isOpen = prorates && !restarts && !isArrears;
  const isProrated = isOpen ? await writeProration(em, at, { ...changed, from }) : isCredited;
  return { isProrated, restarts, used, credit };
}

/** Whether two plans bill at different intervals. */
export function isOtherInterval(one: Plan, other: Plan): boolean {
  return one.interval !== other.interval || one.intervalCount !== other.intervalCount;
}

/** Sets plan, quantity, amount and add-ons. Refuses an amount that does not fit the plan, and add-ons of another interval. */
export async function applyPrice(
  em: EntityManager,
  at: LockedSubscription,
  { plan, quantity, amount, addons }: FoundPriceChange,
): Promise<void> {
  const { subscription } = at;
  const agreed = amount === undefined && !plan ? (subscription.amount ?? null) : (amount ?? null);
  checkAgreedAmount(plan ?? at.plan, agreed, 'amount');
  if (!isSameAmount(agreed, subscription.amount ?? null)) subscription.amount = agreed;
  if (quantity !== undefined) subscription.quantity = quantity;
  if (plan) {
    subscription.plan = plan;
    at.plan = plan;
  }
  if (addons) await changeAddons(em, at, addons);
  else checkAddonsFit(at, at.plan);
}

/** Refuses a plan of another interval than the add-ons. */
export function checkAddonsFit({ addons }: Pick<LockedSubscription, 'addons'>, plan: Plan): void {
  for (const addon of addons) if (addon.plan) checkAddonInterval(plan, addon.plan, 'plan');
}

/** Counts periods in the interval of a new plan. A running contract ends with the old interval, and another one begins. */
function beginInterval(at: LockedSubscription, { restarts, cycles }: { restarts: boolean; cycles: number | null }): void {
  const { subscription, moment } = at;
  checkSnapDay(subscription.snapDay ?? null, at.plan.interval, 'plan');
  checkAdvanceDays(subscription, at.plan, 'plan');
  if (subscription.pendingRenewal)
    throw new Refusal('The interval cannot change while the contract waits for its renewal', 'plan');
  if (subscription.cycles && cycles === null)
    throw new Refusal('Cycles missing: a change of the interval ends the contract, and another one begins', 'cycles');
  if (!subscription.cycles && cycles !== null) throw new Refusal('Subscription has no contract', 'cycles');
  if (restarts) reanchor(at, moment.now);
  if (cycles !== null) beginContract(at, cycles);
  checkEnds(stateOf(at).schedule, subscription.cycles ?? null, 'plan');
}

/** Changes the number of periods of the running contract. */
function changeCycles(at: LockedSubscription, cycles: number | null | undefined): void {
  const { subscription } = at;
  if (cycles === undefined || cycles === (subscription.cycles ?? null)) return;
  if (cycles === null) throw new Refusal('The cycles of a contract cannot be removed', 'cycles');
  if (!subscription.cycles) throw new Refusal('Subscription has no contract', 'cycles');
  if (subscription.pendingRenewal) throw new Refusal('The contract has ended: renew the subscription', 'cycles');
  const billed = subscription.cyclesBilled;
  if (cycles < billed) throw new Refusal(`${billed} cycles are already billed: ${cycles}`, 'cycles');
  subscription.cycles = cycles;
  const state = stateOf(at);
  if (endsTooLate(state.schedule, lastContractPeriod({ ...state, cycles })))
    throw new Refusal(`${cycles} cycles must end before 2200`, 'cycles');
}

function limitsOf({ subscription, moment }: LockedSubscription) {
  return {
    periodStartAt: subscription.periodStartAt?.getTime() ?? null,
    periodEndAt: subscription.periodEndAt?.getTime() ?? null,
    changedAt: subscription.changedAt?.getTime() ?? null,
    now: moment.now.getTime(),
  };
}
