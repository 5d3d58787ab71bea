import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { Attempt } from './attempt.ts';
import { Charge } from './charge.ts';
import { amount, tenantKey } from './columns.ts';
import { CreditNote } from './creditNote.ts';
import { Estimate } from './estimate.ts';
import { partialIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';
import type { ApplicationType } from './paymentApplication.ts';

const AttemptCreditSchema = defineEntity({
  name: 'AttemptCredit',
  policies: policiesThrough('attempt_credit', 'attempt', 'invoice', 'credit_note', 'estimate'),
  comment: 'A planned application of a charge: credit that pays with it, or money for a deposit or the credit balance',
  properties: {
    ...tenantKey,
    attempt: () => p.manyToOne(Attempt).joinColumns('account_id', 'attempt_id').deleteRule('cascade'),
    type: p.string().length(15).$type<ApplicationType>(),
    amount: amount(),
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').nullable().deleteRule('restrict'),
    creditNote: () =>
      p.manyToOne(CreditNote).joinColumns('account_id', 'credit_note_id').nullable().deleteRule('restrict'),
    estimate: () => p.manyToOne(Estimate).joinColumns('account_id', 'estimate_id').nullable().deleteRule('restrict'),
  },
  indexes: [
    { name: 'attempt_credit_by_attempt', properties: ['accountId', 'attempt'] },
    { name: 'attempt_credit_by_invoice', properties: ['accountId', 'invoice'] },
    partialIndex('attempt_credit', 'attempt_credit_by_credit_note', [
      'account_id, credit_note_id',
      'credit_note_id is not null',
    ]),
    partialIndex('attempt_credit', 'attempt_credit_by_estimate', [
      'account_id, estimate_id',
      'estimate_id is not null',
    ]),
  ],
  checks: [
    { name: 'attempt_credit_amount', expression: 'amount > 0' },
    {
      name: 'attempt_credit_target',
      expression: "num_nonnulls(invoice_id, estimate_id) = case type when 'credit' then 0 else 1 end",
    },
  ],
});
export class AttemptCredit extends AttemptCreditSchema.class {}
AttemptCreditSchema.setClass(AttemptCredit);

const AttemptInvoiceSchema = defineEntity({
  name: 'AttemptInvoice',
  policies: policiesThrough('attempt_invoice', 'attempt', 'invoice'),
  comment: 'An invoice that an attempt charges; a unique index allows one undecided attempt per invoice',
  properties: {
    ...tenantKey,
    attempt: () => p.manyToOne(Attempt).joinColumns('account_id', 'attempt_id').deleteRule('cascade'),
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').deleteRule('restrict'),
    amount: amount(),
    undecided: p.boolean(),
  },
  indexes: [
    {
      name: 'attempt_invoice_undecided',
      expression:
        'create unique index "attempt_invoice_undecided" on "attempt_invoice" ("account_id", "invoice_id") where undecided',
    },
    { name: 'attempt_invoice_by_attempt', properties: ['accountId', 'attempt'] },
    { name: 'attempt_invoice_by_invoice', properties: ['accountId', 'invoice'] },
  ],
  checks: [{ name: 'attempt_invoice_amount', expression: 'amount > 0' }],
});
export class AttemptInvoice extends AttemptInvoiceSchema.class {}
AttemptInvoiceSchema.setClass(AttemptInvoice);

const AttemptRefundSchema = defineEntity({
  name: 'AttemptRefund',
  policies: policiesThrough('attempt_refund', 'attempt', 'charge'),
  comment: 'The charge that an attempt refunds',
  properties: {
    ...tenantKey,
    attempt: () => p.manyToOne(Attempt).joinColumns('account_id', 'attempt_id').deleteRule('cascade'),
    charge: () => p.manyToOne(Charge).joinColumns('account_id', 'charge_id').deleteRule('cascade'),
  },
  uniques: [{ name: 'attempt_refund_attempt', properties: ['accountId', 'attempt'] }],
  indexes: [{ name: 'attempt_refund_by_charge', properties: ['accountId', 'charge'] }],
});
export class AttemptRefund extends AttemptRefundSchema.class {}
AttemptRefundSchema.setClass(AttemptRefund);
