import { add, isPositive, type Money, minimum, roundMoney, subtract, zero } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Charge } from '../../db/schema/charge.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { lockEstimates } from '../aggregates/estimate.ts';
import { type LockedInvoice, lockInvoices } from '../aggregates/invoice.ts';
import { recomputeUsedCredit } from '../credit/creditBalance.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { ledger, type Posting } from '../kernel/posting.ts';
import { applicationsOf, invoicesOf, unapplyAll } from './applications.ts';
import { type Reduced, reduceApplication, unapplyPart, updateAfterBalanceChange } from './applying.ts';
import { recomputeChangedCredit } from './credits.ts';
import { recordDepositChanges } from './deposits.ts';
import { giveFee, takeFee } from './fees.ts';
import { postMoney, type Sent } from './moneyPosting.ts';
import { appliedMoney, expenseMadeUpFor, releaseRefundExpense } from './refunds.ts';
import { freeDeposit, takeBackCredit } from './takingBack.ts';

/** Money that a bank took back. */
interface Loss {
  payment: Payment;
  /** Null: no gateway processed it. */
  charge: Charge | null;
  amount: Money;
  /** The ledger account that the money leaves. */
  from: string;
  reason: Posting['reason'];
  /** The returned transfer; absent: a gateway told of the loss. */
  sent?: Sent;
}

/** How a loss was taken: money of the payment, the convenience fee in it, and as `expense` what could not be found in the payment. */
export interface LossParts {
  fromPayment: Money;
  fromFee: Money;
  expense: Money;
  /** Ids of the invoices that are owed again. */
  invoices: number[];
}

/**
 * Takes money that a bank took back out of a payment. First its part of the convenience fee, then unapplied money, then its applications,
 * newest first. Spent credit is taken back from the newest spendings. Money that cannot be found, because it was refunded before or an
 * adjustment took the credit, is an expense. Writes the ledger entries. Never refuses.
 */
export async function takeLoss(em: EntityManager, locked: LockedCustomer, loss: Loss): Promise<LossParts> {
  const { payment, charge, amount, from, reason, sent } = loss;
  const { currency } = payment;
  const fromFee = charge ? await takeFee(em, locked.moment, { payment, charge, amount }) : zero(currency);
  const before = appliedMoney(payment);
  const wentBackAt = sent?.date ?? locked.moment.now;
  const most = subtract(amount, payment.balance);
  const invoices = await unapplyNewest(em, locked, { payment, most, wentBackAt });
  releaseRefundExpense(em, locked.moment, { payment, before });
  const fromPayment = roundMoney(minimum(amount, payment.balance), currency);
  const expense = roundMoney(subtract(amount, fromPayment), currency);
  postMoney(em, { payment, moment: locked.moment, reason, sent }, [
    { debit: ledger.unapplied, credit: from, amount: fromPayment },
    { debit: ledger.refunds, credit: from, amount: expense },
  ]);
  payment.balance = subtract(payment.balance, fromPayment);
  payment.refundedOwn = add(payment.refundedOwn, fromPayment);
  payment.refundExpense = add(payment.refundExpense, expense);
  return { fromPayment, fromFee, expense, invoices };
}

/** Gives lost money back to a payment, which has it unapplied, except for the convenience fee. Writes the ledger entries. */
export async function returnLoss(
  em: EntityManager,
  locked: LockedCustomer,
  loss: Omit<Loss, 'amount'> & Omit<LossParts, 'invoices'>,
): Promise<void> {
  const { payment, charge, from, reason, sent } = loss;
  const amount = add(loss.fromPayment, loss.expense);
  const expense = expenseMadeUpFor(payment, { amount, expense: loss.expense });
  const own = subtract(amount, expense);
  postMoney(em, { payment, moment: locked.moment, reason, sent }, [
    { debit: from, credit: ledger.unapplied, amount: own },
    { debit: from, credit: ledger.refunds, amount: expense },
  ]);
  payment.refundExpense = subtract(payment.refundExpense, expense);
  payment.refundedOwn = subtract(payment.refundedOwn, own);
  payment.balance = add(payment.balance, own);
  const fee = roundMoney(minimum(loss.fromFee, payment.balance), payment.currency);
  if (charge) await giveFee(em, locked.moment, { payment, charge, amount: fee });
}

/**
 * Voids a payment whose money was returned, and reverses its applications of credit to invoices. A payment that has moved credit elsewhere
 * keeps its applications and is not voided: that credit may be spent.
 */
export async function voidReturned(em: EntityManager, locked: LockedCustomer, payment: Payment): Promise<void> {
  const applications = await applicationsOf(em, payment);
  if (applications.some(({ invoice }) => !invoice)) return;
  if (applications.length > 0) {
    await unapplyAll(em, locked, { payment, applications });
    const was = { currency: payment.currency, date: payment.date };
    await recomputeChangedCredit(em, {
      payment,
      from: locked,
      to: locked,
      was,
      undone: applications,
      kept: [],
      made: [],
    });
  }
  Object.assign(payment, { voided: true, balance: '0', matched: false });
}

interface Unapplying extends Reduced {
  targets: readonly LockedInvoice[];
}

/** Reverses applications of a payment's money, newest first, up to an amount. Returns the invoices that are owed again. */
async function unapplyNewest(
  em: EntityManager,
  locked: LockedCustomer,
  { payment, most, wentBackAt }: { payment: Payment; most: Money; wentBackAt: Date },
): Promise<number[]> {
  if (!isPositive(most)) return [];
  const all = await applicationsOf(em, payment);
  const money = all.filter(({ type, creditNote }) => !creditNote && MONEY.has(type)).toReversed();
  const targets = await lockInvoices(em, locked, invoicesOf(money));
  const reopened: number[] = [];
  let left = most;
  for (const application of money) {
    const by = roundMoney(minimum(left, application.amount), payment.currency);
    if (!isPositive(by)) break;
    const { freed, invoices } = await unapplyOne(em, locked, { payment, targets, application, by, wentBackAt });
    reopened.push(...invoices);
    left = subtract(left, freed);
  }
  await updateAfterBalanceChange(em, targets);
  return reopened;
}

/** Types of applications of a payment's own money. */
const MONEY: ReadonlySet<string> = new Set(['invoice', 'credit', 'estimate']);

/** Reverses a part of one application. `freed`: less than the part only for credit that an adjustment took. */
async function unapplyOne(
  em: EntityManager,
  locked: LockedCustomer,
  undo: Unapplying,
): Promise<{ freed: Money; invoices: number[] }> {
  const { payment, targets, application, by } = undo;
  const target = targets.find(({ invoice }) => invoice.id === application.invoice?.id);
  if (target) {
    unapplyPart(em, target, undo);
    return { freed: by, invoices: [target.invoice.id] };
  }
  const [deposit] = await lockEstimates(em, locked, application.estimate ? [application.estimate.id] : []);
  if (deposit) {
    const invoices = await freeDeposit(em, locked, { estimate: deposit.estimate, amount: by });
    await recordDepositChanges(em, [deposit], () => reduceApplication(em, locked.moment, undo));
    return { freed: by, invoices };
  }
  const { currency } = payment;
  const { removable, invoices } = await takeBackCredit(em, locked, { application, amount: by, currency });
  if (!isPositive(removable)) return { freed: zero(currency), invoices };
  reduceApplication(em, locked.moment, { ...undo, by: removable });
  await recomputeUsedCredit(em, locked.customer, [payment]);
  return { freed: removable, invoices };
}
