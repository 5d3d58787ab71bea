import { maxAttempts } from '../../billing/autopay.ts';
import type { CollectionState } from '../../billing/collection.ts';
import { methodOfSource } from '../../billing/paymentMethods.ts';
import { setting } from '../../billing/settings.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import { isNotCollected } from './collectionSchedule.ts';

/** The part of the collection state that its attempts and its customer's source decide. */
export type AttemptFacts = Pick<CollectionState, 'attemptUndecided' | 'lastFailure' | 'hasSource'>;

/** Input of the collection rules. */
export function collectionStateOf(account: Account, invoice: Invoice, known: AttemptFacts): CollectionState {
  return {
    over: isNotCollected(invoice),
    nextAttemptAt: invoice.nextPaymentAttemptAt?.getTime() ?? null,
    attemptCount: invoice.attemptCount,
    maxAttempts: maxAttempts(setting(account, 'autopay_retry_days')),
    dueAt: invoice.dueAt?.getTime() ?? null,
    pastDue: invoice.pastDue,
    zone: invoice.timeZone,
    ...known,
  };
}

/** Whether AutoPay can charge the default source: it is chargeable, and neither customer nor invoice has disabled its payment method. */
export function hasSource({ defaultSource, disabledPaymentMethods }: Customer, invoice: Invoice): boolean {
  if (!defaultSource?.chargeable) return false;
  const method = methodOfSource(defaultSource.type);
  return ![...disabledPaymentMethods, ...invoice.disabledPaymentMethods].includes(method);
}
