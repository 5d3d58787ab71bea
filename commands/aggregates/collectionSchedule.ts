import { type ScheduleChange, scheduleAfter } from '../../billing/collection/collectionSchedule.ts';
import { awaitsApproval } from '../../billing/collection/paymentPlan.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { Wakeup } from '../../db/schema/wakeup.ts';

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
export function attemptsOfSchedule({ attemptCount, plan }: Invoice): number {
  return plan?.status === 'active' ? attemptCount - plan.attemptsBefore : attemptCount;
}

/** Whether there is nothing to collect: a draft, or a paid, closed or voided invoice. */
export function isNotCollected({ paid, closed, status, issuedAt }: Invoice): boolean {
  return paid || closed || status === 'voided' || !issuedAt;
}
