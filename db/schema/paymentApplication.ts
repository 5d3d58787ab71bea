import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { amount, tenantKey } from './columns.ts';
import { CreditNote } from './creditNote.ts';
import { Estimate } from './estimate.ts';
import { partialIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';
import { Payment } from './payment.ts';

/**
 * invoice: money pays an invoice; credit: money or a credit note goes to the credit balance; estimate: money is put aside as a deposit;
 * applied_credit: the credit balance pays an invoice or a deposit; credit_note: a credit note pays an invoice; deposit: a deposit put aside
 * for an estimate pays its invoice, which clients see as applied_credit; convenience_fee: money is the fee for paying by card.
 */
export type ApplicationType =
  | 'invoice'
  | 'credit'
  | 'estimate'
  | 'applied_credit'
  | 'credit_note'
  | 'deposit'
  | 'convenience_fee';

const PaymentApplicationSchema = defineEntity({
  name: 'PaymentApplication',
  policies: policiesThrough('payment_application', 'payment', 'invoice', 'credit_note', 'estimate'),
  comment: 'One application of a payment, such as to an invoice or to the credit balance',
  properties: {
    ...tenantKey,
    payment: () => p.manyToOne(Payment).joinColumns('account_id', 'payment_id').deleteRule('restrict'),
    /** The invoice that it pays; null: it goes to the credit balance or to a deposit. */
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').nullable().deleteRule('restrict'),
    /** The credit note that pays; null: money, the credit balance or a deposit pays. */
    creditNote: () =>
      p.manyToOne(CreditNote).joinColumns('account_id', 'credit_note_id').nullable().deleteRule('restrict'),
    /** The estimate whose deposit it adds to; with an invoice: the estimate whose deposit pays. */
    estimate: () => p.manyToOne(Estimate).joinColumns('account_id', 'estimate_id').nullable().deleteRule('restrict'),
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
    partialIndex('payment_application', 'payment_application_by_estimate', [
      'account_id, estimate_id',
      'estimate_id is not null',
    ]),
  ],
  checks: [
    { name: 'payment_application_amount', expression: 'amount > 0' },
    {
      name: 'payment_application_type',
      expression:
        "type in ('invoice', 'credit', 'estimate', 'applied_credit', 'credit_note', 'deposit', 'convenience_fee')",
    },
    {
      name: 'payment_application_source',
      expression:
        "case type when 'credit_note' then credit_note_id is not null when 'credit' then true else credit_note_id is null end",
    },
    {
      name: 'payment_application_target',
      expression:
        "case type when 'invoice' then invoice_id is not null and estimate_id is null when 'credit' then num_nonnulls(invoice_id, estimate_id) = 0 when 'convenience_fee' then num_nonnulls(invoice_id, estimate_id) = 0 when 'estimate' then invoice_id is null and estimate_id is not null when 'deposit' then num_nonnulls(invoice_id, estimate_id) = 2 else num_nonnulls(invoice_id, estimate_id) = 1 end",
    },
  ],
});
export class PaymentApplication extends PaymentApplicationSchema.class {}
PaymentApplicationSchema.setClass(PaymentApplication);
