import { attemptsAtMost } from '../../billing/autopay.ts';
import type { CollectionState } from '../../billing/collection.ts';
import { methodOfSource } from '../../billing/paymentMethods.ts';
import { setting } from '../../billing/settings.ts';
import type { Account } from '../../db/schema/account.ts';
import type { Customer } from '../../db/schema/customer.ts';
import type { Invoice } from '../../db/schema/invoice.ts';

export type KnownOfAttempts = Pick<CollectionState, 'attemptUndecided' | 'lastFailure' | 'hasSource'>;

/** What the rules of collection look at, from the invoice and what is known of its attempts. */
export function collectionStateOf(account: Account, invoice: Invoice, known: KnownOfAttempts): CollectionState {
  return {
    over: invoice.paid || invoice.closed || invoice.status === 'voided' || !invoice.issuedAt,
    nextAttemptAt: invoice.nextPaymentAttemptAt?.getTime() ?? null,
    attemptCount: invoice.attemptCount,
    attemptsAtMost: attemptsAtMost(setting(account, 'autopay_retry_days')),
    dueAt: invoice.dueAt?.getTime() ?? null,
    pastDue: invoice.pastDue,
    zone: invoice.timeZone,
    ...known,
  };
}

/** Whether AutoPay has a source to charge: the default one, unless customer or invoice is not to be paid by its method. */
export function hasSource({ defaultSource, disabledPaymentMethods }: Customer, invoice: Invoice): boolean {
  if (!defaultSource?.chargeable) return false;
  const method = methodOfSource(defaultSource.type);
  return ![...disabledPaymentMethods, ...invoice.disabledPaymentMethods].includes(method);
}
