import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import { contractPeriod, isEnded, type SubscriptionState } from '../../billing/subscriptions/subscription.ts';
import {
  type NoticeState,
  nextStepOrNotice,
  type SubscriptionNotice,
} from '../../billing/subscriptions/subscriptionNotices.ts';
import type { SubscriptionStep } from '../../billing/subscriptions/subscriptionSteps.ts';
import { trialOf } from '../../billing/subscriptions/trial.ts';
import type { Period } from '../../billing/time/periods.ts';
import type { NextStep, Wait } from '../../billing/wait.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { USAGE_RULE } from '../../db/queries/usage/recording.ts';
import type { EventReason } from '../../db/schema/event.ts';
import { Plan } from '../../db/schema/plan.ts';
import { Subscription, SubscriptionAddon } from '../../db/schema/subscription.ts';
import type { Wakeup } from '../../db/schema/wakeup.ts';
import { presentWholeCustomer } from '../../present/customers/customer.ts';
import { presentSubscriptionWithPlan } from '../../present/subscriptions/subscription.ts';
import type { Caller } from '../kernel/caller.ts';
import { type LockedCustomer, lockOwner, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { record } from '../kernel/record.ts';
import { type Planned, setWakeups, wakeupsOf } from '../kernel/waking.ts';
import type { LockedInvoice } from './invoice.ts';

/**
 * The current add-ons of locked subscriptions of one account, with their plans and items, by subscription and in their order. One query,
 * and none if no subscription has any.
 */
export async function addonsOfEach(
  em: EntityManager,
  subscriptions: readonly Subscription[],
): Promise<Map<number, SubscriptionAddon[]>> {
  const having = subscriptions.filter(({ hasAddons }) => hasAddons);
  const [first] = having;
  if (!first) return new Map();
  const { accountId } = first;
  const subscription = { id: { $in: having.map(({ id }) => id) } };
  const addons: SubscriptionAddon[] = await em.find(
    SubscriptionAddon,
    { accountId, subscription, removedAt: null },
    { populate: ['plan.item', 'item'], orderBy: { position: 'asc' } },
  );
  return Map.groupBy(addons, (addon) => addon.subscription.id);
}

/** The current add-ons of a locked subscription. */
async function addonsOf(em: EntityManager, subscription: Subscription): Promise<SubscriptionAddon[]> {
  return (await addonsOfEach(em, [subscription])).get(subscription.id) ?? [];
}

/** A locked subscription with its plan, its add-ons and its locked customer. */
export interface LockedSubscription extends LockedCustomer {
  subscription: Subscription;
  plan: Plan;
  /** The current add-ons in their order, with their plans and items. */
  addons: SubscriptionAddon[];
}

/**
 * Locks the customer of a subscription (looked up unless `customerId` is given), then the subscription. Reads plan, item and
 * add-ons. Throws Missing.
 */
export async function lockSubscription(
  em: EntityManager,
  who: { caller: Caller; id: number; customerId?: number },
  systemNow: Date,
): Promise<LockedSubscription> {
  const locked = await retryOnOwnerChange(() => lockOwner(em, { ...who, table: 'subscription' }, systemNow));
  return lockSubscriptionOf(em, locked, who.id);
}

/** Locks a subscription of a locked customer. Reads its plan, the plan's item, and its add-ons. Throws Missing. */
export async function lockSubscriptionOf(
  em: EntityManager,
  locked: LockedCustomer,
  id: number,
): Promise<LockedSubscription> {
  const { accountId } = locked.customer;
  const subscription = await lockRow(em, Subscription, { accountId, id });
  if (!subscription) throw new Missing('Subscription', id);
  const plan = await em.findOneOrFail(Plan, { accountId, id: subscription.plan.id }, { populate: ['item'] });
  return { ...locked, subscription, plan, addons: await addonsOf(em, subscription) };
}

/** The current wake-ups of a subscription. */
export function wakeupsOfSubscription(em: EntityManager, { accountId, id }: Subscription): Promise<Wakeup[]> {
  return wakeupsOf(em, { accountId, process: 'subscription', ids: [id] });
}

/** The step or notice of a subscription that is due now, if any, and all pending waits. */
export function nextOf(locked: LockedSubscription): NextStep<SubscriptionStep | SubscriptionNotice> {
  return nextStepOrNotice(stateOf(locked), noticeStateOf(locked), locked.moment.now.getTime());
}

/**
 * Replaces a subscription's wake-ups by those that its state needs, and stores the end of its contract. Reads the current wake-ups, unless
 * they are given as `existing`. `inside`: its own process calls. `thresholdsTold`: its usage was compared with its thresholds; otherwise a
 * planned comparison stays. The result's `more`: a step is due now.
 */
export async function replanSubscription(
  em: EntityManager,
  locked: LockedSubscription,
  how: { existing?: Wakeup[]; inside?: boolean; thresholdsTold?: boolean },
): Promise<Planned> {
  const { subscription, moment, clockId } = locked;
  const contract = contractOf(locked);
  subscription.contractEndAt = contract ? new Date(contract.endAt) : null;
  const next = nextOf(locked);
  const existing = how.existing ?? (await wakeupsOfSubscription(em, subscription));
  const waiter = { process: 'subscription' as const, subjectId: subscription.id, clockId };
  const isShown = subscription.nextPeriod > 0;
  const comparison = how.thresholdsTold ? [] : existing.filter(({ rule }) => rule === USAGE_RULE).map(comparisonOf);
  const waits = [...next.waits, ...comparison];
  const isDue = next.due !== null;
  return setWakeups(em, moment, { waiter, waits, existing, inside: how.inside ?? false, isShown, isDue });
}

/** The comparison of usage that stays as it is planned. */
function comparisonOf({ at, step }: Wakeup): Wait {
  return { rule: USAGE_RULE, at: at.getTime(), step, reason: null };
}

/** Records an event of a subscription and sets `updatedAt`. */
export function recordSubscription(
  em: EntityManager,
  locked: LockedSubscription,
  change: {
    type: 'subscription.updated' | 'subscription.deleted';
    before: ReturnType<typeof subscriptionEventObject>;
    reason?: EventReason | undefined;
  },
): void {
  locked.subscription.updatedAt = locked.moment.now;
  record(em, locked.moment, {
    type: change.type,
    subject: subjectOf(locked.subscription),
    object: subscriptionEventObject(locked),
    before: change.before,
    reason: change.reason,
  });
}

/** Whether the subscription is canceled or finished. */
export function isOver(subscription: Subscription): boolean {
  return isEnded(subscription.status);
}

/** Refuses a change of a subscription that is over. */
export function refuseOver(subscription: Subscription): void {
  if (!isOver(subscription)) return;
  throw new Refusal('state_conflict', `Subscription is ${subscription.status} and can no longer be changed`);
}

/** Input of the subscription rules. */
export function stateOf(locked: LockedSubscription): SubscriptionState {
  const { subscription, plan } = locked;
  return {
    status: subscription.status,
    schedule: {
      anchorAt: subscription.anchorAt.getTime(),
      zone: subscription.timeZone,
      interval: plan.interval,
      intervalCount: plan.intervalCount,
      snapDay: subscription.snapDay ?? null,
    },
    billIn: subscription.billIn,
    advanceDays: subscription.advanceDays,
    anchoredAt: (subscription.anchoredAt ?? subscription.createdAt).getTime(),
    trial: trialOf(subscription),
    nextPeriod: subscription.nextPeriod,
    periodOpen: subscription.periodOpen,
    cyclesBilled: subscription.cyclesBilled,
    cycles: subscription.cycles ?? null,
    renewalMode: subscription.renewalMode,
    pendingRenewal: subscription.pendingRenewal,
    hasPendingChange: Boolean(subscription.pendingChange),
    periodEndAt: subscription.periodEndAt?.getTime() ?? null,
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
    pauseAtPeriodEnd: subscription.pauseAtPeriodEnd,
    paused: subscription.paused,
    resumeAt: subscription.resumeAt?.getTime() ?? null,
    lateUsageAt: subscription.lateUsageAt?.getTime() ?? null,
  };
}

function noticeStateOf(locked: LockedSubscription): NoticeState {
  const { subscription, moment } = locked;
  const { account } = moment.caller;
  return {
    renewals: setting(account, 'renewal_notices'),
    contractDays: setting(account, 'contract_notice_days'),
    periodStartAt: subscription.periodStartAt?.getTime() ?? null,
    contractStartAt: contractStartOf(subscription).getTime(),
    renewalNoticedFor: subscription.renewalNoticedFor?.getTime() ?? null,
    contractNoticedFor: subscription.contractNoticedFor?.getTime() ?? null,
  };
}

/** Start of its contract, or of a subscription without a contract. */
export function contractStartOf({ contractStartAt, startAt, anchorAt }: Subscription): Date {
  return contractStartAt ?? startAt ?? anchorAt;
}

/** The contract of a subscription; null: it has none. */
export function contractOf(locked: LockedSubscription): Period | null {
  return contractPeriod({ ...stateOf(locked), contractStartAt: contractStartOf(locked.subscription).getTime() });
}

/** A subscription as events carry it, with the whole customer and plan. */
export function subscriptionEventObject(locked: LockedSubscription) {
  const { subscription, plan, addons, customer } = locked;
  return {
    ...presentSubscriptionWithPlan(subscription, { plan, item: plan.item ?? null, addons }),
    customer: presentWholeCustomer(customer),
  };
}

/** The subscription as the subject of events. */
export function subjectOf(subscription: Subscription) {
  return { type: 'subscription', id: subscription.id, row: subscription };
}

/** Locks the subscription of an invoice; null: it has none. */
export async function subscriptionOf(em: EntityManager, locked: LockedInvoice): Promise<LockedSubscription | null> {
  const { accountId, subscription: reference } = locked.invoice;
  if (!reference) return null;
  const subscription = await lockRow(em, Subscription, { accountId, id: reference.id });
  if (!subscription) return null;
  const plan = await em.findOneOrFail(Plan, { accountId, id: subscription.plan.id }, { populate: ['item'] });
  return { ...locked, subscription, plan, addons: await addonsOf(em, subscription) };
}
