import { type Money, roundMoney, subtract, sum, zero } from '../../billing/money/money.ts';
import { isPaidFromBalance } from '../../billing/payments/credit.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Shortage } from '../../db/queries/credit/creditBalance.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { PaymentApplication } from '../../db/schema/paymentApplication.ts';
import {
  recomputeCredit,
  recomputeCreditOfPayments,
  refuseInsufficientCredit,
  refuseOverspending,
  refuseSpentCredit,
} from '../credit/creditBalance.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { affectsCreditBalance, applyAll, type NamedApplication, unapplyAll } from './applications.ts';
import type { Part } from './applying.ts';

interface Applying {
  payment: Payment;
  applications: readonly NamedApplication[];
}

/** Applies a new payment. Refuses what `applyAll` refuses, and to spend more credit than there is at the payment's date. */
export async function applyNewPayment(em: EntityManager, locked: LockedCustomer, what: Applying): Promise<void> {
  const { payment, applications } = what;
  await applyAll(em, locked, what);
  if (!affectsCreditBalance(applications)) return;
  const { currency, date: from } = payment;
  const refuse = (shortage: Shortage) =>
    refuseOverspending(applications.filter(isPaidFromBalance), { shortage, currency });
  await recomputeCreditOfPayments(em, locked.customer, { payments: [payment], currency, from, refuse });
}

/** Reverses all applications of a payment. Refuses if credit that it added has been spent. */
export async function reverseApplications(
  em: EntityManager,
  locked: LockedCustomer,
  undo: { payment: Payment; applications: readonly PaymentApplication[] },
): Promise<void> {
  const { payment, applications } = undo;
  await unapplyAll(em, locked, undo);
  if (!affectsCreditBalance(applications)) return;
  const { currency, date: from } = payment;
  const taken = addedCredit(applications, currency);
  const refuse = (shortage: Shortage) => refuseSpentCredit(taken, { shortage, currency });
  await recomputeCredit(em, locked.customer, { currency, from, refuse });
}

/** A change of a payment that may affect credit balances. `undone`, `kept` and `made`: its applications. */
export interface ChangedCredit {
  payment: Payment;
  from: LockedCustomer | null;
  to: LockedCustomer | null;
  /** Values before the change. */
  was: { currency: string; date: Date };
  undone: readonly PaymentApplication[];
  kept: readonly PaymentApplication[];
  made: readonly NamedApplication[];
}

/** Recomputes the credit balances that a change of a payment affects. Refuses a negative balance; the message names the cause. */
export async function recomputeChangedCredit(em: EntityManager, change: ChangedCredit): Promise<void> {
  const { payment, from, to, was, undone, kept, made } = change;
  const hasMoved = from !== to || was.currency !== payment.currency;
  const isDated = was.date.getTime() !== payment.date.getTime();
  const isTouched =
    affectsCreditBalance(undone) || affectsCreditBalance(made) || (isDated && affectsCreditBalance(kept));
  if (!isTouched) return;
  const given = hasMoved ? zero(was.currency) : addedCredit(made, was.currency);
  const taken = subtract(addedCredit(undone, was.currency), given);
  if (hasMoved && from && affectsCreditBalance(undone)) {
    const { currency, date } = was;
    const refuse = (shortage: Shortage) => refuseSpentCredit(taken, { shortage, currency, param: 'applied_to' });
    await recomputeCredit(em, from.customer, { currency, from: date, refuse });
  }
  if (!to) return;
  const { currency } = payment;
  const refuse = (shortage: Shortage): never => {
    const spending = made.filter(isPaidFromBalance);
    if (spending.length > 0) return refuseOverspending(spending, { shortage, currency });
    if (undone.length > 0) return refuseSpentCredit(taken, { shortage, currency, param: 'applied_to' });
    const spent = kept.filter(isPaidFromBalance).map(({ amount }) => amount);
    if (spent.length > 0) return refuseInsufficientCredit(sum(spent, currency), { shortage, currency, param: 'date' });
    return refuseSpentCredit(addedCredit(kept, currency), { shortage, currency, param: 'date' });
  };
  const earliest = hasMoved || payment.date < was.date ? payment.date : was.date;
  await recomputeCreditOfPayments(em, to.customer, { payments: [payment], currency, from: earliest, refuse });
}

/** The amount that applications add to the credit balance. */
function addedCredit(applications: readonly Part[], currency: string): Money {
  const added = applications.filter(({ type }) => type === 'credit').map(({ amount }) => amount);
  return roundMoney(sum(added, currency), currency);
}
