import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { amount, exact, tenantKey } from './columns.ts';
import { Invoice } from './invoice.ts';

const LateFeeSchema = defineEntity({
  name: 'LateFee',
  policies: tenantPolicies,
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
