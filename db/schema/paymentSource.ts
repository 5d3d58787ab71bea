import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { eventCount, tenantKey, timestamps } from './columns.ts';
import { Customer } from './customer.ts';

const PaymentSourceSchema = defineEntity({
  name: 'PaymentSource',
  policies: tenantPolicies,
  comment: 'A card or bank account stored at a gateway; its number never is here',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    type: p.string().length(12).$type<'card' | 'bank_account'>(),
    gateway: p.string().length(32),
    gatewayId: p.string().length(255),
    gatewayCustomer: p.string().length(255).nullable(),
    last4: p.string().length(4),
    brand: p.string().length(32).nullable(),
    expMonth: p.integer().nullable(),
    expYear: p.integer().nullable(),
    funding: p.string().length(7).nullable(),
    bankName: p.string().length(255).nullable(),
    routingNumber: p.string().length(32).nullable(),
    verified: p.boolean().nullable(),
    currency: p.string().length(3).nullable(),
    /** Why it can no longer be charged, if so; a hard decline sets it, a deletion too. */
    failureReason: p.string().length(255).nullable(),
    chargeable: p.boolean(),
    deletedAt: p.datetime().nullable(),
    eventCount,
    ...timestamps,
  },
  uniques: [{ name: 'payment_source_gateway_id', properties: ['accountId', 'gateway', 'gatewayId'] }],
  indexes: [{ name: 'payment_source_by_customer', properties: ['accountId', 'customer'] }],
  checks: [{ name: 'payment_source_type', expression: "type in ('card', 'bank_account')" }],
});
export class PaymentSource extends PaymentSourceSchema.class {}
PaymentSourceSchema.setClass(PaymentSource);
