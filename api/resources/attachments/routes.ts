import type { Owner } from '../../framework/resource.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute } from '../../reading/readRoutes.ts';
import { creditNotes } from '../creditNotes/resource.ts';
import { estimates } from '../estimates/resource.ts';
import { invoices } from '../invoices/resource.ts';
import { attachments } from './resource.ts';

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
