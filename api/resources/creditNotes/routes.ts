import type { z } from 'zod';
import { type CreditNoteChange, updateCreditNote } from '../../../commands/creditNotes/changes.ts';
import {
  createCreditNote,
  forceReasonOf,
  type RequestedCreditNote,
} from '../../../commands/creditNotes/creditNotes.ts';
import { sendCreditNote } from '../../../commands/creditNotes/sending.ts';
import { revokeCreditNoteLinks } from '../../../commands/creditNotes/states.ts';
import { deleteCreditNote, voidCreditNote } from '../../../commands/creditNotes/voiding.ts';
import { presentCreditNote } from '../../../present/documents/creditNote.ts';
import { presentUpcomingCreditNote } from '../../../present/documents/upcoming.ts';
import type { Route } from '../../framework/route.ts';
import { listRoute, readRoute } from '../../reading/readRoutes.ts';
import { actionRoute, createRoute, deleteRoute, updateRoute } from '../../writing/writeRoutes.ts';
import { dryRunOfDocument } from '../documents/dryRun.ts';
import { linesOf, unique } from '../documents/fields.ts';
import { upcomingCreditNote } from '../documents/upcoming.ts';
import { sendRoutes } from '../emails.ts';
import { timelineRoute } from '../timelines.ts';
import { creditNoteChange, creditNotes, newCreditNote } from './resource.ts';

type Issued = Awaited<ReturnType<typeof createCreditNote>>;

const path = '/credit_notes';
const resource = creditNotes;
const present = ({ creditNote, lines }: Issued) => presentCreditNote(creditNote, lines);

const dryRun = dryRunOfDocument<Issued>({
  type: 'credit_note',
  shape: upcomingCreditNote,
  present: ({ creditNote, lines }) =>
    presentUpcomingCreditNote(creditNote, { lines, invoice: creditNote.invoice?.id ?? null }),
  idOf: ({ creditNote }) => creditNote.id,
});

/** A new credit note as commands take it. */
function newCreditNoteOf(body: z.output<typeof newCreditNote>): Omit<RequestedCreditNote, 'caller'> {
  return {
    customerId: body.customer,
    invoiceId: body.invoice ?? null,
    currency: body.currency ?? null,
    name: body.name ?? null,
    number: body.number ?? null,
    date: body.date ?? null,
    purchaseOrder: body.purchase_order ?? null,
    notes: body.notes ?? null,
    metadata: body.metadata,
    forceReason: forceReasonOf({ isForced: body.force, reason: body.reason ?? null }),
    fileIds: unique(body.attachments),
    isDraft: body.draft,
    isSent: body.sent,
    isForfeited: body.closed,
    content: { lines: linesOf(body.items), discounts: body.discounts, taxes: body.taxes },
    calculateTaxes: body.calculate_taxes,
  };
}

/** A change as commands take it. */
function changeOf(body: z.output<typeof creditNoteChange>): Omit<CreditNoteChange, 'caller' | 'id'> {
  const { name, notes, metadata, number, currency, date, items, discounts, taxes } = body;
  const { customer: customerId, invoice: invoiceId, draft: isDraft, sent: isSent, closed: isClosed } = body;
  return {
    customerId,
    invoiceId,
    number,
    currency,
    date,
    isDraft,
    isSent,
    isClosed,
    isForced: body.force,
    reason: body.reason,
    fields: { name, notes, metadata, purchaseOrder: body.purchase_order },
    content: { lines: items === undefined ? undefined : linesOf(items), discounts, taxes },
    calculateTaxes: body.calculate_taxes,
    fileIds: body.attachments === undefined ? undefined : unique(body.attachments),
  };
}

export const creditNoteRoutes: Route[] = [
  createRoute({
    path,
    resource,
    summary: 'Issue a credit note, or create a draft',
    body: newCreditNote,
    present,
    example: { customer: 1, items: [{ name: 'Support hour, not worked', quantity: 2, unit_cost: 120 }] },
    command: (em, { caller, body }, now) => createCreditNote(em, { caller, ...newCreditNoteOf(body) }, now),
    dryRun,
  }),
  listRoute({ path, resource, summary: 'List credit notes' }),
  readRoute({ path, resource, pdf: 'credit_note', summary: 'Read a credit note' }),
  updateRoute({
    path,
    resource,
    summary: 'Change a credit note, or issue a draft',
    body: creditNoteChange,
    present,
    example: { purchase_order: 'PO-1138', sent: true },
    command: (em, { caller, id, body }, now) => updateCreditNote(em, { caller, id, ...changeOf(body) }, now),
    dryRun,
  }),
  deleteRoute({
    path,
    resource,
    summary: 'Delete a credit note without applications, or a draft',
    command: deleteCreditNote,
  }),
  timelineRoute('credit_note', { path, resource }),
  ...sendRoutes({
    path,
    operationId: 'sendCreditNote',
    name: 'Credit note',
    type: 'credit_note',
    template: 'credit_note_email',
    summary: 'Send a credit note by email, with its PDF and its attached files',
    command: sendCreditNote,
  }),
  actionRoute({
    path: `${path}/:id/void`,
    operationId: 'voidCreditNote',
    summary: 'Void a credit note',
    resource,
    command: voidCreditNote,
    present,
  }),
  actionRoute({
    path: `${path}/:id/revoke_links`,
    operationId: 'revokeCreditNoteLinks',
    summary: 'Give new addresses to the page and the PDF of a credit note; those from before lead nowhere',
    resource,
    command: revokeCreditNoteLinks,
    present,
  }),
];
