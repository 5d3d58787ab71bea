import { checkSnapDay, startsShort } from '../../billing/periods.ts';
import { Refusal } from '../../billing/refusal.ts';
import { type Address, newShipTo } from '../../billing/shipTo.ts';
import {
  checkBackfill,
  checkEnds,
  checkRenewal,
  nextSubscriptionStep,
  type RenewalMode,
} from '../../billing/subscription.ts';
import { reserveIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Plan } from '../../db/schema/plan.ts';
import { Subscription } from '../../db/schema/subscription.ts';
import {
  type LockedSubscription,
  replanSubscription,
  stateOf,
  subjectOf,
  subscriptionEventObject,
} from '../aggregates/subscription.ts';
import { numberBill } from '../bills/bills.ts';
import { lockBillable } from '../customers/billable.ts';
import type { Caller } from '../kernel/caller.ts';
import { record } from '../kernel/record.ts';
import { takeStep } from './billing.ts';
import { chooseCoupons, chooseRates, reprice } from './content.ts';
import { findPlan } from './plans.ts';

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

/**
 * Creates a subscription and bills its first period, if that is due. Refuses an inactive customer, an unknown plan, an amount that does not
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
  const plan = await findPlan(em, { accountId: account.id, code: input.planCode });
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
  await takeFirstStep(em, created);
  return created;
}

/**
 * Takes the first step as the process would, if it is due; the process takes the others. A bill that must be held becomes a draft; any
 * other refusal refuses the subscription.
 */
async function takeFirstStep(em: EntityManager, at: LockedSubscription): Promise<void> {
  const { due } = nextSubscriptionStep(stateOf(at), at.moment.now.getTime());
  const written = due ? await takeStep(em, at, due) : null;
  await replanSubscription(em, at, { existing: [] });
  if (written) await numberBill(em, at, written);
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
