import { Refusal } from '../../../billing/refusal.ts';
import { isSameAddon, type PortalChanges, portalChangesOf } from '../../../billing/subscriptions/selfService.ts';
import type { Plan } from '../../../db/schema/plan.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import type { RequestedAddon } from '../changes/addons.ts';

/** An add-on as its customer asks for it. */
export interface AskedAddon {
  plan: string | null;
  item: string | null;
  /** 0: none of it. */
  quantity: number;
}

/** Why a customer cannot change the price of its subscription now, whatever it asks for. */
export type Obstacle = 'ended' | 'planned_change' | 'ends' | 'paused' | 'waits';

/** Why a customer cannot change its subscription now. Null: it can. */
export function obstacleOf({ subscription }: LockedSubscription): Obstacle | null {
  const { status, pendingChange, cancelAtPeriodEnd, paused, pauseAtPeriodEnd, pendingRenewal } = subscription;
  if (status === 'canceled' || status === 'finished') return 'ended';
  if (pendingChange) return 'planned_change';
  if (cancelAtPeriodEnd) return 'ends';
  if (paused || pauseAtPeriodEnd) return 'paused';
  return pendingRenewal ? 'waits' : null;
}

const words: Record<Obstacle, string> = {
  ended: 'The subscription has ended',
  planned_change: 'A change is planned already: it has to be taken back first',
  ends: 'The subscription ends with its period: its cancellation has to be taken back first',
  paused: 'The subscription is paused, or its pause is planned: it has to go on first',
  waits: 'The contract waits to be renewed',
};

/** Refuses a change while something else is planned. */
export function refuseObstacle(locked: LockedSubscription): void {
  const obstacle = obstacleOf(locked);
  if (obstacle) throw new Refusal('state_conflict', words[obstacle]);
}

/** The changes that the customers of a plan make themselves. */
export function allowedBy({ moment }: LockedSubscription, plan: Plan): PortalChanges {
  return portalChangesOf(moment.caller.account.portalChanges, plan.portalChanges);
}

/** Whether the customer of a subscription can choose a plan: it has a price, and its interval needs no further agreement. */
export function canTake({ subscription, plan: current }: LockedSubscription, plan: Plan): boolean {
  const isOtherInterval = plan.interval !== current.interval || plan.intervalCount !== current.intervalCount;
  const keepsInterval =
    subscription.cycles != null || subscription.billIn === 'arrears' || subscription.snapDay != null;
  return plan.currency === current.currency && plan.pricingMode !== 'custom' && !(isOtherInterval && keepsInterval);
}

/** All add-ons that a subscription is to have: those that are not asked about stay as they are. */
export function requestedAddons({ addons }: LockedSubscription, asked: readonly AskedAddon[]): RequestedAddon[] {
  const left = [...asked];
  const kept = addons.flatMap(({ id, plan, item, quantity }): RequestedAddon[] => {
    const at = left.findIndex((one) => isSameAddon(one, { plan: plan?.code ?? null, item: item?.code ?? null }));
    const [one] = at === -1 ? [] : left.splice(at, 1);
    if (!one) return [{ id, quantity }];
    return one.quantity === 0 ? [] : [{ id, quantity: one.quantity }];
  });
  const added = left
    .filter(({ quantity }) => quantity > 0)
    .map(({ plan: planCode, item: itemCode, quantity }) => ({ planCode, itemCode, quantity }));
  return [...kept, ...added];
}

/** Refuses two entries for the same add-on, whose quantities would count apart. */
export function refuseRepeated(asked: readonly AskedAddon[]): void {
  const index = asked.findIndex((one, at) => asked.slice(0, at).some((other) => isSameAddon(other, one)));
  if (index === -1) return;
  const { plan, item } = asked[index] ?? {};
  throw new Refusal('parameter_invalid', `Add-on ${plan ?? item} is named twice`, `addons[${index}]`);
}

/** The asked add-ons that change something. */
export function changedAddons({ addons }: LockedSubscription, asked: readonly AskedAddon[]): AskedAddon[] {
  return asked.filter((one) => quantityOf(addons, one) !== one.quantity);
}

/** The quantity of an add-on that a subscription has; 0: it has none. */
export function quantityOf(addons: LockedSubscription['addons'], one: Pick<AskedAddon, 'plan' | 'item'>): number {
  const same = addons.find(({ plan, item }) =>
    isSameAddon(one, { plan: plan?.code ?? null, item: item?.code ?? null }),
  );
  return same?.quantity ?? 0;
}
