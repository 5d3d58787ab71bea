import { Attachment, File } from '../../db/schema/file.ts';
import { presentAttachment } from '../../present/files/file.ts';
import * as fields from '../body/fields.ts';
import { column, type Owner, type Resource, sorted, updatedBetween } from '../framework/resource.ts';
import type { Route } from '../framework/route.ts';
import * as shown from '../framework/shape.ts';
import { listRoute } from '../reading/readRoutes.ts';
import { creditNotes } from './creditNotes/resource.ts';
import { estimates } from './estimates/resource.ts';
import { file } from './files.ts';
import { invoices } from './invoices/resource.ts';

const attachment = shown.shape('Attachment', 'File that is attached to a document', {
  id: shown.id('Id of the attachment', 7),
  file: shown.one(file, 'The attached file'),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

/** The attachments of the invoice in the path. */
const attachments: Resource<Attachment, 'id'> = {
  name: 'Attachment',
  area: 'documents',
  shape: attachment,
  row: Attachment,
  idColumn: 'id',
  owner: { to: () => invoices, param: 'invoice_id', column: 'invoice_id' },
  columns: { id: column('id', fields.id), created_at: sorted('created_at') },
  parameters: updatedBetween,
  order: [
    { column: 'position', direction: 'asc' },
    { column: 'id', direction: 'asc' },
  ],
  present: async (reading, rows) => {
    const files = await reading.byId(
      File,
      rows.map(({ file }) => file.id),
    );
    return rows.flatMap((row) => {
      const file = files.get(row.file.id);
      return file ? [presentAttachment(row, file)] : [];
    });
  },
};

function attachmentsOf(owner: Owner, names: { path: string; operationId: string; summary: string }): Route {
  return { ...listRoute({ ...names, resource: { ...attachments, owner } }), operationId: names.operationId };
}

export const attachmentRoutes: Route[] = [
  attachmentsOf(
    { to: () => invoices, param: 'invoice_id', column: 'invoice_id' },
    {
      path: '/invoices/:invoice_id/attachments',
      operationId: 'listInvoiceAttachments',
      summary: 'List the files attached to an invoice',
    },
  ),
  attachmentsOf(
    { to: () => estimates, param: 'estimate_id', column: 'estimate_id' },
    {
      path: '/estimates/:estimate_id/attachments',
      operationId: 'listEstimateAttachments',
      summary: 'List the files attached to an estimate',
    },
  ),
  attachmentsOf(
    { to: () => creditNotes, param: 'credit_note_id', column: 'credit_note_id' },
    {
      path: '/credit_notes/:credit_note_id/attachments',
      operationId: 'listCreditNoteAttachments',
      summary: 'List the files attached to a credit note',
    },
  ),
];
