import type { EntityManager } from '../../db/orm.ts';
import {
  creditNoteEventObject,
  lockCreditNote,
  recordCreditNote,
  updateCreditNoteStatus,
} from '../aggregates/creditNote.ts';
import { estimateEventObject, lockEstimate, recordEstimate, updateEstimateStatus } from '../aggregates/estimate.ts';
import { invoiceEventObject, lockInvoice, recordInvoice, updateInvoiceStatus } from '../aggregates/invoice.ts';
import { systemCallerOf } from '../kernel/caller.ts';
import type { Named } from './printing.ts';

/** Records the customer's first view of a document, with an event. Views of drafts and receipts are not recorded. */
export async function recordView(em: EntityManager, { account, type, id }: Named, systemNow: Date): Promise<void> {
  const who = { caller: systemCallerOf(account), id };
  switch (type) {
    case 'invoice':
      return viewInvoice(em, who, systemNow);
    case 'estimate':
      return viewEstimate(em, who, systemNow);
    case 'credit_note':
      return viewCreditNote(em, who, systemNow);
    case 'payment':
      return;
  }
}

async function viewInvoice(em: EntityManager, who: Parameters<typeof lockInvoice>[1], systemNow: Date): Promise<void> {
  const locked = await lockInvoice(em, who, systemNow);
  const { invoice, moment } = locked;
  if (invoice.viewedAt || !invoice.issuedAt) return;
  const before = invoiceEventObject(locked);
  invoice.viewedAt = moment.now;
  updateInvoiceStatus(invoice, moment.now);
  recordInvoice(em, locked, { type: 'invoice.viewed', before, reason: 'on_page' });
}

async function viewEstimate(
  em: EntityManager,
  who: Parameters<typeof lockEstimate>[1],
  systemNow: Date,
): Promise<void> {
  const locked = await lockEstimate(em, who, systemNow);
  const { estimate, moment } = locked;
  if (estimate.viewedAt || !estimate.issuedAt) return;
  const before = estimateEventObject(locked);
  estimate.viewedAt = moment.now;
  updateEstimateStatus(estimate, moment.now);
  recordEstimate(em, locked, { type: 'estimate.viewed', before, reason: 'on_page' });
}

async function viewCreditNote(
  em: EntityManager,
  who: Parameters<typeof lockCreditNote>[1],
  systemNow: Date,
): Promise<void> {
  const locked = await lockCreditNote(em, who, systemNow);
  const { creditNote, moment } = locked;
  if (creditNote.viewedAt || !creditNote.issuedAt) return;
  const before = creditNoteEventObject(locked);
  creditNote.viewedAt = moment.now;
  updateCreditNoteStatus(creditNote, moment.now);
  recordCreditNote(em, locked, { type: 'credit_note.viewed', before, reason: 'on_page' });
}
