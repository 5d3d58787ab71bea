import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { amount, tenantKey } from './columns.ts';
import { CreditBalanceAdjustment } from './creditBalanceAdjustment.ts';
import { Customer } from './customer.ts';
import { PaymentApplication } from './paymentApplication.ts';

const CreditBalanceChangeSchema = defineEntity({
  name: 'CreditBalanceChange',
  policies: policiesThrough('credit_balance_change', 'customer'),
  comment: 'A change of a credit balance, with the balance after it in the order of dates; a balance is never negative',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    currency: p.string().length(3),
    /** Date in whole seconds. Within a second, additions come first. */
    at: p.datetime(),
    amount: amount(),
    balance: amount(),
    /**
     * Whether what it adds pays an invoice by itself from its date on. False: it is from before credit paid open invoices, and pays at the time
     * at which it is applied.
     */
    countsFromDate: p.boolean().default(false),
    application: () =>
      p.manyToOne(PaymentApplication).joinColumns('account_id', 'application_id').nullable().deleteRule('cascade'),
    adjustment: () =>
      p.manyToOne(CreditBalanceAdjustment).joinColumns('account_id', 'adjustment_id').nullable().deleteRule('cascade'),
  },
  uniques: [
    { name: 'credit_balance_change_application', properties: ['accountId', 'application'] },
    { name: 'credit_balance_change_adjustment', properties: ['accountId', 'adjustment'] },
  ],
  indexes: [{ name: 'credit_balance_change_by_date', properties: ['accountId', 'customer', 'currency', 'at', 'id'] }],
  checks: [
    { name: 'credit_balance_change_balance', expression: 'balance >= 0' },
    { name: 'credit_balance_change_amount', expression: 'amount <> 0' },
    {
      name: 'credit_balance_change_cause',
      expression: '(application_id is null) <> (adjustment_id is null)',
    },
  ],
});
export class CreditBalanceChange extends CreditBalanceChangeSchema.class {}
CreditBalanceChangeSchema.setClass(CreditBalanceChange);
