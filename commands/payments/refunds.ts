import { add, compare, isPositive, isZero, type Money, minimum, roundMoney, subtract } from '../../billing/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { Refund } from '../../db/schema/refund.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import type { Moment } from '../kernel/moment.ts';
import { ledger, type Move, post } from '../kernel/posting.ts';
import { addToCredit, takeCredit, takeDeposits } from './unspentCredit.ts';

/** The parts of a refund, by where the money of the payment was. */
export type RefundParts = Record<'fromUnapplied' | 'fromCredit' | 'fromDeposits' | 'expense', Money>;

/** A payment whose money a gateway processed. */
interface Processed {
  payment: Payment;
  gateway: string;
}

/**
 * Takes refunded money out of a payment: first unapplied money, then credit and deposits that the payment added and that are not spent. The
 * rest has paid documents, which stay paid, and is an expense. Writes the ledger entries. The customer is locked.
 */
export async function takeRefund(
  em: EntityManager,
  at: LockedCustomer,
  { payment, gateway, amount }: Processed & { amount: Money },
): Promise<RefundParts> {
  const fromUnapplied = roundMoney(minimum(payment.balance, amount), payment.currency);
  const fromCredit = await takeCredit(em, at, { payment, most: subtract(amount, fromUnapplied) });
  const withCredit = add(fromUnapplied, fromCredit);
  const fromDeposits = await takeDeposits(em, at, { payment, most: subtract(amount, withCredit) });
  const taken = add(withCredit, fromDeposits);
  const expense = subtract(amount, taken);
  postRefund(em, { payment, at: at.moment }, [
    { debit: ledger.unapplied, credit: ledger.clearing(gateway), amount: taken },
    { debit: ledger.refunds, credit: ledger.clearing(gateway), amount: expense },
  ]);
  payment.balance = subtract(payment.balance, taken);
  payment.refundedOwn = add(payment.refundedOwn, taken);
  payment.refundExpense = add(payment.refundExpense, expense);
  return { fromUnapplied, fromCredit, fromDeposits, expense };
}

/**
 * Reverses a refund that failed later: the payment has its money again, and the credit that it added. Money of deposits stays unapplied.
 * Writes the ledger entries.
 */
export async function returnRefund(
  em: EntityManager,
  at: LockedCustomer,
  { payment, gateway, refund }: Processed & { refund: Refund },
): Promise<void> {
  const expense = minimum(refund.expense, payment.refundExpense);
  const own = subtract(refund.amount, expense);
  postRefund(em, { payment, at: at.moment }, [
    { debit: ledger.clearing(gateway), credit: ledger.unapplied, amount: own },
    { debit: ledger.clearing(gateway), credit: ledger.refunds, amount: expense },
  ]);
  payment.refundExpense = subtract(payment.refundExpense, expense);
  payment.refundedOwn = subtract(payment.refundedOwn, own);
  payment.balance = add(payment.balance, own);
  const credit = roundMoney(minimum(refund.fromCredit, payment.balance), payment.currency);
  if (isPositive(credit)) await addToCredit(em, at, { payment, amount: credit });
}

/** The money of a payment that is applied. */
export function appliedMoney({ amount, credit, refundedOwn, balance }: Payment): Money {
  return subtract(subtract(amount, credit), add(refundedOwn, balance));
}

/**
 * Call it after a change of applications. `before`: the applied money before the change. Refunded money that is no longer applied is no
 * expense any more: it leaves the unapplied money, because the payment does not have it. Returns whether there was any.
 */
export function releaseRefundExpense(
  em: EntityManager,
  moment: Moment,
  { payment, before }: { payment: Payment; before: Money },
): boolean {
  const unapplied = subtract(before, appliedMoney(payment));
  const released = minimum(payment.refundExpense, unapplied);
  if (!isPositive(released)) return false;
  postRefund(em, { payment, at: moment }, [{ debit: ledger.unapplied, credit: ledger.refunds, amount: released }]);
  payment.refundExpense = subtract(payment.refundExpense, released);
  payment.refundedOwn = add(payment.refundedOwn, released);
  payment.balance = subtract(payment.balance, released);
  return true;
}

/** Refuses to apply more money than a payment has left after its refunds. `money`: all its money; `applied`: the money to be applied. */
export function refuseRefundedMoney(
  { refundedOwn, currency }: Payment,
  { money, applied }: Record<'money' | 'applied', Money>,
): void {
  if (isZero(refundedOwn)) return;
  const left = subtract(money, refundedOwn);
  if (compare(applied, left) <= 0) return;
  const [whole, gone, rest] = [money, refundedOwn, left].map((amount) => roundMoney(amount, currency));
  throw new Refusal(`Of ${whole}, ${gone} was refunded: at most ${rest} can be applied`, 'applied_to');
}

function postRefund(
  em: EntityManager,
  { payment, at: { now } }: { payment: Payment; at: Moment },
  moves: readonly Move[],
): void {
  const { accountId, currency, id: paymentId } = payment;
  const about = { customerId: payment.customer?.id ?? null, invoiceId: null, paymentId };
  post(em, { accountId, currency, reason: 'refund', ...about, documentAt: now, postedAt: now }, moves);
}
