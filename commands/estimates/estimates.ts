import { type Address, newShipTo } from '../../billing/documents/shipTo.ts';
import { whyUntaxed } from '../../billing/documents/tax.ts';
import type { ErrorCode } from '../../billing/errorCodes.ts';
import { Refusal } from '../../billing/refusal.ts';
import { parseTerms, refusePlanTerms } from '../../billing/time/terms.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Estimate } from '../../db/schema/estimate.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { checkNumberFree } from '../accounts/numbering.ts';
import type { LockedEstimate } from '../aggregates/estimate.ts';
import { lockBillable } from '../customers/billable.ts';
import { buildContent, type RequestedContent } from '../documents/content.ts';
import { prepareDocument } from '../documents/ids.ts';
import { replaceAttachments } from '../files/attachments.ts';
import type { Caller } from '../kernel/caller.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { type EstimateHead, numberEstimate, writeEstimate } from './issuing.ts';

export interface RequestedEstimate extends Omit<EstimateHead, 'currency' | 'shipTo' | 'invoice'> {
  caller: Caller;
  customerId: number;
  /** Id of the invoice that it was turned into in another system; null: none. */
  invoiceId: number | null;
  /** Null: the invoice's currency, else the customer's, else the account's. */
  currency: string | null;
  shipTo: Address | null;
  content: RequestedContent;
  /** Ids of the files to attach. */
  fileIds: number[];
  /** False: the document gets no tax rates, and the request may name none. */
  calculateTaxes: boolean;
}

/**
 * Issues an estimate by request, or creates a draft. Refuses content that `createInvoice` refuses, a deposit beyond the total, and an
 * invoice that `findInvoice` refuses.
 */
export async function createEstimate(
  em: EntityManager,
  input: RequestedEstimate,
  systemNow: Date,
): Promise<LockedEstimate> {
  const locked = await lockBillable(em, input, systemNow);
  const { account } = input.caller;
  refuseContradictions(input);
  if (input.paymentTerms) refusePlanTerms(parseTerms(input.paymentTerms));
  if (input.number) await checkNumberFree(em, 'estimate', { accountId: account.id, number: input.number });
  const invoice =
    input.invoiceId === null ? null : await findInvoice(em, locked, { id: input.invoiceId, asked: input.currency });
  const currency = input.currency ?? invoice?.currency ?? locked.customer.currency ?? account.currency;
  const shipTo = newShipTo(input.shipTo, null, locked.moment.now.getTime());
  const untaxed = whyUntaxed(locked.customer, input.calculateTaxes);
  const prepared = await prepareDocument(em, locked, {
    table: 'estimate',
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
    redeemer: { type: 'estimate', id: prepared.id },
    automaticRates: prepared.automaticRates,
  });
  const written = await writeEstimate(em, locked, { ...input, currency, shipTo, invoice, prepared, content });
  const { fileIds } = input;
  const carrier = { estimate: written.estimate };
  if (fileIds.length > 0) await replaceAttachments(em, locked.moment, { carrier, fileIds });
  await numberEstimate(em, locked, written);
  return { ...locked, ...written };
}

function refuseContradictions({ isDraft, isSent, isClosed, invoiceId }: RequestedEstimate): void {
  if (!isDraft) return;
  if (isClosed) throw new Refusal('state_conflict', 'A draft cannot be closed: delete it', 'closed');
  if (isSent) throw new Refusal('state_conflict', 'A draft cannot be sent: issue it first', 'sent');
  if (invoiceId !== null) throw new Refusal('state_conflict', 'A draft has no invoice: issue it first', 'invoice');
}

/**
 * Finds the invoice that an estimate was turned into in another system. Refuses an invoice of another customer or in another currency, a
 * voided one, and one that has an estimate.
 */
async function findInvoice(
  em: EntityManager,
  { customer }: LockedCustomer,
  { id, asked }: { id: number; asked: string | null },
): Promise<Invoice> {
  const { accountId } = customer;
  const invoice = await em.findOne(Invoice, { accountId, id, deletedAt: null });
  const refuse = (code: ErrorCode, message: string): never => {
    throw new Refusal(code, message, 'invoice');
  };
  if (!invoice || invoice.customer.id !== customer.id)
    return refuse('resource_missing', `Invoice was not found: ${id}`);
  const name = `Invoice ${invoice.number ?? id}`;
  if (invoice.voidedAt) return refuse('state_conflict', `${name} is voided`);
  if (asked !== null && asked !== invoice.currency)
    return refuse('currency_mismatch', `${name} is in ${invoice.currency}, not ${asked}`);
  const other = await em.findOne(Estimate, { accountId, invoice });
  if (other) return refuse('state_conflict', `${name} has estimate ${other.number ?? other.id} already`);
  return invoice;
}
