import { add, isPositive, type Money, minimum, roundMoney, subtract, sum, zero } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import { spendableCredit } from '../../db/queries/credit/creditBalance.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { PaymentApplication } from '../../db/schema/paymentApplication.ts';
import { lockEstimates } from '../aggregates/estimate.ts';
import { creditKeyOf, recomputeUsedCredit } from '../credit/creditBalance.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { applicationsOf } from './applications.ts';
import { applyCredit, applyToDeposit, removeApplication } from './applying.ts';
import { recordDepositChanges } from './deposits.ts';

interface Taking {
  payment: Payment;
  /** Maximum amount to take. */
  most: Money;
}

/** Takes unspent credit that a payment added to the credit balance back into its unapplied money. Returns the amount. */
export async function takeCredit(em: EntityManager, locked: LockedCustomer, { payment, most }: Taking): Promise<Money> {
  const { currency, date } = payment;
  const added = await addedCredit(em, payment, most);
  if (added.length === 0) return zero(currency);
  const unspent = await spendableCredit(em, creditKeyOf(locked.customer, currency), date);
  const amounts = added.map(({ amount }) => amount);
  const taken = roundMoney(minimum(most, sum(amounts, currency), unspent), currency);
  if (!isPositive(taken)) return zero(currency);
  await replaceCredit(em, locked, { payment, added, amount: subtract(sum(amounts, currency), taken) });
  return taken;
}

/** Adds unapplied money of a payment to the credit balance. The payment keeps one application of credit. */
export async function addToCredit(
  em: EntityManager,
  locked: LockedCustomer,
  { payment, amount }: { payment: Payment; amount: Money },
): Promise<void> {
  const added = await addedCredit(em, payment, amount);
  const all = add(amount, ...added.map((one) => one.amount));
  await replaceCredit(em, locked, { payment, added, amount: all });
}

/**
 * The applications of a payment that added money to the credit balance, without those of credit notes. Empty if `amount` is not positive.
 */
async function addedCredit(em: EntityManager, payment: Payment, amount: Money): Promise<PaymentApplication[]> {
  if (!isPositive(amount)) return [];
  const applications = await applicationsOf(em, payment);
  return applications.filter(({ type, creditNote }) => type === 'credit' && !creditNote);
}

/** Replaces the applications of credit by one of this amount. The caller has checked that only unspent credit leaves the balance. */
async function replaceCredit(
  em: EntityManager,
  locked: LockedCustomer,
  { payment, added, amount }: { payment: Payment; added: readonly PaymentApplication[]; amount: Money },
): Promise<void> {
  for (const application of added) removeApplication(em, locked.moment, { payment, application });
  if (isPositive(amount)) applyCredit(em, locked.moment, { payment, amount });
  await recomputeUsedCredit(em, locked.customer, [payment]);
}

/**
 * Takes money of deposits that a payment added, and that have paid no invoice, back into its unapplied money. Latest deposits first. Returns
 * the amount.
 */
export async function takeDeposits(
  em: EntityManager,
  locked: LockedCustomer,
  { payment, most }: Taking,
): Promise<Money> {
  const { currency } = payment;
  if (!isPositive(most)) return zero(currency);
  const applications = await applicationsOf(em, payment);
  const deposits = applications.filter(({ type, creditNote }) => type === 'estimate' && !creditNote).toReversed();
  const ids = deposits.flatMap(({ estimate }) => estimate?.id ?? []);
  const estimates = await lockEstimates(em, locked, [...new Set(ids)]);
  let taken = zero(currency);
  await recordDepositChanges(em, estimates, () => {
    for (const application of deposits) {
      const estimate = estimates.find((one) => one.estimate.id === application.estimate?.id)?.estimate;
      const left = subtract(most, taken);
      const part = roundMoney(minimum(left, application.amount, estimate?.depositLeft ?? '0'), currency);
      if (!estimate || !isPositive(part)) continue;
      removeApplication(em, locked.moment, { payment, application });
      const rest = subtract(application.amount, part);
      if (isPositive(rest))
        applyToDeposit(em, locked.moment, { payment, part: { type: 'estimate', amount: rest }, estimate });
      taken = add(taken, part);
    }
  });
  return taken;
}
