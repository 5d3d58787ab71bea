import { heldAtLatest } from '../../billing/calendar.ts';
import { isPositive, type Money } from '../../billing/money.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { ledger, post } from '../kernel/posting.ts';
import { giveDueDate, type InvoiceMoment } from './invoice.ts';

/** Gives up what is owed of an invoice: bad debt, and nothing more is collected. Events and wake-ups are the caller's. */
export function writeOff(em: EntityManager, at: InvoiceMoment): void {
  const { invoice, moment } = at;
  postWriteOff(em, at, invoice.balance);
  Object.assign(invoice, { writtenOffAt: moment.now, closed: true, nextPaymentAttemptAt: null });
}

/** What was given up is owed again, and collected. Events and wake-ups are the caller's. */
export function takeBackWriteOff(em: EntityManager, at: InvoiceMoment): void {
  const { invoice } = at;
  postMove(em, at, { debit: ledger.receivable, credit: ledger.badDebt, amount: invoice.balance });
  invoice.writtenOffAt = null;
  reopen(at);
}

/** The entries of giving up an amount. */
export function postWriteOff(em: EntityManager, at: InvoiceMoment, amount: Money): void {
  postMove(em, at, { debit: ledger.badDebt, credit: ledger.receivable, amount });
}

function postMove(em: EntityManager, at: InvoiceMoment, move: { debit: string; credit: string; amount: Money }): void {
  const { invoice, moment } = at;
  const { accountId, currency, id: invoiceId, date: documentAt } = invoice;
  const reason = move.debit === ledger.badDebt ? ('write_off' as const) : ('reopen' as const);
  const about = { customerId: at.customer.id, invoiceId, paymentId: null };
  if (isPositive(move.amount))
    post(em, { accountId, currency, reason, ...about, documentAt, postedAt: moment.now }, [move]);
}

/** Owed again: charged as a new invoice would be, or due by its terms. It never waits for nothing. */
export function reopen(at: InvoiceMoment): void {
  const { invoice, moment } = at;
  Object.assign(invoice, { paid: false, closed: false });
  const delay = setting(moment.caller.account, 'autopay_minimum_delay') * 1000;
  if (invoice.autopay && !invoice.autopayStopped)
    invoice.nextPaymentAttemptAt = new Date(heldAtLatest(moment.now.getTime() + delay));
  else giveDueDate(at);
}
