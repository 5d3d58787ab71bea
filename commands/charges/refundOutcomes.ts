import { add, amountText, compare, isPositive, roundMoney, subtract } from '../../billing/money/money.ts';
import { reserveIds } from '../../db/ids.ts';
import { lockRow } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Attempt } from '../../db/schema/attempt.ts';
import { AttemptRefund } from '../../db/schema/attemptParts.ts';
import { Charge } from '../../db/schema/charge.ts';
import { Payment } from '../../db/schema/payment.ts';
import { Refund } from '../../db/schema/refund.ts';
import { refundEmail } from '../../present/emails/refund.ts';
import { interruptedInWords } from '../../present/payments/attempt.ts';
import { refundCopy } from '../../present/payments/refund.ts';
import type { LockedCustomer } from '../kernel/lockedCustomer.ts';
import { ledger } from '../kernel/posting.ts';
import { tellClock } from '../kernel/stepOutcome.ts';
import { queueCopies } from '../mail/emails.ts';
import { reportOfAccount } from '../mail/problemMails.ts';
import { recipientsOf } from '../mail/recipients.ts';
import { paymentEventObject, recordPayment } from '../payments/paymentEvents.ts';
import { returnRefund, takeRefund } from '../payments/refunds.ts';
import { payOpenInvoices } from '../payments/spending.ts';
import { writeTask } from '../tasks/tasks.ts';
import type { LockedAttempt, Outcome } from './openAttempt.ts';
import { lookUpNow } from './reversalLookUps.ts';
import { STATUS_OF } from './rows.ts';

/** A charge of which an attempt gives money back, with its payment. */
interface Refunded {
  charge: Charge;
  payment: Payment;
}

/**
 * Records the outcome of a refund: the refund itself, the charge's amounts, the payment's books, event and mail. A refund that fails at
 * once is not written, and its charge is looked up: the gateway may have given its money back already. One that fails later keeps its row,
 * gives the money back to the payment, and makes a task.
 */
export async function recordRefundOutcome(em: EntityManager, locked: LockedAttempt, outcome: Outcome): Promise<void> {
  const refunded = await lockRefunded(em, locked.attempt);
  const { charge, payment } = refunded;
  const amount = roundMoney(locked.attempt.amount ?? '0', charge.currency);
  const did = `refund of ${amountText(amount, charge.currency)} ${outcome.status}`;
  tellClock(em, locked, { type: 'charge', id: locked.attempt.id, did });
  const before = paymentEventObject(locked, payment, charge);
  if (!locked.isWritten) charge.refundReserved = subtract(charge.refundReserved, amount);
  const status = STATUS_OF[outcome.status];
  if (!locked.isWritten && status === 'failed') {
    if (outcome.status === 'failed')
      await lookUpNow(em, locked, { accountId: charge.accountId, id: charge.attempt.id });
    return;
  }
  const refund = locked.isWritten
    ? await em.findOneOrFail(Refund, { accountId: locked.attempt.accountId, attempt: locked.attempt })
    : await writeRefund(em, locked, { ...refunded, amount });
  const uncertain = outcome.status === 'unknown';
  const hadFailed = locked.isWritten && refund.status === 'failed';
  if (hadFailed) await takeAgain(em, locked, { ...refunded, refund });
  Object.assign(refund, { status, uncertain, updatedAt: locked.moment.now });
  if (status === 'failed') await failLater(em, locked, { ...refunded, refund, outcome });
  const others = charge.refunds.filter(({ id }) => id !== refund.id);
  charge.refunds = [...others, refundCopy(refund)].toSorted((one, other) => one.id - other.id);
  Object.assign(charge, { updatedAt: locked.moment.now });
  Object.assign(payment, { updatedAt: locked.moment.now });
  recordPayment(em, locked, { payment, charge, type: 'payment.updated', before });
  if (status !== 'failed' && locked.isReopened) await tellOfReopening(em, locked, refund);
  if (status !== 'failed' && (hadFailed || !locked.isWritten)) await reportExcess(em, locked, { charge, refund });
  if (status === 'failed') await payOpenInvoices(em, locked, { currency: payment.currency }); // it may have its credit again
  if (status === 'succeeded' && !locked.isRecovered) await mailRefund(em, locked, { charge, refund });
}

/** Locks the payment of the refunded charge, and the charge. Their customer is locked. */
export async function lockRefunded(em: EntityManager, attempt: Attempt): Promise<Refunded> {
  const { accountId } = attempt;
  const { charge } = await em.findOneOrFail(AttemptRefund, { accountId, attempt });
  const found = await em.findOneOrFail(Payment, { accountId, charge }, { fields: ['id'] });
  const payment = await lockRow(em, Payment, { accountId, id: found.id });
  const locked = await lockRow(em, Charge, { accountId, id: charge.id });
  if (!payment || !locked) throw new Error(`charge ${charge.id} or its payment is gone`);
  return { charge: locked, payment };
}

/** Writes the refund, and takes its money out of the payment. */
async function writeRefund(
  em: EntityManager,
  locked: LockedAttempt,
  { charge, payment, amount }: Refunded & { amount: string },
): Promise<Refund> {
  const { attempt, moment } = locked;
  const { currency, gateway } = charge;
  const parts = await takeRefund(em, locked, { payment, charge, account: ledger.clearing(gateway), amount });
  charge.amountRefunded = add(charge.amountRefunded, amount);
  const { refund: id } = await reserveIds(em, 'refund');
  return em.create(Refund, {
    ...parts,
    accountId: attempt.accountId,
    id,
    charge,
    payment,
    attempt,
    currency,
    amount,
    gateway,
    gatewayId: attempt.reference ?? '',
    status: 'pending',
    returned: false,
    failureMessage: null,
    createdAt: moment.now,
    updatedAt: moment.now,
  });
}

/** Tells people that a refund was made of which they had read that it was not: they may have given the money back otherwise. */
async function tellOfReopening(em: EntityManager, locked: LockedAttempt, refund: Refund): Promise<void> {
  const amount = amountText(refund.amount, refund.currency);
  const name = `Refund ${refund.id} of ${amount} was made after all: check whether its money was given back twice`;
  await writeTask(em, locked, { name, action: 'review' });
}

/** Takes the money of a refund out of its payment again: it had failed by what was known before, and was made. */
async function takeAgain(
  em: EntityManager,
  locked: LockedAttempt,
  { charge, payment, refund }: Refunded & { refund: Refund },
): Promise<void> {
  const { amount } = refund;
  const parts = await takeRefund(em, locked, { payment, charge, account: ledger.clearing(charge.gateway), amount });
  charge.amountRefunded = add(charge.amountRefunded, amount);
  Object.assign(refund, { ...parts, failureMessage: null });
}

/**
 * Reverses a refund that failed after it was accepted or made, and makes a task: the customer did not get the money. A payment that was voided
 * after the refund and has money again is no longer voided. One whose debit was returned stays voided.
 */
async function failLater(
  em: EntityManager,
  locked: LockedAttempt,
  { charge, payment, refund, outcome }: Refunded & { refund: Refund; outcome: Outcome },
): Promise<void> {
  const reason = 'message' in outcome ? outcome.message : interruptedInWords(locked.attempt, 'not_made');
  refund.failureMessage = reason.slice(0, 255);
  const again = await returnRefund(em, locked, { payment, charge, account: ledger.clearing(charge.gateway), refund });
  if (payment.voided && isPositive(again) && !charge.returnedAt)
    Object.assign(payment, { voided: false, amount: charge.amount }); // its applied credit was given back when it was voided
  charge.amountRefunded = subtract(charge.amountRefunded, refund.amount);
  const amount = amountText(refund.amount, refund.currency);
  const isWhole = compare(add(again, refund.expense), refund.amount) >= 0;
  const has = isWhole ? `Payment ${payment.id} has the money` : `It makes up for a loss of payment ${payment.id}`;
  const name = `Refund ${refund.id} of ${amount} failed: the customer did not get it. ${has}`;
  await writeTask(em, locked, { name, action: 'review' });
}

async function mailRefund(
  em: EntityManager,
  locked: LockedAttempt,
  { charge, refund }: { charge: Charge; refund: Refund },
): Promise<void> {
  const facts = { seller: locked.moment.caller.account, customer: locked.customer, charge, refund };
  queueCopies(em, locked, {
    template: 'refund_email',
    cause: `refund:${refund.id}`,
    recipients: await recipientsOf(em, locked.customer),
    render: (to) => refundEmail({ ...facts, to }),
  });
}

const EXCESS_STEP = 'give back no more than a charge took';

/**
 * Reports the part of a refund that was given back beyond what the charge took: a task, and a problem that closes with the task. Does nothing if
 * there is no such part.
 */
async function reportExcess(
  em: EntityManager,
  locked: LockedCustomer,
  { charge, refund }: { charge: Charge; refund: Refund },
): Promise<void> {
  const { accountId, id, amount, amountRefunded, currency } = charge;
  const beyond = subtract(amountRefunded, amount);
  if (!isPositive(beyond)) return;
  const excess = compare(beyond, refund.amount) > 0 ? refund.amount : beyond;
  const message = `Refund ${refund.id} exceeds what was left of charge ${id} by ${amountText(excess, currency)}: ask the customer for the excess`;
  const task = await writeTask(em, locked, { name: message, action: 'review' });
  await em.write();
  const subject = { accountId, subjectType: 'task', subjectId: task.id };
  const money = { amount: excess, currency };
  await reportOfAccount(em, { ...subject, step: EXCESS_STEP, message, money }, locked.moment.systemNow);
}
