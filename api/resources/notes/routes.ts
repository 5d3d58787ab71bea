import { createNote, deleteNote, updateNote } from '../../../commands/tasks/notes.ts';
import { presentNote } from '../../../present/tasks/note.ts';
import type { Owner } from '../../framework/resource.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { oneOf } from '../aliases.ts';
import { customers } from '../customers/resource.ts';
import { invoices } from '../invoices/resource.ts';
import { notes } from './resource.ts';
import { newNote, noteChange } from './schema.ts';

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
