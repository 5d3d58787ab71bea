import { add, compare } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { correctionOf } from '../../db/queries/invoices/corrections.ts';
import { AttemptInvoice } from '../../db/schema/attemptParts.ts';
import { Estimate } from '../../db/schema/estimate.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { releaseNumber } from '../accounts/numbering.ts';
import {
  estimateEventObject,
  expireIfDue,
  lockEstimates,
  recordEstimate,
  replanEstimate,
  updateEstimateStatus,
} from '../aggregates/estimate.ts';
import {
  invoiceEventObject,
  type LockedInvoice,
  lockInvoice,
  recordInvoice,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { endPlan } from '../aggregates/paymentPlan.ts';
import { takeAllBack } from '../aggregates/writeOff.ts';
import { releaseRedemptions } from '../catalog/couponRedemptions.ts';
import { earnings, postReversal } from '../documents/earnings.ts';
import { closePdfProblem } from '../documents/pdfProblems.ts';
import { type Caller, requirePermission } from '../kernel/caller.ts';
import { returnSweptLines } from '../lineItems/sweptLines.ts';
import { updateAfterBalanceChange } from '../payments/applying.ts';
import { completeTasksOf } from '../tasks/completing.ts';

export interface InvoiceKey {
  caller: Caller;
  id: number;
}

/** Voids an invoice. Refuses while payments are applied, a credit note corrects it, or a charge is undecided. Throws Missing. */
export async function voidInvoice(em: EntityManager, input: InvoiceKey, systemNow: Date): Promise<LockedInvoice> {
  const locked = await lockInvoice(em, input, systemNow);
  if (locked.invoice.status === 'voided') throw new Refusal('state_conflict', 'Invoice is already voided');
  await checkRevocable(em, locked, 'voided');
  await voidLocked(em, [locked]);
  if (!locked.invoice.issuedAt)
    await completeTasksOf(em, locked, { subject: { heldInvoiceId: locked.invoice.id }, outcome: 'bill_voided' });
  await releaseEstimate(em, locked);
  return locked;
}

/**
 * Voids locked invoices. The caller has checked that they have no applied payment, credit note or undecided charge. `into`: the
 * consolidated invoice that replaces them.
 */
export async function voidLocked(
  em: EntityManager,
  targets: readonly LockedInvoice[],
  { into }: { into?: Invoice } = {},
): Promise<void> {
  for (const locked of targets) {
    const before = invoiceEventObject(locked);
    if (into) locked.invoice.consolidatedInto = into;
    revoke(em, locked, 'void');
    recordInvoice(em, locked, { type: 'invoice.updated', before });
  }
  await updateAfterBalanceChange(em, targets);
}

/**
 * Deletes an invoice. Removes the row of a draft, except for one of a subscription; pending lines that a draft took become pending again.
 * Reverses an issued invoice in the ledger; it keeps its number. Refuses what `voidInvoice` refuses, except a voided invoice. Throws
 * Missing.
 */
export async function deleteInvoice(em: EntityManager, input: InvoiceKey, systemNow: Date): Promise<LockedInvoice> {
  const locked = await lockInvoice(em, input, systemNow);
  const { invoice, moment } = locked;
  if (invoice.issuedAt) requirePermission(input.caller, 'corrections.write', 'Deletion of an issued invoice');
  await checkRevocable(em, locked, 'deleted');
  const before = invoiceEventObject(locked);
  if (invoice.status !== 'voided') revoke(em, locked, 'delete');
  invoice.deletedAt = moment.now;
  if (!invoice.issuedAt)
    await completeTasksOf(em, locked, { subject: { heldInvoiceId: invoice.id }, outcome: 'bill_deleted' });
  recordInvoice(em, locked, { type: 'invoice.deleted', before });
  const about = { accountId: invoice.accountId, documentType: 'invoice', documentId: invoice.id } as const;
  await closePdfProblem(em, about, moment.systemNow);
  await releaseEstimate(em, locked);
  await updateAfterBalanceChange(em, [locked]);
  if (!invoice.issuedAt) await returnSweptLines(em, locked);
  if (!invoice.issuedAt)
    await releaseRedemptions(em, { accountId: invoice.accountId, type: 'invoice', id: invoice.id });
  // The row of a draft for a subscription's period stays, so that the period is not billed again.
  if (!invoice.issuedAt && !invoice.subscription) {
    await releaseNumber(em, invoice, { series: 'invoice', reason: 'draft_deleted', now: moment.now });
    em.remove(invoice);
  }
  return locked;
}

async function checkRevocable(em: EntityManager, locked: LockedInvoice, what: 'voided' | 'deleted'): Promise<void> {
  const reason = await whyNotRevocable(em, locked, what);
  if (reason !== null) throw new Refusal('state_conflict', reason);
}

/** The reason why an invoice cannot be voided or deleted; null: it can. */
export async function whyNotRevocable(
  em: EntityManager,
  { invoice }: LockedInvoice,
  what: 'voided' | 'deleted',
): Promise<string | null> {
  const { accountId } = invoice;
  if (invoice.status !== 'voided' && compare(add(invoice.balance, invoice.writtenOff), invoice.total) !== 0)
    return `Invoice has payments applied and cannot be ${what}`;
  const correction = invoice.status === 'voided' ? null : await correctionOf(em, { accountId, invoiceId: invoice.id });
  if (correction !== null)
    return `Invoice has credit note ${correction} and cannot be ${what}: void the credit note first`;
  const undecided = await em.count(AttemptInvoice, { accountId, invoice: [accountId, invoice.id], undecided: true });
  if (undecided === 0) return null;
  return `A charge of this invoice is in progress; the invoice can be ${what} when the charge has an outcome`;
}

/** Voids an invoice and reverses its ledger entries. */
function revoke(em: EntityManager, locked: LockedInvoice, reason: 'void' | 'delete'): void {
  const { invoice, lines, moment } = locked;
  endPlan(em, locked);
  if (invoice.issuedAt) {
    const { accountId, currency, date: documentAt, taxes } = invoice;
    const about = { customerId: locked.customer.id, invoiceId: invoice.id, paymentId: null };
    const posting = { accountId, currency, reason, ...about, documentAt, postedAt: moment.now };
    takeAllBack(em, locked);
    postReversal(em, posting, earnings({ lines, taxes }));
  }
  const over = { balance: '0', closed: true, paid: false, writtenOffAt: null };
  Object.assign(invoice, { ...over, voidedAt: moment.now });
  updateInvoiceStatus(invoice, moment.now);
}

/** Reopens the estimate of an invoice that is voided or deleted. The estimate keeps its deposit. */
async function releaseEstimate(em: EntityManager, locked: LockedInvoice): Promise<void> {
  const { accountId, id } = locked.invoice;
  const found = await em.findOne(Estimate, { accountId, invoice: [accountId, id] });
  const [released] = found ? await lockEstimates(em, locked, [found.id]) : [];
  if (!released) return;
  const { estimate, moment } = released;
  const before = estimateEventObject(released);
  Object.assign(estimate, { invoice: null, closed: false });
  expireIfDue(estimate, moment.now);
  updateEstimateStatus(estimate, moment.now);
  recordEstimate(em, released, { type: 'estimate.updated', before });
  await replanEstimate(em, released);
}
