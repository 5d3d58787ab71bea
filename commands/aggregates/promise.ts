import { promiseEndsAt } from '../../billing/promise.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { isNotCollected } from './collectionSchedule.ts';

/**
 * Until when a payment of an unpaid invoice is promised: the end of the promised day, epoch milliseconds. Null: none is promised, the promise was
 * broken, or the invoice is over. Until then nobody asks for the payment, and no late fee accrues.
 */
export function promisedUntil(invoice: Invoice): number | null {
  if (isNotCollected(invoice)) return null;
  const { promise = null, expectedPaymentAt, timeZone: zone } = invoice;
  return promiseEndsAt({ promise, expectedAt: expectedPaymentAt?.getTime() ?? null, zone });
}
