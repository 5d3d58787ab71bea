import { whyLocked } from '../../billing/invoice.ts';
import { compare, isPositive, isZero } from '../../billing/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import type { Address } from '../../billing/shipTo.ts';
import type { EntityManager } from '../../db/orm.ts';
import { correctionOf } from '../../db/queries/invoices/corrections.ts';
import { AttemptInvoice } from '../../db/schema/attemptInvoice.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { changeNumber, takeDocumentNumber } from '../accounts/numbering.ts';
import {
  invoiceEventObject,
  type LockedInvoice,
  lockInvoice,
  recordInvoice,
  replanInvoice,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { followSubscription } from '../aggregates/pastDue.ts';
import { reopen, takeBackWriteOff, writeOff } from '../aggregates/writeOff.ts';
import { checkBillable, checkCreditLimit } from '../customers/billable.ts';
import type { DocumentChange } from '../documents/contentChange.ts';
import { giveInvoice, lockNextOwner, refuseForGood } from '../documents/draftCustomer.ts';
import { earnings, postDifference, postEarnings, postReversal } from '../documents/earnings.ts';
import { changeSent } from '../documents/sending.ts';
import { changeShipTo } from '../documents/shipTo.ts';
import { replaceAttachments } from '../files/attachments.ts';
import { assignChanges } from '../kernel/changes.ts';
import { changeInvoiceContent } from './contentChange.ts';
import { issueDraft } from './drafts.ts';
import { changeTerms, type TermsChange, termsOfNext } from './terms.ts';

/** Requested changes of an invoice. Undefined: unchanged. Null: cleared. */
export interface InvoiceChange extends DocumentChange, TermsChange {
  shipTo?: Address | null | undefined;
  fields: {
    name?: string | undefined;
    purchaseOrder?: string | null | undefined;
    notes?: string | null | undefined;
    disabledPaymentMethods?: string[] | undefined;
    metadata?: Record<string, string> | undefined;
  };
}

/**
 * Changes an invoice, its ledger entries and its collection, if anything differs. A draft may get another customer. `isDraft: false` issues
 * it. `isClosed` writes it off, or reverses that. Refuses to change amounts, number or date of a locked invoice, and values that
 * `createInvoice` refuses. Throws Missing.
 */
export async function updateInvoice(em: EntityManager, change: InvoiceChange, systemNow: Date): Promise<LockedInvoice> {
  const next = await lockNextOwner(em, { ...change, table: 'invoice' }, systemNow);
  const found = await lockInvoice(em, { caller: change.caller, id: change.id }, systemNow);
  const before = invoiceEventObject(found);
  const was = factsOf(found);
  refuseForGood('invoice', found.invoice, { ...change, next });
  const said = next ? { ...change, ...termsOfNext(found, change) } : change;
  const at = next ? await giveInvoice(em, found, next) : found;
  const { invoice, moment } = at;
  const isReopened = change.isClosed === false && takeUpAgain(em, at);
  const isAltered = (await alter(em, at, said)) || next !== null;
  const isIssued = change.isDraft === false && !invoice.issuedAt;
  const isGivenUp = change.isClosed === true && !invoice.closed;
  const isMarked = changeSent(invoice, { ...change, isIssued, now: moment.now });
  if (!isReopened && !isAltered && !isIssued && !isGivenUp && !isMarked) return at;
  await followBooks(em, at, was);
  if (isIssued) checkBillable(at);
  if (isIssued) await issueDraft(em, at);
  if (isGivenUp) giveUp(em, at);
  updateInvoiceStatus(invoice, moment.now);
  if (was.pastDue || invoice.pastDue) await followSubscription(em, at);
  if (!isIssued || isGivenUp) await replanInvoice(em, at, {});
  if (isIssued) await finishIssue(em, at);
  else if (isReopened || owesMore(invoice, was)) await checkCreditLimit(em, at, invoice.currency);
  recordInvoice(em, at, { type: invoice.paid && !was.paid ? 'invoice.paid' : 'invoice.updated', before });
  return at;
}

/** Changes everything but the state. Refuses changes that the lock forbids. */
async function alter(em: EntityManager, at: LockedInvoice, change: InvoiceChange): Promise<boolean> {
  const { invoice } = at;
  const { date } = invoice;
  const { now } = at.moment;
  const name = `Invoice ${invoice.number ?? invoice.id}`;
  const lock = { name, sent: Boolean(invoice.sentAt), applied: compare(invoice.balance, invoice.total) !== 0 };
  // First, because rates depend on it.
  const isShipped = changeShipTo(invoice, change.shipTo, now);
  const content = await changeInvoiceContent(em, at, change);
  const number = (await changeNumber(em, invoice, { series: 'invoice', number: change.number, now })) ? 'number' : null;
  const isTimed = changeTerms(at, change);
  const locked = content ?? number ?? (invoice.date === date ? null : 'date');
  if (locked !== null) await refuseLocked(em, at, { ...lock, param: locked });
  const isSaid = assignChanges(invoice, change.fields);
  const { fileIds } = change;
  const carrier = { invoice };
  const isCarrying = fileIds ? await replaceAttachments(em, at.moment, { carrier, fileIds }) : false;
  return locked !== null || isShipped || isTimed || isSaid || isCarrying;
}

/** The values before a change on which ledger entries, collection and events of the change depend. */
function factsOf({ invoice, lines }: LockedInvoice) {
  const { currency, date, total, balance, paid, pastDue, taxes } = invoice;
  return {
    currency,
    date,
    total,
    balance,
    paid,
    pastDue,
    isIssued: Boolean(invoice.issuedAt),
    earned: earnings({ lines, taxes }),
  };
}

/** Whether a change gave an issued invoice a larger balance, or a balance in another currency. */
function owesMore({ balance, currency, voidedAt }: Invoice, was: ReturnType<typeof factsOf>): boolean {
  if (!was.isIssued || voidedAt) return false;
  return isPositive(balance) && (currency !== was.currency || compare(balance, was.balance) > 0);
}

async function refuseLocked(
  em: EntityManager,
  { invoice, moment }: LockedInvoice,
  { name, param, ...known }: { name: string; sent: boolean; applied: boolean; param: string },
): Promise<void> {
  const { accountId, id } = invoice;
  const undecided = await em.count(AttemptInvoice, { accountId, invoice: [accountId, id], undecided: true });
  const why = whyLocked({
    ...known,
    lockDocuments: setting(moment.caller.account, 'lock_documents'),
    voided: Boolean(invoice.voidedAt),
    writtenOff: Boolean(invoice.writtenOffAt),
    charging: undecided > 0,
    correction: await correctionOf(em, { accountId, invoiceId: id }),
  });
  if (why !== null) throw new Refusal(`${name} ${why}`, param);
}

/** Posts the change of an issued invoice's amounts, date or currency. */
async function followBooks(em: EntityManager, at: LockedInvoice, was: ReturnType<typeof factsOf>): Promise<void> {
  const { invoice, lines, moment } = at;
  const after = earnings({ lines, taxes: invoice.taxes });
  const { accountId, currency, date, id: invoiceId, total } = invoice;
  const about = { customerId: at.customer.id, invoiceId, paymentId: null, postedAt: moment.now };
  const posting = { accountId, reason: 'change' as const, ...about };
  if (!was.isIssued || invoice.voidedAt) return;
  if (currency === was.currency && date === was.date) {
    postDifference(em, { ...posting, currency, documentAt: date }, { before: was.earned, after });
  } else {
    postReversal(em, { ...posting, currency: was.currency, documentAt: was.date }, was.earned);
    postEarnings(em, { ...posting, currency, documentAt: date }, after);
  }
  if (was.paid && isPositive(total) && compare(invoice.balance, total) === 0) reopen(at);
}

/** Reverses a write-off; answers whether there was one. */
function takeUpAgain(em: EntityManager, at: LockedInvoice): boolean {
  const { invoice } = at;
  if (!invoice.closed) return false;
  if (!invoice.writtenOffAt)
    throw new Refusal(`Invoice ${invoice.number ?? invoice.id} is ${invoice.status}: it stays closed`, 'closed');
  takeBackWriteOff(em, at);
  return true;
}

function giveUp(em: EntityManager, at: LockedInvoice): void {
  const { invoice } = at;
  if (!invoice.issuedAt) throw new Refusal('A draft cannot be closed: it is not owed yet', 'closed');
  // An invoice with a zero balance is paid, not written off.
  if (!invoice.closed && !isZero(invoice.balance)) writeOff(em, at);
}

/** Completes the issue of a draft: checks the credit limit, then takes the number. */
async function finishIssue(em: EntityManager, at: LockedInvoice): Promise<void> {
  const { invoice } = at;
  await checkCreditLimit(em, at, invoice.currency);
  await em.flush();
  if (!invoice.number) await takeDocumentNumber(em, 'invoice', invoice);
}
