import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { amount, eventCount, tenantKey, timestamps } from './columns.ts';
import { Customer } from './customer.ts';
import { partialIndex } from './indexes.ts';

const CreditBalanceAdjustmentSchema = defineEntity({
  name: 'CreditBalanceAdjustment',
  policies: policiesThrough('credit_balance_adjustment', 'customer'),
  comment: 'A credit balance raised or lowered by hand',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    /** Id of the credit note whose amount beyond its invoice it credits; null: none. */
    creditNoteId: p.integer().nullable(),
    /** Id of the refund that paid the credit out, or that gave it back because it did not leave; null: none. */
    refundId: p.integer().nullable(),
    currency: p.string().length(3),
    /** A positive amount credits the customer. */
    amount: amount(),
    date: p.datetime(),
    notes: p.text().nullable(),
    eventCount,
    ...timestamps,
  },
  indexes: [
    { name: 'credit_balance_adjustment_by_customer', properties: ['accountId', 'customer', 'id'] },
    { name: 'credit_balance_adjustment_by_currency', properties: ['accountId', 'currency', 'id'] },
    { name: 'credit_balance_adjustment_by_date', properties: ['accountId', 'date', 'id'] },
    { name: 'credit_balance_adjustment_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'credit_balance_adjustment_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
    partialIndex('credit_balance_adjustment', 'credit_balance_adjustment_by_note', [
      'account_id, credit_note_id',
      'credit_note_id is not null',
    ]),
  ],
  checks: [{ name: 'credit_balance_adjustment_amount', expression: 'amount <> 0' }],
});
export class CreditBalanceAdjustment extends CreditBalanceAdjustmentSchema.class {}
CreditBalanceAdjustmentSchema.setClass(CreditBalanceAdjustment);
