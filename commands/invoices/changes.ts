import { isRunning } from '../../billing/collection/paymentPlan.ts';
import { whyLocked } from '../../billing/documents/invoice.ts';
import { type Address, type ShipTo, shipToAfter } from '../../billing/documents/shipTo.ts';
import { add, compare, isPositive, isZero } from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { moveNotes } from '../../db/queries/customers/merge.ts';
import { correctionOf } from '../../db/queries/invoices/corrections.ts';
import { AttemptInvoice } from '../../db/schema/attemptParts.ts';
import type { ChasingCadence } from '../../db/schema/chasingCadence.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { newNumber, renumber, takeDocumentNumber } from '../accounts/numbering.ts';
import {
  type InvoiceEvent,
  invoiceEventObject,
  type LockedInvoice,
  lockInvoice,
  recordInvoice,
  replanInvoices,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { newCadence } from '../aggregates/invoiceChasing.ts';
import { updatePastDueSubscription } from '../aggregates/pastDue.ts';
import { signUpPlan } from '../aggregates/paymentPlan.ts';
import { reopen, reverseWriteOff, writeOff } from '../aggregates/writeOff.ts';
import { checkBillable, checkCreditLimit } from '../customers/billable.ts';
import { type ContentPlan, type DocumentChange, writeContent } from '../documents/contentChange.ts';
import { lockNewCustomer, moveInvoice, refuseImpossibleChange } from '../documents/draftCustomer.ts';
import { earnings, postDifference, postEarnings, postReversal } from '../documents/earnings.ts';
import { newSentAt } from '../documents/sending.ts';
import { replaceAttachments } from '../files/attachments.ts';
import { requirePermission } from '../kernel/caller.ts';
import { assignChanges, differs } from '../kernel/changes.ts';
import { completeChasingTasks, completeTasksOfInvoice } from '../tasks/completing.ts';
import { issueDraft, planInvoiceContent } from './drafts.ts';
import { followTerms } from './earlyDiscount.ts';
import { type IssueMail, queueIssueMail } from './issueMail.ts';
import { changePromise, changesPromise, type ExpectedPayment } from './promises.ts';
import { planTerms, type TermsChange, type TermsPlan, termsForNewCustomer, writeTerms } from './terms.ts';

/** Requested changes. A field that is left out stays as it is; null clears it. */
export interface InvoiceChange extends DocumentChange, TermsChange {
  shipTo?: Address | null | undefined;
  expectedPayment?: ExpectedPayment | null | undefined;
  /** Id of its invoice cadence. */
  cadenceId?: number | null | undefined;
  /** Why it is closed. */
  closingReason?: string | undefined;
  fields: {
    name?: string | undefined;
    purchaseOrder?: string | null | undefined;
    notes?: string | null | undefined;
    disabledPaymentMethods?: string[] | undefined;
    metadata?: Record<string, string> | undefined;
  };
}

/** What is read for a plan. */
interface Read extends Pick<Plan, 'content' | 'number' | 'terms'> {
  shipTo: ShipTo | null;
  /** Undefined: it keeps its own. */
  chasingCadence: ChasingCadence | null | undefined;
}

/** What a request changes of a locked invoice. */
interface Plan {
  content: ContentPlan;
  /** Undefined: it keeps its number. */
  number: string | null | undefined;
  terms: TermsPlan;
  isReopened: boolean;
  isIssued: boolean;
  isClosing: boolean;
  isPromised: boolean;
  /** New values of the other columns; undefined: unchanged. */
  columns: object;
}

/**
 * Changes an invoice, its ledger entries and its collection, if anything differs. A draft may get another customer. `isDraft: false` issues
 * it. `isClosed` writes it off, or reverses that. Refuses to change amounts, number or date of a locked invoice, and values that
 * `createInvoice` refuses. Throws Missing.
 */
export async function updateInvoice(em: EntityManager, change: InvoiceChange, systemNow: Date): Promise<LockedInvoice> {
  const newCustomer = await lockNewCustomer(em, { ...change, table: 'invoice' }, systemNow);
  const found = await lockInvoice(em, { caller: change.caller, id: change.id }, systemNow);
  const { invoice } = found;
  refuseImpossibleChange('invoice', invoice, { ...change, newCustomer });
  const locked = newCustomer ? await moveInvoice(em, found, newCustomer) : found;
  const termsChange = newCustomer ? termsForNewCustomer(found, change) : change;
  const before = invoiceEventObject(found);
  const was = factsOf(found);
  const isTurned = change.isClosed !== undefined && change.isClosed !== invoice.closed;
  if (isTurned) requirePermission(change.caller, 'corrections.write', 'closed');
  const isReopened = reopens(change, invoice);
  if (isReopened) reverseWriteOff(em, locked); // everything else is planned for the open invoice
  const read = await readFor(em, locked, { ...change, ...termsChange });
  const plan = planOf(change, locked, { ...read, isReopened });
  const { fileIds } = change;
  const carrier = { invoice };
  const hasOtherFiles = fileIds ? await replaceAttachments(em, locked.moment, { carrier, fileIds }) : false;
  if (!isOther(plan, invoice) && !hasOtherFiles && !newCustomer) return found;
  await writePlan(em, locked, { change, plan, was });
  recordInvoice(em, locked, { type: eventOf(locked, { was, isPromised: plan.isPromised }), before });
  return locked;
}

/** Whether a request reopens an invoice. Refuses one that is closed for another reason than its write-off. */
function reopens({ isClosed }: InvoiceChange, invoice: Invoice): boolean {
  if (isClosed !== false || !invoice.closed) return false;
  if (!invoice.writtenOffAt)
    throw new Refusal(
      'state_conflict',
      `Invoice ${invoice.number ?? invoice.id} is ${invoice.status} and cannot be reopened`,
      'closed',
    );
  return true;
}

/** Reads and plans what needs the database. Refuses changes of locked fields. */
async function readFor(em: EntityManager, locked: LockedInvoice, change: InvoiceChange): Promise<Read> {
  const { invoice, moment } = locked;
  const shipTo = shipToAfter(change.shipTo, invoice.shipTo, moment.now.getTime());
  const content = await planInvoiceContent(em, locked, { change, shipTo });
  const number = await newNumber(em, invoice, { series: 'invoice', number: change.number });
  const name = (number === undefined ? invoice.number : number) ?? invoice.id;
  const terms = planTerms(locked, change, name);
  const isDated = terms.columns.date !== invoice.date;
  const lockedField = content.altered ?? (number !== undefined ? 'number' : isDated ? 'date' : null);
  if (lockedField !== null) await refuseLocked(em, locked, lockedField);
  const chasingCadence = await newCadence(em, invoice, change.cadenceId);
  return { content, number, terms, shipTo, chasingCadence };
}

function planOf(
  change: InvoiceChange,
  locked: LockedInvoice,
  { shipTo, chasingCadence, ...known }: Read & { isReopened: boolean },
): Plan {
  const { invoice, moment } = locked;
  const isIssued = change.isDraft === false && !invoice.issuedAt;
  const isClosing = change.isClosed === true && !invoice.closed;
  const isPromised = changesPromise(invoice, change.expectedPayment);
  const sentAt = newSentAt(invoice, { isSent: change.isSent, isIssued, now: moment.now });
  if (isIssued) checkBillable(locked);
  if (isClosing && !invoice.issuedAt && !isIssued)
    throw new Refusal('state_conflict', 'A draft cannot be closed: it is not owed yet', 'closed');
  const columns = { ...change.fields, shipTo, chasingCadence, sentAt };
  return { ...known, isIssued, isClosing, isPromised, columns };
}

function isOther({ content, number, terms, columns, ...plan }: Plan, invoice: Invoice): boolean {
  const isAsked = plan.isReopened || plan.isIssued || plan.isClosing || plan.isPromised;
  const isDifferent = [terms.columns, columns].some((values) => differs(invoice, values));
  return isAsked || isDifferent || content.altered !== null || number !== undefined;
}

async function writePlan(
  em: EntityManager,
  locked: LockedInvoice,
  { change, plan, was }: { change: InvoiceChange; plan: Plan; was: ReturnType<typeof factsOf> },
): Promise<void> {
  const { invoice, moment } = locked;
  const { isIssued, isClosing, isPromised } = plan;
  const { accountId, id: invoiceId } = invoice;
  if (invoice.customer.id !== locked.customer.id)
    await moveNotes(em, { accountId, invoiceId, to: locked.customer.id, now: moment.now });
  invoice.customer = locked.customer;
  await writeContent(em, locked, { row: invoice, plan: plan.content });
  await renumber(em, invoice, { series: 'invoice', number: plan.number, now: moment.now });
  if (writeTerms(locked, plan.terms)) {
    await signUpPlan(em, locked); // a plan that waited for a source
    await followTerms(em, locked);
  }
  assignChanges(invoice, plan.columns);
  postChange(em, locked, was);
  const isKnown = isClosing || change.isSent === true;
  const mail = isIssued ? await issueDraft(em, locked, { isKnown }) : null;
  // An invoice with a zero balance is paid, not written off.
  if (isClosing && !invoice.closed && !isZero(invoice.balance)) writeOff(em, locked, change.closingReason);
  updateInvoiceStatus(invoice, moment.now);
  if (isPromised) await changePromise(em, locked, change.expectedPayment ?? null);
  await completeTasksOfInvoice(em, locked);
  await completeChasingTasks(em, [locked]);
  if (was.pastDue || invoice.pastDue) await updatePastDueSubscription(em, locked);
  if (!isIssued || isClosing || isPromised) await replanInvoices(em, [locked]);
  if (isIssued) await finishIssue(em, locked, mail);
  else if (plan.isReopened || owesMore(invoice, was)) await checkCreditLimit(em, locked, invoice.currency);
}

/** The event of a change. */
function eventOf(
  { invoice }: LockedInvoice,
  { was, isPromised }: { was: ReturnType<typeof factsOf>; isPromised: boolean },
): InvoiceEvent {
  if (invoice.paid && !was.paid) return 'invoice.paid';
  return isPromised && invoice.promise ? 'invoice.payment_expected' : 'invoice.updated';
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

/** Refuses to change amounts, number or date of a locked invoice. */
async function refuseLocked(em: EntityManager, { invoice, moment }: LockedInvoice, param: string): Promise<void> {
  const { accountId, id } = invoice;
  const undecided = await em.count(AttemptInvoice, { accountId, invoice: [accountId, id], undecided: true });
  const why = whyLocked({
    sent: Boolean(invoice.sentAt),
    applied: compare(add(invoice.balance, invoice.writtenOff), invoice.total) !== 0,
    reduced: isPositive(invoice.writtenOff),
    lockDocuments: setting(moment.caller.account, 'lock_documents'),
    voided: Boolean(invoice.voidedAt),
    writtenOff: Boolean(invoice.writtenOffAt),
    planned: Boolean(invoice.plan && isRunning(invoice.plan)),
    charging: undecided > 0,
    correction: await correctionOf(em, { accountId, invoiceId: id }),
  });
  if (why !== null) throw new Refusal('state_conflict', `Invoice ${invoice.number ?? id} ${why}`, param);
}

/** Posts a change of an issued invoice's amounts, date or currency. Reopens a paid invoice that is owed again. */
function postChange(em: EntityManager, locked: LockedInvoice, was: ReturnType<typeof factsOf>): void {
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

/** Completes the issue of a draft: checks the credit limit, takes the number, then queues the mail. */
async function finishIssue(em: EntityManager, locked: LockedInvoice, mail: IssueMail | null): Promise<void> {
  const { invoice } = locked;
  await checkCreditLimit(em, locked, invoice.currency);
  await em.write();
  if (!invoice.number) await takeDocumentNumber(em, 'invoice', invoice);
  await queueIssueMail(em, locked, { ...locked, mail });
}
