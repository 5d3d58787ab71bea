import { defineEntity, p } from '@mikro-orm/core';
import type { BilledDifference, UsageTerms } from '../../billing/usage/lateUsage.ts';
import type { CollectedUsage, UsageComponent } from '../../billing/usage/usage.ts';
import { policiesThrough } from '../tenant.ts';
import { amount, exact, longTenantKey, tenantKey } from './columns.ts';
import { partialIndex } from './indexes.ts';
import { Subscription } from './subscription.ts';

const UsageRateSchema = defineEntity({
  name: 'UsageRate',
  policies: policiesThrough('usage_rate', 'subscription'),
  comment: 'A price at which the usage of a plan or add-on counts for some time; those of one component do not overlap',
  properties: {
    ...tenantKey,
    subscription: () => p.manyToOne(Subscription).joinColumns('account_id', 'subscription_id').deleteRule('cascade'),
    /** Null: the plan of the subscription. */
    addonId: p.integer().nullable(),
    fromAt: p.datetime(),
    /** Null: it still counts. */
    untilAt: p.datetime().nullable(),
    /** End of the usage that a bill has taken; null: none has. Later rows of earlier usage are late. */
    billedUntil: p.datetime().nullable(),
    /** Usage for the next bill, by span, that was collected ahead because there is much of it. Null if there is none. */
    collected: p.json().$type<CollectedUsage[]>().nullable(),
    component: p.json().$type<UsageComponent>(),
  },
  indexes: [{ name: 'usage_rate_by_subscription', properties: ['accountId', 'subscription', 'addonId', 'fromAt'] }],
  checks: [{ name: 'usage_rate_time', expression: 'until_at is null or until_at >= from_at' }],
});
export class UsageRate extends UsageRateSchema.class {}
UsageRateSchema.setClass(UsageRate);

/** SQL: condition of the rows that no bill has taken. */
export const UNBILLED = 'total_id is null';

/**
 * SQL: the add-on of a usage record, by its alias; 0: the plan of the subscription. An index on `coalesce` would not be used: PostgreSQL
 * compares no value before the policies of the table unless the expression is certain to reveal none.
 */
export const addonKey = (record?: string) => {
  const addonId = record ? `${record}.addon_id` : 'addon_id';
  return `(case when ${addonId} is null then 0 else ${addonId} end)`;
};

const UsageRecordSchema = defineEntity({
  name: 'UsageRecord',
  policies: policiesThrough('usage_record', 'subscription'),
  comment:
    'Units that a subscription used, as a request reported them; it has no foreign keys, so that a report locks nothing',
  properties: {
    ...longTenantKey,
    subscriptionId: p.integer(),
    /** Null: the plan of the subscription. */
    addonId: p.integer().nullable(),
    /** Negative: a correction. */
    quantity: exact(),
    usedAt: p.datetime(),
    /** The client's key: a second report with it changes nothing. */
    key: p.string().length(255),
    /** The usage total with which it was billed; null: no bill has taken it. */
    totalId: p.bigint('number').nullable(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'usage_record_key', properties: ['accountId', 'subscriptionId', 'key'] }],
  indexes: [
    { name: 'usage_record_by_time', properties: ['accountId', 'subscriptionId', 'usedAt', 'id'] },
    // Rows are written in this order, so a small index of blocks is enough.
    {
      name: 'usage_record_by_created',
      expression: 'create index "usage_record_by_created" on "usage_record" using brin ("created_at")',
    },
    partialIndex('usage_record', 'usage_record_open', [
      `account_id, subscription_id, ${addonKey()}, used_at, id`,
      UNBILLED,
    ]),
  ],
  checks: [{ name: 'usage_record_quantity', expression: 'quantity <> 0' }],
});
export class UsageRecord extends UsageRecordSchema.class {}
UsageRecordSchema.setClass(UsageRecord);

const UsageTotalSchema = defineEntity({
  name: 'UsageTotal',
  policies: policiesThrough('usage_total', ['rate_id', 'usage_rate']),
  comment: 'Usage of a rate in a span of time that one bill has taken; late usage of the span has totals of its own',
  properties: {
    ...longTenantKey,
    rate: () => p.manyToOne(UsageRate).joinColumns('account_id', 'rate_id').deleteRule('cascade'),
    /** 0: the bill after the span. Then those that took late usage, in their order. */
    turn: p.integer(),
    startAt: p.datetime(),
    endAt: p.datetime(),
    quantity: p.decimal().columnType('numeric'),
    /** Number of usage records. */
    records: p.integer(),
    /** Price of the quantity, before discounts. For late usage: the price of the span with it less the price without. */
    amount: amount(),
    /** Whether it was used in a trial. */
    free: p.boolean(),
    /** Null: it cost nothing, or a pending line bills it. */
    invoiceId: p.integer().nullable(),
    /** The pending line that bills it after the end of the subscription. */
    lineId: p.bigint('number').nullable(),
    /** On the first total of a span: what its bill does not tell about the price of later corrections; null: nothing. */
    terms: p.json().$type<UsageTerms>().nullable(),
    /** For late usage: what its bill has for it, after discounts; null: it is free, or a version from before this rule billed it. */
    billed: p.json().$type<BilledDifference[]>().nullable(),
    createdAt: p.datetime(),
  },
  indexes: [
    partialIndex('usage_total', 'usage_total_by_invoice', ['account_id, invoice_id', 'invoice_id is not null']),
    partialIndex('usage_total', 'usage_total_by_line', ['account_id, line_id', 'line_id is not null']),
  ],
  uniques: [{ name: 'usage_total_turn', properties: ['accountId', 'rate', 'startAt', 'turn'] }],
});
export class UsageTotal extends UsageTotalSchema.class {}
UsageTotalSchema.setClass(UsageTotal);
