import { isRunning } from '../../billing/collection/paymentPlan.ts';
import { whyLocked } from '../../billing/documents/invoice.ts';
import { type Address, shipToAfter } from '../../billing/documents/shipTo.ts';
import { add, compare, isPositive, isZero } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { correctionOf } from '../../db/queries/invoices/corrections.ts';
import { AttemptInvoice } from '../../db/schema/attemptParts.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { newNumber, renumber, takeDocumentNumber } from '../accounts/numbering.ts';
import {
  type InvoiceEvent,
  invoiceEventObject,
  type LockedInvoice,
  lockInvoice,
  recordInvoice,
  replanInvoice,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { changeCadence } from '../aggregates/invoiceChasing.ts';
import { updatePastDueSubscription } from '../aggregates/pastDue.ts';
import { signUpPlan } from '../aggregates/paymentPlan.ts';
import { reopen, reverseWriteOff, writeOff } from '../aggregates/writeOff.ts';
import { checkBillable, checkCreditLimit } from '../customers/billable.ts';
import type { DocumentChange } from '../documents/contentChange.ts';
import { lockNewCustomer, moveInvoice, refuseImpossibleChange } from '../documents/draftCustomer.ts';
import { earnings, postDifference, postEarnings, postReversal } from '../documents/earnings.ts';
import { newSentAt } from '../documents/sending.ts';
import { replaceAttachments } from '../files/attachments.ts';
import { assignChanges } from '../kernel/changes.ts';
import { completeChasingTasks, completePromiseTasks } from '../tasks/completing.ts';
import { changeInvoiceContent, issueDraft } from './drafts.ts';
import { followTerms } from './earlyDiscount.ts';
import { type IssueMail, queueIssueMail } from './issueMail.ts';
import { changePromise, changesPromise, type ExpectedPayment } from './promises.ts';
import { changeTerms, type TermsChange, termsForNewCustomer } from './terms.ts';

/** Requested changes. A field that is left out stays as it is; null clears it. */
export interface InvoiceChange extends DocumentChange, TermsChange {
  shipTo?: Address | null | undefined;
  expectedPayment?: ExpectedPayment | null | undefined;
  /** Id of its invoice cadence. */
  cadenceId?: number | null | undefined;
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
  const newCustomer = await lockNewCustomer(em, { ...change, table: 'invoice' }, systemNow);
  const found = await lockInvoice(em, { caller: change.caller, id: change.id }, systemNow);
  const before = invoiceEventObject(found);
  const was = factsOf(found);
  refuseImpossibleChange('invoice', found.invoice, { ...change, newCustomer });
  const requested = newCustomer ? { ...change, ...termsForNewCustomer(found, change) } : change;
  const at = newCustomer ? await moveInvoice(em, found, newCustomer) : found;
  const { invoice, moment } = at;
  invoice.customer = at.customer;
  const isReopened = change.isClosed === false && reopenWrittenOff(em, at);
  const isChanged = (await applyChange(em, at, requested)) || newCustomer !== null;
  const isIssued = change.isDraft === false && !invoice.issuedAt;
  const isClosing = change.isClosed === true && !invoice.closed;
  const isPromised = changesPromise(invoice, change.expectedPayment);
  const isSentChanged = assignChanges(invoice, {
    sentAt: newSentAt(invoice, { ...change, isIssued, now: moment.now }),
  });
  if (!isReopened && !isChanged && !isIssued && !isClosing && !isSentChanged && !isPromised) return at;
  await postChange(em, at, was);
  if (isIssued) checkBillable(at);
  const isKnown = isClosing || change.isSent === true;
  const mail = isIssued ? await issueDraft(em, at, { isKnown }) : null;
  if (isClosing) closeInvoice(em, at);
  updateInvoiceStatus(invoice, moment.now);
  if (isPromised) await changePromise(em, at, change.expectedPayment ?? null);
  await completePromiseTasks(em, at);
  await completeChasingTasks(em, [at]);
  if (was.pastDue || invoice.pastDue) await updatePastDueSubscription(em, at);
  if (!isIssued || isClosing || isPromised) await replanInvoice(em, at, {});
  if (isIssued) await finishIssue(em, at, mail);
  else if (isReopened || owesMore(invoice, was)) await checkCreditLimit(em, at, invoice.currency);
  recordInvoice(em, at, { type: eventOf(at, { was, isPromised }), before });
  return at;
}

/** The event of a change. */
function eventOf(
  { invoice }: LockedInvoice,
  { was, isPromised }: { was: ReturnType<typeof factsOf>; isPromised: boolean },
): InvoiceEvent {
  if (invoice.paid && !was.paid) return 'invoice.paid';
  return isPromised && invoice.promise ? 'invoice.payment_expected' : 'invoice.updated';
}

/** Changes content, number, terms and other fields. Refuses changes of locked fields. Returns whether anything changed. */
async function applyChange(em: EntityManager, locked: LockedInvoice, change: InvoiceChange): Promise<boolean> {
  const { invoice } = locked;
  const { date } = invoice;
  const { now } = locked.moment;
  const name = `Invoice ${invoice.number ?? invoice.id}`;
  const applied = compare(add(invoice.balance, invoice.writtenOff), invoice.total) !== 0;
  const lock = { name, sent: Boolean(invoice.sentAt), applied, reduced: isPositive(invoice.writtenOff) };
  // The shipping address comes first, because tax rates depend on it.
  const shipTo = shipToAfter(change.shipTo, invoice.shipTo, now.getTime());
  const shipToChanged = assignChanges(invoice, { shipTo });
  const contentField = await changeInvoiceContent(em, locked, change);
  const number = await newNumber(em, invoice, { series: 'invoice', number: change.number });
  await renumber(em, invoice, { series: 'invoice', number, now });
  const numberChanged = number !== undefined;
  const termsChanged = changeTerms(locked, change);
  if (termsChanged) await signUpPlan(em, locked); // a plan that waited for a source
  if (termsChanged) await followTerms(em, locked);
  const lockedField = contentField ?? (numberChanged ? 'number' : invoice.date === date ? null : 'date');
  if (lockedField !== null) await refuseLocked(em, locked, { ...lock, param: lockedField });
  const fieldsChanged = assignChanges(invoice, change.fields);
  const cadenceChanged = await changeCadence(em, invoice, change.cadenceId);
  const { fileIds } = change;
  const carrier = { invoice };
  const filesChanged = fileIds ? await replaceAttachments(em, locked.moment, { carrier, fileIds }) : false;
  return lockedField !== null || shipToChanged || termsChanged || fieldsChanged || filesChanged || cadenceChanged;
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
  { name, param, ...known }: { name: string; sent: boolean; applied: boolean; reduced: boolean; param: string },
): Promise<void> {
  const { accountId, id } = invoice;
  const undecided = await em.count(AttemptInvoice, { accountId, invoice: [accountId, id], undecided: true });
  const why = whyLocked({
    ...known,
    lockDocuments: setting(moment.caller.account, 'lock_documents'),
    voided: Boolean(invoice.voidedAt),
    writtenOff: Boolean(invoice.writtenOffAt),
    planned: Boolean(invoice.plan && isRunning(invoice.plan)),
    charging: undecided > 0,
    correction: await correctionOf(em, { accountId, invoiceId: id }),
  });
  if (why !== null) throw new Refusal('state_conflict', `${name} ${why}`, param);
}

/** Posts a change of an issued invoice's amounts, date or currency. Reopens a paid invoice that is owed again. */
async function postChange(em: EntityManager, locked: LockedInvoice, was: ReturnType<typeof factsOf>): Promise<void> {
  const { invoice, lines, moment } = locked;
  const after = earnings({ lines, taxes: invoice.taxes });
  const { accountId, currency, date, id: invoiceId, total } = invoice;
  const about = { customerId: locked.customer.id, invoiceId, paymentId: null, postedAt: moment.now };
  const posting = { accountId, reason: 'change' as const, ...about };
  if (!was.isIssued || invoice.voidedAt) return;
  if (currency === was.currency && date === was.date) {
    postDifference(em, { ...posting, currency, documentAt: date }, { before: was.earned, after });
  } else {
    postReversal(em, { ...posting, currency: was.currency, documentAt: was.date }, was.earned);
    postEarnings(em, { ...posting, currency, documentAt: date }, after);
  }
  if (was.paid && isPositive(total) && compare(invoice.balance, total) === 0) reopen(locked);
}

/** Reverses the write-off of a closed invoice. Returns false if it is open. Refuses one that is closed for another reason. */
function reopenWrittenOff(em: EntityManager, locked: LockedInvoice): boolean {
  const { invoice } = locked;
  if (!invoice.closed) return false;
  if (!invoice.writtenOffAt)
    throw new Refusal(
      'state_conflict',
      `Invoice ${invoice.number ?? invoice.id} is ${invoice.status} and cannot be reopened`,
      'closed',
    );
  reverseWriteOff(em, locked);
  return true;
}

/** Closes an invoice: writes off its balance. Refuses a draft. */
function closeInvoice(em: EntityManager, locked: LockedInvoice): void {
  const { invoice } = locked;
  if (!invoice.issuedAt) throw new Refusal('state_conflict', 'A draft cannot be closed: it is not owed yet', 'closed');
  // An invoice with a zero balance is paid, not written off.
  if (!invoice.closed && !isZero(invoice.balance)) writeOff(em, locked);
}

/** Completes the issue of a draft: checks the credit limit, takes the number, then queues the mail. */
async function finishIssue(em: EntityManager, locked: LockedInvoice, mail: IssueMail | null): Promise<void> {
  const { invoice } = locked;
  await checkCreditLimit(em, locked, invoice.currency);
  await em.write();
  if (!invoice.number) await takeDocumentNumber(em, 'invoice', invoice);
  await queueIssueMail(em, locked, { ...locked, mail });
}
