import { checkSnapDay, endsTooLate, startsShort } from '../../billing/periods.ts';
import { discountsChosen } from '../../billing/recurring.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type Address, newShipTo } from '../../billing/shipTo.ts';
import {
  checkBackfill,
  checkEnds,
  checkRenewal,
  lastContractPeriod,
  type RenewalMode,
} from '../../billing/subscription.ts';
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
import { catchUp, endSubscription, renewContract } from './billing.ts';
import { chooseCoupons, chooseRates, reprice } from './content.ts';
import { changePause, type PauseChange } from './pausing.ts';

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
  renewalMode?: RenewalMode;
  /** Cycles of the next contract; null: as many as this one. */
  renewalCycles?: number | null;
  /** Day of the week, month or year on which periods start; null: they are counted from the start. */
  snapDay?: number | null;
  /** Whether to bill more than twelve missed periods. */
  backfill?: boolean;
  shipTo?: Address | null;
  paused: boolean;
  cancelAtPeriodEnd: boolean;
  /** Codes of coupons. */
  discounts?: readonly string[];
  /** Codes of tax rates. */
  taxes?: readonly string[];
  metadata: Record<string, string>;
}

export interface SubscriptionChange extends PauseChange {
  caller: Caller;
  id: number;
  cancelAtPeriodEnd?: boolean;
  renewalMode?: RenewalMode;
  renewalCycles?: number | null;
  shipTo?: Address | null;
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
  const calendar = calendarOf(input, plan, now);
  const { anchorAt } = calendar;
  const { renewalMode = 'none', renewalCycles = null } = input;
  checkRenewal({ cycles: input.cycles, renewalMode, renewalCycles });
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
    ...calendar,
    cycles: input.cycles,
    renewalMode,
    renewalCycles,
    shipTo: newShipTo(input.shipTo ?? null, null, now.getTime()),
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

/** The calendar of a new subscription. Refuses a snap day, a start and a contract that its plan cannot have. */
function calendarOf(input: NewSubscription, plan: Plan, now: Date) {
  const { caller, startAt, cycles, snapDay = null } = input;
  const { interval, intervalCount } = plan;
  const anchorAt = startAt ?? now;
  const { timeZone } = caller.account;
  checkSnapDay(snapDay, interval);
  const schedule = { anchorAt: anchorAt.getTime(), zone: timeZone, interval, intervalCount, snapDay };
  checkEnds(schedule, cycles, startAt ? 'start_date' : 'plan');
  if (!input.backfill) checkBackfill(schedule, now.getTime());
  return { anchorAt, timeZone, snapDay, startsShort: startsShort(schedule) };
}

/**
 * Changes a subscription, if anything differs: pauses or resumes it, sets or clears its cancellation at the end of the period, replaces
 * discounts, taxes, shipping address, terms of its renewal and metadata. Takes due steps first if their result depends on the change.
 * Refuses a subscription that has ended. Throws Missing.
 */
export async function updateSubscription(
  em: EntityManager,
  change: SubscriptionChange,
  systemNow: Date,
): Promise<LockedSubscription> {
  const at = await lockSubscription(em, change, systemNow);
  const { subscription, moment } = at;
  const { cancelAtPeriodEnd, renewalMode, renewalCycles, metadata } = change;
  const { paused, resumeAt, resumeMode } = change;
  const pause = subscription.paused || paused ? { paused, resumeAt, resumeMode } : { resumeAt };
  const former = subscription.discounts;
  const terms = await changedTerms(em, at, change);
  const shipTo =
    change.shipTo === undefined
      ? undefined
      : newShipTo(change.shipTo, subscription.shipTo ?? null, moment.now.getTime());
  const billing = { renewalMode, renewalCycles, shipTo, ...terms };
  if (!differs(subscription, { cancelAtPeriodEnd, metadata, ...pause, ...billing })) return at;
  if (change.cancelAtPeriodEnd || differs(subscription, { ...pause, ...billing })) await catchUp(em, at);
  if (isOver(subscription)) throw new Refusal(`Subscription is ${subscription.status} and can no longer be changed`);
  const before = subscriptionEventObject(at);
  if (change.cancelAtPeriodEnd !== undefined) subscription.cancelAtPeriodEnd = change.cancelAtPeriodEnd;
  if (change.metadata !== undefined) subscription.metadata = change.metadata;
  if (assignChanges(subscription, { renewalMode, renewalCycles })) checkRenewal(termsOf(subscription));
  changePause(at, change);
  const { discounts: wanted } = terms;
  const billed = { before: former, after: subscription.discounts };
  const discounts = wanted && discountsChosen(wanted, billed);
  if (assignChanges(subscription, { ...terms, shipTo, discounts })) await reprice(em, at);
  recordSubscription(em, at, { type: 'subscription.updated', before });
  await replanSubscription(em, at, {});
  return at;
}

function termsOf({ cycles, renewalMode, renewalCycles }: Subscription) {
  return { cycles: cycles ?? null, renewalMode, renewalCycles: renewalCycles ?? null };
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

export interface Renewal {
  caller: Caller;
  id: number;
  /** Cycles of the new contract; null: those agreed for renewals. */
  cycles: number | null;
  /** True: the new contract starts now, otherwise at the end of the old one. */
  startsNow: boolean;
}

/**
 * Renews a contract that has ended and waits for it. Refuses any other subscription, and a contract that would end after 2199. Throws
 * Missing.
 */
export async function renewSubscription(
  em: EntityManager,
  input: Renewal,
  systemNow: Date,
): Promise<LockedSubscription> {
  const at = await lockSubscription(em, input, systemNow);
  const { subscription } = at;
  if (!isOver(subscription)) await catchUp(em, at);
  if (isOver(subscription)) throw new Refusal(`Subscription is already ${subscription.status}`);
  if (!subscription.pendingRenewal) throw new Refusal('Subscription has no contract that waits for its renewal');
  renewContract(em, at, { cycles: input.cycles, anchorAt: input.startsNow ? at.moment.now : null });
  const { cycles, ...state } = stateOf(at);
  if (cycles !== null && endsTooLate(state.schedule, lastContractPeriod({ ...state, cycles })))
    throw new Refusal(`${cycles} cycles must end before 2200`, 'cycles');
  await replanSubscription(em, at, {});
  return at;
}
