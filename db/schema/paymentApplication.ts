import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { amount, tenantKey } from './columns.ts';
import { CreditNote } from './creditNote.ts';
import { partialIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';
import { Payment } from './payment.ts';

/**
 * invoice: its money pays one; credit: its money, or a credit note, goes to the credit balance; applied_credit: the credit balance pays
 * an invoice; credit_note: a credit note does.
 */
export type ApplicationType = 'invoice' | 'credit' | 'applied_credit' | 'credit_note';

const PaymentApplicationSchema = defineEntity({
  name: 'PaymentApplication',
  policies: tenantPolicies,
  comment: 'What a part of a payment does',
  properties: {
    ...tenantKey,
    payment: () => p.manyToOne(Payment).joinColumns('account_id', 'payment_id').deleteRule('restrict'),
    /** What it pays; null: it goes to the credit balance. */
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').nullable().deleteRule('restrict'),
    /** What pays; null: money, or the credit balance. */
    creditNote: () =>
      p.manyToOne(CreditNote).joinColumns('account_id', 'credit_note_id').nullable().deleteRule('restrict'),
    type: p.string().length(15).$type<ApplicationType>(),
    amount: amount(),
    createdAt: p.datetime(),
  },
  indexes: [
    { name: 'payment_application_by_payment', properties: ['accountId', 'payment'] },
    { name: 'payment_application_by_invoice', properties: ['accountId', 'invoice'] },
    partialIndex('payment_application', 'payment_application_by_credit_note', [
      'account_id, credit_note_id',
      'credit_note_id is not null',
    ]),
  ],
  checks: [
    { name: 'payment_application_amount', expression: 'amount > 0' },
    { name: 'payment_application_type', expression: "type in ('invoice', 'credit', 'applied_credit', 'credit_note')" },
    {
      name: 'payment_application_source',
      expression:
        "case type when 'credit_note' then credit_note_id is not null when 'credit' then true else credit_note_id is null end",
    },
    { name: 'payment_application_target', expression: "(invoice_id is not null) = (type <> 'credit')" },
  ],
});
export class PaymentApplication extends PaymentApplicationSchema.class {}
PaymentApplicationSchema.setClass(PaymentApplication);
