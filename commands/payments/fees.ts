import { add, isPositive, isZero, type Money, roundMoney, sum, zero } from '../../billing/money/money.ts';
import { feePart } from '../../billing/payments/convenienceFee.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Charge } from '../../db/schema/charge.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { PaymentApplication } from '../../db/schema/paymentApplication.ts';
import type { Moment } from '../kernel/caller.ts';
import { applicationsOf, type NamedApplication } from './applications.ts';
import { applyFee, reduceApplication, removeApplication } from './applying.ts';

/** Money that leaves a charge, or comes back to it. */
interface Moved {
  payment: Payment;
  charge: Charge;
  amount: Money;
}

/**
 * Takes the convenience fee's part of money that leaves a charge back into the unapplied money of its payment. Call it before the payment
 * loses the money. Returns the part.
 */
export async function takeFee(em: EntityManager, moment: Moment, { payment, charge, amount }: Moved): Promise<Money> {
  const { currency } = payment;
  const [application] = await feesOf(em, { payment, charge });
  if (!application) return zero(currency);
  const part = feePart(
    {
      fee: charge.convenienceFee,
      of: charge.amount,
      gone: add(payment.refundedOwn, payment.refundExpense),
      kept: application.amount,
    },
    amount,
    currency,
  );
  if (isPositive(part)) reduceApplication(em, moment, { payment, application, by: part, wentBackAt: moment.now });
  return part;
}

/** After money has come back: the payment gets the part of its fee again that it had lost. It keeps one application of the fee. */
export async function giveFee(em: EntityManager, moment: Moment, { payment, charge, amount }: Moved): Promise<void> {
  if (!isPositive(amount)) return;
  const kept = await feesOf(em, { payment, charge });
  for (const application of kept) removeApplication(em, moment, { payment, application });
  const all = sum([amount, ...kept.map((one) => one.amount)], payment.currency);
  applyFee(em, moment, { payment, amount: all });
}

async function feesOf(em: EntityManager, { payment, charge }: Omit<Moved, 'amount'>): Promise<PaymentApplication[]> {
  if (isZero(charge.convenienceFee)) return [];
  await em.write(); // an application that was reduced before is not written yet
  return (await applicationsOf(em, payment)).filter(({ type }) => type === 'convenience_fee');
}

/** Refuses a convenience fee among the applications of a payment that is not made by a charge. */
export function refuseFee(applications: readonly NamedApplication[]): void {
  const fee = applications.find(({ type }) => type === 'convenience_fee');
  if (fee)
    throw new Refusal(
      'parameter_invalid',
      'A convenience fee is only taken by a charge of a credit card',
      `${fee.param}[type]`,
    );
}

/** Refuses to change the convenience fee of a payment. */
export function refuseFeeChange(
  { undone, made }: { undone: readonly PaymentApplication[]; made: readonly NamedApplication[] },
  currency: string,
): void {
  const fee = undone.find(({ type }) => type === 'convenience_fee');
  if (fee) {
    const amount = roundMoney(fee.amount, currency);
    throw new Refusal(
      'parameter_invalid',
      `The convenience fee of ${amount} cannot be changed: send it as it is`,
      'applied_to',
    );
  }
  refuseFee(made);
}
