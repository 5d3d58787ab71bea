import { isRunning } from '../../billing/collection/paymentPlan.ts';
import { includedDiscount, offerOf } from '../../billing/documents/earlyDiscount.ts';
import type { Invoice } from '../../db/schema/invoice.ts';

/** When the early-payment discount on a document ends, epoch milliseconds; null: it has none, or a payment plan fixes its balance. */
export function discountEndsAt({ discounts, plan }: Invoice): number | null {
  if (plan && isRunning(plan)) return null;
  return includedDiscount(discounts)?.expiresAt ?? null;
}

/**
 * Plans to decide again about the early-payment discount of an invoice, after money came (`paidAt`: its date) or was taken back (null). A
 * discount on the document is decided by the end of its time, and again if money of a later date came before it was dropped.
 */
export function planDiscountReview(invoice: Invoice, now: Date, paidAt: Date | null): void {
  const included = includedDiscount(invoice.discounts);
  if (included && paidAt && paidAt.getTime() >= included.expiresAt)
    invoice.discountReviewAt = new Date(Math.max(now.getTime(), included.expiresAt));
  if (!included && offerOf(invoice)) invoice.discountReviewAt = now;
}
