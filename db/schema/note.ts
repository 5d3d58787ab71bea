import { defineEntity, p } from '@mikro-orm/core';
import { policiesThrough } from '../tenant.ts';
import { eventCount, tenantKey, timestamps } from './columns.ts';
import { Customer } from './customer.ts';
import { partialIndex } from './indexes.ts';
import { Invoice } from './invoice.ts';

const NoteSchema = defineEntity({
  name: 'Note',
  policies: policiesThrough('note', 'customer'),
  comment: 'A note about a customer or one of its invoices',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('cascade'),
    invoice: () => p.manyToOne(Invoice).joinColumns('account_id', 'invoice_id').nullable().deleteRule('cascade'),
    /** The member who wrote it; null: unknown. */
    userId: p.integer().nullable(),
    notes: p.text(),
    eventCount,
    ...timestamps,
  },
  indexes: [
    { name: 'note_by_customer', properties: ['accountId', 'customer', 'id'] },
    partialIndex('note', 'note_by_invoice', ['account_id, invoice_id, id', 'invoice_id is not null']),
    partialIndex('note', 'note_by_user', ['account_id, user_id, id', 'user_id is not null']),
    { name: 'note_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'note_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
});
export class Note extends NoteSchema.class {}
NoteSchema.setClass(Note);
