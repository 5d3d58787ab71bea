import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { amount, tenantKey } from './columns.ts';
import { Invoice } from './invoice.ts';
import { Payment } from './payment.ts';

/** invoice: its money pays one; credit: its money goes to the credit balance; applied_credit: the credit balance pays an invoice. */
export type ApplicationType = 'invoice' | 'credit' | 'applied_credit';

const PaymentApplicationSchema = defineEntity({
  name: 'PaymentApplication',
  policies: tenantPolicies,
  comment: 'What a part of a payment does',
  properties: {
    ...tenantKey,
    payment: () => p.manyToOne(Payment).joinColumns('account_id', 'payment_id').deleteRule('restrict'),
    /** What it pays; null: it goes to the credit balance. */
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').nullable().deleteRule('restrict'),
    type: p.string().length(15).$type<ApplicationType>(),
    amount: amount(),
    createdAt: p.datetime(),
  },
  indexes: [
    { name: 'payment_application_by_payment', properties: ['accountId', 'payment'] },
    { name: 'payment_application_by_invoice', properties: ['accountId', 'invoice'] },
  ],
  checks: [
    { name: 'payment_application_amount', expression: 'amount > 0' },
    { name: 'payment_application_type', expression: "type in ('invoice', 'credit', 'applied_credit')" },
    { name: 'payment_application_target', expression: "(invoice_id is not null) = (type <> 'credit')" },
  ],
});
export class PaymentApplication extends PaymentApplicationSchema.class {}
PaymentApplicationSchema.setClass(PaymentApplication);
