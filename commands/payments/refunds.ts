import {
  add,
  compare,
  isPositive,
  isZero,
  type Money,
  minimum,
  roundMoney,
  subtract,
  sum,
  zero,
} from '../../billing/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import { spendableCredit } from '../../db/queries/credit/creditBalance.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { Refund } from '../../db/schema/refund.ts';
import { creditKeyOf, recomputeCreditOfPayment } from '../credit/creditBalance.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import type { Moment } from '../kernel/moment.ts';
import { ledger, type Move, post } from '../kernel/posting.ts';
import { applicationsOf } from './applications.ts';
import { applyCredit, removeApplication } from './applying.ts';

/** The parts of a refund, by where the money of the payment was. */
export type RefundParts = Record<'fromUnapplied' | 'fromCredit' | 'fromRefunds', Money>;

/** A payment whose money a gateway processed. */
interface Processed {
  payment: Payment;
  gateway: string;
}

/**
 * Takes refunded money out of a payment: first unapplied money, then credit that the payment added and that is not spent. The rest stays
 * applied to its documents, which do not reopen, and is an expense. Writes the ledger entries. The customer is locked.
 */
export async function takeRefund(
  em: EntityManager,
  at: LockedCustomer,
  { payment, gateway, amount }: Processed & { amount: Money },
): Promise<RefundParts> {
  const fromUnapplied = roundMoney(minimum(payment.balance, amount), payment.currency);
  const fromCredit = await takeAddedCredit(em, at, { payment, most: subtract(amount, fromUnapplied) });
  const taken = add(fromUnapplied, fromCredit);
  const fromRefunds = subtract(amount, taken);
  postRefund(em, { payment, at: at.moment }, [
    { debit: ledger.unapplied, credit: ledger.clearing(gateway), amount: taken },
    { debit: ledger.refunds, credit: ledger.clearing(gateway), amount: fromRefunds },
  ]);
  payment.balance = subtract(payment.balance, taken);
  payment.refunded = add(payment.refunded, taken);
  payment.refundExpense = add(payment.refundExpense, fromRefunds);
  return { fromUnapplied, fromCredit, fromRefunds };
}

/** Reverses a refund that failed later: the payment has its money again, and the credit that it added. Writes the ledger entries. */
export async function returnRefund(
  em: EntityManager,
  at: LockedCustomer,
  { payment, gateway, refund }: Processed & { refund: Refund },
): Promise<void> {
  const expense = minimum(refund.fromRefunds, payment.refundExpense);
  const free = subtract(refund.amount, expense);
  postRefund(em, { payment, at: at.moment }, [
    { debit: ledger.clearing(gateway), credit: ledger.unapplied, amount: free },
    { debit: ledger.clearing(gateway), credit: ledger.refunds, amount: expense },
  ]);
  payment.refundExpense = subtract(payment.refundExpense, expense);
  payment.refunded = subtract(payment.refunded, free);
  payment.balance = add(payment.balance, free);
  const credit = minimum(refund.fromCredit, payment.balance);
  if (!isPositive(credit)) return;
  applyCredit(em, at.moment, { payment, amount: credit });
  await recomputeCredit(em, at, payment);
}

/**
 * Call it after applications of a payment were reversed. Refunded money that is no longer applied is no expense any more: it leaves the
 * unapplied money, because the payment does not have it.
 */
export function releaseRefundExpense(em: EntityManager, moment: Moment, payment: Payment): void {
  const applied = subtract(subtract(payment.amount, payment.credit), add(payment.refunded, payment.balance));
  const released = subtract(payment.refundExpense, applied);
  if (!isPositive(released)) return;
  postRefund(em, { payment, at: moment }, [{ debit: ledger.unapplied, credit: ledger.refunds, amount: released }]);
  payment.refundExpense = subtract(payment.refundExpense, released);
  payment.refunded = add(payment.refunded, released);
  payment.balance = subtract(payment.balance, released);
}

/** Refuses to apply money that was refunded. `money`: the money of the payment; `kept` and `made`: the parts of it that are applied. */
export function refuseRefundedMoney(
  { refunded, refundExpense, currency }: Payment,
  { money, kept, made }: Record<'money' | 'kept' | 'made', Money>,
): void {
  const given = add(refunded, refundExpense);
  if (isZero(given)) return;
  const held = compare(kept, refundExpense) > 0 ? kept : refundExpense;
  const left = subtract(money, add(refunded, held));
  if (compare(made, left) <= 0) return;
  const [whole, gone, rest] = [money, given, left].map((amount) => roundMoney(amount, currency));
  throw new Refusal(`Of ${whole}, ${gone} was refunded: ${rest} more can be applied`, 'applied_to');
}

/** Takes unspent credit that the payment added back into its unapplied money. Returns its amount. */
async function takeAddedCredit(
  em: EntityManager,
  at: LockedCustomer,
  { payment, most }: { payment: Payment; most: Money },
): Promise<Money> {
  const { currency, date } = payment;
  const none = zero(currency);
  if (isZero(most)) return none;
  const added = (await applicationsOf(em, payment)).filter(({ type, creditNote }) => type === 'credit' && !creditNote);
  if (added.length === 0) return none;
  const amounts = added.map(({ amount }) => amount);
  const unspent = await spendableCredit(em, creditKeyOf(at.customer, currency), date);
  const taken = roundMoney(minimum(most, sum(amounts, currency), unspent), currency);
  if (!isPositive(taken)) return none;
  let left = taken;
  for (const application of added.toReversed()) {
    if (!isPositive(left)) break;
    removeApplication(em, at.moment, { payment, application });
    const rest = subtract(application.amount, left);
    if (isPositive(rest)) applyCredit(em, at.moment, { payment, amount: rest });
    left = isPositive(rest) ? none : subtract(left, application.amount);
  }
  await recomputeCredit(em, at, payment);
  return taken;
}

/** Recomputes the credit balance, which stays above zero: only unspent credit was taken. */
async function recomputeCredit(em: EntityManager, { customer }: LockedCustomer, payment: Payment): Promise<void> {
  const { currency, date: from } = payment;
  const refuse = () => {
    throw new Error(`a refund of payment ${payment.id} would make the credit balance negative`);
  };
  await recomputeCreditOfPayment(em, customer, { payment, currency, from, refuse });
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
