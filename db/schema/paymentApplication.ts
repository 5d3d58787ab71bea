import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { amount, tenantKey } from './columns.ts';
import { Invoice } from './invoice.ts';
import { Payment } from './payment.ts';

const PaymentApplicationSchema = defineEntity({
  name: 'PaymentApplication',
  policies: tenantPolicies,
  properties: {
    ...tenantKey,
    payment: () => p.manyToOne(Payment).joinColumns('account_id', 'payment_id').deleteRule('restrict'),
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').deleteRule('restrict'),
    type: p.string().length(15).$type<'invoice'>(),
    amount: amount(),
    createdAt: p.datetime(),
  },
  indexes: [
    { name: 'payment_application_by_payment', properties: ['accountId', 'payment'] },
    { name: 'payment_application_by_invoice', properties: ['accountId', 'invoice'] },
  ],
  checks: [{ name: 'payment_application_amount', expression: 'amount > 0' }],
});
export class PaymentApplication extends PaymentApplicationSchema.class {}
PaymentApplicationSchema.setClass(PaymentApplication);
