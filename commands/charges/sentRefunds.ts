import { exactAmount } from '../../billing/limits.ts';
import {
  add,
  amountText,
  compare,
  isPositive,
  type Money,
  negate,
  roundMoney,
  subtract,
  zero,
} from '../../billing/money/money.ts';
import { Refusal } from '../../billing/refusal.ts';
import { localDay } from '../../billing/time/calendar.ts';
import { reserveIds } from '../../db/ids.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Charge } from '../../db/schema/charge.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { Refund } from '../../db/schema/refund.ts';
import { refundCopy } from '../../present/payments/refund.ts';
import type { Caller } from '../kernel/caller.ts';
import { refuseAnonymous } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { ledger } from '../kernel/posting.ts';
import { createCreditBalanceAdjustment } from '../payments/adjustments.ts';
import { takeLoss } from '../payments/losses.ts';
import { updateMatched } from '../payments/matching.ts';
import type { Sent } from '../payments/moneyPosting.ts';
import { paymentEventObject, recordPayment } from '../payments/paymentEvents.ts';
import { lockPaymentOfPayer } from '../payments/payments.ts';
import { type Payer, type RefundParts, takeRefund } from '../payments/refunds.ts';
import { MOST_REFUNDS } from './refunds.ts';

/** Money that left outside the gateways. */
export interface NewSentRefund {
  caller: Caller;
  /** The payment whose money it is; null: credit of the customer. */
  paymentId: number | null;
  customerId: number | null;
  /** Null: that of the payment, or of the customer. */
  currency: string | null;
  amount: string;
  method: string;
  /** Null: now. */
  date: Date | null;
  reference: string | null;
  /** The bank took the transfer back: the payment pays its invoices no more. */
  returned: boolean;
}

/** A recorded refund. `customerId` null: nobody knows who paid. */
export interface Recorded {
  refund: Refund;
  customerId: number | null;
}

/**
 * Records a refund that no gateway sends, from a payment or from a customer's credit balance. Refuses more than is left there, and a date
 * before the payment or after today.
 */
export async function recordRefund(em: EntityManager, input: NewSentRefund, systemNow: Date): Promise<Recorded> {
  const { paymentId, customerId, returned } = input;
  if (paymentId !== null) return refundPayment(em, { ...input, paymentId }, systemNow);
  if (customerId === null)
    throw new Refusal('parameter_missing', 'Send payment, or customer for credit that was paid out', 'payment');
  if (returned) throw new Refusal('parameter_missing', 'Only a payment can be returned: send its id', 'payment');
  return refundCredit(em, { ...input, customerId }, systemNow);
}

/** Pays credit of a customer's credit balance out. Refuses more than can be spent at the date. */
async function refundCredit(
  em: EntityManager,
  input: NewSentRefund & { customerId: number },
  systemNow: Date,
): Promise<Recorded> {
  const { caller, customerId, reference, method } = input;
  const { refund: id } = await reserveIds(em, 'refund');
  const about = { caller, customerId, currency: input.currency, date: input.date, notes: null, refundId: id };
  const amount = negate(input.amount);
  const adjustment = await createCreditBalanceAdjustment(em, { ...about, amount }, systemNow);
  const { accountId, currency, date, createdAt: now, customer } = adjustment;
  if (reference) refuseAnonymous(customer, 'reference');
  checkDate({ date, now, zone: caller.account.timeZone }, null);
  const exact = roundMoney(input.amount, currency);
  const none = { fromFee: '0', fromUnapplied: '0', fromDeposits: '0', expense: '0' };
  const row = { accountId, id, adjustment, currency, amount: exact, method, date, reference, returned: false };
  const refund = em.create(Refund, {
    ...row,
    ...none,
    fromCredit: exact,
    status: 'succeeded',
    createdAt: now,
    updatedAt: now,
  });
  return { refund, customerId };
}

/** A locked payment with its locked charge and payer. */
export interface LockedMoney {
  payment: Payment;
  charge: Charge | null;
  payer: Payer;
}

export async function lockMoney(
  em: EntityManager,
  key: { caller: Caller; id: number },
  systemNow: Date,
): Promise<LockedMoney> {
  const { payment, payer } = await lockPaymentOfPayer(em, key, systemNow);
  const { accountId } = payment;
  const charge = payment.charge ? await lockRow(em, Charge, { accountId, id: payment.charge.id }) : null;
  return { payment, charge, payer };
}

async function refundPayment(
  em: EntityManager,
  input: NewSentRefund & { paymentId: number },
  systemNow: Date,
): Promise<Recorded> {
  const { caller, paymentId, method, reference, returned } = input;
  const money = await lockMoney(em, { caller, id: paymentId }, systemNow).catch((error) => {
    throw error instanceof Missing ? new Refusal('resource_missing', error.message, 'payment') : error;
  });
  const { payment, charge, payer } = money;
  const { accountId, currency } = payment;
  const { now } = payer.moment;
  refuseOthers(payment, input);
  if (reference && payer.customer) refuseAnonymous(payer.customer, 'reference');
  const amount = exactAmount(input.amount, currency, 'amount');
  checkMoney(money, { amount, returned });
  const date = input.date ?? now;
  checkDate({ date, now, zone: caller.account.timeZone }, payment);
  const before = paymentEventObject(payer, payment, charge);
  const { refund: id } = await reserveIds(em, 'refund');
  const sent = { refundId: id, date };
  const parts = returned
    ? await takeReturned(em, money, { amount, sent })
    : await takeRefund(em, payer, { payment, charge, account: ledger.cash, sent, amount });
  const row = { accountId, id, charge, payment, currency, amount, method, date, reference, returned };
  const refund = em.create(Refund, { ...row, ...parts, status: 'succeeded', createdAt: now, updatedAt: now });
  if (charge) charge.amountRefunded = add(charge.amountRefunded, amount);
  await recordChange(em, money, { refund, before });
  return { refund, customerId: payment.customer?.id ?? null };
}

/** Refuses a customer or a currency that is not that of the payment. */
function refuseOthers(payment: Payment, { customerId, currency }: NewSentRefund): void {
  const { id, customer } = payment;
  if (customerId !== null && customerId !== customer?.id)
    throw new Refusal(
      'resource_missing',
      `Customer ${customerId} was not found as the payer of payment ${id}`,
      'customer',
    );
  if (currency !== null && currency !== payment.currency)
    throw new Refusal('parameter_invalid', `Payment ${id} is in ${payment.currency}: leave it out`, 'currency');
}

/** Refuses a payment that cannot be refunded, and an amount above what is left of its money. */
function checkMoney(
  { payment, charge }: LockedMoney,
  { amount, returned }: { amount: Money; returned: boolean },
): void {
  const { id, voided, currency } = payment;
  const refuse = (message: string, param = 'payment'): never => {
    throw new Refusal('state_conflict', `Payment ${id} ${message}`, param);
  };
  if (voided) refuse('is voided: its money is not in the books');
  if (charge && returned) refuse('was made by a gateway, which tells of returns by itself', 'returned');
  if (charge && charge.status !== 'succeeded') refuse(`is ${charge.status}: it can be refunded once it has succeeded`);
  if (charge?.disputed) refuse('is disputed: it cannot be refunded');
  const left = leftOf(payment, charge);
  if (compare(amount, left) > 0) {
    const message = `Payment ${id} has ${amountText(left, currency)} left to refund, less than ${amount}`;
    throw new Refusal('amount_too_large', message, 'amount');
  }
  if ((charge ?? payment).refunds.length >= MOST_REFUNDS)
    throw new Refusal('limit_exceeded', `Payment ${id} has ${MOST_REFUNDS} refunds already: the maximum`, 'payment');
}

/** The money of a payment that was received and not given back, lost, or promised back by a gateway. */
function leftOf({ amount, credit, refundedOwn, refundExpense, currency }: Payment, charge: Charge | null): Money {
  const gone = charge
    ? add(charge.amountRefunded, charge.refundReserved, charge.amountLost)
    : add(refundedOwn, refundExpense);
  const rest = subtract(charge ? charge.amount : subtract(amount, credit), gone);
  return isPositive(rest) ? roundMoney(rest, currency) : zero(currency);
}

/** Refuses a date before that of the payment, or after today. Local days count. */
function checkDate({ date, now, zone }: { date: Date; now: Date; zone: string }, payment: Payment | null): void {
  const [day, today] = [localDay(date.getTime(), zone), localDay(now.getTime(), zone)];
  if (day > today) throw new Refusal('parameter_invalid', `Date ${day} has not come yet: today is ${today}`, 'date');
  const received = payment && localDay(payment.date.getTime(), zone);
  if (received !== null && day < received)
    throw new Refusal('parameter_invalid', `Date ${day} is before the payment of ${received}`, 'date');
}

/** Takes a returned transfer out of its payment, as a loss that a bank reports: its invoices are owed again, newest first. */
async function takeReturned(
  em: EntityManager,
  { payment, payer }: LockedMoney,
  { amount, sent }: { amount: Money; sent: Sent },
): Promise<RefundParts> {
  const none = zero(payment.currency);
  const rest = { fromFee: none, fromCredit: none, fromDeposits: none };
  if (!payer.customer) return takeRefund(em, payer, { payment, charge: null, account: ledger.cash, sent, amount });
  const loss = { payment, charge: null, amount, from: ledger.cash, reason: 'return' as const, sent };
  const { fromPayment, expense } = await takeLoss(em, payer, loss);
  return { ...rest, fromUnapplied: fromPayment, expense };
}

/** Writes the copy of a refund at its payment or charge, and the event of the payment. */
export async function recordChange(
  em: EntityManager,
  { payment, charge, payer }: LockedMoney,
  { refund, before }: { refund: Refund; before: ReturnType<typeof paymentEventObject> },
): Promise<void> {
  const { now } = payer.moment;
  const owner = charge ?? payment;
  const others = owner.refunds.filter(({ id }) => id !== refund.id);
  owner.refunds = [...others, refundCopy(refund)].toSorted((one, other) => one.id - other.id);
  Object.assign(owner, { updatedAt: now });
  payment.updatedAt = now;
  await updateMatched(em, payment, { isApplied: true });
  recordPayment(em, payer, { payment, charge, type: 'payment.updated', before });
}
