import { type ScheduleChange, scheduleAfter } from '../../billing/collectionSchedule.ts';
import type { Invoice } from '../../db/schema/invoice.ts';

/**
 * Plans the next automatic charge of an invoice after a change of its facts, or stops AutoPay. Nothing else writes these two fields. The
 * caller gives an invoice that AutoPay stopped for a due date, and replans its wake-ups.
 */
export function schedule(invoice: Invoice, change: ScheduleChange, now: Date): void {
  const nextAttemptAt = invoice.nextPaymentAttemptAt?.getTime() ?? null;
  const { autopay, attemptCount } = invoice;
  const autopayStopped = invoice.autopayStopped ?? false;
  const facts = { over: isOver(invoice), autopay, attemptCount, autopayStopped, nextAttemptAt };
  const next = scheduleAfter(facts, change, now.getTime());
  invoice.nextPaymentAttemptAt = next.nextAttemptAt === null ? null : new Date(next.nextAttemptAt);
  invoice.autopayStopped = next.autopayStopped;
}

/** A draft, paid, closed or voided: nothing to collect. */
export function isOver({ paid, closed, status, issuedAt }: Invoice): boolean {
  return paid || closed || status === 'voided' || !issuedAt;
}
