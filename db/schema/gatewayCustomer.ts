import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { tenantKey } from './columns.ts';
import { Customer } from './customer.ts';

const GatewayCustomerSchema = defineEntity({
  name: 'GatewayCustomer',
  policies: policiesThrough('gateway_customer', 'customer'),
  comment: 'A customer as a merchant account knows it at its gateway',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('cascade'),
    /** The configuration of the merchant account, such as `stripe_7`. */
    gateway: p.string().length(32),
    /** The gateway's id of the customer. Null: it has none, or it is gone there. */
    reference: p.string().length(255).nullable(),
    /** How often the customer has to be made anew there. Each time has an idempotency key of its own. */
    generation: p.integer().default(0),
  },
  uniques: [{ name: 'gateway_customer_once', properties: ['accountId', 'customer', 'gateway'] }],
});
export class GatewayCustomer extends GatewayCustomerSchema.class {}
GatewayCustomerSchema.setClass(GatewayCustomer);
