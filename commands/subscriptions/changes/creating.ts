import { type Address, newShipTo } from '../../../billing/documents/shipTo.ts';
import { checkAgreedAmount, checkPlanQuantity } from '../../../billing/subscriptions/plan.ts';
import { checkRenewal, type RenewalMode } from '../../../billing/subscriptions/subscription.ts';
import { reserveIds } from '../../../db/ids.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { newToken } from '../../../db/schema/columns.ts';
import { Subscription } from '../../../db/schema/subscription.ts';
import {
  type LockedSubscription,
  replanSubscription,
  subjectOf,
  subscriptionEventObject,
} from '../../aggregates/subscription.ts';
import { numberBill } from '../../bills/bills.ts';
import { lockBillable } from '../../customers/billable.ts';
import type { Caller } from '../../kernel/caller.ts';
import { record } from '../../kernel/record.ts';
import { mailConfirmation } from '../steps/mails.ts';
import { findPlan } from '../steps/plans.ts';
import { calendarOf, type StartAsked, takeFirstStep } from '../steps/starting.ts';
import { updateRates } from '../usage/usageRates.ts';
import { askedThresholds, type RequestedThreshold, setThresholds } from '../usage/usageThresholds.ts';
import { changeAddons, chooseAddons, type RequestedAddon } from './addons.ts';
import { chooseCoupons, chooseRates, repriceComponents } from './content.ts';
import { checkPauseOfNew } from './pausing.ts';

export interface NewSubscription extends StartAsked {
  caller: Caller;
  customerId: number;
  planCode: string;
  quantity: number;
  /** Unit price of a custom plan; null for any other plan. */
  amount?: string | null;
  addons?: readonly RequestedAddon[];
  renewalMode?: RenewalMode;
  /** Cycles of the next contract; null: as many as this one. */
  renewalCycles?: number | null;
  shipTo?: Address | null;
  paused: boolean;
  cancelAtPeriodEnd: boolean;
  /** Whether it pauses at the end of its first period or its trial. */
  pauseAtPeriodEnd?: boolean;
  /** Codes of coupons. */
  discounts?: readonly string[];
  /** Codes of tax rates. */
  taxes?: readonly string[];
  usageThresholds?: readonly RequestedThreshold[] | null;
  /** True: the caller mails the confirmation later. */
  isConfirmedLater?: true;
  metadata: Record<string, string>;
}

/**
 * Creates a subscription and takes its first step, if that is due: bills its first period, or begins its trial or a period that is billed in
 * arrears. Confirms it by mail. Refuses an inactive customer, an unknown plan, an amount that does not fit the plan, add-ons, coupons and
 * tax rates that cannot be used, and what `calendarOf` refuses.
 */
export async function createSubscription(
  em: EntityManager,
  input: NewSubscription,
  systemNow: Date,
): Promise<LockedSubscription> {
  const { account } = input.caller;
  const locked = await lockBillable(em, input, systemNow);
  const plan = await findPlan(em, { accountId: account.id, code: input.planCode });
  const { now } = locked.moment;
  const calendar = calendarOf(input, plan, { now, zone: account.timeZone });
  const { renewalMode = 'none', renewalCycles = null, amount = null } = input;
  checkRenewal({ cycles: input.cycles, renewalMode, renewalCycles });
  checkAgreedAmount(plan, amount, 'amount');
  checkPlanQuantity(plan, input.quantity, 'quantity');
  checkPauseOfNew(input);
  const { subscription: id } = await reserveIds(em, 'subscription');
  const { currency } = plan;
  const discounts = await chooseCoupons(em, locked, { codes: input.discounts ?? [], known: [], currency, id });
  const taxes = await chooseRates(em, locked, { codes: input.taxes ?? [], known: [], currency });
  const subscription = em.create(Subscription, {
    accountId: account.id,
    id,
    customer: locked.customer,
    plan,
    quantity: input.quantity,
    amount,
    ...calendar,
    cycles: input.cycles,
    renewalMode,
    renewalCycles,
    shipTo: newShipTo(input.shipTo ?? null, null, now.getTime()),
    cancelAtPeriodEnd: input.cancelAtPeriodEnd,
    paused: input.paused,
    pauseAtPeriodEnd: input.pauseAtPeriodEnd ?? false,
    discounts,
    taxes,
    recurringTotal: '0',
    mrr: '0',
    metadata: input.metadata,
    token: newToken(),
    createdAt: now,
    updatedAt: now,
  });
  const created: LockedSubscription = { ...locked, subscription, plan, addons: [] };
  await changeAddons(em, created, await chooseAddons(em, { plan, requested: input.addons ?? [], current: [] }));
  await repriceComponents(em, created);
  await startUsage(em, created, input.usageThresholds ?? null);
  record(em, locked.moment, {
    type: 'subscription.created',
    subject: subjectOf(subscription),
    object: subscriptionEventObject(created),
  });
  const written = await takeFirstStep(em, created);
  if (!input.isConfirmedLater) await mailConfirmation(em, created);
  await replanSubscription(em, created, { existing: [] });
  if (written) await numberBill(em, created, written);
  return created;
}

/** Begins the rates of metered plans, and sets thresholds of their usage. */
async function startUsage(
  em: EntityManager,
  locked: LockedSubscription,
  requested: readonly RequestedThreshold[] | null,
): Promise<void> {
  const { startAt, anchorAt } = locked.subscription;
  setThresholds(locked, askedThresholds(requested, locked.plan.code));
  await updateRates(em, locked, startAt ?? anchorAt);
}
