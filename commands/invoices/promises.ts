import { checkPromisedDay, promiseAfter } from '../../billing/collection/promise.ts';
import type { PaymentMethodId } from '../../billing/payments/paymentMethods.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { isNotCollected } from '../aggregates/collectionState.ts';
import type { LockedInvoice } from '../aggregates/invoice.ts';
import { differs } from '../kernel/changes.ts';
import { completeTasksOf } from '../tasks/completing.ts';

/** A payment that the customer has promised. */
export interface ExpectedPayment {
  date: Date;
  method: PaymentMethodId | null;
  reference: string | null;
}

const PARAM = 'expected_payment_date';

/** Whether a request changes an invoice's promised payment. Null withdraws the promise; without a value it stays. */
export function changesPromise(invoice: Invoice, asked: ExpectedPayment | null | undefined): boolean {
  if (asked === undefined) return false;
  return differs(invoice, columnsOf(asked));
}

/**
 * Promises a payment of an unpaid invoice, moves the promise to another day, or withdraws it. Completes the tasks of a broken promise. Refuses
 * an invoice that is a draft, paid, closed or voided, a day that has passed, and one that is more than a year ahead.
 */
export async function changePromise(
  em: EntityManager,
  locked: LockedInvoice,
  asked: ExpectedPayment | null,
): Promise<void> {
  const { invoice, moment } = locked;
  if (isNotCollected(invoice)) throw new Refusal('state_conflict', whyNotPromised(invoice), PARAM);
  if (asked) checkPromisedDay(asked.date.getTime(), moment.now.getTime(), invoice.timeZone);
  const promise = promiseAfter(invoice.promise ?? null, asked ? 'promised' : 'withdrawn');
  Object.assign(invoice, columnsOf(asked), { promise });
  const outcome = asked ? 'promised_again' : 'promise_withdrawn';
  await completeTasksOf(em, locked, { subject: { promisedInvoiceId: invoice.id }, outcome });
}

function columnsOf(asked: ExpectedPayment | null) {
  return {
    expectedPaymentAt: asked?.date ?? null,
    expectedPaymentMethod: asked?.method ?? null,
    expectedPaymentReference: asked?.reference ?? null,
  };
}

function whyNotPromised({ number, id, issuedAt, paid, status, voidedAt }: Invoice): string {
  if (!issuedAt && !voidedAt) return 'A draft is not owed yet: issue it before a payment is promised';
  const state = paid || status === 'voided' ? status : 'closed';
  return `Invoice ${number ?? id} is ${state}: no payment of it is expected`;
}
