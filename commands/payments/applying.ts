import { isCredit } from '../../billing/credit.ts';
import { add, compare, isPositive, type Money, minimum, roundMoney, subtract, sum } from '../../billing/money.ts';
import { append } from '../../db/appending.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { type ApplicationType, PaymentApplication } from '../../db/schema/paymentApplication.ts';
import { reviveCreditNote } from '../aggregates/forfeit.ts';
import { forEvent, type InvoiceMoment, recordInvoice, replanInvoices, settle } from '../aggregates/invoice.ts';
import { followInvoices } from '../aggregates/pastDue.ts';
import { postWriteOff, reopen } from '../aggregates/writeOff.ts';
import { ledger, post } from '../kernel/posting.ts';
import type { Moment } from '../kernel/record.ts';

/** What pays a part of an invoice: the payment's money, or credit. */
export interface Part {
  type: ApplicationType;
  amount: string;
  /** Locked; set where it pays. Its status and event are the caller's. */
  creditNote?: CreditNote | null | undefined;
  /** Locked; set where its deposit pays. */
  estimate?: Estimate | null | undefined;
}

/**
 * Applies as much of the parts of a payment to an invoice as both have left: entries, balances, status, event. What is meant for an
 * invoice that was settled meanwhile stays unapplied. Answers what was applied of each. `followBalances` is the caller's.
 */
export function applyPayment(
  em: EntityManager,
  at: InvoiceMoment,
  pay: { payment: Payment; parts: readonly Part[]; attempted?: boolean },
): Money[] {
  const { invoice, moment } = at;
  const before = forEvent(at);
  if (pay.attempted) Object.assign(invoice, { attemptCount: invoice.attemptCount + 1, pending: false });
  const applied = pay.parts.map((part) => applyPart(em, at, { payment: pay.payment, part }));
  settle(invoice, moment.now);
  const paidNow = invoice.paid && isPositive(sum(applied, invoice.currency));
  recordInvoice(em, at, { type: paidNow ? 'invoice.paid' : 'invoice.updated', before });
  return applied;
}

/**
 * What follows from other balances of invoices: how their subscriptions stand, and what they wait for. A fixed number of statements.
 * It writes what has changed: credit notes and estimates that paid are settled before.
 */
export async function followBalances(em: EntityManager, targets: readonly InvoiceMoment[]): Promise<void> {
  await followInvoices(em, targets);
  await replanInvoices(em, targets);
}

/** Balances, row and entries of one part; the invoice is settled by the caller. */
export function applyPart(
  em: EntityManager,
  at: Pick<InvoiceMoment, 'invoice' | 'moment'>,
  pay: { payment: Payment; part: Part },
): Money {
  const { invoice, moment } = at;
  const { payment, part } = pay;
  const { creditNote = null, estimate = null } = part;
  const open = !invoice.closed && invoice.status !== 'voided';
  const left = creditNote?.balance ?? estimate?.depositLeft ?? part.amount;
  const most = minimum(part.amount, invoice.balance, payment.balance, left);
  const amount = roundMoney(open ? most : '0', invoice.currency);
  if (compare(amount, '0') <= 0) return amount;
  const application = { type: part.type, amount, invoice, creditNote, estimate };
  append(em, PaymentApplication, { ...application, accountId: invoice.accountId, payment, createdAt: moment.now });
  if (creditNote) creditNote.balance = subtract(creditNote.balance, amount);
  if (estimate) estimate.depositLeft = subtract(estimate.depositLeft, amount);
  invoice.balance = subtract(invoice.balance, amount);
  takeFrom(payment, application, amount);
  postApplication(em, { payment, application, how: 'give', postedAt: moment.now });
  return amount;
}

/** Puts money of a payment, or a part of a credit note, on the credit balance of its customer. */
export function applyCredit(
  em: EntityManager,
  moment: Moment,
  add: { payment: Payment; amount: string; creditNote?: CreditNote | null },
): void {
  const { payment, creditNote = null } = add;
  const { accountId, currency } = payment;
  const amount = roundMoney(add.amount, currency);
  const application = { type: 'credit' as const, amount, invoice: null, creditNote };
  append(em, PaymentApplication, { ...application, accountId, payment, createdAt: moment.now });
  takeFrom(payment, application, amount);
  if (creditNote) creditNote.balance = subtract(creditNote.balance, amount);
  postApplication(em, { payment, application, how: 'give', postedAt: moment.now });
}

/** Puts money of a payment, or credit, aside for the invoice that an estimate will become. The credit balance is the caller's to settle. */
export function putAside(
  em: EntityManager,
  moment: Moment,
  { payment, part, estimate }: { payment: Payment; part: Part; estimate: Estimate },
): void {
  const { accountId, currency } = payment;
  const { type, creditNote = null } = part;
  const amount = roundMoney(part.amount, currency);
  const application = { type, amount, invoice: null, creditNote, estimate };
  append(em, PaymentApplication, { ...application, accountId, payment, createdAt: moment.now });
  takeFrom(payment, application, amount);
  if (creditNote) creditNote.balance = subtract(creditNote.balance, amount);
  estimate.depositReceived = add(estimate.depositReceived, amount);
  estimate.depositLeft = add(estimate.depositLeft, amount);
  postApplication(em, { payment, application, how: 'give', postedAt: moment.now });
}

/** Takes a payment's applications off an invoice again; the reverse of `applyPayment`. `followBalances` is the caller's. */
export function unapplyPayment(
  em: EntityManager,
  at: InvoiceMoment,
  undo: { payment: Payment; applications: readonly PaymentApplication[] },
): void {
  const { invoice, moment } = at;
  const before = forEvent(at);
  const taken = undo.applications.map((application) => {
    const amount = roundMoney(application.amount, invoice.currency);
    invoice.balance = add(invoice.balance, amount);
    takeBack(em, moment, { payment: undo.payment, application });
    return amount;
  });
  if (invoice.paid) reopen(at);
  if (invoice.writtenOffAt) postWriteOff(em, at, sum(taken, invoice.currency));
  settle(invoice, moment.now);
  recordInvoice(em, at, { type: 'invoice.updated', before });
}

/** Removes an application of a payment, with its entries; what it paid is the caller's to change. Its credit note and estimate are locked. */
export function takeBack(
  em: EntityManager,
  moment: Moment,
  undo: { payment: Payment; application: PaymentApplication },
): void {
  const { payment, application } = undo;
  const { creditNote, estimate, type } = application;
  const amount = roundMoney(application.amount, payment.currency);
  giveTo(payment, application, amount);
  postApplication(em, { payment, application, how: 'take', postedAt: moment.now });
  if (creditNote) {
    reviveCreditNote(em, moment, creditNote);
    creditNote.balance = add(creditNote.balance, amount);
  }
  if (estimate && type === 'deposit') estimate.depositLeft = add(estimate.depositLeft, amount);
  else if (estimate) {
    estimate.depositReceived = subtract(estimate.depositReceived, amount);
    estimate.depositLeft = subtract(estimate.depositLeft, amount);
  }
  em.remove(application);
}

/** What of a payment an application uses, and whether that is money. */
function takeFrom(payment: Payment, application: Posted, amount: Money): void {
  payment.balance = subtract(payment.balance, amount);
  if (isCreditIn(application)) payment.credit = add(payment.credit, amount);
}

function giveTo(payment: Payment, application: Posted, amount: Money): void {
  payment.balance = add(payment.balance, amount);
  if (isCreditIn(application)) payment.credit = subtract(payment.credit, amount);
}

function isCreditIn({ type, amount, creditNote }: Posted): boolean {
  return isCredit({ type, amount, creditNoteId: creditNote?.id ?? null });
}

/** From which ledger account an application takes, and to which it gives. */
function accountsOf({ type, creditNote, estimate }: Posted): { debit: string; credit: string } {
  const paid = estimate ? ledger.deposits : ledger.receivable;
  switch (type) {
    case 'invoice':
      return { debit: ledger.unapplied, credit: ledger.receivable };
    case 'credit':
      return { debit: creditNote ? ledger.creditNotes : ledger.unapplied, credit: ledger.customerCredits };
    case 'applied_credit':
      return { debit: ledger.customerCredits, credit: paid };
    case 'credit_note':
      return { debit: ledger.creditNotes, credit: paid };
    case 'estimate':
      return { debit: ledger.unapplied, credit: ledger.deposits };
    case 'deposit':
      return { debit: ledger.deposits, credit: ledger.receivable };
  }
}

/** An application as far as its entries tell of it. */
interface Posted {
  type: ApplicationType;
  amount: string;
  invoice?: { id: number } | null | undefined;
  creditNote?: { id: number } | null | undefined;
  estimate?: { id: number } | null | undefined;
}

/** The entries of an application, or of taking it back, dated as the payment is now. */
export function postApplication(
  em: EntityManager,
  entry: { payment: Payment; application: Posted; how: 'give' | 'take'; postedAt: Date },
): void {
  const { payment, application, how, postedAt } = entry;
  const { accountId, currency, id: paymentId, date: documentAt } = payment;
  const of = { invoiceId: application.invoice?.id ?? null, creditNoteId: application.creditNote?.id ?? null };
  const about = { customerId: payment.customer?.id ?? null, paymentId, ...of };
  const { debit, credit } = accountsOf(application);
  const amount = roundMoney(application.amount, currency);
  const reason = how === 'give' ? 'application' : 'unapply';
  const move = how === 'give' ? { debit, credit, amount } : { debit: credit, credit: debit, amount };
  post(em, { accountId, currency, reason, ...about, documentAt, postedAt }, [move]);
}
