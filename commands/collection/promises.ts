import { promiseAfter } from '../../billing/collection/promise.ts';
import { amountText } from '../../billing/money/money.ts';
import { localDay } from '../../billing/time/calendar.ts';
import type { EntityManager } from '../../db/orm.ts';
import { invoiceEventObject, type LockedInvoice, recordInvoice } from '../aggregates/invoice.ts';
import { writeOwnersTask } from '../tasks/tasks.ts';

/** Breaks the promise of an invoice whose promised day has ended. The customer's owner, or anybody, gets the task to call. */
export async function breakPromise(em: EntityManager, locked: LockedInvoice): Promise<string> {
  const { invoice, moment } = locked;
  const { balance, currency, expectedPaymentAt, id, number, promise = null, timeZone } = invoice;
  const before = invoiceEventObject(locked);
  invoice.promise = promiseAfter(promise, 'day_ended');
  invoice.updatedAt = moment.now;
  recordInvoice(em, locked, { type: 'invoice.updated', before, reason: 'promise_broken' });
  const day = localDay(Number(expectedPaymentAt ?? moment.now), timeZone);
  const name = `${amountText(balance, currency)} of ${number ?? id}, promised for ${day}, did not come`;
  await writeOwnersTask(em, locked, { name: name.slice(-255), action: 'phone', promisedInvoiceId: id });
  return `promised payment of ${day} did not come`;
}
