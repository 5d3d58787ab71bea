import { Note } from '../../../db/schema/note.ts';
import { presentNote } from '../../../present/tasks/note.ts';
import * as fields from '../../body/fields.ts';
import { between, column, filtered, type Resource, sorted } from '../../framework/resource.ts';
import { relation } from '../../reading/expand.ts';
import { customers } from '../customers/resource.ts';
import { invoices } from '../invoices/resource.ts';
import { note } from './shape.ts';

export const notes: Resource<Note, 'id'> = {
  name: 'Note',
  shape: note,
  row: Note,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    invoice: filtered('invoice_id', fields.id),
    user: filtered('user_id', fields.id),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: between('updated_at', fields.timestamp, ['updated_after', 'updated_before']),
  present: async (_reading, rows) => rows.map(presentNote),
  relations: {
    customer: relation(
      () => customers,
      (row) => row.customer.id,
    ),
    invoice: relation(
      () => invoices,
      (row) => row.invoice?.id ?? null,
    ),
  },
};
