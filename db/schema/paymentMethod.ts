import { defineEntity, p } from '@mikro-orm/core';
import { type PaymentMethodId, paymentMethods } from '../../billing/payments/paymentMethods.ts';
import { tenantPolicies } from '../tenant.ts';
import { amount, oneOf, timestamps } from './columns.ts';

const PaymentMethodSchema = defineEntity({
  name: 'PaymentMethod',
  policies: tenantPolicies,
  comment: 'How the pages of an account offer a payment method; a method without a row has the defaults',
  properties: {
    accountId: p.integer().primary(),
    method: p.string().length(13).primary().$type<PaymentMethodId>(),
    enabled: p.boolean(),
    /** Place among the methods, lowest first. */
    position: p.integer(),
    /** Bounds of the amount to pay, inclusive, in `currency`; null: none. */
    min: amount().nullable(),
    max: amount().nullable(),
    /** Currency of the bounds: that of the account when they were set. Null: there are none. */
    currency: p.string().length(3).nullable(),
    instructions: p.text().nullable(),
    /** Code of the general ledger account of its money. */
    glAccount: p.string().length(255).nullable(),
    ...timestamps,
  },
  checks: [
    oneOf('payment_method', 'method', paymentMethods),
    {
      name: 'payment_method_bounds',
      expression: 'min >= 0 and max >= 0 and (min is null or max is null or min <= max)',
    },
    { name: 'payment_method_currency', expression: '(min is null and max is null) = (currency is null)' },
  ],
});
export class PaymentMethod extends PaymentMethodSchema.class {}
PaymentMethodSchema.setClass(PaymentMethod);
