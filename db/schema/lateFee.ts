import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough, sharedPolicies } from '../tenant.ts';
import { amount, exact, tenantKey, timestamps } from './columns.ts';
import { Invoice } from './invoice.ts';

const LateFeeSchema = defineEntity({
  name: 'LateFee',
  policies: policiesThrough('late_fee', 'invoice'),
  comment: 'A late fee of a past-due invoice, with the terms and the principal that it was computed from; append-only',
  properties: {
    ...tenantKey,
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').deleteRule('cascade'),
    /** The invoice that charges it; null: a line of the past-due invoice charges it. */
    feeInvoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'fee_invoice_id').nullable().deleteRule('cascade'),
    /** Local day on which it accrued. */
    accruedOn: p.date(),
    accruedAt: p.datetime(),
    currency: p.string().length(3),
    principal: amount(),
    /** Terms of the schedule: a percentage, or an amount. */
    rate: exact(),
    isPercent: p.boolean(),
    cap: amount().nullable(),
    amount: amount(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'late_fee_once', properties: ['accountId', 'invoice', 'accruedOn'] }],
  indexes: [{ name: 'late_fee_by_fee_invoice', properties: ['accountId', 'feeInvoice'] }],
  checks: [{ name: 'late_fee_amount', expression: 'amount > 0 and principal > 0' }],
});
export class LateFee extends LateFeeSchema.class {}
LateFeeSchema.setClass(LateFee);

const LateFeeScheduleSchema = defineEntity({
  name: 'LateFeeSchedule',
  policies: sharedPolicies,
  comment: 'Terms of late fees; the default one of an account applies to its past-due invoices',
  properties: {
    ...tenantKey,
    name: p.string().length(255),
    gracePeriodDays: p.integer(),
    /** A percentage, or an amount in `currency`. */
    amount: exact(),
    isPercent: p.boolean(),
    /** Days from each fee to the next one; 0: one fee only. */
    recurringDays: p.integer(),
    /** The most that the fees of one invoice come to, in `currency`; null: no limit. */
    cap: amount().nullable(),
    currency: p.string().length(3),
    isDefault: p.boolean(),
    ...timestamps,
  },
  indexes: [
    {
      name: 'late_fee_schedule_default',
      expression:
        'create unique index "late_fee_schedule_default" on "late_fee_schedule" ("account_id") where is_default',
    },
    { name: 'late_fee_schedule_by_name', properties: ['accountId', 'name', 'id'] },
    { name: 'late_fee_schedule_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'late_fee_schedule_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
  checks: [
    { name: 'late_fee_schedule_amount', expression: 'amount > 0' },
    { name: 'late_fee_schedule_percent', expression: 'not is_percent or amount <= 100' },
    { name: 'late_fee_schedule_cap', expression: 'cap > 0 and (is_percent or cap >= amount)' },
    { name: 'late_fee_schedule_days', expression: 'grace_period_days >= 0 and recurring_days >= 0' },
  ],
});
export class LateFeeSchedule extends LateFeeScheduleSchema.class {}
LateFeeScheduleSchema.setClass(LateFeeSchedule);
