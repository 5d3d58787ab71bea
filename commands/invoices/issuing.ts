import { nextCollectionStep } from '../../billing/collection/collection.ts';
import { offeredDiscount } from '../../billing/documents/earlyDiscount.ts';
import { type InvoiceOrigin, invoiceStatus } from '../../billing/documents/invoice.ts';
import { numbered } from '../../billing/documents/numbering.ts';
import type { ShipTo } from '../../billing/documents/shipTo.ts';
import { compare, isZero } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Line } from '../../db/queries/documents/lines.ts';
import type { ChasingCadence } from '../../db/schema/chasingCadence.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { Snapshot } from '../../db/schema/snapshot.ts';
import type { Subscription } from '../../db/schema/subscription.ts';
import type { Wakeup } from '../../db/schema/wakeup.ts';
import { takeDocumentNumber } from '../accounts/numbering.ts';
import { addWriteOff } from '../aggregates/badDebt.ts';
import { chaseInvoices } from '../aggregates/chasing.ts';
import { collectionStateOf, hasSource, schedule } from '../aggregates/collectionState.ts';
import { planDiscountReview } from '../aggregates/earlyDiscount.ts';
import { invoiceEventObject } from '../aggregates/invoice.ts';
import { takeDefaultCadence } from '../aggregates/invoiceChasing.ts';
import type { DocumentContent } from '../documents/content.ts';
import { earnings, postEarnings } from '../documents/earnings.ts';
import type { PreparedDocument } from '../documents/ids.ts';
import { type ComputedContent, computeContent, newRows } from '../documents/rows.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { type CountedEvent, countEvent, recordCounted } from '../kernel/record.ts';
import { setWakeups } from '../kernel/waking.ts';
import { payFromCredit } from '../payments/spending.ts';
import { payFromDeposit } from './deposits.ts';
import { withEarlyDiscount } from './earlyDiscount.ts';
import { type IssueMail, planIssueMail, queueIssueMail } from './issueMail.ts';
import { collectionTerms } from './terms.ts';

/** Fields of a new invoice besides its content. */
export interface InvoiceHead {
  currency: string;
  name?: string | null;
  number?: string | null;
  /** Date of the document; absent: the time of issue. */
  date?: Date | null;
  dueAt?: Date | null;
  autopay?: boolean | null;
  paymentTerms?: string | null;
  purchaseOrder?: string | null;
  notes?: string | null;
  shipTo?: ShipTo | null;
  disabledPaymentMethods?: string[];
  /** Null: the default one, from its issue on. */
  chasingCadence?: ChasingCadence | null;
  metadata?: Record<string, string>;
  /** True: a draft, which is not posted and not collected. */
  isDraft?: boolean;
  isSent?: boolean;
  /** True: written off at issue, such as bad debt imported from another system. */
  isWrittenOff?: boolean;
  /** Decides whether it is mailed at its issue. That of a payment link uses neither credit nor cadences of the customer. Absent: `other`. */
  origin?: InvoiceOrigin;
  /** Whether files are attached to it. */
  hasFiles?: boolean;
  /** The invoiced estimate. Its deposit is applied before credit. */
  estimate?: Estimate;
  /** The subscription that it bills, and the segment and period; null: changes or the end of the subscription. */
  billing?: {
    subscription: Subscription;
    of: { segment: number; period: number } | null;
    collectLaterDays: number;
  };
}

export interface NewInvoice extends InvoiceHead {
  prepared: PreparedDocument;
  content: DocumentContent;
}

export interface ComputedInvoice extends InvoiceHead {
  /** The pending lines of the customer among its lines. */
  swept?: readonly LineItem[];
  prepared: PreparedDocument;
  computed: ComputedContent;
}

/** A written invoice without its number. */
export interface WrittenInvoice {
  invoice: Invoice;
  lines: Line[];
  /** Its mail, which `numberInvoice` queues; null: none. */
  mail: IssueMail | null;
  /** Its first events, which `numberInvoice` records. */
  events: CountedEvent[];
}

/**
 * Writes an invoice of a locked customer: row, lines, ledger entries and wake-ups. `numberInvoice` adds number and events at the end of the
 * transaction. A draft has no ledger entries and no wake-ups. Refuses a negative total and invalid terms.
 */
export async function writeInvoice(
  em: EntityManager,
  locked: LockedCustomer,
  input: NewInvoice,
): Promise<WrittenInvoice> {
  const computed = await computeContent(em, input.content, { before: null, now: locked.moment.now });
  return writeComputed(em, locked, { ...input, computed });
}

/** Writes an invoice whose amounts are already computed. */
export async function writeComputed(
  em: EntityManager,
  locked: LockedCustomer,
  input: ComputedInvoice,
): Promise<WrittenInvoice> {
  const { now } = locked.moment;
  const { prepared, currency, swept } = input;
  const dates = { date: input.date ?? now, autopay: input.autopay ?? locked.customer.autopay };
  const terms = { ...dates, ...termsOf(locked, input, dates) };
  const computed =
    input.isDraft || input.isWrittenOff ? input.computed : await discounted(em, locked, { ...input, terms });
  const invoice = newInvoice(em, locked, { ...input, computed, terms });
  const { accountId } = invoice;
  const { lineIds } = prepared;
  const lines = newRows(em, { accountId, currency, invoice }, { lines: computed.lines, lineIds, swept, now });
  const { estimate, origin = 'other', hasFiles = false } = input;
  const issue = { invoice, lines, estimate, origin, hasFiles };
  const mail = invoice.issuedAt ? await startInvoice(em, locked, issue) : null;
  const events = [countEvent('invoice.created', invoice)];
  if (invoice.issuedAt && invoice.paid) events.push(countEvent('invoice.paid', invoice));
  return { invoice, lines, mail, events };
}

/**
 * Posts a newly issued invoice, and plans its mail, which is returned (null: none), and its collection. A written-off invoice is posted as bad debt. Any other is paid from the deposit of
 * its estimate, if there is one, and from credit. `existing`: the wake-ups of the draft.
 */
export async function startInvoice(
  em: EntityManager,
  locked: LockedCustomer,
  issue: Pick<WrittenInvoice, 'invoice' | 'lines'> &
    Pick<Required<InvoiceHead>, 'origin' | 'hasFiles'> & {
      existing?: Wakeup[];
      estimate?: Estimate | undefined;
    },
): Promise<IssueMail | null> {
  const { invoice, lines, estimate, origin, hasFiles, existing = [] } = issue;
  const { now: postedAt } = locked.moment;
  const { accountId, currency, date: documentAt, taxes, total } = invoice;
  const about = { accountId, currency, customerId: locked.customer.id, invoiceId: invoice.id, paymentId: null };
  postEarnings(em, { ...about, reason: 'issue', documentAt, postedAt }, earnings({ lines, taxes }));
  if (invoice.writtenOffAt) {
    addWriteOff(em, { ...locked, invoice, lines }, { amount: total, kind: 'whole' });
  } else {
    if (estimate) await payFromDeposit(em, locked, { invoice, estimate });
    if (origin !== 'payment_link') await payFromCredit(em, locked, invoice);
    if (compare(invoice.balance, invoice.total) !== 0) planDiscountReview(invoice, postedAt, postedAt);
  }
  const mail = await planIssueMail(em, locked, { invoice, origin, hasFiles });
  await setWakeups(em, locked.moment, {
    waiter: { process: 'invoice', subjectId: invoice.id, clockId: locked.clockId },
    existing,
    waits: collectionWaits(locked, invoice),
  });
  if (origin === 'payment_link') return mail;
  await takeDefaultCadence(em, locked, invoice);
  await chaseInvoices(em, [{ ...locked, invoice }]);
  return mail;
}

/**
 * Writes an invoice, takes the number of an issued one, queues its mail and records the events. Everything else is written before the number, because the
 * series stays locked until the commit. Concurrent issues then wait for few statements: the events with the mail, and the further invoices of a split bill.
 */
export async function numberInvoice(
  em: EntityManager,
  locked: LockedCustomer,
  written: WrittenInvoice,
): Promise<Invoice> {
  const { invoice, lines, events } = written;
  await em.write();
  if (!invoice.number && invoice.issuedAt) await takeDocumentNumber(em, 'invoice', invoice);
  await queueIssueMail(em, locked, written);
  const object = invoiceEventObject({ customer: locked.customer, invoice, lines });
  for (const event of events)
    recordCounted(em, locked.moment, { event, subject: { type: 'invoice', id: invoice.id }, object });
  return invoice;
}

type TermedInvoice = ComputedInvoice & { terms: ReturnType<typeof termsOf> & { date: Date; autopay: boolean } };

/** The content with the early-payment discount of its terms, if it is on the document. */
function discounted(em: EntityManager, { moment }: LockedCustomer, { computed, currency, terms }: TermedInvoice) {
  const { account } = moment.caller;
  const { now } = moment;
  const { date, autopay, paymentTerms } = terms;
  const dates = { date: date.getTime(), issuedAt: now.getTime(), zone: account.timeZone };
  const offer = offeredDiscount({ paymentTerms, autopay, ...dates });
  return withEarlyDiscount(em, computed, { account, currency, offer, now });
}

function newInvoice(em: EntityManager, locked: LockedCustomer, input: TermedInvoice): Invoice {
  const { account } = locked.moment.caller;
  const { now } = locked.moment;
  const { prepared, billing, isDraft = false, isSent = false } = input;
  const { totals, discounts, taxes } = input.computed;
  const { subtotal, total } = totals;
  const { date, autopay, paymentTerms, dueAt, firstAttemptAt } = input.terms;
  const paid = isZero(total) && !isDraft;
  const writtenOff = Boolean(input.isWrittenOff) && !paid;
  const facts = { voided: false, draft: isDraft, pending: false, pastDue: false, viewed: false, sent: isSent };
  const invoice = em.create(Invoice, {
    accountId: account.id,
    id: prepared.id,
    customer: locked.customer,
    subscription: billing?.subscription ?? null,
    segment: billing?.of?.segment ?? null,
    period: billing?.of?.period ?? null,
    name: input.name ?? 'Invoice',
    ...numbered(input.number ?? null),
    currency: input.currency,
    status: invoiceStatus({ ...facts, balance: total }),
    issuedAt: isDraft ? null : now,
    snapshot: prepared.snapshotId === null ? null : em.getReference(Snapshot, [account.id, prepared.snapshotId]),
    timeZone: account.timeZone,
    paymentTerms,
    dueAt,
    autopay,
    date,
    purchaseOrder: input.purchaseOrder ?? null,
    notes: input.notes ?? null,
    shipTo: input.shipTo ?? null,
    disabledPaymentMethods: input.disabledPaymentMethods ?? [],
    chasingCadence: input.chasingCadence ?? null,
    discounts,
    taxes,
    subtotal,
    total,
    balance: total,
    paid,
    closed: paid || writtenOff,
    writtenOffAt: writtenOff ? now : null,
    sentAt: isSent ? now : null,
    metadata: input.metadata ?? {},
    createdAt: now,
    updatedAt: now,
  });
  schedule(invoice, { kind: 'issued', firstAt: firstAttemptAt }, now);
  return invoice;
}

function termsOf(locked: LockedCustomer, input: ComputedInvoice, { date, autopay }: { date: Date; autopay: boolean }) {
  return collectionTerms(locked, {
    date,
    autopay,
    issuedAt: locked.moment.now,
    dueAt: input.dueAt ?? null,
    paymentTerms: input.paymentTerms ?? null,
    collectLaterDays: input.billing?.collectLaterDays ?? 0,
  });
}

function collectionWaits(locked: LockedCustomer, invoice: Invoice) {
  const known = {
    attemptUndecided: false,
    lastFailure: null,
    hasSource: hasSource(locked.customer, invoice),
  };
  return nextCollectionStep(
    collectionStateOf(locked.moment.caller.account, invoice, known),
    locked.moment.now.getTime(),
  ).waits;
}
