import { checkSnapDay, startsShort } from '../../billing/periods.ts';
import { discountsChosen } from '../../billing/recurring.ts';
import { Refusal } from '../../billing/refusal.ts';
import { checkBackfill, checkEnds, nextPeriodAfterPause } from '../../billing/subscription.ts';
import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Plan } from '../../db/schema/plan.ts';
import { Subscription } from '../../db/schema/subscription.ts';
import {
  isOver,
  type LockedSubscription,
  lockSubscription,
  recordSubscription,
  replanSubscription,
  stateOf,
  subjectOf,
  subscriptionEventObject,
} from '../aggregates/subscription.ts';
import { unknownCode } from '../catalog/codes.ts';
import { lockBillable } from '../customers/billable.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges, differs } from '../kernel/changes.ts';
import { record } from '../kernel/record.ts';
import { catchUp, endSubscription } from './billing.ts';
import { chooseCoupons, chooseRates, reprice } from './content.ts';

export interface NewSubscription {
  caller: Caller;
  customerId: number;
  planCode: string;
  quantity: number;
  /** Unit price of a custom plan; null for any other plan. */
  amount?: string | null;
  /** Start of the first period; null: now. */
  startAt: Date | null;
  /** Number of periods of the contract; null: no end. */
  cycles: number | null;
  /** Day of the week, month or year on which periods start; null: they are counted from the start. */
  snapDay?: number | null;
  paused: boolean;
  cancelAtPeriodEnd: boolean;
  /** Codes of coupons. */
  discounts?: readonly string[];
  /** Codes of tax rates. */
  taxes?: readonly string[];
  metadata: Record<string, string>;
}

export interface SubscriptionChange {
  caller: Caller;
  id: number;
  paused?: boolean;
  cancelAtPeriodEnd?: boolean;
  discounts?: readonly string[];
  taxes?: readonly string[];
  metadata?: Record<string, string>;
}

/**
 * Creates a subscription. Its process then issues the first invoice. Refuses an inactive customer, an unknown plan, an amount that does not
 * fit the plan, coupons and tax rates that cannot be used, a snap day that the plan's interval does not have, a start date more than
 * twelve periods ago, and a contract beyond 2200.
 */
export async function createSubscription(
  em: EntityManager,
  input: NewSubscription,
  systemNow: Date,
): Promise<LockedSubscription> {
  const { account } = input.caller;
  const at = await lockBillable(em, input, systemNow);
  const named = { accountId: account.id, code: input.planCode };
  const plan = await em.findOne(Plan, { ...named, archivedAt: null }, { populate: ['item'] });
  if (!plan) throw await unknownCode(em, { ...named, kind: 'plan', param: 'plan' });
  const { now } = at.moment;
  const anchorAt = input.startAt ?? now;
  const { interval, intervalCount } = plan;
  const snapDay = input.snapDay ?? null;
  checkSnapDay(snapDay, interval);
  const schedule = { anchorAt: anchorAt.getTime(), zone: account.timeZone, interval, intervalCount, snapDay };
  checkEnds(schedule, input.cycles, input.startAt ? 'start_date' : 'plan');
  checkBackfill(schedule, now.getTime());
  const amount = input.amount ?? null;
  checkAgreed(plan, amount);
  const { subscription: id } = await reserveIds(em, 'subscription');
  const { currency } = plan;
  const discounts = await chooseCoupons(em, at, { codes: input.discounts ?? [], known: [], currency, id });
  const taxes = await chooseRates(em, at, { codes: input.taxes ?? [], known: [], currency });
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
    snapDay,
    startsShort: startsShort(schedule),
    cycles: input.cycles,
    cancelAtPeriodEnd: input.cancelAtPeriodEnd,
    paused: input.paused,
    discounts,
    taxes,
    recurringTotal: '0',
    mrr: '0',
    metadata: input.metadata,
    createdAt: now,
    updatedAt: now,
  });
  const created = { ...at, subscription, plan };
  await priceNew(em, created);
  record(em, at.moment, {
    type: 'subscription.created',
    subject: subjectOf(subscription),
    object: subscriptionEventObject(created),
  });
  await replanSubscription(em, created, { existing: [] });
  return created;
}

/**
 * Changes a subscription, if anything differs: pauses or resumes it, sets or clears its cancellation at the end of the period, replaces
 * discounts, taxes and metadata. Takes due steps first if their result depends on the change. Refuses a subscription that has ended. Throws
 * Missing.
 */
export async function updateSubscription(
  em: EntityManager,
  change: SubscriptionChange,
  systemNow: Date,
): Promise<LockedSubscription> {
  const at = await lockSubscription(em, change, systemNow);
  const { subscription, moment } = at;
  const { paused, cancelAtPeriodEnd, metadata } = change;
  const former = subscription.discounts;
  const terms = await changedTerms(em, at, change);
  if (!differs(subscription, { paused, cancelAtPeriodEnd, metadata, ...terms })) return at;
  if (change.paused || change.cancelAtPeriodEnd || differs(subscription, terms)) await catchUp(em, at);
  if (isOver(subscription)) throw new Refusal(`Subscription is ${subscription.status} and can no longer be changed`);
  const before = subscriptionEventObject(at);
  if (change.cancelAtPeriodEnd !== undefined) subscription.cancelAtPeriodEnd = change.cancelAtPeriodEnd;
  if (change.metadata !== undefined) subscription.metadata = change.metadata;
  if (change.paused === false && subscription.paused) {
    subscription.nextPeriod = nextPeriodAfterPause(stateOf(at), moment.now.getTime());
  }
  if (change.paused !== undefined) subscription.paused = change.paused;
  const { discounts: wanted } = terms;
  const billed = { before: former, after: subscription.discounts };
  const discounts = wanted && discountsChosen(wanted, billed);
  if (assignChanges(subscription, { ...terms, discounts })) await reprice(em, at);
  recordSubscription(em, at, { type: 'subscription.updated', before });
  await replanSubscription(em, at, {});
  return at;
}

/** The requested discounts and taxes. Locks coupons, so call it before due bills lock number series. */
async function changedTerms(
  em: EntityManager,
  at: LockedSubscription,
  { discounts, taxes }: SubscriptionChange,
): Promise<Partial<Pick<Subscription, 'discounts' | 'taxes'>>> {
  const { id, discounts: coupons, taxes: rates } = at.subscription;
  const { currency } = at.plan;
  return {
    ...(discounts
      ? { discounts: await chooseCoupons(em, at, { codes: discounts, known: coupons, currency, id }) }
      : {}),
    ...(taxes ? { taxes: await chooseRates(em, at, { codes: taxes, known: rates, currency }) } : {}),
  };
}

/** Prices a new subscription. A Refusal of its amounts names `quantity`. */
async function priceNew(em: EntityManager, at: LockedSubscription): Promise<void> {
  await reprice(em, at).catch((error) => {
    throw error instanceof Refusal ? new Refusal(error.message, 'quantity') : error;
  });
}

/** Refuses a custom plan without an amount, and any other plan with one. */
function checkAgreed(plan: Plan, amount: string | null): void {
  const isCustom = plan.pricingMode === 'custom';
  if (isCustom && amount === null) throw new Refusal(`Amount missing: plan ${plan.code} has a custom price`, 'amount');
  if (!isCustom && amount !== null) throw new Refusal(`Plan ${plan.code} has a price: omit amount`, 'amount');
}

/** Cancels a subscription at once, after its due steps. Refuses a subscription that has ended. Throws Missing. */
export async function cancelSubscription(
  em: EntityManager,
  input: { caller: Caller; id: number },
  systemNow: Date,
): Promise<LockedSubscription> {
  const at = await lockSubscription(em, input, systemNow);
  if (!isOver(at.subscription)) await catchUp(em, at);
  if (isOver(at.subscription)) throw new Refusal(`Subscription is already ${at.subscription.status}`);
  await endSubscription(em, at, { status: 'canceled', at: at.moment.now });
  await replanSubscription(em, at, {});
  return at;
}
