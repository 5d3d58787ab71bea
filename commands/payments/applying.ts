import { add, compare, isPositive, type Money, minimum, roundMoney, subtract, sum } from '../../billing/money/money.ts';
import { isCredit } from '../../billing/payments/credit.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { EventReason } from '../../db/schema/event.ts';
import type { Payment } from '../../db/schema/payment.ts';
import { type ApplicationType, PaymentApplication } from '../../db/schema/paymentApplication.ts';
import { planDiscountReview } from '../aggregates/earlyDiscount.ts';
import {
  forgetFailure,
  invoiceEventObject,
  type LockedInvoice,
  recordInvoice,
  replanInvoices,
  updateInvoiceStatus,
} from '../aggregates/invoice.ts';
import { updatePastDueSubscriptions } from '../aggregates/pastDue.ts';
import { followBalance } from '../aggregates/paymentPlan.ts';
import {
  postWriteOff,
  reopen,
  reverseForfeit,
  takeDifferenceBack,
  writeOffDifference,
} from '../aggregates/writeOff.ts';
import type { Moment } from '../kernel/caller.ts';
import { completeChasingTasks, completeTasksOfInvoice } from '../tasks/completing.ts';
import { type AppliedPart, postApplication } from './moneyPosting.ts';

/** One part of the amount that pays an invoice: money or credit. */
export interface Part {
  type: ApplicationType;
  amount: string;
  /** The credit note that pays, locked. The caller updates its status and records its event. */
  creditNote?: CreditNote | null | undefined;
  /** The estimate whose deposit pays, locked. */
  estimate?: Estimate | null | undefined;
}

/**
 * Applies the parts of a payment to an invoice, each up to the balances of payment and invoice. Writes ledger entries, balances, status and
 * event. Applies nothing to a closed invoice. Returns the applied amount of each part. The caller calls `updateAfterBalanceChange`.
 * `attempted`: the payment comes from a charge of this invoice; `isAutomatic`: AutoPay or a request to pay the invoice made it. `isShort`:
 * all of the payment is used. `reason`: why, for the event.
 */
export function applyPayment(
  em: EntityManager,
  locked: LockedInvoice,
  pay: {
    payment: Payment;
    parts: readonly Part[];
    attempted?: boolean;
    isAutomatic?: boolean;
    isShort?: boolean;
    reason?: EventReason | undefined;
  },
): Money[] {
  const { invoice, moment } = locked;
  const before = invoiceEventObject(locked);
  if (pay.attempted) Object.assign(invoice, { attemptCount: invoice.attemptCount + 1, pending: false });
  if (pay.isAutomatic) forgetFailure(invoice);
  const applied = pay.parts.map((part) => applyPart(em, locked, { payment: pay.payment, part }));
  followBalance(em, locked);
  const isPaying = isPositive(sum(applied, invoice.currency));
  const keepsFees = pay.reason === 'credit_applied'; // credit that pays by itself takes no late fee back
  if (isPaying && !keepsFees && invoice.lastLateFeeAt && pay.payment.date < invoice.lastLateFeeAt)
    invoice.lateFeeReviewAt = moment.now;
  if (isPaying) planDiscountReview(invoice, moment.now, pay.payment.date);
  const isDecided = !invoice.discountReviewAt; // else the decision about its discount settles the difference
  if (isPaying && pay.isShort && isDecided)
    writeOffDifference(em, locked, { payment: pay.payment, paid: moneyOf(pay, applied) });
  updateInvoiceStatus(invoice, moment.now, pay.payment.date);
  const paidNow = invoice.paid && isPaying;
  const { reason } = pay;
  recordInvoice(em, locked, {
    type: paidNow ? 'invoice.paid' : 'invoice.updated',
    before,
    ...(reason ? { reason } : {}),
  });
  return applied;
}

/** The money among the applied parts of a payment. */
function moneyOf({ parts }: { parts: readonly Part[] }, applied: readonly Money[]): Money {
  return add('0', ...applied.filter((_, index) => parts[index]?.type === 'invoice'));
}

/**
 * Updates subscriptions, tasks and wake-ups after the balances of invoices have changed, in a fixed number of queries. It writes, so call it
 * after credit notes and estimates are updated.
 */
export async function updateAfterBalanceChange(em: EntityManager, targets: readonly LockedInvoice[]): Promise<void> {
  await updatePastDueSubscriptions(em, targets);
  for (const locked of targets) await completeTasksOfInvoice(em, locked);
  await completeChasingTasks(em, targets);
  await replanInvoices(em, targets);
}

/** Applies one part: writes balances, row and ledger entries. Returns the applied amount. The caller updates the invoice's status. */
export function applyPart(
  em: EntityManager,
  locked: Pick<LockedInvoice, 'invoice' | 'moment'>,
  pay: { payment: Payment; part: Part },
): Money {
  const { invoice, moment } = locked;
  const { payment, part } = pay;
  const { creditNote = null, estimate = null } = part;
  const open = !invoice.closed && invoice.status !== 'voided';
  const left = creditNote?.balance ?? estimate?.depositLeft ?? part.amount;
  const most = minimum(part.amount, invoice.balance, payment.balance, left);
  const amount = roundMoney(open ? most : '0', invoice.currency);
  if (compare(amount, '0') <= 0) return amount;
  const application = { type: part.type, amount, invoice, creditNote, estimate };
  em.append(PaymentApplication, { ...application, accountId: invoice.accountId, payment, createdAt: moment.now });
  if (creditNote) creditNote.balance = subtract(creditNote.balance, amount);
  if (estimate) estimate.depositLeft = subtract(estimate.depositLeft, amount);
  invoice.balance = subtract(invoice.balance, amount);
  deduct(payment, application, amount);
  postApplication(em, { payment, application, how: 'post', postedAt: moment.now });
  return amount;
}

/** Adds money of a payment, or a part of a credit note, to the customer's credit balance. The caller recomputes the credit balance. */
export function applyCredit(
  em: EntityManager,
  moment: Moment,
  add: { payment: Payment; amount: string; creditNote?: CreditNote | null },
): void {
  const { payment, creditNote = null } = add;
  const { accountId, currency } = payment;
  const amount = roundMoney(add.amount, currency);
  const application = { type: 'credit' as const, amount, invoice: null, creditNote };
  em.append(PaymentApplication, { ...application, accountId, payment, createdAt: moment.now });
  deduct(payment, application, amount);
  if (creditNote) creditNote.balance = subtract(creditNote.balance, amount);
  postApplication(em, { payment, application, how: 'post', postedAt: moment.now });
}

/** Takes the convenience fee out of the money of a payment. */
export function applyFee(
  em: EntityManager,
  moment: Moment,
  { payment, amount: fee }: { payment: Payment; amount: string },
): void {
  const { accountId, currency } = payment;
  const amount = roundMoney(fee, currency);
  const application = { type: 'convenience_fee' as const, amount, invoice: null };
  em.append(PaymentApplication, { ...application, accountId, payment, createdAt: moment.now });
  deduct(payment, application, amount);
  postApplication(em, { payment, application, how: 'post', postedAt: moment.now });
}

/** Applies money of a payment, or credit, to the deposit of an estimate. The caller recomputes the credit balance. */
export function applyToDeposit(
  em: EntityManager,
  moment: Moment,
  { payment, part, estimate }: { payment: Payment; part: Part; estimate: Estimate },
): void {
  const { accountId, currency } = payment;
  const { type, creditNote = null } = part;
  const amount = roundMoney(part.amount, currency);
  const application = { type, amount, invoice: null, creditNote, estimate };
  em.append(PaymentApplication, { ...application, accountId, payment, createdAt: moment.now });
  deduct(payment, application, amount);
  if (creditNote) creditNote.balance = subtract(creditNote.balance, amount);
  estimate.depositReceived = add(estimate.depositReceived, amount);
  estimate.depositLeft = add(estimate.depositLeft, amount);
  postApplication(em, { payment, application, how: 'post', postedAt: moment.now });
}

/** Reverses a payment's applications to an invoice. The caller calls `updateAfterBalanceChange`. */
export function unapplyPayment(
  em: EntityManager,
  locked: LockedInvoice,
  undo: { payment: Payment; applications: readonly PaymentApplication[] },
): void {
  const { invoice, moment } = locked;
  const before = invoiceEventObject(locked);
  const taken = undo.applications.map((application) => {
    const amount = roundMoney(application.amount, invoice.currency);
    invoice.balance = add(invoice.balance, amount);
    removeApplication(em, moment, { payment: undo.payment, application });
    return amount;
  });
  if (invoice.paid) reopen(locked);
  takeDifferenceBack(em, locked, undo.payment);
  if (invoice.writtenOffAt) postWriteOff(em, locked, sum(taken, invoice.currency));
  followBalance(em, locked);
  planDiscountReview(invoice, moment.now, null);
  updateInvoiceStatus(invoice, moment.now);
  recordInvoice(em, locked, { type: 'invoice.updated', before });
}

/** Reverses a part of an application to an invoice. The caller calls `updateAfterBalanceChange`. */
export function unapplyPart(em: EntityManager, locked: LockedInvoice, undo: Reduced): void {
  const { invoice, moment } = locked;
  const before = invoiceEventObject(locked);
  invoice.balance = add(invoice.balance, undo.by);
  reduceApplication(em, moment, undo);
  if (invoice.paid) reopen(locked);
  takeDifferenceBack(em, locked, undo.payment);
  if (invoice.writtenOffAt) postWriteOff(em, locked, undo.by);
  followBalance(em, locked);
  planDiscountReview(invoice, moment.now, null);
  updateInvoiceStatus(invoice, moment.now);
  recordInvoice(em, locked, { type: 'invoice.updated', before });
}

/**
 * An application of a payment, and the part of it that is reversed. `wentBackAt`: when its money left again; unset for a correction, which
 * counts from the date of the payment.
 */
export interface Reduced {
  payment: Payment;
  application: PaymentApplication;
  by: Money;
  wentBackAt?: Date;
}

/**
 * Removes an application of a payment and reverses its ledger entries. The caller has locked its credit note and estimate, and updates its
 * invoice.
 */
export function removeApplication(
  em: EntityManager,
  moment: Moment,
  undo: { payment: Payment; application: PaymentApplication },
): void {
  reduceApplication(em, moment, { ...undo, by: roundMoney(undo.application.amount, undo.payment.currency) });
}

/** Reverses a part of an application, as `removeApplication` reverses the whole. A new application keeps the rest. */
export function reduceApplication(
  em: EntityManager,
  moment: Moment,
  { payment, application, by: amount, wentBackAt }: Reduced,
): void {
  const { accountId, creditNote, estimate, invoice, type, createdAt } = application;
  const reversed = { type, amount, invoice, creditNote, estimate };
  restore(payment, reversed, amount);
  const date = wentBackAt ? { date: wentBackAt } : {};
  postApplication(em, { payment, application: reversed, how: 'reverse', postedAt: moment.now, ...date });
  if (creditNote) {
    reverseForfeit(em, moment, creditNote);
    creditNote.balance = add(creditNote.balance, amount);
  }
  if (estimate && type === 'deposit') estimate.depositLeft = add(estimate.depositLeft, amount);
  else if (estimate) {
    estimate.depositReceived = subtract(estimate.depositReceived, amount);
    estimate.depositLeft = subtract(estimate.depositLeft, amount);
  }
  const rest = subtract(application.amount, amount);
  em.remove(application);
  if (isPositive(rest)) em.append(PaymentApplication, { ...reversed, accountId, payment, amount: rest, createdAt });
}

/** Subtracts an application from a payment's balance. Adds it to the payment's credit if credit pays it. */
function deduct(payment: Payment, application: AppliedPart, amount: Money): void {
  payment.balance = subtract(payment.balance, amount);
  if (isCreditIn(application)) payment.credit = add(payment.credit, amount);
}

/** The inverse of `deduct`. */
function restore(payment: Payment, application: AppliedPart, amount: Money): void {
  payment.balance = add(payment.balance, amount);
  if (isCreditIn(application)) payment.credit = subtract(payment.credit, amount);
}

function isCreditIn({ type, amount, creditNote }: AppliedPart): boolean {
  return isCredit({ type, amount, creditNoteId: creditNote?.id ?? null });
}
