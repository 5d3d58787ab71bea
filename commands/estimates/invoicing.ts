import { nextEstimateStep } from '../../billing/documents/estimate.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import {
  estimateEventObject,
  expiryOf,
  type LockedEstimate,
  lockEstimate,
  recordEstimate,
  replanEstimate,
  updateEstimateStatus,
} from '../aggregates/estimate.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { checkBillable, checkCreditLimit } from '../customers/billable.ts';
import { contentAsItIs, type DocumentContent } from '../documents/content.ts';
import { prepareDocument } from '../documents/ids.ts';
import { attachmentsOf, replaceAttachments } from '../files/attachments.ts';
import { numberInvoice, writeInvoice } from '../invoices/issuing.ts';
import type { Caller } from '../kernel/caller.ts';

/**
 * Issues the invoice of an estimate, with the same lines, discounts, taxes, terms and files. The estimate's deposit pays first, then other
 * credit. Refuses an estimate that is a draft, voided, declined, expired or invoiced, an inactive customer, and a customer that
 * `checkCreditLimit` refuses. Throws Missing.
 */
export async function invoiceEstimate(
  em: EntityManager,
  input: { caller: Caller; id: number },
  systemNow: Date,
): Promise<LockedInvoice> {
  const locked = await lockEstimate(em, input, systemNow);
  const { estimate, moment } = locked;
  refuseUninvoiceable(locked);
  checkBillable(locked);
  const before = estimateEventObject(locked);
  const { currency, paymentTerms, purchaseOrder, notes, shipTo, disabledPaymentMethods } = estimate;
  const prepared = await prepareDocument(em, locked, {
    table: 'invoice',
    lines: locked.lines.length,
    shipTo: shipTo ?? null,
    isIssued: true,
    isTaxed: false,
  });
  const copied = { paymentTerms, purchaseOrder, notes, shipTo, disabledPaymentMethods };
  const head = Object.fromEntries(Object.entries(copied).map(([name, value]) => [name, value ?? null]));
  const written = await writeInvoice(em, locked, {
    ...head,
    currency,
    prepared,
    content: copyOf(locked),
    estimate,
    hasFiles: true,
  });
  await copyFiles(em, locked, written.invoice);
  Object.assign(estimate, { invoice: written.invoice, closed: true });
  updateEstimateStatus(estimate, moment.now);
  recordEstimate(em, locked, { type: 'estimate.updated', before });
  await replanEstimate(em, locked);
  await checkCreditLimit(em, locked, currency);
  await numberInvoice(em, locked, written);
  return { ...locked, ...written };
}

function refuseUninvoiceable({ estimate, moment }: LockedEstimate): void {
  const { status, invoice } = estimate;
  // It may have expired although no worker has marked it yet.
  const isExpired =
    Boolean(estimate.expiredAt) || nextEstimateStep(expiryOf(estimate), moment.now.getTime()).due !== null;
  const name = `Estimate ${estimate.number ?? estimate.id}`;
  if (status === 'draft') throw new Refusal('state_conflict', `${name} is a draft: issue it first`);
  if (status === 'voided') throw new Refusal('state_conflict', `${name} is voided`);
  if (status === 'invoiced') throw new Refusal('state_conflict', `${name} is already invoiced: invoice ${invoice?.id}`);
  if (isExpired) throw new Refusal('state_conflict', `${name} has expired: give it a later expiration_date`);
  if (status === 'declined') throw new Refusal('state_conflict', `${name} is declined: reopen it with closed false`);
}

/** Copies an estimate's lines, discounts and taxes. The redemptions of its coupons are not copied: they stay with the estimate. */
function copyOf({ estimate, lines }: LockedEstimate): DocumentContent {
  const { currency, discounts, taxes } = estimate;
  const content = contentAsItIs({ lines, discounts, taxes }, currency);
  const asNew = <Part extends { id: number | null }>(part: Part): Part => ({ ...part, id: null });
  return {
    currency,
    lines: content.lines.map((line) => ({
      ...asNew(line),
      discounts: line.discounts.map(asNew),
      taxes: line.taxes.map(asNew),
    })),
    discounts: content.discounts.map(asNew),
    taxes: content.taxes.map(asNew),
  };
}

async function copyFiles(
  em: EntityManager,
  { estimate, moment }: LockedEstimate,
  invoice: LockedInvoice['invoice'],
): Promise<void> {
  const attachments = await attachmentsOf(em, estimate.accountId, { estimate });
  const fileIds = attachments.map(({ file }) => file.id);
  if (fileIds.length > 0) await replaceAttachments(em, moment, { carrier: { invoice }, fileIds });
}
