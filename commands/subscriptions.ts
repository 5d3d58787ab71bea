import { checkAmount } from '../billing/limits.ts';
import { pricingOf } from '../billing/plan.ts';
import { Refusal } from '../billing/refusal.ts';
import { checkBackfill, nextPeriodAfterPause, recurring } from '../billing/subscription.ts';
import { reserveIds } from '../db/ids.ts';
import type { EntityManager } from '../db/orm.ts';
import { Plan } from '../db/schema/plan.ts';
import { Subscription } from '../db/schema/subscription.ts';
import { lockBillable } from './billable.ts';
import type { Caller } from './caller.ts';
import { differs } from './changes.ts';
import { unknownCode } from './codes.ts';
import { record } from './record.ts';
import { catchUp, endSubscription } from './subscriptionBilling.ts';
import {
  changeRecorded,
  forEvent,
  isOver,
  lockSubscription,
  replan,
  type SubscriptionMoment,
  stateOf,
  subjectOf,
} from './subscriptionMoment.ts';

export interface NewSubscription {
  caller: Caller;
  customerId: number;
  planCode: string;
  quantity: number;
  /** Price of one, of a custom plan; null of any other. */
  amount?: string | null;
  startAt: Date | null;
  cycles: number | null;
  paused: boolean;
  cancelAtPeriodEnd: boolean;
  metadata: Record<string, string>;
}

export interface SubscriptionChange {
  caller: Caller;
  id: number;
  paused?: boolean;
  cancelAtPeriodEnd?: boolean;
  metadata?: Record<string, string>;
}

/** Starts a subscription; its process issues the first invoice. Refuses an unknown plan, a foreign currency, a start too long ago. */
export async function createSubscription(
  em: EntityManager,
  input: NewSubscription,
  systemNow: Date,
): Promise<SubscriptionMoment> {
  const { account } = input.caller;
  const at = await lockBillable(em, input, systemNow);
  const named = { accountId: account.id, code: input.planCode };
  const plan = await em.findOne(Plan, { ...named, archivedAt: null }, { populate: ['item'] });
  if (!plan) throw await unknownCode(em, { ...named, kind: 'plan', param: 'plan' });
  const { now } = at.moment;
  const anchorAt = input.startAt ?? now;
  const { interval, intervalCount } = plan;
  checkBackfill({ anchorAt: anchorAt.getTime(), zone: account.timeZone, interval, intervalCount }, now.getTime());
  const amount = input.amount ?? null;
  checkAgreed(plan, amount);
  const quantity = String(input.quantity);
  const price = { pricing: pricingOf(plan, amount), quantity, currency: plan.currency, interval, intervalCount };
  const { total } = recurring(price);
  checkAmount(total, 'quantity');
  const { subscription: id } = await reserveIds(em, 'subscription');
  const subscription = em.create(Subscription, {
    accountId: account.id,
    id,
    customer: at.customer,
    plan,
    status: anchorAt > now ? 'not_started' : 'active',
    quantity: input.quantity,
    amount,
    anchorAt,
    timeZone: account.timeZone,
    cycles: input.cycles,
    cancelAtPeriodEnd: input.cancelAtPeriodEnd,
    paused: input.paused,
    metadata: input.metadata,
    createdAt: now,
    updatedAt: now,
  });
  const created = { ...at, subscription, plan };
  record(em, at.moment, { type: 'subscription.created', subject: subjectOf(subscription), object: forEvent(created) });
  await replan(em, created, { existing: [] });
  return created;
}

/** Pauses, resumes, marks for cancellation at the period's end or takes that back, replaces metadata. What changes nothing does nothing. */
export async function updateSubscription(
  em: EntityManager,
  change: SubscriptionChange,
  systemNow: Date,
): Promise<SubscriptionMoment> {
  const at = await lockSubscription(em, change, systemNow);
  const { subscription, moment } = at;
  const { paused, cancelAtPeriodEnd, metadata } = change;
  if (!differs(subscription, { paused, cancelAtPeriodEnd, metadata })) return at;
  if (change.paused || change.cancelAtPeriodEnd) await catchUp(em, at);
  if (isOver(subscription)) throw new Refusal(`Subscription is ${subscription.status} and can no longer be changed`);
  const before = forEvent(at);
  if (change.cancelAtPeriodEnd !== undefined) subscription.cancelAtPeriodEnd = change.cancelAtPeriodEnd;
  if (change.metadata !== undefined) subscription.metadata = change.metadata;
  if (change.paused === false && subscription.paused) {
    subscription.nextPeriod = nextPeriodAfterPause(stateOf(at), moment.now.getTime());
  }
  if (change.paused !== undefined) subscription.paused = change.paused;
  await changeRecorded(em, at, { type: 'subscription.updated', before });
  await replan(em, at, {});
  return at;
}

/** A custom plan needs an amount, which others have themselves. */
function checkAgreed(plan: Plan, amount: string | null): void {
  const isCustom = plan.pricingMode === 'custom';
  if (isCustom && amount === null) throw new Refusal(`Amount missing: plan ${plan.code} has a custom price`, 'amount');
  if (!isCustom && amount !== null) throw new Refusal(`Plan ${plan.code} has a price of its own`, 'amount');
}

/** Cancels at once. A second time is refused. */
export async function cancelSubscription(
  em: EntityManager,
  input: { caller: Caller; id: number },
  systemNow: Date,
): Promise<SubscriptionMoment> {
  const at = await lockSubscription(em, input, systemNow);
  if (!isOver(at.subscription)) await catchUp(em, at);
  if (isOver(at.subscription)) throw new Refusal(`Subscription is already ${at.subscription.status}`);
  await endSubscription(em, at, { status: 'canceled', at: at.moment.now });
  await replan(em, at, {});
  return at;
}
