import { defineEntity, p } from '@mikro-orm/core';
import { filePolicies, policiesThrough, tenantPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';
import { CreditNote } from './creditNote.ts';
import { Estimate } from './estimate.ts';
import { partialIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';

const FileSchema = defineEntity({
  name: 'File',
  policies: filePolicies,
  comment: 'A file: bytes in the file store, or a link to where somebody else keeps it',
  properties: {
    ...tenantKey,
    name: p.string().length(255),
    /** Size in bytes; null for a link of unknown size. */
    size: p.integer().nullable(),
    /** MIME type. */
    type: p.string().length(255).nullable(),
    /** URL of a link. */
    url: p.string().length(2048).nullable(),
    /** For stored bytes: their key in the store, and the secret part of their URL, which nobody can guess. */
    storeKey: p.string().length(255).nullable(),
    token: p.string().length(64).nullable(),
    /** The member that sees only its own customers and uploaded it; null: anybody else did. */
    ownerId: p.integer().nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'file_token', properties: ['accountId', 'token'] }],
  indexes: [
    { name: 'file_by_name', properties: ['accountId', 'name', 'id'] },
    { name: 'file_by_type', properties: ['accountId', 'type', 'id'] },
    { name: 'file_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'file_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
  checks: [
    { name: 'file_somewhere', expression: '(url is null) = (store_key is not null and token is not null)' },
    { name: 'file_size', expression: 'size >= 0' },
  ],
});
export class File extends FileSchema.class {}
FileSchema.setClass(File);

const StrayBytesSchema = defineEntity({
  name: 'StrayBytes',
  policies: tenantPolicies,
  comment: 'Bytes in the file store without a file: being uploaded, or of a deleted file; removed when due',
  properties: {
    ...tenantKey,
    storeKey: p.string().length(255),
    /** Real time. */
    dueAt: p.datetime(),
    /** They are about to be removed: no file may adopt them any more. */
    doomed: p.boolean(),
  },
  indexes: [{ name: 'stray_bytes_due', properties: ['dueAt'] }],
});
export class StrayBytes extends StrayBytesSchema.class {}
StrayBytesSchema.setClass(StrayBytes);

const AttachmentSchema = defineEntity({
  name: 'Attachment',
  policies: policiesThrough('attachment', 'invoice', 'estimate', 'credit_note'),
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
