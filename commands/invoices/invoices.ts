import { type Address, newShipTo } from '../../billing/documents/shipTo.ts';
import { whyUntaxed } from '../../billing/documents/tax.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { checkNumberFree } from '../accounts/numbering.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { findInvoiceCadence } from '../aggregates/invoiceChasing.ts';
import { checkCreditLimit, lockBillable } from '../customers/billable.ts';
import { buildContent, type RequestedContent } from '../documents/content.ts';
import { prepareDocument } from '../documents/ids.ts';
import { replaceAttachments } from '../files/attachments.ts';
import { type Caller, requirePermission } from '../kernel/caller.ts';
import { type InvoiceHead, numberInvoice, writeInvoice } from './issuing.ts';

export interface RequestedInvoice
  extends Omit<InvoiceHead, 'currency' | 'billing' | 'shipTo' | 'chasingCadence' | 'origin' | 'hasFiles'> {
  caller: Caller;
  customerId: number;
  /** Null: the customer's currency, else the account's. */
  currency: string | null;
  shipTo?: Address | null;
  /** Id of its invoice cadence. */
  cadenceId?: number | null;
  content: RequestedContent;
  /** Ids of the files to attach. */
  fileIds?: number[];
  /** False: the document gets no tax rates, and the request may name none. */
  calculateTaxes?: boolean;
}

/**
 * Issues an invoice by request, or creates a draft. Refuses an unknown or inactive customer, content that `buildContent` refuses, a taken
 * number, invalid terms, amounts that are too large, a negative total, and a customer that `checkCreditLimit` refuses.
 */
export async function createInvoice(
  em: EntityManager,
  input: RequestedInvoice,
  systemNow: Date,
): Promise<LockedInvoice> {
  const locked = await lockBillable(em, input, systemNow);
  const { account } = input.caller;
  if (input.isWrittenOff) requirePermission(input.caller, 'corrections.write', 'closed');
  if (input.isDraft && input.isWrittenOff)
    throw new Refusal('state_conflict', 'A draft cannot be closed: it is not owed yet', 'closed');
  if (input.isDraft && input.isSent)
    throw new Refusal('state_conflict', 'A draft cannot be sent: issue it first', 'sent');
  if (input.number) await checkNumberFree(em, 'invoice', { accountId: account.id, number: input.number });
  const chasingCadence = await findInvoiceCadence(em, account.id, input.cadenceId ?? null);
  const currency = input.currency ?? locked.customer.currency ?? account.currency;
  const shipTo = newShipTo(input.shipTo ?? null, null, locked.moment.now.getTime());
  const untaxed = whyUntaxed(locked.customer, input.calculateTaxes ?? true);
  const prepared = await prepareDocument(em, locked, {
    table: 'invoice',
    lines: input.content.lines?.length ?? 0,
    shipTo,
    isIssued: !input.isDraft,
    isTaxed: untaxed === null,
  });
  const content = await buildContent(em, locked, {
    requested: input.content,
    currency,
    before: null,
    untaxed,
    redeemer: { type: 'invoice', id: prepared.id },
    automaticRates: prepared.automaticRates,
  });
  const { fileIds = [] } = input;
  const origin = input.isSent || input.isWrittenOff ? 'import' : 'other';
  const head = { ...input, currency, shipTo, chasingCadence, origin, hasFiles: fileIds.length > 0 } as const;
  const written = await writeInvoice(em, locked, { ...head, prepared, content });
  if (!input.isDraft) await checkCreditLimit(em, locked, currency);
  const carrier = { invoice: written.invoice };
  if (fileIds.length > 0) await replaceAttachments(em, locked.moment, { carrier, fileIds });
  await numberInvoice(em, locked, written);
  return { ...locked, ...written };
}
