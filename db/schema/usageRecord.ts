import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { exact, longTenantKey } from './columns.ts';
import { partialIndex } from './indexes.ts';

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
  policies: tenantPolicies,
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
