import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { Attempt } from './attempt.ts';
import { amount, tenantKey } from './columns.ts';
import { Invoice } from './invoice.ts';

const AttemptInvoiceSchema = defineEntity({
  name: 'AttemptInvoice',
  policies: tenantPolicies,
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
