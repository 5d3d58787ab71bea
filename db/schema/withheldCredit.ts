import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { amount, tenantKey } from './columns.ts';
import { CreditNote } from './creditNote.ts';
import { partialIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';

const WithheldCreditSchema = defineEntity({
  name: 'WithheldCredit',
  policies: policiesThrough('withheld_credit', 'invoice'),
  comment: 'Credit that a person took back from an invoice; it does not pay that invoice again by itself',
  properties: {
    ...tenantKey,
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').deleteRule('cascade'),
    /** Null: the credit balance. */
    creditNote: () =>
      p.manyToOne(CreditNote).joinColumns('account_id', 'credit_note_id').nullable().deleteRule('cascade'),
    /** Of the credit balance: the latest change of which something is withheld. Null: a credit note. */
    throughChangeId: p.integer().nullable(),
    amount: amount(),
  },
  indexes: [
    {
      name: 'withheld_credit_once',
      expression:
        'create unique index "withheld_credit_once" on "withheld_credit" ("account_id", "invoice_id", "credit_note_id") nulls not distinct',
    },
    partialIndex('withheld_credit', 'withheld_credit_by_note', [
      'account_id, credit_note_id',
      'credit_note_id is not null',
    ]),
  ],
  checks: [
    {
      name: 'withheld_credit_source',
      expression: '(credit_note_id is null) <> (through_change_id is null)',
    },
  ],
});
export class WithheldCredit extends WithheldCreditSchema.class {}
WithheldCreditSchema.setClass(WithheldCredit);
