import {
  add,
  compare,
  isPositive,
  isZero,
  type Money,
  minimum,
  roundMoney,
  subtract,
  zero,
} from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Charge } from '../../db/schema/charge.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { Refund } from '../../db/schema/refund.ts';
import type { Moment } from '../kernel/caller.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { ledger } from '../kernel/posting.ts';
import { giveFee, takeFee } from './fees.ts';
import { postMoney, type Sent } from './moneyPosting.ts';
import { addToCredit, takeCredit, takeDeposits } from './unspentCredit.ts';

/** The parts of a refund, by where the money of the payment was. */
export type RefundParts = Record<'fromFee' | 'fromUnapplied' | 'fromCredit' | 'fromDeposits' | 'expense', Money>;

/** Money of a payment that leaves it, or comes back. */
interface Refunded {
  payment: Payment;
  /** Its charge; null: no gateway processed it. */
  charge: Charge | null;
  /** The ledger account that the money leaves. */
  account: string;
  /** Absent: a gateway sends it. */
  sent?: Sent;
}

/** The customer of a payment, locked; or only the time, while nobody knows who paid. */
export type Payer = LockedCustomer | (Pick<LockedCustomer, 'moment'> & { customer: null });

/**
 * Takes refunded money out of a payment: first its part of the convenience fee, then unapplied money, then unspent credit that the payment
 * added, then its unspent deposits. The rest has paid documents, which stay paid, and is an expense. Writes the ledger entries. The customer
 * is locked.
 */
export async function takeRefund(
  em: EntityManager,
  payer: Payer,
  { payment, charge, account, sent, amount }: Refunded & { amount: Money },
): Promise<RefundParts> {
  const none = zero(payment.currency);
  const fromFee = charge ? await takeFee(em, payer.moment, { payment, charge, amount }) : none;
  const own = roundMoney(minimum(payment.balance, amount), payment.currency); // with the fee
  const fromCredit = payer.customer ? await takeCredit(em, payer, { payment, most: subtract(amount, own) }) : none;
  const withCredit = add(own, fromCredit);
  const most = subtract(amount, withCredit);
  const fromDeposits = payer.customer ? await takeDeposits(em, payer, { payment, most }) : none;
  const taken = add(withCredit, fromDeposits);
  const expense = subtract(amount, taken);
  postMoney(em, { payment, moment: payer.moment, reason: 'refund', sent }, [
    { debit: ledger.unapplied, credit: account, amount: taken },
    { debit: ledger.refunds, credit: account, amount: expense },
  ]);
  payment.balance = subtract(payment.balance, taken);
  payment.refundedOwn = add(payment.refundedOwn, taken);
  payment.refundExpense = add(payment.refundExpense, expense);
  return { fromFee, fromUnapplied: subtract(own, fromFee), fromCredit, fromDeposits, expense };
}

/**
 * Reverses a refund that failed later: the payment has its money again, its part of the fee is taken again, and it adds its credit again.
 * Money of deposits stays unapplied. Writes the ledger entries. Returns the money that the payment has again: less than the refund if it makes
 * up for a loss.
 */
export async function returnRefund(
  em: EntityManager,
  payer: Payer,
  { payment, charge, account, sent, refund }: Refunded & { refund: Refund },
): Promise<Money> {
  const expense = expenseMadeUpFor(payment, refund);
  const own = subtract(refund.amount, expense);
  postMoney(em, { payment, moment: payer.moment, reason: 'refund', sent }, [
    { debit: account, credit: ledger.unapplied, amount: own },
    { debit: account, credit: ledger.refunds, amount: expense },
  ]);
  payment.refundExpense = subtract(payment.refundExpense, expense);
  payment.refundedOwn = subtract(payment.refundedOwn, own);
  payment.balance = add(payment.balance, own);
  const fee = roundMoney(minimum(refund.fromFee, payment.balance), payment.currency);
  if (charge) await giveFee(em, payer.moment, { payment, charge, amount: fee });
  const credit = roundMoney(minimum(refund.fromCredit, payment.balance), payment.currency);
  if (payer.customer && isPositive(credit)) await addToCredit(em, payer, { payment, amount: credit });
  return own;
}

/**
 * The part of returning money that lowers the expense of its payment. The payment has the rest again. It is at least the part that was booked
 * as an expense, and more if refunds and losses together took more than the payment had.
 */
export function expenseMadeUpFor(payment: Payment, { amount, expense }: { amount: string; expense: string }): Money {
  const overdrawn = subtract(payment.refundExpense, appliedMoney(payment));
  const madeUpFor = minimum(amount, overdrawn);
  return roundMoney(
    minimum(payment.refundExpense, compare(madeUpFor, expense) > 0 ? madeUpFor : expense),
    payment.currency,
  );
}

/** The money of a payment that is applied. */
export function appliedMoney({ amount, credit, refundedOwn, balance }: Payment): Money {
  return subtract(subtract(amount, credit), add(refundedOwn, balance));
}

/**
 * Call it after a change of applications. `before`: the applied money before the change. Refunded money that is no longer applied stops
 * being an expense and leaves the unapplied money, because the payment does not have it. Returns whether there was any.
 */
export function releaseRefundExpense(
  em: EntityManager,
  moment: Moment,
  { payment, before }: { payment: Payment; before: Money },
): boolean {
  const unapplied = subtract(before, appliedMoney(payment));
  const released = minimum(payment.refundExpense, unapplied);
  if (!isPositive(released)) return false;
  postMoney(em, { payment, moment, reason: 'refund' }, [
    { debit: ledger.unapplied, credit: ledger.refunds, amount: released },
  ]);
  payment.refundExpense = subtract(payment.refundExpense, released);
  payment.refundedOwn = add(payment.refundedOwn, released);
  payment.balance = subtract(payment.balance, released);
  return true;
}

/** Refuses to apply more money than a payment has left after refunds and losses. `money`: all its money; `applied`: the money to be applied. */
export function refuseRefundedMoney(
  { refundedOwn, currency }: Payment,
  { money, applied }: Record<'money' | 'applied', Money>,
): void {
  if (isZero(refundedOwn)) return;
  const left = subtract(money, refundedOwn);
  if (compare(applied, left) <= 0) return;
  const [whole, gone, rest] = [money, refundedOwn, left].map((amount) => roundMoney(amount, currency));
  throw new Refusal(
    'amount_too_large',
    `Of ${whole}, ${gone} was refunded or lost: at most ${rest} can be applied`,
    'applied_to',
  );
}
