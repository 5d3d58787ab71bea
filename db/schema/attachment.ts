import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';
import { CreditNote } from './creditNote.ts';
import { Estimate } from './estimate.ts';
import { File } from './file.ts';
import { partialIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';

const AttachmentSchema = defineEntity({
  name: 'Attachment',
  policies: tenantPolicies,
  comment: 'A file that a document carries',
  properties: {
    ...tenantKey,
    file: () => p.manyToOne(File).joinColumns('account_id', 'file_id').deleteRule('restrict'),
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').nullable().deleteRule('cascade'),
    estimate: () => p.manyToOne(Estimate).joinColumns('account_id', 'estimate_id').nullable().deleteRule('cascade'),
    creditNote: () =>
      p.manyToOne(CreditNote).joinColumns('account_id', 'credit_note_id').nullable().deleteRule('cascade'),
    position: p.integer(),
    ...timestamps,
  },
  uniques: [
    { name: 'attachment_once', properties: ['accountId', 'invoice', 'file'] },
    { name: 'attachment_once_by_estimate', properties: ['accountId', 'estimate', 'file'] },
    { name: 'attachment_once_by_credit_note', properties: ['accountId', 'creditNote', 'file'] },
  ],
  indexes: [
    { name: 'attachment_by_file', properties: ['accountId', 'file'] },
    partialIndex('attachment', 'attachment_by_invoice', ['account_id, invoice_id, position', 'invoice_id is not null']),
    partialIndex('attachment', 'attachment_by_credit_note', [
      'account_id, credit_note_id, position',
      'credit_note_id is not null',
    ]),
    partialIndex('attachment', 'attachment_by_estimate', [
      'account_id, estimate_id, position',
      'estimate_id is not null',
    ]),
  ],
  checks: [{ name: 'attachment_document', expression: 'num_nonnulls(invoice_id, estimate_id, credit_note_id) = 1' }],
});
export class Attachment extends AttachmentSchema.class {}
AttachmentSchema.setClass(Attachment);
