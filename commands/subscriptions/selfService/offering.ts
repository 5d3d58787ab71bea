import type { PortalCancel } from '../../../billing/selfServiceSettings.ts';
import { setting } from '../../../billing/settings.ts';
import type { CustomersChoice } from '../../../billing/subscriptions/selfService.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { Item } from '../../../db/schema/item.ts';
import { Plan } from '../../../db/schema/plan.ts';
import { isOver, type LockedSubscription } from '../../aggregates/subscription.ts';
import { allowedBy, canTake, type Obstacle, obstacleOf, quantityOf } from './asking.ts';

/** A plan that a customer can have, with the bounds of its quantity. Null: the quantity stays. */
export interface OfferedPlan {
  plan: Plan;
  isCurrent: boolean;
  quantity: { min: number; max: number } | null;
}

/** An add-on that a customer can choose. */
export interface OfferedChoice {
  plan: Plan | null;
  item: Item | null;
  quantity: number;
  maxQuantity: number;
}

/** What a customer can do with a subscription without anybody's help. */
export interface Offer {
  /** Why its price cannot be changed now; null: nothing is in the way. */
  obstacle: Obstacle | null;
  /** The present plan first. */
  plans: OfferedPlan[];
  addons: OfferedChoice[];
  /** Whether there is anything to choose. */
  canChange: boolean;
  canPause: boolean;
  canResume: boolean;
  cancel: PortalCancel;
  /** What it can take back. */
  undo: CustomersChoice[];
}

/** Reads what the customer of a locked subscription can do with it. Plans and items that were archived or do not fit are left out. */
export async function offerOf(em: EntityManager, locked: LockedSubscription): Promise<Offer> {
  const { subscription, plan: current, moment } = locked;
  const obstacle = obstacleOf(locked);
  const { plans: codes, addons, upgrade, downgrade } = allowedBy(locked, current);
  const isFixed = upgrade === 'none' && downgrade === 'none';
  const others = isFixed ? [] : await plansNamed(em, locked, codes);
  const plans = [current, ...others.filter((plan) => plan.id !== current.id && canTake(locked, plan))].map((plan) => ({
    plan,
    isCurrent: plan === current,
    quantity: boundsOf(locked, plan),
  }));
  const choices = isFixed ? [] : await choicesOf(em, locked, addons);
  const canChange = !isFixed && (plans.length > 1 || choices.length > 0 || plans[0]?.quantity != null);
  const { account } = moment.caller;
  return {
    obstacle,
    plans,
    addons: choices,
    canChange: canChange && obstacle === null,
    canPause: setting(account, 'portal_pause') && mayPause(locked),
    canResume: isOwn(locked, 'pause') && subscription.paused,
    cancel: cancelOf(locked),
    undo: undoOf(locked),
  };
}

/** Whether a customer may pause: it has begun, no contract binds it, and nothing else is planned. */
export function mayPause(locked: LockedSubscription): boolean {
  const { subscription } = locked;
  if (obstacleOf(locked)) return false;
  return subscription.cycles == null && subscription.periodEndAt != null && subscription.status !== 'not_started';
}

/** How a customer may cancel. A contract is kept to its end. An end that is planned already has to be taken back first. */
export function cancelOf({ subscription, moment }: LockedSubscription): PortalCancel {
  if (isOver(subscription) || subscription.cancelAtPeriodEnd) return 'none';
  const allowed = setting(moment.caller.account, 'portal_cancel');
  return allowed === 'now' && subscription.cycles != null ? 'period_end' : allowed;
}

/** What a customer can take back: what it has planned itself and what has not come yet. */
export function undoOf(locked: LockedSubscription): CustomersChoice[] {
  const { status, pendingChange, cancelAtPeriodEnd, pauseAtPeriodEnd } = locked.subscription;
  if (status === 'canceled' || status === 'finished') return [];
  const planned: [CustomersChoice, boolean][] = [
    ['change', Boolean(pendingChange)],
    ['cancellation', cancelAtPeriodEnd],
    ['pause', pauseAtPeriodEnd],
  ];
  return planned.flatMap(([choice, isPlanned]) => (isPlanned && isOwn(locked, choice) ? [choice] : []));
}

/** Whether something that is planned was the choice of the customer itself. */
export function isOwn({ subscription }: LockedSubscription, choice: CustomersChoice): boolean {
  return (subscription.customersChoices ?? []).includes(choice);
}

function boundsOf(locked: LockedSubscription, plan: Plan): OfferedPlan['quantity'] {
  const { minQuantity: min, maxQuantity: max } = allowedBy(locked, plan);
  return plan.quantityType === 'usage' || max === 0 ? null : { min, max };
}

async function plansNamed(em: EntityManager, locked: LockedSubscription, codes: readonly string[]): Promise<Plan[]> {
  if (codes.length === 0) return [];
  const { accountId } = locked.subscription;
  const found: Plan[] = await em.find(
    Plan,
    { accountId, code: { $in: [...codes] }, archivedAt: null },
    { populate: ['item'] },
  );
  return found.sort((one, other) => codes.indexOf(one.code) - codes.indexOf(other.code));
}

/** The add-ons to choose from that fit the plan: its currency and interval, and a price. */
async function choicesOf(
  em: EntityManager,
  locked: LockedSubscription,
  offered: ReturnType<typeof allowedBy>['addons'],
): Promise<OfferedChoice[]> {
  const { accountId } = locked.subscription;
  const { currency, interval, intervalCount } = locked.plan;
  const plans = await plansNamed(
    em,
    locked,
    offered.flatMap(({ plan }) => plan ?? []),
  );
  const itemCodes = offered.flatMap(({ item }) => item ?? []);
  const items =
    itemCodes.length > 0 ? await em.find(Item, { accountId, code: { $in: itemCodes }, archivedAt: null }) : [];
  return offered.flatMap(({ plan: planCode, item: itemCode, maxQuantity }) => {
    const plan = plans.find(({ code }) => code === planCode) ?? null;
    const item = items.find(({ code }) => code === itemCode) ?? null;
    const fits = plan
      ? plan.currency === currency &&
        plan.interval === interval &&
        plan.intervalCount === intervalCount &&
        plan.pricingMode !== 'custom' &&
        plan.quantityType === 'constant'
      : item !== null && (!item.currency || item.currency === currency);
    if (!fits) return [];
    return [{ plan, item, quantity: quantityOf(locked.addons, { plan: planCode, item: itemCode }), maxQuantity }];
  });
}
