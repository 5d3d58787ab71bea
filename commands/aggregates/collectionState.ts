import { maxAttempts } from '../../billing/collection/autopay.ts';
import type { CollectionState } from '../../billing/collection/collection.ts';
import { type ScheduleChange, scheduleAfter } from '../../billing/collection/collectionSchedule.ts';
import { firstLateFeeAt, type LateFeeTerms } from '../../billing/collection/lateFee.ts';
import { awaitsApproval } from '../../billing/collection/paymentPlan.ts';
import { isInTime, type PromisedPayment, promiseAfter, promiseEndsAt } from '../../billing/collection/promise.ts';
import { methodOfSource } from '../../billing/payments/paymentMethods.ts';
import { setting } from '../../billing/settings.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Customer, PaymentSource } from '../../db/schema/customer.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { LateFeeSchedule } from '../../db/schema/lateFee.ts';
import type { Wakeup } from '../../db/schema/wakeup.ts';
import { discountEndsAt } from './earlyDiscount.ts';

/**
 * Updates the schedule of an invoice after a change: `nextPaymentAttemptAt` and `autopayStopped`. Nothing else writes these two fields. The
 * caller replans the wake-ups. If AutoPay has stopped, it also calls `ensureDueDate`.
 */
export function schedule(invoice: Invoice, change: ScheduleChange, now: Date): void {
  const nextAttemptAt = invoice.nextPaymentAttemptAt?.getTime() ?? null;
  const autopay = invoice.autopay && !waitsForApproval(invoice);
  const attemptCount = attemptsOfSchedule(invoice);
  const autopayStopped = invoice.autopayStopped ?? false;
  const facts = { over: isNotCollected(invoice), autopay, attemptCount, autopayStopped, nextAttemptAt };
  const next = scheduleAfter(facts, change, now.getTime());
  invoice.nextPaymentAttemptAt = next.nextAttemptAt === null ? null : new Date(next.nextAttemptAt);
  invoice.autopayStopped = next.autopayStopped;
}

/**
 * Charges an invoice now whose wake-up was moved to now: the gateway had refused its last automatic payment, and somebody mended that
 * (db/queries/charges/attempts.ts).
 */
export function takeUpRefused(invoice: Invoice, waited: Pick<Wakeup, 'at' | 'reason'> | undefined, now: Date): void {
  const next = invoice.nextPaymentAttemptAt;
  if (waited?.reason === 'refused' && waited.at <= now && next && next > now)
    schedule(invoice, { kind: 'retried' }, now);
}

/** Whether AutoPay of an invoice waits for the customer's approval of its payment plan. */
export function waitsForApproval({ plan }: Invoice): boolean {
  return plan ? awaitsApproval(plan) : false;
}

/**
 * How often the current schedule has charged: since the invoice was issued, or since the current installment of its active payment plan
 * began.
 */
function attemptsOfSchedule({ attemptCount, plan }: Invoice): number {
  return plan?.status === 'active' ? attemptCount - plan.attemptsBefore : attemptCount;
}

/** Whether there is nothing to collect: a draft, or a paid, closed or voided invoice. */
export function isNotCollected({ paid, closed, status, issuedAt }: Invoice): boolean {
  return paid || closed || status === 'voided' || !issuedAt;
}

/**
 * Until when a payment of an unpaid invoice is promised: the end of the promised day, epoch milliseconds. Null: none is promised, the promise was
 * broken, or the invoice is over. Until then nobody asks for the payment, and no late fee accrues.
 */
export function promisedUntil(invoice: Invoice): number | null {
  return isNotCollected(invoice) ? null : promiseEndsAt(promiseOf(invoice));
}

/** The promise of an invoice, as rules take it. */
function promiseOf({ promise = null, expectedPaymentAt, timeZone: zone }: Invoice): PromisedPayment {
  return { promise, expectedAt: expectedPaymentAt?.getTime() ?? null, zone };
}

/**
 * Makes the promise of a changed invoice follow its payment. `wasPaid`: it was paid before. `paidAt`: the date of the money that paid the
 * rest.
 */
export function followPayment(invoice: Invoice, { wasPaid, paidAt }: { wasPaid: boolean; paidAt: Date }): void {
  if (!invoice.promise || (wasPaid && invoice.paid)) return;
  const paid = isInTime(promiseOf(invoice), paidAt.getTime()) ? 'paid_in_time' : 'paid_late';
  invoice.promise = promiseAfter(invoice.promise, invoice.paid ? paid : 'owed_again');
}

/** The part of an invoice's collection state that depends on its attempts and on the customer's payment source. */
export type AttemptFacts = Pick<CollectionState, 'attemptUndecided' | 'lastFailure' | 'hasSource'>;

/** Input of the collection rules. */
export function collectionStateOf(account: Account, invoice: Invoice, known: AttemptFacts): CollectionState {
  return {
    over: isNotCollected(invoice),
    nextAttemptAt: invoice.nextPaymentAttemptAt?.getTime() ?? null,
    attemptCount: attemptsOfSchedule(invoice),
    maxAttempts: maxAttempts(setting(account, 'autopay_retry_days')),
    promiseEndsAt: promisedUntil(invoice),
    discountEndsAt: discountEndsAt(invoice),
    discountReviewAt: invoice.discountReviewAt?.getTime() ?? null,
    dueAt: invoice.dueAt?.getTime() ?? null,
    pastDue: invoice.pastDue,
    lateFeeAt: invoice.lateFeeAt?.getTime() ?? null,
    lateFeeReviewAt: invoice.lateFeeReviewAt?.getTime() ?? null,
    creditReviewAt: invoice.creditReviewAt?.getTime() ?? null,
    zone: invoice.timeZone,
    ...known,
  };
}

/** Whether AutoPay can charge the default source. */
export function hasSource(customer: Customer, invoice: Invoice): boolean {
  const { defaultSource } = customer;
  return Boolean(defaultSource && isCollectable(defaultSource, customer, invoice));
}

/** Whether AutoPay can charge a source: it is chargeable, and neither customer nor invoice has disabled its payment method. */
export function isCollectable(source: PaymentSource, customer: Customer, invoice: Invoice): boolean {
  const disabled = [...customer.disabledPaymentMethods, ...invoice.disabledPaymentMethods];
  return source.chargeable && !disabled.includes(methodOfSource(source.type));
}

/** The terms of late fees that apply to an account; null: it charges none. */
export async function lateFeeTermsOf(em: EntityManager, accountId: number): Promise<LateFeeTerms | null> {
  const schedule = await em.findOne(LateFeeSchedule, { accountId, isDefault: true });
  if (!schedule) return null;
  const { amount, isPercent, cap = null, currency, gracePeriodDays, recurringDays } = schedule;
  return { amount, isPercent, cap, currency, gracePeriodDays, recurringDays };
}

/**
 * Plans the first late fee of each invoice that has become past due, and forgets those of all others. `from`: the time from whose day the
 * grace period counts. Makes one query, and none if no invoice has become past due.
 */
export async function planLateFees(em: EntityManager, invoices: readonly Invoice[], from: Date): Promise<void> {
  for (const invoice of invoices)
    if (!isOverdue(invoice) && invoice.lateFeesPlanned)
      Object.assign(invoice, { lateFeeAt: null, lateFeesPlanned: false });
  const overdue = invoices.filter((invoice) => isOverdue(invoice) && !invoice.lateFeesPlanned);
  const [first] = overdue;
  if (!first) return;
  const terms = await lateFeeTermsOf(em, first.accountId);
  for (const invoice of overdue) {
    const at = terms ? new Date(firstLateFeeAt(from.getTime(), terms, invoice.timeZone)) : null;
    Object.assign(invoice, { lateFeeAt: at, lateFeesPlanned: true });
  }
}

function isOverdue(invoice: Invoice): boolean {
  return invoice.pastDue && !isNotCollected(invoice);
}
