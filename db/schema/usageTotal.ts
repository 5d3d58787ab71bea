import { defineEntity, p } from '@mikro-orm/core';
import type { BilledDifference, UsageTerms } from '../../billing/lateUsage.ts';
import { tenantPolicies } from '../tenant.ts';
import { amount, longTenantKey } from './columns.ts';
import { partialIndex } from './indexes.ts';
import { UsageRate } from './usageRate.ts';

const UsageTotalSchema = defineEntity({
  name: 'UsageTotal',
  policies: tenantPolicies,
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
