import { createNote, deleteNote, updateNote } from '../../commands/tasks/notes.ts';
import { Note } from '../../db/schema/note.ts';
import { presentNote } from '../../present/tasks/task.ts';
import * as fields from '../body/fields.ts';
import { object, oneOf } from '../body/request.ts';
import {
  column,
  filtered,
  filteredIfSet,
  type Owner,
  type Resource,
  sorted,
  updatedBetween,
} from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { relation } from '../reading/expand.ts';
import { listRoute, readRoute } from '../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../writing/writeRoutes.ts';
import { customers } from './customers/resource.ts';
import { invoices } from './invoices/resource.ts';

const note = shown.shape('Note', 'Internal note about a customer or an invoice', {
  id: shown.id('Id of the note', 6),
  notes: shown.text('Text of the note; not shown to the customer', 'Pays after the board meets'),
  customer: shown.id('Id of the customer'),
  customer_id: shown.id('Id of the customer, never expanded'),
  invoice: shown.nullable(shown.id('Id of the invoice that it is about; null: none', 77)),
  invoice_id: shown.nullable(shown.id('Id of the invoice, never expanded', 77)),
  user: shown.unset(shown.id('Id of the member who wrote it')),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const readOnly = ['id', 'object', 'created_at', 'updated_at'];

const newNote = object(
  {
    notes: fields.required(fields.longText),
    customer: fields.described(fields.id, 'Id of the customer; required without an invoice'),
    customer_id: fields.described(fields.id, 'Alias of `customer`'),
    invoice: fields.described(fields.id, 'Id of the invoice that the note is about'),
    invoice_id: fields.described(fields.id, 'Alias of `invoice`'),
    user: fields.id,
  },
  { readOnly },
);

const noteChange = object(
  { notes: fields.kept(fields.longText), user: fields.id },
  { readOnly, fixed: ['customer', 'customer_id', 'invoice', 'invoice_id'] },
);

export const notes: Resource<Note, 'id'> = {
  name: 'Note',
  area: 'customers',
  shape: note,
  row: Note,
  idColumn: 'id',
  columns: {
    id: column('id', fields.id),
    customer: filtered('customer_id', fields.id),
    invoice: filteredIfSet('invoice_id', fields.id),
    user: filteredIfSet('user_id', fields.id),
    created_at: sorted('created_at'),
    updated_at: sorted('updated_at'),
  },
  parameters: updatedBetween,
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

const path = '/notes';
const present = presentNote;

/** Route that lists the notes about one object. */
function notesOf(owner: Owner, names: { path: string; operationId: string; summary: string }): Route {
  const { customer, invoice, ...columns } = notes.columns;
  return { ...listRoute({ ...names, resource: { ...notes, owner, columns } }), operationId: names.operationId };
}

export const noteRoutes: Route[] = [
  createRoute({
    path,
    resource: notes,
    summary: 'Create a note about a customer or an invoice',
    body: newNote,
    present,
    example: { customer: 1, notes: 'Pays after the board meets' },
    command: (em, { caller, body }, now) => {
      const customerId = oneOf(body, 'customer', 'customer_id');
      const invoiceId = oneOf(body, 'invoice', 'invoice_id');
      return createNote(em, { caller, customerId, invoiceId, userId: body.user ?? null, notes: body.notes }, now);
    },
  }),
  listRoute({ path, resource: notes, summary: 'List notes' }),
  readRoute({ path, resource: notes, summary: 'Read a note' }),
  updateRoute({
    path,
    resource: notes,
    summary: 'Change a note',
    body: noteChange,
    present,
    example: { notes: 'Pays on the fifth' },
    command: (em, { caller, id, body }, now) => {
      const fields = { notes: body.notes, userId: body.user };
      return updateNote(em, { caller, id, fields }, now);
    },
  }),
  deleteRoute({ path, resource: notes, summary: 'Delete a note', command: deleteNote }),
  notesOf(
    { to: () => customers, param: 'customer_id', column: 'customer_id' },
    {
      path: '/customers/:customer_id/notes',
      operationId: 'listCustomerNotes',
      summary: 'List the notes about a customer and its invoices',
    },
  ),
  notesOf(
    { to: () => invoices, param: 'invoice_id', column: 'invoice_id' },
    {
      path: '/invoices/:invoice_id/notes',
      operationId: 'listInvoiceNotes',
      summary: 'List the notes about an invoice',
    },
  ),
];
