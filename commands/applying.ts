import { add, compare, isPositive, type Money, minimum, roundMoney, subtract, sum } from '../billing/money.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Payment } from '../db/schema/payment.ts';
import { type ApplicationType, PaymentApplication } from '../db/schema/paymentApplication.ts';
import { postWriteOff, reopen } from './closing.ts';
import { forEvent, type InvoiceMoment, recordInvoice, replanInvoice, settle } from './invoiceMoment.ts';
import { ledger, post } from './posting.ts';
import type { Moment } from './record.ts';
import { followInvoice } from './standing.ts';

/** What pays a part of an invoice: the payment's money, or credit that it spends. */
export interface Part {
  type: ApplicationType;
  amount: string;
}

/**
 * Applies as much of the parts of a payment to an invoice as both have left: entries, balances, status, event. What is meant for an
 * invoice that was settled meanwhile stays unapplied. Answers what was applied of each.
 */
export async function applyPayment(
  em: EntityManager,
  at: InvoiceMoment,
  pay: { payment: Payment; parts: readonly Part[]; attempted?: boolean },
): Promise<Money[]> {
  const { invoice, moment } = at;
  const before = forEvent(at);
  if (pay.attempted) Object.assign(invoice, { attemptCount: invoice.attemptCount + 1, pending: false });
  const applied = pay.parts.map((part) => applyPart(em, at, { payment: pay.payment, part }));
  settle(invoice, moment.now);
  const paidNow = invoice.paid && isPositive(sum(applied, invoice.currency));
  recordInvoice(em, at, { type: paidNow ? 'invoice.paid' : 'invoice.updated', before });
  await followInvoice(em, at);
  await replanInvoice(em, at, {});
  return applied;
}

/** Balances, row and entries of one part; the invoice is settled by the caller. */
export function applyPart(
  em: EntityManager,
  at: Pick<InvoiceMoment, 'invoice' | 'moment'>,
  pay: { payment: Payment; part: Part },
): Money {
  const { invoice, moment } = at;
  const { payment, part } = pay;
  const open = !invoice.closed && invoice.status !== 'voided';
  const amount = roundMoney(open ? minimum(part.amount, invoice.balance, payment.balance) : '0', invoice.currency);
  if (compare(amount, '0') <= 0) return amount;
  const { accountId } = invoice;
  em.create(PaymentApplication, { accountId, payment, invoice, type: part.type, amount, createdAt: moment.now });
  invoice.balance = subtract(invoice.balance, amount);
  payment.balance = subtract(payment.balance, amount);
  postApplication(em, { payment, application: { ...part, amount, invoice }, how: 'give', postedAt: moment.now });
  return amount;
}

/** Puts money of a payment on the credit balance of its customer. */
export function applyCredit(em: EntityManager, moment: Moment, add: { payment: Payment; amount: string }): void {
  const { payment } = add;
  const { accountId, currency } = payment;
  const amount = roundMoney(add.amount, currency);
  const application = { type: 'credit' as const, amount, invoice: null };
  em.create(PaymentApplication, { ...application, accountId, payment, createdAt: moment.now });
  payment.balance = subtract(payment.balance, amount);
  postApplication(em, { payment, application, how: 'give', postedAt: moment.now });
}

/** Takes a payment's applications off an invoice again; the reverse of `applyPayment`. */
export async function unapplyPayment(
  em: EntityManager,
  at: InvoiceMoment,
  undo: { payment: Payment; applications: readonly PaymentApplication[] },
): Promise<void> {
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
  await followInvoice(em, at);
  await replanInvoice(em, at, {});
}

/** Removes an application of a payment, with its entries; what it paid is the caller's to change. */
export function takeBack(
  em: EntityManager,
  moment: Moment,
  undo: { payment: Payment; application: PaymentApplication },
): void {
  const { payment, application } = undo;
  payment.balance = add(payment.balance, roundMoney(application.amount, payment.currency));
  postApplication(em, { payment, application, how: 'take', postedAt: moment.now });
  em.remove(application);
}

/** What an application moves between ledger accounts. */
const moves: Record<ApplicationType, { debit: string; credit: string }> = {
  invoice: { debit: ledger.unapplied, credit: ledger.receivable },
  credit: { debit: ledger.unapplied, credit: ledger.customerCredits },
  applied_credit: { debit: ledger.customerCredits, credit: ledger.receivable },
};

/** The entries of an application, or of taking it back, dated as the payment is now. */
export function postApplication(
  em: EntityManager,
  entry: {
    payment: Payment;
    application: Part & { invoice?: { id: number } | null | undefined };
    how: 'give' | 'take';
    postedAt: Date;
  },
): void {
  const { payment, application, how, postedAt } = entry;
  const { accountId, currency, id: paymentId, date: documentAt } = payment;
  const about = { customerId: payment.customer?.id ?? null, invoiceId: application.invoice?.id ?? null, paymentId };
  const { debit, credit } = moves[application.type];
  const amount = roundMoney(application.amount, currency);
  const reason = how === 'give' ? 'application' : 'unapply';
  const move = how === 'give' ? { debit, credit, amount } : { debit: credit, credit: debit, amount };
  post(em, { accountId, currency, reason, ...about, documentAt, postedAt }, [move]);
}
