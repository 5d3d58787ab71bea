import { defineEntity, p } from '@mikro-orm/core';
import type { ShipTo } from '../../billing/documents/shipTo.ts';
import type { BillIn } from '../../billing/subscriptions/billIn.ts';
import type { PendingChange } from '../../billing/subscriptions/pendingChange.ts';
import type { ProratedPrice } from '../../billing/subscriptions/proratedPrices.ts';
import type { ProratedLine } from '../../billing/subscriptions/proration.ts';
import type { SubscriptionDiscount, SubscriptionTax } from '../../billing/subscriptions/recurring.ts';
import {
  type CancellationReason,
  type CustomersChoice,
  cancellationReasons,
} from '../../billing/subscriptions/selfService.ts';
import {
  endedStatuses,
  type RenewalMode,
  type ResumeMode,
  type SubscriptionStatus,
  subscriptionStatuses,
} from '../../billing/subscriptions/subscription.ts';
import type { PastPrice, Stretch } from '../../billing/time/stretches.ts';
import type { ToldThresholds, UsageThreshold } from '../../billing/usage/usageThresholds.ts';
import { policiesThrough } from '../tenant.ts';
import { amount, eventCount, exact, metadata, oneOf, quoted, tenantKey, timestamps, token } from './columns.ts';
import { Customer } from './customer.ts';
import { metadataIndex, partialIndex } from './indexes.ts';
import { Item } from './item.ts';
import { Plan } from './plan.ts';

/** SQL: condition of the subscriptions that lists contain by default. */
const CURRENT = `status not in (${quoted(endedStatuses)})`;

const SubscriptionSchema = defineEntity({
  name: 'Subscription',
  policies: policiesThrough('subscription', 'customer'),
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    plan: () => p.manyToOne(Plan).joinColumns('account_id', 'plan_id').deleteRule('restrict'),
    status: p.string().length(11).$type<SubscriptionStatus>(),
    quantity: p.integer(),
    /** Price of one unit, for a custom plan. */
    amount: exact().nullable(),
    /** All periods are counted from here, in `timeZone`, so that an anchor on the 31st does not drift. */
    anchorAt: p.datetime(),
    /** Its start: its first anchor, or the start of its trial; null: the anchor, which has not moved. */
    startAt: p.datetime().nullable(),
    /** Time at which the anchor was set; null: at creation. */
    anchoredAt: p.datetime().nullable(),
    /** End of its trial, which is its first anchor; null: it has no trial. */
    trialEndAt: p.datetime().nullable(),
    timeZone: p.string().length(64),
    /** Day of the week, month or year on which periods start; null: they are counted from the anchor. */
    snapDay: p.integer().nullable(),
    /** Whether its first period is shorter than the others. Such a period is no cycle. */
    startsShort: p.boolean().default(false),
    /** Whether it bills a period at its start or before (`advanceDays`), or at its end. */
    billIn: p.string().length(8).$type<BillIn>().default('advance'),
    advanceDays: p.integer().default(0),
    /** A re-anchored subscription bills in a new segment. */
    segment: p.integer().default(0),
    /** Index of the next period to bill, counted from the anchor. */
    nextPeriod: p.integer().default(0),
    /** In advance: whether the period before `nextPeriod` has not begun. In arrears: whether `nextPeriod` has begun. */
    periodOpen: p.boolean().default(false),
    /** In arrears: the parts of the period in progress during which it was not paused; null: all of it so far. */
    used: p.json().$type<Stretch[]>().nullable(),
    /** Number of billed periods of the contract that have begun, without paused ones and a short first one. */
    cyclesBilled: p.integer().default(0),
    cycles: p.integer().nullable(),
    /** Segment and index of the contract's first period, and when it starts; null if it starts with the subscription. */
    contractSegment: p.integer().default(0),
    contractPeriod: p.integer().default(0),
    contractStartAt: p.datetime().nullable(),
    /** End of the contract, if no further period is paused; `replanSubscription` keeps it. Null: it has none. */
    contractEndAt: p.datetime().nullable(),
    renewalMode: p.string().length(10).$type<RenewalMode>().default('none'),
    /** Cycles of the next contract; null: as many as this one. */
    renewalCycles: p.integer().nullable(),
    /** Whether the contract has ended and waits to be renewed. */
    pendingRenewal: p.boolean().default(false),
    /** Time of the last change of its price; null: none. */
    changedAt: p.datetime().nullable(),
    /** The lines that prorate changes of periods which had not ended at the last change. */
    prorations: p.json().$type<ProratedLine[]>().defaultRaw(`'[]'`),
    /** The prices that prorated changes have set in periods which had not ended at the last change; null: none. */
    proratedPrices: p.json().$type<ProratedPrice[]>().nullable(),
    /** Earlier prices of the period in progress, in arrears; null: none. */
    pastPrices: p.json().$type<PastPrice[]>().nullable(),
    /** The change that takes effect with the next period or contract; null: none. */
    pendingChange: p.json().$type<PendingChange>().nullable(),
    /** Start of the contract whose end was announced last, and time of the renewal that was announced last. */
    contractNoticedFor: p.datetime().nullable(),
    renewalNoticedFor: p.datetime().nullable(),
    periodStartAt: p.datetime().nullable(),
    periodEndAt: p.datetime().nullable(),
    cancelAtPeriodEnd: p.boolean(),
    canceledAt: p.datetime().nullable(),
    /** Why the customer cancels it, and in its own words; null: it gave no reason. */
    cancellationReason: p.string().length(16).$type<CancellationReason>().nullable(),
    cancellationComment: p.text().nullable(),
    /** What the customer itself has planned or done, and may take back; null: nothing. */
    customersChoices: p.json().$type<CustomersChoice[]>().nullable(),
    finishedAt: p.datetime().nullable(),
    /** Whether it pauses at the end of its period or trial. */
    pauseAtPeriodEnd: p.boolean().default(false),
    paused: p.boolean(),
    /** When the pause that has begun or is planned ends by itself, and what is billed then. */
    resumeAt: p.datetime().nullable(),
    resumeMode: p.string().length(8).$type<ResumeMode>().default('continue'),
    /** False: it has no add-ons, so that nothing looks for them. */
    hasAddons: p.boolean().default(false),
    /** Whether it has, or had, a plan or add-on that bills usage. False: nothing looks for usage. */
    hasUsage: p.boolean().default(false),
    /** Quantities of usage that are announced when a period reaches them, and those of the current period that were; null: none. */
    usageThresholds: p.json().$type<UsageThreshold[]>().nullable(),
    usageTold: p.json().$type<ToldThresholds>().nullable(),
    /** When usage is billed that was reported while it ended; null: there is nothing to do. */
    lateUsageAt: p.datetime().nullable(),
    /** Discounts and taxes of its bills, and its cost since the last change or bill. */
    discounts: p.json().$type<SubscriptionDiscount[]>(),
    taxes: p.json().$type<SubscriptionTax[]>(),
    /** Shipping address of its bills. */
    shipTo: p.json().$type<ShipTo>().nullable(),
    recurringTotal: amount(),
    mrr: amount(),
    /** Null: its movements of revenue from before they were written are not derived from its events yet. */
    mrrDerived: p.boolean().nullable().default(true),
    /** Secret last part of the URL of its page. */
    token: token.nullable(),
    metadata,
    eventCount,
    ...timestamps,
  },
  indexes: [
    { name: 'subscription_by_customer', properties: ['accountId', 'customer', 'id'] },
    { name: 'subscription_by_plan', properties: ['accountId', 'plan', 'id'] },
    { name: 'subscription_by_status', properties: ['accountId', 'status', 'id'] },
    { name: 'subscription_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
    partialIndex('subscription', 'subscription_underived', ['account_id, id', 'mrr_derived is null']),
    partialIndex('subscription', 'subscription_not_canceled', ['account_id, id', "status not in ('canceled')"]),
    partialIndex('subscription', 'subscription_not_finished', ['account_id, id', "status not in ('finished')"]),
    partialIndex('subscription', 'subscription_current', ['account_id, id', CURRENT]),
    partialIndex('subscription', 'subscription_current_by_period_end', ['account_id, period_end_at, id', CURRENT]),
    partialIndex('subscription', 'subscription_current_by_contract_end', ['account_id, contract_end_at, id', CURRENT]),
    partialIndex('subscription', 'subscription_current_by_trial_end', ['account_id, trial_end_at, id', CURRENT]),
    partialIndex('subscription', 'subscription_current_by_paused', ['account_id, paused, id', CURRENT]),
    partialIndex('subscription', 'subscription_current_by_cancel', ['account_id, cancel_at_period_end, id', CURRENT]),
    partialIndex('subscription', 'subscription_current_by_created', ['account_id, created_at, id', CURRENT]),
    partialIndex('subscription', 'subscription_current_by_updated', ['account_id, updated_at, id', CURRENT]),
    partialIndex('subscription', 'subscription_current_by_mrr', ['account_id, mrr, id', CURRENT]),
    metadataIndex('subscription'),
  ],
  checks: [
    oneOf('subscription', 'status', subscriptionStatuses),
    oneOf('subscription', 'cancellation_reason', cancellationReasons),
    { name: 'subscription_quantity', expression: 'quantity >= 0' },
    { name: 'subscription_cycles', expression: 'cycles is null or (cycles > 0 and cycles_billed <= cycles)' },
  ],
});
export class Subscription extends SubscriptionSchema.class {}
SubscriptionSchema.setClass(Subscription);

const SubscriptionAddonSchema = defineEntity({
  name: 'SubscriptionAddon',
  policies: policiesThrough('subscription_addon', 'subscription'),
  comment: 'A plan or catalog item that a subscription bills besides its own plan',
  properties: {
    ...tenantKey,
    subscription: () => p.manyToOne(Subscription).joinColumns('account_id', 'subscription_id').deleteRule('cascade'),
    plan: () => p.manyToOne(Plan).joinColumns('account_id', 'plan_id').nullable().deleteRule('restrict'),
    item: () => p.manyToOne(Item).joinColumns('account_id', 'item_id').nullable().deleteRule('restrict'),
    quantity: p.integer(),
    /** Price of one unit, for a custom plan. */
    amount: exact().nullable(),
    /** Text on the lines that bill it. */
    description: p.text().nullable(),
    /** Place among the add-ons of the subscription, from 0. */
    position: p.integer(),
    /** When it was removed. The row stays, because billed lines refer to it. */
    removedAt: p.datetime().nullable(),
    ...timestamps,
  },
  indexes: [
    { name: 'subscription_addon_by_subscription', properties: ['accountId', 'subscription'] },
    partialIndex('subscription_addon', 'subscription_addon_current', [
      'account_id, subscription_id, position',
      'removed_at is null',
    ]),
  ],
  checks: [
    { name: 'subscription_addon_sold', expression: 'num_nonnulls(plan_id, item_id) = 1' },
    { name: 'subscription_addon_quantity', expression: 'quantity >= 0' },
    { name: 'subscription_addon_amount', expression: 'amount is null or plan_id is not null' },
  ],
});
export class SubscriptionAddon extends SubscriptionAddonSchema.class {}
SubscriptionAddonSchema.setClass(SubscriptionAddon);
