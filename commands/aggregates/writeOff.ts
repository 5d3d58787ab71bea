import { isPositive, type Money } from '../../billing/money.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import { ledger, post } from '../kernel/posting.ts';
import { schedule } from './collectionSchedule.ts';
import { type LockedInvoice, reschedule } from './invoice.ts';

/** Writes off the balance of an invoice as bad debt and stops its collection. The caller records events and replans wake-ups. */
export function writeOff(em: EntityManager, at: LockedInvoice): void {
  const { invoice, moment } = at;
  postWriteOff(em, at, invoice.balance);
  Object.assign(invoice, { writtenOffAt: moment.now, closed: true });
  schedule(invoice, { kind: 'other' }, moment.now);
}

/** Reverses a write-off: the balance is owed and collected again. The caller records events and replans wake-ups. */
export function reverseWriteOff(em: EntityManager, at: LockedInvoice): void {
  const { invoice } = at;
  postEntry(em, at, { debit: ledger.receivable, credit: ledger.badDebt, amount: invoice.balance });
  invoice.writtenOffAt = null;
  reopen(at);
}

/** Posts the ledger entries for writing off an amount. */
export function postWriteOff(em: EntityManager, at: LockedInvoice, amount: Money): void {
  postEntry(em, at, { debit: ledger.badDebt, credit: ledger.receivable, amount });
}

function postEntry(em: EntityManager, at: LockedInvoice, move: { debit: string; credit: string; amount: Money }): void {
  const { invoice, moment } = at;
  const { accountId, currency, id: invoiceId, date: documentAt } = invoice;
  const reason = move.debit === ledger.badDebt ? ('write_off' as const) : ('reopen' as const);
  const about = { customerId: at.customer.id, invoiceId, paymentId: null };
  if (isPositive(move.amount))
    post(em, { accountId, currency, reason, ...about, documentAt, postedAt: moment.now }, [move]);
}

/** Reopens an invoice. AutoPay charges it after the account's minimum delay. Without AutoPay, the invoice gets a due date. */
export function reopen(at: LockedInvoice): void {
  const { invoice, moment } = at;
  Object.assign(invoice, { paid: false, closed: false });
  const minimumDelaySeconds = setting(moment.caller.account, 'autopay_minimum_delay');
  reschedule(at, { kind: 'reopened', minimumDelaySeconds });
}
