import { firstAttemptAt } from '../billing/autopay.ts';
import { nextCollectionStep } from '../billing/collection.ts';
import { invoiceStatus } from '../billing/invoice.ts';
import { isZero } from '../billing/money.ts';
import { setting } from '../billing/settings.ts';
import { dueAt, parseTerms } from '../billing/terms.ts';
import { documentTotals } from '../billing/totals.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Customer } from '../db/schema/customer.ts';
import { Invoice } from '../db/schema/invoice.ts';
import { InvoiceLine } from '../db/schema/invoiceLine.ts';
import type { Subscription } from '../db/schema/subscription.ts';
import { presentCustomer } from '../present/customer.ts';
import { presentInvoice } from '../present/invoice.ts';
import { collectionStateOf } from './collectionState.ts';
import type { CustomerMoment } from './moment.ts';
import { takeInvoiceNumber } from './numbering.ts';
import { ledger, post } from './posting.ts';
import { record } from './record.ts';
import { setWakeups } from './waking.ts';

export interface NewLine {
  itemCode?: string | null;
  planCode?: string | null;
  type?: string | null;
  name: string | null;
  description?: string | null;
  quantity: string;
  unitCost: string;
  glAccount?: string | null;
  periodStartAt?: Date;
  periodEndAt?: Date;
  metadata?: Record<string, string>;
}

export interface NewInvoice {
  lines: NewLine[];
  currency: string;
  name?: string | null;
  number?: string | null;
  /** Date of the document; the moment of issue when absent. */
  date?: Date | null;
  dueAt?: Date | null;
  autopay?: boolean | null;
  paymentTerms?: string | null;
  purchaseOrder?: string | null;
  notes?: string | null;
  metadata?: Record<string, string>;
  /** The period of a subscription that it bills. */
  billing?: { subscription: Subscription; segment: number; period: number; collectLaterDays: number };
}

/**
 * Issues an invoice to a locked customer: number, lines, ledger entries, event, wake-ups of its collection. The number series is
 * locked from here to the commit. Refuses a negative total, bad terms, a number that is taken.
 */
export async function issueInvoice(em: EntityManager, at: CustomerMoment, input: NewInvoice): Promise<Invoice> {
  const { account } = at.moment.caller;
  const totals = documentTotals(input.lines, input.currency);
  const schedule = collectionSchedule(at, input);
  const ids = await takeInvoiceNumber(em, account.id, { lines: input.lines.length, number: input.number ?? null });
  const settled = isZero(totals.total);
  const invoice = em.create(Invoice, {
    accountId: account.id,
    id: ids.id,
    customer: at.customer,
    subscription: input.billing?.subscription ?? null,
    segment: input.billing?.segment ?? null,
    period: input.billing?.period ?? null,
    name: input.name ?? 'Invoice',
    number: ids.number,
    currency: input.currency,
    status: invoiceStatus({ voided: false, balance: totals.total, pending: false, pastDue: false }),
    issuedAt: at.moment.now,
    timeZone: account.timeZone,
    ...schedule,
    nextPaymentAttemptAt: settled ? null : schedule.nextPaymentAttemptAt,
    purchaseOrder: input.purchaseOrder ?? null,
    notes: input.notes ?? null,
    subtotal: totals.subtotal,
    total: totals.total,
    balance: totals.total,
    paid: settled,
    closed: settled,
    metadata: input.metadata ?? {},
    createdAt: at.moment.now,
    updatedAt: at.moment.now,
  });
  const lines = input.lines.map((line, position) =>
    em.create(InvoiceLine, {
      ...line,
      accountId: account.id,
      id: idAt(ids.lineIds, position),
      invoice,
      position,
      amount: totals.lineAmounts[position] ?? totals.total,
      metadata: line.metadata ?? {},
    }),
  );
  postIssue(em, at, { invoice, lines });
  recordIssue(em, at, { invoice, lines });
  await setWakeups(em, at.moment, {
    waiter: { process: 'invoice', subjectId: invoice.id, clockId: at.clockId },
    existing: [],
    waits: collectionWaits(at, invoice),
  });
  return invoice;
}

/** Terms, due date and first automatic charge of a new invoice. */
function collectionSchedule(at: CustomerMoment, input: NewInvoice) {
  const { account } = at.moment.caller;
  const { customer } = at;
  const issuedAt = at.moment.now;
  const date = input.date ?? issuedAt;
  const autopay = input.autopay ?? customer.autopay;
  const termsText =
    input.paymentTerms ?? (autopay ? 'AutoPay' : (customer.paymentTerms ?? setting(account, 'payment_terms')));
  const terms = parseTerms(termsText);
  const delayDays = customer.autopayDelayDays < 0 ? setting(account, 'autopay_delay_days') : customer.autopayDelayDays;
  const zone = account.timeZone;
  const first = firstAttemptAt({
    dateAt: date.getTime(),
    issuedAt: issuedAt.getTime(),
    delayDays: delayDays + (input.billing?.collectLaterDays ?? 0),
    minimumDelaySeconds: setting(account, 'autopay_minimum_delay'),
    zone,
  });
  const due = input.dueAt?.getTime() ?? dueAt(Math.max(date.getTime(), issuedAt.getTime()), terms, zone);
  return {
    date,
    autopay,
    paymentTerms: termsText,
    dueAt: due === null ? null : new Date(due),
    nextPaymentAttemptAt: autopay ? new Date(first) : null,
  };
}

function postIssue(em: EntityManager, at: CustomerMoment, issued: { invoice: Invoice; lines: InvoiceLine[] }): void {
  const { invoice, lines } = issued;
  const moves = lines.map((line) => ({
    debit: ledger.receivable,
    credit: ledger.revenue(line.glAccount),
    amount: line.amount,
  }));
  const { now } = at.moment;
  const about = { customerId: at.customer.id, invoiceId: invoice.id, paymentId: null };
  const posting = { accountId: invoice.accountId, currency: invoice.currency, reason: 'issue' as const };
  post(em, { ...posting, ...about, documentAt: invoice.date, postedAt: now }, moves);
}

function recordIssue(em: EntityManager, at: CustomerMoment, issued: { invoice: Invoice; lines: InvoiceLine[] }): void {
  const { invoice, lines } = issued;
  const subject = { type: 'invoice', id: invoice.id, row: invoice };
  const object = invoiceForEvent(at.customer, invoice, lines);
  record(em, at.moment, { type: 'invoice.created', subject, object });
  if (invoice.paid) record(em, at.moment, { type: 'invoice.paid', subject, object });
}

/** An invoice as events carry it: the customer in full. */
export function invoiceForEvent(customer: Customer, invoice: Invoice, lines: readonly InvoiceLine[]) {
  return { ...presentInvoice(invoice, lines), customer: presentCustomer(customer, customer.defaultSource ?? null) };
}

function collectionWaits(at: CustomerMoment, invoice: Invoice) {
  const known = {
    attemptUndecided: false,
    lastFailure: null,
    hasSource: at.customer.defaultSource?.chargeable ?? false,
  };
  return nextCollectionStep(collectionStateOf(at.moment.caller.account, invoice, known), at.moment.now.getTime()).waits;
}

function idAt(ids: readonly number[], position: number): number {
  const id = ids[position];
  if (id === undefined) throw new Error('fewer line ids than lines');
  return id;
}
