import { firstAttemptAt } from '../billing/autopay.ts';
import { nextCollectionStep } from '../billing/collection.ts';
import { invoiceStatus } from '../billing/invoice.ts';
import { isZero } from '../billing/money.ts';
import { setting } from '../billing/settings.ts';
import { dueAt, parseTerms } from '../billing/terms.ts';
import { documentTotals, type Totals } from '../billing/totals.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Customer } from '../db/schema/customer.ts';
import { Invoice } from '../db/schema/invoice.ts';
import { LineItem } from '../db/schema/lineItem.ts';
import type { Subscription } from '../db/schema/subscription.ts';
import { presentCustomer } from '../present/customer.ts';
import { presentInvoice } from '../present/invoice.ts';
import { collectionStateOf, hasSource } from './collectionState.ts';
import { payFromCredit } from './creditsAtIssue.ts';
import type { CustomerMoment } from './moment.ts';
import { reserveInvoiceIds, takeInvoiceNumber } from './numbering.ts';
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

/** An invoice that has been written and waits for its number. */
export interface WrittenInvoice {
  invoice: Invoice;
  lines: LineItem[];
}

/**
 * Writes an invoice of a locked customer: lines, ledger entries, wake-ups of its collection; all but its number and its event, which
 * `numberInvoice` adds as the last thing of the transaction. Refuses a negative total and bad terms.
 */
export async function writeInvoice(em: EntityManager, at: CustomerMoment, input: NewInvoice): Promise<WrittenInvoice> {
  const plain = { discountable: true, taxable: true, discounts: [], taxes: [] };
  const priced = input.lines.map(({ quantity, unitCost }) => ({ ...plain, quantity, unitCost }));
  const totals = documentTotals({ lines: priced, discounts: [], taxes: [], currency: input.currency });
  const ids = await reserveInvoiceIds(em, input.lines.length);
  const invoice = newInvoice(em, at, { ...input, id: ids.id, totals });
  const lines = input.lines.map((line, position) =>
    em.create(LineItem, {
      ...line,
      accountId: invoice.accountId,
      id: idAt(ids.lineIds, position),
      invoice,
      position,
      currency: input.currency,
      amount: totals.lines[position]?.amount ?? totals.total,
      net: totals.lines[position]?.net ?? totals.total,
      discountable: true,
      discounts: [],
      taxable: true,
      taxes: [],
      metadata: line.metadata ?? {},
      createdAt: at.moment.now,
      updatedAt: at.moment.now,
    }),
  );
  postIssue(em, at, { invoice, lines });
  await payFromCredit(em, at, invoice);
  // Its events follow with the number; counted here, so that it is written once.
  invoice.eventCount = invoice.paid ? 2 : 1;
  await setWakeups(em, at.moment, {
    waiter: { process: 'invoice', subjectId: invoice.id, clockId: at.clockId },
    existing: [],
    waits: collectionWaits(at, invoice),
  });
  return { invoice, lines };
}

/**
 * Issues a written invoice: its number, then its event. Everything else of the transaction is written first, because the series of
 * the account is held from here to the commit: other invoices wait for two statements, not for all of them.
 */
export async function numberInvoice(em: EntityManager, at: CustomerMoment, written: WrittenInvoice): Promise<Invoice> {
  const { invoice, lines } = written;
  await em.flush();
  if (!invoice.number) await takeInvoiceNumber(em, invoice);
  const subject = { type: 'invoice', id: invoice.id, row: { eventCount: 0 } };
  const object = invoiceForEvent(at.customer, invoice, lines);
  record(em, at.moment, { type: 'invoice.created', subject, object });
  if (invoice.paid) record(em, at.moment, { type: 'invoice.paid', subject, object });
  return invoice;
}

function newInvoice(
  em: EntityManager,
  at: CustomerMoment,
  input: NewInvoice & { id: number; totals: Totals },
): Invoice {
  const { account } = at.moment.caller;
  const { totals } = input;
  const schedule = collectionSchedule(at, input);
  const settled = isZero(totals.total);
  return em.create(Invoice, {
    accountId: account.id,
    id: input.id,
    customer: at.customer,
    subscription: input.billing?.subscription ?? null,
    segment: input.billing?.segment ?? null,
    period: input.billing?.period ?? null,
    name: input.name ?? 'Invoice',
    number: input.number ?? null,
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
    eventCount: 0,
    createdAt: at.moment.now,
    updatedAt: at.moment.now,
  });
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
  const wanted = parseTerms(termsText);
  // Terms of AutoPay without AutoPay would never fall due.
  const terms = wanted.kind === 'autopay' && !autopay ? parseTerms(setting(account, 'payment_terms')) : wanted;
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

function postIssue(em: EntityManager, at: CustomerMoment, issued: { invoice: Invoice; lines: LineItem[] }): void {
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

/** An invoice as events carry it: the customer in full. */
export function invoiceForEvent(customer: Customer, invoice: Invoice, lines: readonly LineItem[]) {
  return { ...presentInvoice(invoice, lines), customer: presentCustomer(customer, customer.defaultSource ?? null) };
}

function collectionWaits(at: CustomerMoment, invoice: Invoice) {
  const known = {
    attemptUndecided: false,
    lastFailure: null,
    hasSource: hasSource(at.customer),
  };
  return nextCollectionStep(collectionStateOf(at.moment.caller.account, invoice, known), at.moment.now.getTime()).waits;
}

function idAt(ids: readonly number[], position: number): number {
  const id = ids[position];
  if (id === undefined) throw new Error('fewer line ids than lines');
  return id;
}
