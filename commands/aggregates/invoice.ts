import { nextCollectionStep } from '../../billing/collection/collection.ts';
import type { StoppingChange } from '../../billing/collection/collectionSchedule.ts';
import { invoiceStatus } from '../../billing/documents/invoice.ts';
import { isZero } from '../../billing/money/money.ts';
import { setting } from '../../billing/settings.ts';
import { dueAt, parseTerms } from '../../billing/time/terms.ts';
import { type Reason, reasonOf } from '../../billing/wait.ts';
import { lockRow, lockRows } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Line, linesOf, linesOfEach } from '../../db/queries/documents/lines.ts';
import type { EventReason } from '../../db/schema/event.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import type { Wakeup } from '../../db/schema/wakeup.ts';
import { presentWholeCustomer } from '../../present/customers/customer.ts';
import { presentInvoice } from '../../present/documents/invoice.ts';
import type { Caller } from '../kernel/caller.ts';
import { checkOwner, type LockedCustomer, lockOwner, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { record } from '../kernel/record.ts';
import { type Planned, setAllWakeups, type Waking } from '../kernel/waking.ts';
import { loadWriteOffs } from './badDebt.ts';
import { chaseInvoices } from './chasing.ts';
import {
  collectionStateOf,
  followPayment,
  hasSource,
  planLateFees,
  schedule,
  takeUpRefused,
  waitsForApproval,
} from './collectionState.ts';
import { activePlanOf, loadPlans, missInstallment } from './paymentPlan.ts';

/** A locked invoice with its lines and its locked customer. */
export interface LockedInvoice extends LockedCustomer {
  invoice: Invoice;
  lines: Line[];
}

/** A locked invoice without its lines, for changes that record no event. */
export type LockedInvoiceWithoutLines = Omit<LockedInvoice, 'lines'>;

interface InvoiceKey {
  caller: Caller;
  id: number;
  customerId?: number;
}

/** Locks the customer of an invoice (looked up unless `customerId` is given), then the invoice, and reads its lines. Throws Missing. */
export async function lockInvoice(em: EntityManager, who: InvoiceKey, systemNow: Date): Promise<LockedInvoice> {
  const find = async () => lockInvoiceOf(em, await lockOwner(em, { ...who, table: 'invoice' }, systemNow), who.id);
  return withLines(em, await retryOnOwnerChange(find));
}

/** Reads the lines of a locked invoice. */
export async function withLines(em: EntityManager, locked: LockedInvoiceWithoutLines): Promise<LockedInvoice> {
  return { ...locked, lines: await linesOf(em, 'invoice', locked.invoice) };
}

/** Locks an invoice of a locked customer. Throws Missing. Call it within `retryOnOwnerChange`: throws if it has another customer. */
export async function lockInvoiceOf(
  em: EntityManager,
  locked: LockedCustomer,
  id: number,
): Promise<LockedInvoiceWithoutLines> {
  const invoice = await lockRow(em, Invoice, { accountId: locked.customer.accountId, id });
  if (!invoice || invoice.deletedAt) throw new Missing('Invoice', id);
  checkOwner(locked, invoice);
  await loadPlans(em, [invoice]);
  await loadWriteOffs(em, [invoice]);
  return { ...locked, invoice };
}

/** Locks several invoices of a locked customer or its family, in one query. Leaves out unknown ids. */
export async function lockInvoicesWithoutLines(
  em: EntityManager,
  locked: LockedCustomer,
  ids: number[],
): Promise<LockedInvoiceWithoutLines[]> {
  const { accountId } = locked.customer;
  const invoices = (await lockRows(em, Invoice, { accountId, ids })).filter(({ deletedAt }) => !deletedAt);
  await loadPlans(em, invoices);
  await loadWriteOffs(em, invoices);
  return invoices.map((invoice) => ({ ...(locked.family?.get(invoice.customer.id) ?? locked), invoice }));
}

/** Reads the lines of several locked invoices of an account, in one query. */
export async function withLinesOfEach(
  em: EntityManager,
  invoices: readonly LockedInvoiceWithoutLines[],
): Promise<LockedInvoice[]> {
  const [first] = invoices;
  if (!first) return [];
  const ids = invoices.map(({ invoice }) => invoice.id);
  const lines = await linesOfEach(em, 'invoice', { accountId: first.invoice.accountId, ids });
  return invoices.map((locked) => ({ ...locked, lines: lines.get(locked.invoice.id) ?? [] }));
}

/** Locks several invoices like `lockInvoicesWithoutLines`, and reads their lines. */
export async function lockInvoices(em: EntityManager, locked: LockedCustomer, ids: number[]): Promise<LockedInvoice[]> {
  return withLinesOfEach(em, await lockInvoicesWithoutLines(em, locked, ids));
}

/**
 * Derives the status, `paid`, `closed`, the schedule and the state of the promise from the other fields of a changed invoice. `paidAt`: the
 * date of the applied money.
 */
export function updateInvoiceStatus(invoice: Invoice, now: Date, paidAt: Date = now): void {
  const wasPaid = invoice.paid;
  const voided = Boolean(invoice.voidedAt);
  const draft = !invoice.issuedAt;
  if (!voided && !draft && isZero(invoice.balance)) Object.assign(invoice, { paid: true, closed: true });
  followPayment(invoice, { wasPaid, paidAt });
  if (invoice.closed || voided) forgetFailure(invoice);
  const { balance, pending, pastDue } = invoice;
  const known = { viewed: Boolean(invoice.viewedAt), sent: Boolean(invoice.sentAt) };
  invoice.status = invoiceStatus({ voided, draft, balance, pending, pastDue, ...known });
  invoice.updatedAt = now;
  schedule(invoice, { kind: 'other' }, now);
}

/** Its last automatic payment did not fail, or no further one can follow. */
export function forgetFailure(invoice: Invoice): void {
  Object.assign(invoice, { paymentFailureCode: null, paymentFailureMessage: null, paymentFailedAt: null });
}

interface Known {
  attemptUndecided?: boolean;
  /** Absent: that of the current wake-up. */
  lastFailure?: Reason | null;
}

/**
 * Replaces the wake-ups of invoices by those that their states need, and plans the chasing of their customers, in a fixed number of queries.
 * Skips drafts: the wake-up that issues a held one stays. `inside`: the process of the invoice calls. Returns what is planned for each.
 */
export async function replanInvoices(
  em: EntityManager,
  targets: readonly LockedInvoiceWithoutLines[],
  how: Known & { inside?: boolean } = {},
): Promise<Planned[]> {
  const waiting = targets.filter(({ invoice }) => !isDraft(invoice));
  const [first] = waiting;
  if (!first) return [];
  const invoices = waiting.map(({ invoice }) => invoice);
  await planLateFees(em, invoices, first.moment.now);
  const plan = (locked: LockedInvoiceWithoutLines, existing: Wakeup[]) => wakingOf(locked, how, existing);
  const planned = await setAllWakeups(em, waiting, { process: 'invoice', idOf: ({ invoice }) => invoice.id, plan });
  await chaseInvoices(em, waiting);
  return planned;
}

/** Whether the invoice is neither issued nor voided. */
export function isDraft({ issuedAt, voidedAt }: Invoice): boolean {
  return !issuedAt && !voidedAt;
}

function wakingOf(
  locked: LockedInvoiceWithoutLines,
  { inside = false, ...how }: Known & { inside?: boolean },
  existing: Wakeup[],
): Waking {
  const { invoice, moment, clockId } = locked;
  const waited = existing.find((row) => row.rule === 'attempt');
  takeUpRefused(invoice, waited, moment.now);
  const state = collectionStateOf(moment.caller.account, invoice, {
    attemptUndecided: how.attemptUndecided ?? false,
    lastFailure: how.lastFailure === undefined && waited ? reasonOf(waited) : (how.lastFailure ?? null),
    hasSource: hasSource(locked.customer, invoice),
  });
  const next = nextCollectionStep(state, moment.now.getTime());
  const waiter = { process: 'invoice' as const, subjectId: invoice.id, clockId };
  return { waiter, waits: next.waits, existing, inside, isShown: invoice.attemptCount > 0, isDue: next.due !== null };
}

export type InvoiceEvent =
  | 'invoice.updated'
  | 'invoice.paid'
  | 'invoice.payment_expected'
  | 'invoice.viewed'
  | 'invoice.deleted';

/** Records an event of an invoice. */
export function recordInvoice(
  em: EntityManager,
  locked: LockedInvoice,
  change: { type: InvoiceEvent; before: ReturnType<typeof invoiceEventObject>; reason?: EventReason },
): void {
  const subject = { type: 'invoice', id: locked.invoice.id, row: locked.invoice };
  const { type, before, reason } = change;
  record(em, locked.moment, { type, subject, object: invoiceEventObject(locked), before, reason });
}

/** An invoice as events carry it, with the whole customer. */
export function invoiceEventObject({
  customer,
  invoice,
  lines,
}: Pick<LockedInvoice, 'customer' | 'invoice' | 'lines'>) {
  return { ...presentInvoice(invoice, lines), customer: presentWholeCustomer(customer) };
}

/** Updates the schedule after a change that may stop AutoPay. If AutoPay has stopped, sets a due date, or misses an installment. */
export function reschedule(locked: LockedInvoice, change: StoppingChange): void {
  if (waitsForApproval(locked.invoice)) return; // AutoPay has not stopped
  schedule(locked.invoice, change, locked.moment.now);
  if (!locked.invoice.autopayStopped) return;
  const plan = activePlanOf(locked.invoice);
  if (plan) missInstallment(locked, plan);
  else ensureDueDate(locked);
}

/** Sets the due date by the account's payment terms, unless the invoice has one. For an invoice that AutoPay no longer charges. */
export function ensureDueDate(locked: LockedInvoice): void {
  const { invoice, moment } = locked;
  if (invoice.dueAt) return;
  const terms = parseTerms(setting(moment.caller.account, 'payment_terms'));
  const due = dueAt(moment.now.getTime(), terms, invoice.timeZone);
  if (due !== null) invoice.dueAt = new Date(due);
}
