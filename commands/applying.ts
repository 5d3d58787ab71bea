import { add, compare, isPositive, minimum, roundMoney, subtract } from '../billing/money.ts';
import { setting } from '../billing/settings.ts';
import type { EntityManager } from '../db/orm.ts';
import type { Payment } from '../db/schema/payment.ts';
import { PaymentApplication } from '../db/schema/paymentApplication.ts';
import { forEvent, giveDueDate, type InvoiceMoment, recordInvoice, replanInvoice, settle } from './invoiceMoment.ts';
import { ledger, post } from './posting.ts';
import { followInvoice } from './standing.ts';

/**
 * Applies as much of a payment to an invoice as both have left: entries, balances, status, event. Money for an invoice that was
 * settled meanwhile stays unapplied. Answers what was applied.
 */
export async function applyPayment(
  em: EntityManager,
  at: InvoiceMoment,
  pay: { payment: Payment; amount: string; attempted?: boolean },
): Promise<string> {
  const { invoice, moment } = at;
  const { payment } = pay;
  const { currency } = invoice;
  const open = !invoice.closed && invoice.status !== 'voided';
  const amount = roundMoney(open ? minimum(pay.amount, invoice.balance, payment.balance) : '0', currency);
  const before = forEvent(at);
  if (pay.attempted) Object.assign(invoice, { attemptCount: invoice.attemptCount + 1, pending: false });
  if (isPositive(amount)) {
    const { accountId } = invoice;
    em.create(PaymentApplication, { accountId, payment, invoice, type: 'invoice', amount, createdAt: moment.now });
    invoice.balance = subtract(invoice.balance, amount);
    payment.balance = subtract(payment.balance, amount);
    postApplication(em, { payment, invoiceId: invoice.id, amount, reason: 'application', postedAt: moment.now });
  }
  settle(invoice, moment.now);
  const paidNow = invoice.paid && compare(amount, '0') > 0;
  recordInvoice(em, at, { type: paidNow ? 'invoice.paid' : 'invoice.updated', before });
  await followInvoice(em, at);
  await replanInvoice(em, at, {});
  return amount;
}

/** Takes a payment's application off its invoice again; the reverse of `applyPayment`. */
export async function unapplyPayment(
  em: EntityManager,
  at: InvoiceMoment,
  undo: { payment: Payment; application: PaymentApplication },
): Promise<void> {
  const { invoice, moment } = at;
  const { payment, application } = undo;
  const amount = roundMoney(application.amount, invoice.currency);
  const before = forEvent(at);
  invoice.balance = add(invoice.balance, amount);
  payment.balance = add(payment.balance, amount);
  if (invoice.paid) reopen(at);
  postApplication(em, { payment, invoiceId: invoice.id, amount, reason: 'unapply', postedAt: moment.now });
  em.remove(application);
  settle(invoice, moment.now);
  recordInvoice(em, at, { type: 'invoice.updated', before });
  await followInvoice(em, at);
  await replanInvoice(em, at, {});
}

/** The entries of an application, or of taking it back, dated as the payment is now. */
export function postApplication(
  em: EntityManager,
  entry: {
    payment: Payment;
    invoiceId: number;
    amount: string;
    reason: 'application' | 'unapply';
    postedAt: Date;
  },
): void {
  const { payment, invoiceId, amount, reason, postedAt } = entry;
  const { accountId, currency, id: paymentId, date: documentAt } = payment;
  const about = { customerId: payment.customer?.id ?? null, invoiceId, paymentId };
  const { unapplied, receivable } = ledger;
  const [debit, credit] = reason === 'application' ? [unapplied, receivable] : [receivable, unapplied];
  post(em, { accountId, currency, reason, ...about, documentAt, postedAt }, [{ debit, credit, amount }]);
}

/** Owed again: charged as a new invoice would be, or due by its terms. It never waits for nothing. */
function reopen(at: InvoiceMoment): void {
  const { invoice, moment } = at;
  Object.assign(invoice, { paid: false, closed: false });
  const delay = setting(moment.caller.account, 'autopay_minimum_delay') * 1000;
  if (invoice.autopay && !invoice.autopayStopped) invoice.nextPaymentAttemptAt = new Date(moment.now.getTime() + delay);
  else giveDueDate(at);
}
