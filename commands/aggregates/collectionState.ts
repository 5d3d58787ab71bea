import { maxAttempts } from '../../billing/collection/autopay.ts';
import type { CollectionState } from '../../billing/collection/collection.ts';
import { methodOfSource } from '../../billing/payments/paymentMethods.ts';
import { setting } from '../../billing/settings.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Customer, PaymentSource } from '../../db/schema/customer.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { attemptsOfSchedule, isNotCollected } from './collectionSchedule.ts';
import { discountEndsAt } from './earlyDiscount.ts';
import { promisedUntil } from './promise.ts';

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
