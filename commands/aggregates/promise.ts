import { isInTime, type PromisedPayment, promiseAfter, promiseEndsAt } from '../../billing/collection/promise.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { isNotCollected } from './collectionSchedule.ts';

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
