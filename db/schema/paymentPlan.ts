import { defineEntity, p } from '@mikro-orm/core';
import {
  type Installment,
  type PaymentPlanStatus,
  type PlanApproval,
  paymentPlanStatuses,
  type WrittenOffPart,
} from '../../billing/collection/paymentPlan.ts';
import { policiesThrough } from '../tenant.ts';
import { eventCount, oneOf, tenantKey, timestamps } from './columns.ts';
import { Customer } from './customer.ts';
import { Invoice } from './invoice.ts';

const PaymentPlanSchema = defineEntity({
  name: 'PaymentPlan',
  policies: policiesThrough('payment_plan', 'customer'),
  comment: 'Installments in which the balance of an invoice is paid; an invoice refers to its latest plan',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').deleteRule('restrict'),
    status: p.string().length(14).$type<PaymentPlanStatus>(),
    /** In the order in which payments fill them. */
    installments: p.json().$type<Installment[]>(),
    /** Parts of installments that were written off, by their dates. Null: none, or an earlier version wrote them off. */
    writtenOffParts: p.json().$type<WrittenOffPart[]>().nullable(),
    /** Id of the installment that is collected now; null: none was yet. */
    currentId: p.integer().nullable(),
    /** The invoice's attempts before the schedule of the current installment began. */
    attemptsBefore: p.integer().default(0),
    /** Terms and due date of the invoice before the plan was active. */
    formerTerms: p.string().length(64).nullable(),
    formerDueAt: p.datetime().nullable(),
    /** Secret last part of the address where the customer approves the plan; null: no approval is asked for. */
    approvalToken: p.string().length(32).nullable(),
    /** Null: none was given, or it was erased. */
    approval: p.json().$type<PlanApproval>().nullable(),
    eventCount,
    ...timestamps,
  },
  indexes: [
    { name: 'payment_plan_by_invoice', properties: ['accountId', 'invoice', 'id'] },
    { name: 'payment_plan_by_customer', properties: ['accountId', 'customer', 'id'] },
  ],
  checks: [
    oneOf('payment_plan', 'status', paymentPlanStatuses),
    { name: 'payment_plan_attempts', expression: 'attempts_before >= 0' },
  ],
});
export class PaymentPlan extends PaymentPlanSchema.class {}
PaymentPlanSchema.setClass(PaymentPlan);
